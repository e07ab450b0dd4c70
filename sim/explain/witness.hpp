#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "sim/explore/access.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/schedule.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// An operation as observed: one that was performed, or was about to be performed.
struct WitnessedOperation {
  std::uint32_t actor = 0;  ///< an index into `Witness::actors`
  OperationKind kind = OperationKind::Start;
  std::string object{};         ///< "mutex 'queue'"; "" if it concerns only the task
  std::uint64_t object_id = 0;  ///< the digest of the object's identity
  runtime::Location here;
  std::vector<Access> accesses{};  ///< objects are numbered as by the recorder
};

/// Why another task continues than before.
enum class Handover : std::uint8_t {
  None,         ///< the same one continues
  Interrupted,  ///< the previous one could have continued
  Yielded,      ///< the previous one yielded
  Waits,        ///< the previous one cannot continue
  Ended,        ///< the previous one has ended
};

/// One step of a run.
struct WitnessedStep {
  std::size_t step = 0;  ///< counts from 1
  runtime::TimePoint at;
  WitnessedOperation done;
  Handover handover = Handover::None;
  WitnessedOperation left;           ///< what the previous one was about to do, unless it had ended
  std::string left_because;          ///< why it could not: "which main holds since step 3 (…)"
  std::vector<std::uint32_t> woken;  ///< actors that this step has started or made ready
};

/// One decision of a run.
struct WitnessedDecision {
  ChoiceKind kind = ChoiceKind::Actor;
  std::uint32_t options = 0;
  std::uint32_t index = 0;              ///< the alternative taken
  std::size_t steps_before = 0;         ///< the decision leads to the next step, or is part of it
  std::string what;                     ///< "which waiter wakes"
  std::vector<std::uint32_t> actors{};  ///< the tasks of the alternatives, if it is about tasks
};

/// A task that was stuck when no task could continue.
struct StuckTask {
  WitnessedOperation wants;
  std::string because{};
  std::vector<std::uint32_t> releasers{};  ///< the tasks that could unblock it
};

struct WitnessedActor {
  std::string path;
  std::string name;  ///< the path in readable form
  std::uint64_t digest = 0;
  bool is_task = true;
};

/// Everything that explanations are based on: a run, seen from the inside.
struct Witness {
  std::vector<WitnessedActor> actors;
  std::vector<WitnessedStep> steps;
  std::vector<WitnessedDecision> decisions;
  std::vector<StuckTask> stuck;  ///< of deadlocks and leaks
  Schedule schedule;
  RunResult result;

  /// "main/informer/watch informer", for people.
  [[nodiscard]] const std::string& name(std::uint32_t actor) const { return actors[actor].name; }
};

/// What an actor is about to operate on, in words; "" if it concerns only the actor.
[[nodiscard]] std::string operated_on(const Actor& actor);

/// Plays another strategy's decisions and records everything that happens. `objects` may be shared
/// by several runs, whose accesses can then be compared.
class WitnessStrategy final : public Strategy {
 public:
  WitnessStrategy(Strategy& inner, Numbering& objects) : inner_(inner), objects_(objects) {}

  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  [[nodiscard]] bool asks_for_single_actor() const override {
    return inner_.asks_for_single_actor();
  }
  [[nodiscard]] bool observes() const override { return true; }
  void executed(const Actor& actor) override;
  void idle() override;
  void end(const RunResult& result) override;

  /// The number of an actor in the witness of this run.
  [[nodiscard]] std::uint32_t number_of(const Actor& actor);
  /// What an actor is about to do.
  [[nodiscard]] WitnessedOperation see(const Actor& actor);
  /// What was recorded in the last run, without its schedule.
  [[nodiscard]] Witness take() { return std::move(witness_); }

 private:
  void note_handover(const Actor& actor, WitnessedStep& step);
  void note_woken();

  Strategy& inner_;
  Numbering& objects_;
  const Actor* last_ = nullptr;  ///< the previous one, while it lives
  std::uint32_t last_number_ = 0;
  std::size_t woken_noted_ = 0;
  Witness witness_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  ///< of its actors, by their digests
};

/// Plays a schedule as far as it fits and records everything that happens. Throws `InvalidSchedule`
/// if the text is not a schedule, and `std::invalid_argument` if the body does not follow it.
[[nodiscard]] Witness witness(std::string_view schedule,
                              const std::function<void(runtime::Runtime&)>& body,
                              Numbering& objects);

}  // namespace watchlab::sim
