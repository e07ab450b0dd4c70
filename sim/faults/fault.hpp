#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/apiserver/control_plane.hpp"
#include "sim/faults/fault_parameters.hpp"
#include "sim/faults/message_context.hpp"

namespace watchlab::sim {

/// The effect of a fault, once its trigger lets it act: it evaluates messages, or acts on the
/// servers, or both. Pure: no clock, no tasks; one caller at a time.
class Fault {
 public:
  Fault() = default;
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;
  virtual ~Fault() = default;

  /// What happens to a message; `Pass` if this fault does not affect it. Called once for each
  /// message of any client that matches the trigger (before its `skip` and `decide`), unless an
  /// earlier rule has answered; at `Stage::Stream` whenever the stream looks for its next step. One
  /// object handles all streams; use `MessageContext::exchange` to count each stream's own events.
  virtual Verdict evaluate(const MessageContext& /*context*/) { return Pass{}; }
  /// When to evaluate an open stream again although nothing has happened; nothing for never.
  [[nodiscard]] virtual std::optional<runtime::TimePoint> next_wake(
      const MessageContext& /*context*/) {
    return std::nullopt;
  }
  /// What happens to the servers when the fault is injected. They have caught up before it, and
  /// catch up again after it.
  virtual void activate(ControlPlane& /*servers*/, runtime::TimePoint /*now*/) {}
  /// The same when the fault is healed.
  virtual void heal(ControlPlane& /*servers*/, runtime::TimePoint /*now*/) {}
  /// Whether it affects only streams that are open when it is injected.
  [[nodiscard]] virtual bool only_open_streams() const { return false; }
};

/// Whether a correct server behind a correct network may do this. Invariants about the client hold
/// only under legal faults.
enum class Legality : std::uint8_t { Legal, Illegal };

/// What a fault's trigger is matched against: what a user can set besides its own parameters.
enum class FaultScope : std::uint8_t {
  Messages,  ///< requests, answers and frames: the whole trigger applies
  Streams,   ///< open streams: only the client and the resource of the trigger make sense
  Servers,   ///< the servers themselves, at once: no trigger applies
};

/// One row of the fault catalogue.
struct FaultEntry {
  std::string_view name;     ///< "close_watch"
  std::vector<int> numbers;  ///< the rows of docs/faults.md that it plays
  std::string_view doc;      ///< what the world does, in a sentence
  Legality legality = Legality::Legal;
  bool wire_only = false;  ///< it is about bytes: no effect on the direct transport
  FaultScope scope = FaultScope::Messages;
  std::vector<FaultParameter> parameters{};
  std::unique_ptr<Fault> (*make)(const FaultParameters&) = nullptr;
};

}  // namespace watchlab::sim
