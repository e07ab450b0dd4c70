#include "sim/faults/fail_stream.hpp"

#include <stdexcept>

#include "sim/faults/event_fault.hpp"
#include "sim/faults/fail_request.hpp"

namespace watchlab::sim {

namespace {

class FailStream : public Fault {
 public:
  explicit FailStream(const FaultParameters& parameters)
      : status_(failure_from(parameters).status),
        new_streams_(parameters.boolean("new_streams")),
        after_events_(static_cast<std::uint64_t>(parameters.integer("after_events"))) {
    if (status_.code == 0) {
      throw std::invalid_argument("an ERROR event needs a failure that has an HTTP code");
    }
  }

  Verdict judge(const Passage& passage) override {
    const bool on_stream = passage.stage == Stage::Stream || passage.stage == Stage::Frame;
    return on_stream && passage.frames_sent >= after_events_
               ? Verdict(Rewrite{{error_event(status_)}})
               : Verdict(Pass{});
  }

  bool only_open_streams() const override { return !new_streams_; }

 private:
  api::Status status_;
  bool new_streams_;
  std::uint64_t after_events_;
};

std::vector<FaultParameter> stream_parameters() {
  std::vector<FaultParameter> parameters = fail_request_parameters();
  parameters.push_back({"new_streams", ParameterKind::Boolean, false,
                        "Whether it also hits the streams that are opened later."});
  parameters.push_back({"after_events", ParameterKind::Integer, std::int64_t{0},
                        "How many events a stream has delivered before."});
  return parameters;
}

}  // namespace

FaultEntry fail_stream() {
  return {.name = "fail_stream",
          .numbers = {21, 22, 26, 30},
          .doc = "Watches get an ERROR event and end: how a server fails once the stream is open.",
          .scope = FaultScope::Streams,
          .parameters = stream_parameters(),
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            return std::make_unique<FailStream>(given);
          }};
}

}  // namespace watchlab::sim
