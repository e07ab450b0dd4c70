#include "sim/faults/fault_catalogue.hpp"
#include "sim/faults/fault_effects.hpp"

namespace watchlab::sim {

namespace {

/// Which streams end, and when.
std::vector<FaultParameter> end_watch_parameters() {
  return {{"new_streams", ParameterKind::Boolean, false,
           "Whether it also ends streams that are opened later."},
          {"after", ParameterKind::Duration, runtime::Duration{},
           "How long a stream lives before it ends."},
          {"after_events", ParameterKind::Integer, std::int64_t{0},
           "How many events a stream delivers before it ends."}};
}

class EndWatch : public Fault {
 public:
  EndWatch(const FaultParameters& parameters, bool clean)
      : clean_(clean),
        new_streams_(parameters.boolean("new_streams")),
        after_(parameters.duration("after")),
        after_events_(static_cast<std::uint64_t>(parameters.integer("after_events"))) {}

  Verdict evaluate(const MessageContext& context) override {
    const bool on_stream = context.stage == Stage::Stream || context.stage == Stage::Frame;
    const bool due = context.now >= context.opened + after_ && context.frames_sent >= after_events_;
    return on_stream && due ? Verdict(EndStream{clean_}) : Verdict(Pass{});
  }

  std::optional<runtime::TimePoint> next_wake(const MessageContext& context) override {
    return context.opened + after_;
  }

  bool only_open_streams() const override { return !new_streams_; }

 private:
  bool clean_;
  bool new_streams_;
  runtime::Duration after_;
  std::uint64_t after_events_;
};

std::unique_ptr<Fault> close_watch(const FaultParameters& given) {
  return std::make_unique<EndWatch>(given, true);
}

std::unique_ptr<Fault> cut_watch(const FaultParameters& given) {
  return std::make_unique<EndWatch>(given, false);
}

class SwallowErrorEvent : public EventFault {
 private:
  Verdict on_event(const MessageContext& /*context*/, const watch::Event& event) override {
    return event.type == watch::EventType::Error ? Verdict(EndStream{true}) : Verdict(Pass{});
  }
};

std::unique_ptr<Fault> tear_event(const FaultParameters& given) {
  return fault_at(Stage::Frame, EndStream{.clean = given.boolean("clean"), .torn = true});
}

}  // namespace

std::vector<FaultEntry> watch_end_faults() {
  return {
      {.name = "close_watch",
       .numbers = {5, 6},
       .doc = "Ends watches cleanly, as a server does at its timeout: those open when the fault "
              "starts, and with `new_streams` also every later one.",
       .scope = FaultScope::Streams,
       .parameters = end_watch_parameters(),
       .make = close_watch},
      {.name = "cut_watch",
       .numbers = {4, 7, 14},
       .doc = "Breaks the connections of watches, as a load balancer does after its idle timeout: "
              "those open when the fault starts, and with `new_streams` also every later one.",
       .scope = FaultScope::Streams,
       .parameters = end_watch_parameters(),
       .make = cut_watch},
      {.name = "swallow_error_event",
       .numbers = {65},
       .doc = "The stream just ends where an ERROR event should come: status 200, no event, no "
              "reason.",
       .make = make_effect<SwallowErrorEvent>},
      {.name = "tear_event",
       .numbers = {7, 8},
       .doc = "The stream ends in the middle of an event, and the partial event is lost.",
       .parameters = {{"clean", ParameterKind::Boolean, false,
                       "Whether the response is otherwise well-formed."}},
       .make = tear_event},
  };
}

}  // namespace watchlab::sim
