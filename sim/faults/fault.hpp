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

/// What a fault does once its trigger lets it: the effect. It evaluates messages, or it does
/// something to the servers, or both. Pure: no clock, no tasks; one caller at a time.
class Fault {
 public:
  Fault() = default;
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;
  virtual ~Fault() = default;

  /// What happens to a message; `Pass` for all that this fault does not touch. Asked once for each
  /// message of any client that meets the trigger (its `skip` and `decide` come after), unless a
  /// rule in place before this one has answered; at `Stage::Stream` each time that the stream looks
  /// for its next step. One object is asked about all streams: a count of each stream's own events
  /// is kept by `MessageContext::exchange`.
  virtual Verdict evaluate(const MessageContext& /*context*/) { return Pass{}; }
  /// When to ask again about an open stream although nothing has happened; nothing for never.
  [[nodiscard]] virtual std::optional<runtime::TimePoint> next_wake(
      const MessageContext& /*context*/) {
    return std::nullopt;
  }
  /// What happens to the servers when the fault is put in place. They have caught up before it, and
  /// do so again after it.
  virtual void activate(ControlPlane& /*servers*/, runtime::TimePoint /*now*/) {}
  /// The same when the fault is removed.
  virtual void heal(ControlPlane& /*servers*/, runtime::TimePoint /*now*/) {}
  /// Whether it is about the streams that are open when it is put in place, and no later ones.
  [[nodiscard]] virtual bool only_open_streams() const { return false; }
};

/// Whether a correct server behind a correct network may do this. Invariants about the client hold
/// under legal faults only.
enum class Legality : std::uint8_t { Legal, Illegal };

/// What a fault's trigger is matched against; what a user can ask for beside its own parameters.
enum class FaultScope : std::uint8_t {
  Messages,  ///< requests, answers and frames: the whole trigger applies
  Streams,   ///< open streams: only the client and the resource of the trigger make sense
  Servers,   ///< the servers themselves, at once: no trigger applies
};

/// One row of the catalogue of faults.
struct FaultEntry {
  std::string_view name;     ///< "close_watch"
  std::vector<int> numbers;  ///< rows of docs/faults.md that it plays
  std::string_view doc;      ///< what the world does, in a sentence
  Legality legality = Legality::Legal;
  bool wire_only = false;  ///< it is about bytes: on the direct transport it does nothing
  FaultScope scope = FaultScope::Messages;
  std::vector<FaultParameter> parameters{};
  std::unique_ptr<Fault> (*make)(const FaultParameters&) = nullptr;
};

}  // namespace watchlab::sim
