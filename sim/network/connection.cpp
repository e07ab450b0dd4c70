#include "sim/network/connection.hpp"

#include <utility>

#include "sim/faults/failure_words.hpp"
#include "sim/network/watch_stream.hpp"

namespace watchlab::sim {

namespace {

api::Error cancelled() { return *failure_for("cancelled"); }

runtime::Duration lateness(const Verdict& verdict) {
  const auto* delay = std::get_if<Delay>(&verdict);
  return delay != nullptr ? delay->by : runtime::Duration{};
}

/// A watch that is over before it began.
class EndedWatch : public watch::Watcher {
 public:
  explicit EndedWatch(runtime::Runtime& runtime) : result_(runtime, 0, "watch_events") {
    result_.close();
  }
  void stop(runtime::Location /*here*/) override {}
  const runtime::Channel<watch::Event>& result_channel() const override { return result_; }

 private:
  runtime::Channel<watch::Event> result_;
};

bool reads_as_ended_watch(const api::Error& error) {
  return error.kind == api::ErrorKind::Eof || error.kind == api::ErrorKind::UnexpectedEof ||
         error.kind == api::ErrorKind::ConnectionReset || error.kind == api::ErrorKind::Timeout;
}

}  // namespace

Connection::Connection(std::shared_ptr<ServerHost> host, ConnectionOptions options)
    : host_(std::move(host)), options_(std::move(options)) {}

bool Connection::travel(const runtime::StopToken& stop, runtime::Duration late) {
  const runtime::Duration way = options_.latency + late;
  if (way <= runtime::Duration::zero()) {
    return true;
  }
  const runtime::TimePoint arrival = host_->runtime().now() + way;
  return WakeUp(host_->runtime()).sleep_through(stop, arrival);
}

void Connection::wait_for_ever(const runtime::StopToken& stop) {
  (void)WakeUp(host_->runtime()).sleep(stop, std::nullopt);
}

Connection::Outcome Connection::exchange(const ServerHost::Departure& departure,
                                         const Request& request, const runtime::StopToken& stop) {
  if (std::holds_alternative<Lose>(departure.verdict)) {
    wait_for_ever(stop);
    return {cancelled()};
  }
  if (!travel(stop, lateness(departure.verdict))) {
    return {cancelled()};
  }
  if (const auto* fail = std::get_if<Fail>(&departure.verdict)) {
    return {travel(stop, fail->after) ? fail->error : cancelled()};
  }
  std::optional<ServerHost::Reply> reply = host_->serve(departure, request, stop);
  if (!reply) {
    return {cancelled()};
  }
  if (std::holds_alternative<Lose>(reply->verdict)) {
    wait_for_ever(stop);
    return {cancelled()};
  }
  Outcome outcome{cancelled(), reply->stream, 0};
  if (!travel(stop, lateness(reply->verdict))) {
    return outcome;
  }
  outcome.message = reply->message;
  const auto* fail = std::get_if<Fail>(&reply->verdict);
  const auto* status = std::get_if<api::Status>(&reply->response.answer);
  if (fail != nullptr) {
    outcome.response = fail->error;
  } else if (status != nullptr && status->status == "Failure") {
    outcome.response = api::error_from(*status);
  } else {
    outcome.response = std::move(reply->response);
  }
  return outcome;
}

Connection::Outcome Connection::ask(Request& request, const runtime::StopToken& stop) {
  request.client = options_.client;
  request.resource = options_.resource;
  if (request.namespace_.empty()) {
    request.namespace_ = options_.namespace_;
  }
  const ServerHost::Departure departure = host_->depart(options_.server, request);
  Outcome outcome = exchange(departure, request, stop);
  host_->finish(departure.exchange, outcome.message, outcome.response);
  if (outcome.stream && !outcome.response) {
    host_->end_stream(*outcome.stream, "stopped", "the client gave up");
  }
  return outcome;
}

api::Result<Response> Connection::request(const runtime::StopToken& stop, Request request) {
  return ask(request, stop).response;
}

api::Result<api::ObjectList> Connection::list(const runtime::StopToken& stop,
                                              const api::ListOptions& options) {
  Request request{.verb = Verb::List, .options = options};
  Outcome outcome = ask(request, stop);
  if (!outcome.response) {
    return outcome.response.error();
  }
  Response response = *std::move(outcome.response);
  return std::get<api::ObjectList>(std::move(response.answer));
}

api::Result<std::shared_ptr<watch::Watcher>> Connection::watch(const runtime::StopToken& stop,
                                                               const api::ListOptions& options) {
  Request request{.verb = Verb::Watch, .options = options};
  Outcome outcome = ask(request, stop);
  if (outcome.response) {
    auto stream =
        std::make_shared<WatchStream>(host_, std::move(outcome.stream), stop, options_.latency);
    stream->start();
    return std::shared_ptr<watch::Watcher>(std::move(stream));
  }
  if (reads_as_ended_watch(outcome.response.error())) {
    return std::shared_ptr<watch::Watcher>(std::make_shared<EndedWatch>(host_->runtime()));
  }
  return outcome.response.error();
}

api::Result<api::ObjectPtr> Connection::get(const runtime::StopToken& stop, const std::string& name,
                                            const std::string& resource_version) {
  Request asked{.verb = Verb::Get, .name = name};
  asked.options.resource_version = resource_version;
  api::Result<Response> response = request(stop, std::move(asked));
  return response ? api::Result(std::get<api::ObjectPtr>(response->answer)) : response.error();
}

api::Result<api::ObjectPtr> Connection::create(const runtime::StopToken& stop, api::Object object) {
  Request asked{.verb = Verb::Create, .namespace_ = object.metadata.namespace_};
  asked.object = std::make_shared<const api::Object>(std::move(object));
  api::Result<Response> response = request(stop, std::move(asked));
  return response ? api::Result(std::get<api::ObjectPtr>(response->answer)) : response.error();
}

api::Result<api::ObjectPtr> Connection::update(const runtime::StopToken& stop, api::Object object) {
  Request asked{.verb = Verb::Update, .namespace_ = object.metadata.namespace_};
  asked.object = std::make_shared<const api::Object>(std::move(object));
  api::Result<Response> response = request(stop, std::move(asked));
  return response ? api::Result(std::get<api::ObjectPtr>(response->answer)) : response.error();
}

api::Result<void> Connection::remove(const runtime::StopToken& stop, const std::string& name,
                                     const DeleteOptions& options) {
  Request asked{.verb = Verb::Delete, .name = name, .deletion = options};
  const api::Result<Response> response = request(stop, std::move(asked));
  return response ? api::Result<void>() : api::Result<void>(response.error());
}

}  // namespace watchlab::sim
