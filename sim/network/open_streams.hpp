#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/network/fault_injection.hpp"
#include "sim/network/stream.hpp"

namespace watchlab::sim {

/// The open watches of a world: decides what each stream does next, and wakes those that have
/// something to do. It holds a stream from its opening until its carrier has ended it. Events of
/// one stream leave in the server's order; once one is dropped with all that follows, the stream is
/// silent until its end. Needs the host's lock.
class OpenStreams {
 public:
  OpenStreams(runtime::Runtime& runtime, ControlPlane& servers, FaultInjection& faults,
              ExchangeLog& log)
      : runtime_(runtime), servers_(servers), faults_(faults), log_(log) {}

  [[nodiscard]] std::shared_ptr<Stream> open(const Exchange& exchange, const Request& request,
                                             WatchId watch);
  /// What an open stream does next, at this time.
  [[nodiscard]] StreamStep next_step(Stream& stream);
  /// Events have reached the client.
  void arrived(Stream& stream, const stream_step::Deliver& delivered);
  void end(Stream& stream, const StreamEnding& ending);

  /// Wakes those for which servers have something, or which servers have ended.
  void wake_concerned();
  /// The same, and also those of lagging servers, which now know when they will see more.
  void wake_after_write();
  void wake_all();
  /// Whether no event waits for a client that has room.
  [[nodiscard]] bool idle() const;

 private:
  StreamStep step_with(Stream& stream, Frame&& frame);
  StreamStep step_after(Stream& stream, const FaultDecision& decision,
                        stream_step::Deliver&& deliver);
  StreamStep step_after(Stream& stream, const FaultDecision& decision, stream_step::End end);
  StreamStep leave(const Stream& stream, stream_step::Deliver&& deliver);
  void lose(const Stream& stream, const watch::Event& event);
  [[nodiscard]] FaultDecision evaluate(const Stream& stream, Stage stage, runtime::TimePoint left,
                                       const watch::Event* event);
  [[nodiscard]] MessageContext context_of(const Stream& stream, Stage stage) const;

  runtime::Runtime& runtime_;
  ControlPlane& servers_;
  FaultInjection& faults_;
  ExchangeLog& log_;
  std::map<WatchId, std::shared_ptr<Stream>> streams_;
  std::vector<WatchId> woken_;  // room for those that are being woken
};

}  // namespace watchlab::sim
