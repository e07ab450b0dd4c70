#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/schedule.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// Plays a schedule. *Strict*: each decision of the schedule must come up, in its order, and be
/// possible; the first that does not ends the run, and `divergence` says which. *Guided*: applies
/// what fits, leaves out the rest; the run's own record says what really happened.
class ReplayStrategy final : public Strategy {
 public:
  enum class Mode : std::uint8_t { Strict, Guided };

  ReplayStrategy(const Schedule& schedule, Mode mode);

  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  void end(const RunResult& result) override;

  /// What did not fit, after a strict run; nothing when the run followed the schedule.
  [[nodiscard]] const std::optional<std::string>& divergence() const { return divergence_; }

 private:
  struct Entry {
    bool is_switch;
    std::uint64_t at;  ///< the digest of the actor's identity
    std::uint32_t ordinal;
    std::uint64_t next;
    std::uint32_t index;
    std::string text;  ///< for people
  };

  [[nodiscard]] const Entry* find(const Choice& choice);
  [[nodiscard]] static bool fits(const Entry& entry, const Choice& choice);
  [[nodiscard]] std::optional<std::uint32_t> alternative(const Entry& entry,
                                                         const Choice& choice) const;

  Mode mode_;
  std::vector<Entry> entries_;
  std::size_t cursor_ = 0;
  const Scheduler* scheduler_ = nullptr;
  std::optional<std::string> divergence_;
};

/// What whoever started the program asks of its explorations: to play one schedule only, and to
/// stop for a debugger on the way.
struct RequestedReplay {
  std::string schedule;      ///< WATCHLAB_SCHEDULE, or what stands in the file of `@file`
  std::size_t break_at = 0;  ///< WATCHLAB_BREAK_AT, a step; 0 for none
};

/// Reads the environment. Nothing without WATCHLAB_SCHEDULE. Throws `std::invalid_argument` for a
/// file that cannot be read, and for a WATCHLAB_BREAK_AT that is no step or has no schedule.
[[nodiscard]] std::optional<RequestedReplay> requested_replay();

/// Plays exactly that schedule, like `sim::replay`. Just before step `break_at` it says on standard
/// error what that step is, and raises SIGTRAP: a debugger stops there, with the frames of the task
/// in sight; without one the program ends. Throws `InvalidSchedule` when the text is no schedule.
[[nodiscard]] std::optional<Failure> replay(const RequestedReplay& requested,
                                            const std::function<void(runtime::Runtime&)>& body);

/// The line to paste that plays the schedule again in that case of that Boost.Test program, as in
/// "WATCHLAB_SCHEDULE=w1:… build/my_test --run_test=suite/case".
[[nodiscard]] std::string replay_line(std::string_view schedule, std::string_view program,
                                      std::string_view test_case);

}  // namespace watchlab::sim
