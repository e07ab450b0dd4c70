#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kernel/schedule.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// Plays a schedule. *Strict*: each decision of the schedule must come up, in order, and be
/// possible; the first that does not ends the run, and `divergence` says which. *Guided*: applies
/// what fits and skips the rest; the run's own record shows what really happened.
class ReplayStrategy final : public Strategy {
 public:
  enum class Mode : std::uint8_t { Strict, Guided };

  ReplayStrategy(const Schedule& schedule, Mode mode);

  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;
  void end(const RunResult& result) override;

  /// What did not fit, after a strict run; nothing if the run followed the schedule.
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
  std::optional<std::string> divergence_;
};

}  // namespace watchlab::sim
