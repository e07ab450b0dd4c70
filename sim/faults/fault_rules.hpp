#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// When a fault may act: every condition that is set must hold. A trigger without any holds always.
struct Trigger {
  std::string client;                       ///< who asks; "" for all
  std::vector<Verb> verbs;                  ///< empty for all; frames belong to their WATCH
  std::string resource;                     ///< "configmaps"; "" for all
  std::string key;                          ///< only events about this object; "" for all messages
  std::optional<runtime::TimePoint> from;   ///< not before
  std::optional<runtime::TimePoint> until;  ///< not at or after
  std::int64_t skip = 0;       ///< let that many messages that it would have touched go first
  std::int64_t times = 0;      ///< over after that many; 0 for no end
  Revision from_revision = 0;  ///< not before the store has reached this revision
  /// Asked last, about each message that the fault would touch, whether it does: a decision of
  /// the strategy that plays the world. Unset for yes.
  std::function<bool()> decide;

  /// Whether the message is one that the fault may touch, but for `skip` and `times`.
  [[nodiscard]] bool holds_for(const MessageContext& context, Revision store_revision) const;
};

/// Names a rule that is in place.
using FaultId = std::uint64_t;

/// A fault with the conditions under which it acts.
struct FaultRule {
  std::string name;  ///< for reports: the name of the fault
  Trigger trigger;
  std::unique_ptr<Fault> fault;
};

/// What the rules say to one message.
struct FaultDecision {
  Verdict verdict = Pass{};
  std::string fault;  ///< the name of the rule that said it; "" for Pass
};

/// The faults that are in place, in the order in which they came. They are asked in that order; the
/// first verdict that is not `Pass` wins. Removing a rule heals. Pure; one caller at a time.
class FaultRules {
 public:
  /// Puts a rule in place. `next_exchange` is the number that the next request will get: streams of
  /// lower numbers are open already.
  FaultId add(FaultRule rule, std::uint64_t next_exchange);
  /// Takes a rule away; nothing when it is not in place. Gives the rule back, so that its fault can
  /// heal.
  std::optional<FaultRule> remove(FaultId fault);

  [[nodiscard]] FaultDecision evaluate(const MessageContext& context, Revision store_revision);
  /// When to ask again about an open stream although nothing has happened; nothing for never.
  [[nodiscard]] std::optional<runtime::TimePoint> next_wake(const MessageContext& stream) const;
  [[nodiscard]] bool empty() const { return rules_.empty(); }
  /// How often the rule has acted; 0 for one that is not in place.
  [[nodiscard]] std::int64_t acted(FaultId fault) const;

 private:
  struct Placed {
    FaultId id = 0;
    FaultRule rule;
    std::uint64_t next_exchange = 0;
    std::int64_t met = 0;    // messages that the fault would have touched
    std::int64_t acted = 0;  // messages that it did touch
  };

  static Verdict ask(Placed& placed, const MessageContext& context, Revision store_revision);

  std::vector<Placed> rules_;
  FaultId next_id_ = 1;
};

}  // namespace watchlab::sim
