#include <stdexcept>

#include "sim/apiserver/status_bodies.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "sim/faults/fault_effects.hpp"

namespace watchlab::sim {

namespace {

/// With which failure, and what else the fault can be given.
std::vector<FaultParameter> failure_parameters(std::vector<FaultParameter> more = {}) {
  more.insert(more.begin(),
              {{"answer", ParameterKind::Failure, std::nullopt, "Which failure to answer with."},
               {"retry_after", ParameterKind::Integer, std::int64_t{0},
                "How many seconds the client should wait before it retries; 0 for no advice."}});
  return more;
}

api::Error failure_from(const FaultParameters& parameters) {
  api::Error error = *failure_for(parameters.text("answer"));
  const std::int64_t retry_after = parameters.integer("retry_after");
  if (retry_after > 0) {
    error.status.details.retry_after_seconds = static_cast<std::int32_t>(retry_after);
  }
  return error;
}

/// L24: whether the watch cache would have to serve it, so that it is refused while that is filled.
/// What contradicts itself is refused for that.
bool is_for_the_cache(const Request& request, ControlPlane& servers) {
  const ResourceType* type = servers.types().find(request.resource);
  if (type == nullptr || !type->cached) {
    return false;
  }
  const api::ListOptions& options = request.options;
  const ServerProfile& profile = servers.server(0).options().profile;
  if (request.verb == Verb::Watch) {
    return plan_watch(options, profile).ok();
  }
  const bool has_selector = !options.label_selector.empty() || !options.field_selector.empty();
  if (request.verb != Verb::List || (options.limit > 0 && !has_selector)) {
    return false;
  }
  const api::Result<ListPlan> plan = plan_list(options, profile);
  return plan.ok() && (plan->from_cache || profile.snapshots);
}

class CacheNotReady : public Fault {
 public:
  void activate(ControlPlane& servers, runtime::TimePoint now) override {
    since_ = now;
    servers_ = &servers;
    set_filling(servers, true);
  }
  void heal(ControlPlane& servers, runtime::TimePoint /*now*/) override {
    set_filling(servers, false);
  }

  Verdict evaluate(const MessageContext& context) override {
    if (context.stage != Stage::Request || !is_for_the_cache(context.request, *servers_)) {
      return Pass{};
    }
    return Fail{api::error_from(status_bodies::cache_not_ready(context.now - since_))};
  }

 private:
  static void set_filling(ControlPlane& servers, bool filling) {
    for (std::size_t i = 0; i < servers.server_count(); ++i) {
      servers.server(i).set_filling(filling);
    }
  }

  runtime::TimePoint since_;
  ControlPlane* servers_ = nullptr;
};

std::unique_ptr<Fault> fail_list(const FaultParameters& given) {
  const bool next_pages = given.boolean("next_pages");
  return fault_at(
      Stage::Request, [error = failure_from(given), next_pages](const MessageContext& context) {
        const bool is_list = context.request.verb == Verb::List;
        const bool is_next_page = !context.request.options.continue_token.empty();
        return is_list && is_next_page >= next_pages ? Verdict(Fail{error}) : Verdict(Pass{});
      });
}

/// When the answer fails on its way back, the server has acted already.
std::unique_ptr<Fault> fail_requests(const FaultParameters& given) {
  const std::optional<Stage> stage = stage_named(given.text("what"));
  if (stage != Stage::Request && stage != Stage::Answer) {
    throw std::invalid_argument("what fails must be \"requests\" or \"answers\"");
  }
  return fault_at(*stage, Fail{failure_from(given)});
}

std::unique_ptr<Fault> fail_watch(const FaultParameters& given) {
  return fault_at(Stage::Request, [error = failure_from(given)](const MessageContext& context) {
    return context.request.verb == Verb::Watch ? Verdict(Fail{error}) : Verdict(Pass{});
  });
}

/// The status is sent inside the stream: its head has promised the code 200 already.
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

  Verdict evaluate(const MessageContext& context) override {
    const bool on_stream = context.stage == Stage::Stream || context.stage == Stage::Frame;
    return on_stream && context.frames_sent >= after_events_
               ? Verdict(Rewrite{{error_event(status_)}})
               : Verdict(Pass{});
  }

  bool only_open_streams() const override { return !new_streams_; }

 private:
  api::Status status_;
  bool new_streams_;
  std::uint64_t after_events_;
};

std::unique_ptr<Fault> login_page(const FaultParameters& /*given*/) {
  return fault_at(
      Stage::Request,
      Fail{{api::ErrorKind::Decode, "no serializers are registered for text/html", {}}});
}

std::unique_ptr<Fault> refuse_connections(const FaultParameters& /*given*/) {
  return fault_at(Stage::Request, Fail{*failure_for(AnswerKind::Refused)});
}

}  // namespace

std::vector<FaultEntry> failure_faults() {
  return {
      {.name = "cache_not_ready",
       .numbers = {23},
       .doc = "Watch caches are being refilled: open watches end, and lists and watches that need "
              "the cache get a 429. Lists with a limit and single objects are served from the "
              "store. After healing, the history is empty.",
       .make = make_effect<CacheNotReady>},
      {.name = "fail_list",
       .numbers = {18, 19, 29},
       .doc = "Lists fail.",
       .parameters =
           failure_parameters({{"next_pages", ParameterKind::Boolean, false,
                                "Whether only requests for the second and later pages fail."}}),
       .make = fail_list},
      {.name = "fail_requests",
       .numbers = {27, 32},
       .doc = "Requests of any kind fail, as with an expired token or a draining server.",
       .parameters =
           failure_parameters({{"what", ParameterKind::Text, "requests",
                                "\"requests\", which the server does not get, or \"answers\": "
                                "it has acted, and the client does not learn of it."}}),
       .make = fail_requests},
      {.name = "fail_stream",
       .numbers = {21, 22, 26, 30},
       .doc = "Watches get an ERROR event and end, which is how a server fails once a stream is "
              "open: those open when the fault starts, and with `new_streams` also later ones.",
       .scope = FaultScope::Streams,
       .parameters = failure_parameters({{"new_streams", ParameterKind::Boolean, false,
                                          "Whether it also hits streams that are opened later."},
                                         {"after_events", ParameterKind::Integer, std::int64_t{0},
                                          "How many events a stream delivers before it fails."}}),
       .make = make_effect<FailStream>},
      {.name = "fail_watch",
       .numbers = {2, 20, 23, 24, 25},
       .doc = "Watches fail instead of opening a stream.",
       .parameters = failure_parameters(),
       .make = fail_watch},
      {.name = "login_page",
       .numbers = {28},
       .doc = "A proxy answers requests with status 200 and an HTML page.",
       .make = login_page},
      {.name = "refuse_connections",
       .numbers = {1},
       .doc = "No server listens, so every new request is refused. Open streams stay open.",
       .make = refuse_connections},
  };
}

}  // namespace watchlab::sim
