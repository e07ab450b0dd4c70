// What the queues note about themselves; scenarios assert on it.
#include <boost/test/unit_test.hpp>

#include "core/cache/delta_fifo.hpp"
#include "core/cache/fifo.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/kernel/world.hpp"
#include "tests/core/cache/queues.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(queue_notes_test)

namespace {

std::string notes_of(const Body& body) {
  sim::World world({.record = true});
  sim::FifoStrategy strategy;
  const sim::RunResult result = world.run(strategy, body);
  BOOST_TEST(!result.failure.has_value());
  std::vector<std::string> texts;
  for (const sim::NoteRecord& note : result.notes) {
    texts.push_back(note.kind + " " + note.subject + (note.text.empty() ? "" : " ") + note.text);
  }
  return joined(texts);
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_delta_each_merged_deletion_and_each_pop_is_noted) {
  const std::string notes = notes_of([](runtime::Runtime& runtime) {
    cache::DeltaFIFO queue(runtime, {.emit_replaced = true});
    expect_ok(queue.add(object("a")));
    expect_ok(queue.remove(object("a")));
    expect_ok(queue.remove(object("a")));
    expect_ok(replace(queue, {object("b")}));
    (void)queue.pop(ignore);
    (void)queue.pop(
        [](const cache::PopItem&, bool) -> cache::Processed { return cache::ErrRequeue{}; });
  });
  BOOST_TEST(notes ==
             "delta a Added | delta a Deleted | dedup a Deleted | delta b Replaced | "
             "dedup a Deleted | pop a Added Deleted | pop b Replaced | requeue b Replaced");
}

BOOST_AUTO_TEST_CASE(the_plain_queue_notes_its_changes_and_pops) {
  const std::string notes = notes_of([](runtime::Runtime& runtime) {
    cache::FIFO queue(runtime);
    expect_ok(queue.add(object("a")));
    expect_ok(queue.update(object("a")));
    expect_ok(queue.remove(object("a")));
    expect_ok(replace(queue, {object("b")}));
    (void)queue.pop(ignore);
  });
  BOOST_TEST(notes == "queue a add | queue a update | queue a remove | queue b replace | pop b");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
