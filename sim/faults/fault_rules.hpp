#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// When a fault may act: every condition that is set must be true. A trigger without conditions is
/// always true.
struct Trigger {
  std::string client;                       ///< whose message; "" for all
  std::vector<Verb> verbs;                  ///< empty for all; frames belong to their WATCH
  std::string resource;                     ///< "configmaps"; "" for all
  std::string key;                          ///< only events about this object; "" for all messages
  std::optional<runtime::TimePoint> from;   ///< not before
  std::optional<runtime::TimePoint> until;  ///< not at or after
  std::int64_t skip = 0;                    ///< how many matching messages to let pass first
  std::int64_t times = 0;                   ///< ends after this many; 0 for never
  Revision from_revision = 0;               ///< not before the store has reached this revision
  /// Called last, for each message that the fault would affect: whether it acts, a decision of the
  /// world's strategy. If unset, it acts.
  std::function<bool()> decide;

  /// Whether the fault may affect the message, ignoring `skip` and `times`.
  [[nodiscard]] bool holds_for(const MessageContext& context, Revision store_revision) const;
};

/// Identifies a rule in place.
using FaultId = std::uint64_t;

/// A fault and its trigger.
struct FaultRule {
  std::string name;  ///< for reports: the name of the fault
  Trigger trigger;
  std::unique_ptr<Fault> fault;
};

/// The rules' verdict on one message.
struct FaultDecision {
  Verdict verdict = Pass{};
  std::string fault;  ///< the name of the rule; "" for Pass
};

/// The faults in place, in the order in which they were added. They are asked in that order; the
/// first verdict other than `Pass` wins. Removing a rule heals the fault. Pure; one caller at a
/// time.
class FaultRules {
 public:
  /// Adds a rule. `next_exchange` is the number that the next request will get: streams with lower
  /// numbers are already open.
  FaultId add(FaultRule rule, std::uint64_t next_exchange);
  /// Removes a rule and returns it, so that its fault can heal; nothing if it is not in place.
  std::optional<FaultRule> remove(FaultId fault);

  [[nodiscard]] FaultDecision evaluate(const MessageContext& context, Revision store_revision);
  /// When to evaluate an open stream again although nothing has happened; nothing for never.
  [[nodiscard]] std::optional<runtime::TimePoint> next_wake(const MessageContext& stream) const;
  [[nodiscard]] bool empty() const { return rules_.empty(); }
  /// How often the rule has acted; 0 if it is not in place.
  [[nodiscard]] std::int64_t acted(FaultId fault) const;

 private:
  struct Placed {
    FaultId id = 0;
    FaultRule rule;
    std::uint64_t next_exchange = 0;
    std::int64_t matched = 0;  // messages that the fault would have affected
    std::int64_t acted = 0;    // messages that it did affect
  };

  static Verdict ask(Placed& placed, const MessageContext& context, Revision store_revision);

  std::vector<Placed> rules_;
  FaultId next_id_ = 1;
};

}  // namespace watchlab::sim
