#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "sim/trace/pictures.hpp"
#include "tests/sim/trace/stories.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(pipeline_test)

/// A run of the notes alone, each at the task that would make it.
sim::RunResult run_of(const std::vector<sim::NoteRecord>& notes) {
  sim::RunResult run;
  run.notes = notes;
  return run;
}

sim::NoteRecord note(std::string task, std::string kind, std::string subject, std::string text) {
  sim::NoteRecord record;
  record.task = std::move(task);
  record.kind = std::move(kind);
  record.subject = std::move(subject);
  record.text = std::move(text);
  return record;
}

/// The name of the node with that label, as in `n4 [pos="…", …, label="ADDED"]`; "" without one.
std::string node_of(const std::string& dot, const std::string& label) {
  const std::size_t at = dot.find("label=\"" + label + "\"]");
  if (at == std::string::npos) {
    return "";
  }
  const std::size_t line = dot.rfind("\n  ", at) + 3;
  return dot.substr(line, dot.find(' ', line) - line);
}

bool leads(const std::string& dot, const std::string& from, const std::string& to) {
  return says(dot, "  " + node_of(dot, from) + " -> " + node_of(dot, to) + " [");
}

BOOST_AUTO_TEST_CASE(a_change_is_followed_from_the_server_to_the_handler) {
  const std::string dot = sim::pipeline_dot(
      run_of({note("main", "write", "default/a", "ADDED configmaps rv=3"),
              note("main/app/reflector", "receive", "m1", "server app ADDED default/a rv=3"),
              note("main/app/reflector", "delta", "default/a", "Added"),
              note("main/app", "pop", "default/a", "Added"),
              note("main/app/processor/listener-run", "handler", "app", "add: a rv \"3\"")}),
      {.title = "life"});
  BOOST_TEST(leads(dot, "ADDED configmaps rv=3 default/a", "ADDED default/a rv=3"), dot);
  BOOST_TEST(leads(dot, "ADDED default/a rv=3", "Added default/a"), dot);
  BOOST_TEST(says(dot, "-> " + node_of(dot, "add: a rv \\\"3\\\"") + " ["), dot);
  BOOST_TEST(says(dot, "label=\"app: delivered\""), dot);
}

BOOST_AUTO_TEST_CASE(events_that_wait_for_the_queue_lead_to_their_own_deltas) {
  const std::string dot = sim::pipeline_dot(
      run_of({note("main/app/reflector", "receive", "m1", "server app ADDED default/a rv=3"),
              note("main/app/reflector", "receive", "m2", "server app MODIFIED default/a rv=4"),
              note("main/app/reflector", "delta", "default/a", "Added"),
              note("main/app/reflector", "delta", "default/a", "Updated"),
              note("main/app", "pop", "default/a", "Added Updated")}),
      {.title = "two"});
  BOOST_TEST(leads(dot, "ADDED default/a rv=3", "Added default/a"), dot);
  BOOST_TEST(leads(dot, "MODIFIED default/a rv=4", "Updated default/a"), dot);
  BOOST_TEST(leads(dot, "Added default/a", "Added Updated default/a"), dot);
  BOOST_TEST(leads(dot, "Updated default/a", "Added Updated default/a"), dot);
}

BOOST_AUTO_TEST_CASE(what_a_relist_finds_comes_from_the_list_and_a_resync_from_nothing) {
  const std::string dot = sim::pipeline_dot(
      run_of({note("main", "write", "default/a", "DELETED configmaps rv=4"),
              note("main/app/reflector/list", "receive", "m1", "server app 200 rv=4"),
              note("main/app/reflector", "delta", "default/a", "Deleted"),
              note("main/app/reflector", "delta", "default/b", "Sync"),
              note("main", "story", "end", ""), note("main/app", "pop", "default/b", "Sync")}),
      {.title = "relist"});
  BOOST_TEST(leads(dot, "list rv=4", "Deleted default/a"), dot);
  BOOST_TEST(!says(dot, "-> " + node_of(dot, "Sync default/b") + " ["), dot);
  BOOST_TEST(!says(dot, node_of(dot, "DELETED configmaps rv=4 default/a") + " ->"), dot);
  BOOST_TEST(dot.find("Sync default/b") == dot.rfind("Sync default/b"), "what comes after the end");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
