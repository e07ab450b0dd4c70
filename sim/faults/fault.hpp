#pragma once

#include <optional>

#include "sim/apiserver/control_plane.hpp"
#include "sim/faults/passage.hpp"
#include "sim/faults/verdict.hpp"

namespace watchlab::sim {

/// What a fault does once its trigger lets it: the effect. It judges messages, or it does something
/// to the servers, or both. Pure: no clock, no tasks; one caller at a time.
class Fault {
 public:
  Fault() = default;
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;
  virtual ~Fault() = default;

  /// What happens to a message; `Pass` for all that this fault does not touch.
  virtual Verdict judge(const Passage& /*passage*/) { return Pass{}; }
  /// When to ask again about an open stream although nothing has happened; nothing for never.
  [[nodiscard]] virtual std::optional<runtime::TimePoint> next_wake(const Passage& /*passage*/) {
    return std::nullopt;
  }
  /// What happens to the servers when the fault is put in place.
  virtual void strike(ControlPlane& /*servers*/, runtime::TimePoint /*now*/) {}
  /// What happens to the servers when the fault is removed.
  virtual void heal(ControlPlane& /*servers*/, runtime::TimePoint /*now*/) {}
  /// Whether it is about the streams that are open when it is put in place, and no later ones.
  [[nodiscard]] virtual bool only_open_streams() const { return false; }
};

}  // namespace watchlab::sim
