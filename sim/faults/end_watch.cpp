#include "sim/faults/end_watch.hpp"

#include <optional>

namespace watchlab::sim {

namespace {

class EndWatch : public Fault {
 public:
  EndWatch(const FaultParameters& parameters, bool clean)
      : clean_(clean),
        new_streams_(parameters.boolean("new_streams")),
        after_(parameters.duration("after")),
        after_events_(static_cast<std::uint64_t>(parameters.integer("after_events"))) {}

  Verdict judge(const Passage& passage) override {
    const bool on_stream = passage.stage == Stage::Stream || passage.stage == Stage::Frame;
    const bool due = passage.now >= passage.opened + after_ && passage.frames_sent >= after_events_;
    return on_stream && due ? Verdict(EndStream{clean_}) : Verdict(Pass{});
  }

  std::optional<runtime::TimePoint> next_wake(const Passage& passage) override {
    return passage.opened + after_;
  }

  bool only_open_streams() const override { return !new_streams_; }

 private:
  bool clean_;
  bool new_streams_;
  runtime::Duration after_;
  std::uint64_t after_events_;
};

}  // namespace

std::vector<FaultParameter> end_watch_parameters() {
  return {{"new_streams", ParameterKind::Boolean, false,
           "Whether it also ends the streams that are opened later."},
          {"after", ParameterKind::Duration, runtime::Duration{},
           "How long a stream has lived when it ends."},
          {"after_events", ParameterKind::Integer, std::int64_t{0},
           "How many events a stream has delivered when it ends."}};
}

std::unique_ptr<Fault> make_end_watch(const FaultParameters& parameters, bool clean) {
  return std::make_unique<EndWatch>(parameters, clean);
}

}  // namespace watchlab::sim
