#pragma once

#include <optional>

#include "sim/apiserver/control_plane.hpp"
#include "sim/faults/fault_rules.hpp"
#include "sim/network/exchange_log.hpp"

namespace watchlab::sim {

/// Where faults meet the world: puts them in place and heals them, which may do something to the
/// servers at once, and asks them about all that passes. Whatever they do is noted. Needs the
/// host's lock.
class FaultInjection {
 public:
  FaultInjection(ControlPlane& servers, ExchangeLog& log) : servers_(servers), log_(log) {}

  FaultId add(FaultRule rule, runtime::TimePoint now);
  /// False when the fault was not in place.
  bool remove(FaultId fault, runtime::TimePoint now);
  /// How many messages a fault has touched; 0 for one that is not in place.
  [[nodiscard]] std::int64_t acted(FaultId fault) const { return rules_.acted(fault); }
  /// Whether no fault is in place, so that asking can be left out.
  [[nodiscard]] bool empty() const { return rules_.empty(); }

  [[nodiscard]] FaultDecision evaluate(const MessageContext& context);
  /// When to ask again about an open stream although nothing has happened; nothing for never.
  [[nodiscard]] std::optional<runtime::TimePoint> next_wake(const MessageContext& stream) const {
    return rules_.next_wake(stream);
  }

 private:
  ControlPlane& servers_;
  ExchangeLog& log_;
  FaultRules rules_;
};

}  // namespace watchlab::sim
