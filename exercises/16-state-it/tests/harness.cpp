// Plays a small story on the queue in every order that there is with one preemption, and asks the
// student's invariants after every step. One case for each invariant.
#include <algorithm>
#include <boost/test/tree/auto_registration.hpp>
#include <boost/test/unit_test.hpp>
#include <string>

#include "core/runtime/task.hpp"
#include "exercises/16-state-it/invariants.hpp"
#include "exercises/16-state-it/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"
#include "sim/explore/explore.hpp"

namespace watchlab::exercise {
namespace {

constexpr std::size_t schedules_max = 20000;

/// Does things to a queue, and asks an invariant after each.
class Observer {
 public:
  Observer(runtime::Runtime& runtime, const Invariant& invariant)
      : queue_(make_queue(runtime)), invariant_(invariant) {}

  void add(const std::string& name, int version) {
    queue_->add(object(name, std::to_string(version)));
    look({Deed::Added, {name, version}});
  }
  void remove(const std::string& name) {
    queue_->remove(object(name));
    look({Deed::Removed, {name, 0}});
  }
  void pop() {
    const api::ObjectPtr popped = queue_->pop();
    look({Deed::Popped, popped != nullptr ? entry_of(popped) : Entry()});
  }

 private:
  static Entry entry_of(const api::ObjectPtr& object) {
    return {object->metadata.name, std::stoi(object->metadata.resource_version)};
  }

  // Nobody gets in between a step and its line in `steps_`: the next visible operation is
  // `waiting`.
  void look(Step step) {
    steps_.push_back(std::move(step));
    Moment moment;
    for (const api::ObjectPtr& object : queue_->waiting()) {
      moment.waiting.push_back(object != nullptr ? entry_of(object) : Entry());
    }
    std::ranges::sort(moment.waiting, {}, &Entry::name);
    moment.steps = steps_;
    expect(invariant_.holds(moment), invariant_.name + " after " + text_of(moment.steps.back()) +
                                         " (step " + std::to_string(steps_.size()) + ")");
  }

  static std::string text_of(const Step& step) {
    const std::string what = step.entry.name + "@" + std::to_string(step.entry.version);
    switch (step.deed) {
      case Deed::Added:
        return "adding " + what;
      case Deed::Removed:
        return "removing " + step.entry.name;
      default:
        return "popping " + what;
    }
  }

  std::unique_ptr<SmallQueue> queue_;
  const Invariant& invariant_;
  std::vector<Step> steps_;
};

/// Two producers and a consumer. More is added than popped, so that the consumer never waits for
/// ever.
void play(runtime::Runtime& runtime, const Invariant& invariant) {
  Observer queue(runtime, invariant);
  const auto one = runtime::spawn(runtime, "one", [&] {
    queue.add("a", 9);
    queue.add("b", 1);
    queue.add("a", 10);
  });
  const auto two = runtime::spawn(runtime, "two", [&] {
    queue.add("c", 1);
    queue.remove("c");
  });
  queue.pop();
  queue.pop();
  one.join();
  two.join();
}

void check(const Invariant& invariant) {
  const sim::ExploreResult result =
      sim::explore({.strategy = "dfs", .schedules_max = schedules_max, .preemptions_max = 1},
                   [&](runtime::Runtime& runtime) { play(runtime, invariant); });
  BOOST_TEST(!result.failure.has_value(),
             (result.failure ? result.failure->kind + ": " + result.failure->sentence +
                                   "\nThe schedule: " + result.failure->schedule
                             : std::string()));
}

/// A case for each invariant, under its name.
const bool registered = [] {
  for (const Invariant& invariant : invariants()) {
    boost::unit_test::framework::current_auto_test_suite().add(boost::unit_test::make_test_case(
        [invariant] { check(invariant); }, invariant.name, __FILE__, __LINE__));
  }
  return true;
}();

}  // namespace
}  // namespace watchlab::exercise
