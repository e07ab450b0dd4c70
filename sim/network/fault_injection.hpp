#pragma once

#include <optional>

#include "sim/apiserver/control_plane.hpp"
#include "sim/faults/fault_rules.hpp"
#include "sim/network/exchange_log.hpp"

namespace watchlab::sim {

/// Connects faults to the world: injects and heals them, which may act on the servers at once, and
/// evaluates them for all messages. Notes whatever they do. Needs the host's lock.
class FaultInjection {
 public:
  FaultInjection(ControlPlane& servers, ExchangeLog& log) : servers_(servers), log_(log) {}

  FaultId add(FaultRule rule, runtime::TimePoint now);
  /// Returns false if the fault was not in place.
  bool remove(FaultId fault, runtime::TimePoint now);
  /// How many messages a fault has affected; 0 if it is not in place.
  [[nodiscard]] std::int64_t acted(FaultId fault) const { return rules_.acted(fault); }
  /// Whether no fault is in place, so that evaluation can be skipped.
  [[nodiscard]] bool empty() const { return rules_.empty(); }

  [[nodiscard]] FaultDecision evaluate(const MessageContext& context);
  /// When to evaluate an open stream again although nothing has happened; nothing for never.
  [[nodiscard]] std::optional<runtime::TimePoint> next_wake(const MessageContext& stream) const {
    return rules_.next_wake(stream);
  }

 private:
  ControlPlane& servers_;
  ExchangeLog& log_;
  FaultRules rules_;
};

}  // namespace watchlab::sim
