#include "sim/network/connection.hpp"

#include <utility>

#include "core/api/json.hpp"
#include "sim/faults/fault_effects.hpp"

namespace watchlab::sim {

bool travel(runtime::Runtime& runtime, const runtime::StopToken& stop, runtime::Duration way) {
  if (way <= runtime::Duration::zero()) {
    return true;
  }
  const runtime::TimePoint arrival = runtime.now() + way;
  return WakeUp(runtime).sleep_through(stop, arrival);
}

runtime::Duration lateness(const Verdict& verdict) {
  const auto* delay = std::get_if<Delay>(&verdict);
  return delay != nullptr ? delay->by : runtime::Duration{};
}

api::Error cancelled() { return *failure_for(AnswerKind::Cancelled); }

namespace {

Request request_for(Verb verb) {
  Request request;
  request.verb = verb;
  return request;
}

bool reads_as_ended_watch(const api::Error& error) {
  return error.kind == api::ErrorKind::Eof || error.kind == api::ErrorKind::UnexpectedEof ||
         error.kind == api::ErrorKind::ConnectionReset || error.kind == api::ErrorKind::Timeout;
}

}  // namespace

Connection::Connection(std::shared_ptr<ServerHost> host, ConnectionOptions options)
    : host_(std::move(host)),
      options_(std::move(options)),
      carrier_(options_.transport == Transport::Wire
                   ? make_wire_carrier(host_, options_.latency)
                   : make_direct_carrier(host_, options_.latency)) {}

Carried Connection::ask(Request& request, const runtime::StopToken& stop) {
  request.client = options_.client;
  request.resource = options_.resource;
  if (request.namespace_.empty()) {
    request.namespace_ = options_.namespace_;
  }
  const ServerHost::Departure departure = host_->depart(options_.server, request);
  Carried carried = carrier_->carry(departure, request, stop);
  host_->finish(departure.exchange, carried.message, carried.response);
  if (carried.stream && !carried.response) {
    carried.stream->give_up();
  }
  return carried;
}

api::Result<Response> Connection::request(const runtime::StopToken& stop, Request request) {
  return ask(request, stop).response;
}

api::Result<api::ObjectList> Connection::list(const runtime::StopToken& stop,
                                              const api::ListOptions& options) {
  Request request = request_for(Verb::List);
  request.options = options;
  Carried carried = ask(request, stop);
  if (!carried.response) {
    return carried.response.error();
  }
  Response response = *std::move(carried.response);
  return std::get<api::ObjectList>(std::move(response.answer));
}

api::Result<std::shared_ptr<watch::Watcher>> Connection::watch(const runtime::StopToken& stop,
                                                               const api::ListOptions& options) {
  Request request = request_for(Verb::Watch);
  request.options = options;
  Carried carried = ask(request, stop);
  if (carried.response) {
    return carried.stream->start(stop);
  }
  if (reads_as_ended_watch(carried.response.error())) {
    return watch::make_empty_watch(host_->runtime());
  }
  return carried.response.error();
}

api::Result<api::ObjectPtr> Connection::get(const runtime::StopToken& stop, const std::string& name,
                                            const std::string& resource_version) {
  Request asked = request_for(Verb::Get);
  asked.name = name;
  asked.options.resource_version = resource_version;
  api::Result<Response> response = request(stop, std::move(asked));
  return response ? api::Result(std::get<api::ObjectPtr>(response->answer)) : response.error();
}

api::Result<api::ObjectPtr> Connection::create(const runtime::StopToken& stop, api::Object object) {
  Request asked = request_for(Verb::Create);
  asked.namespace_ = object.metadata.namespace_;
  asked.object = std::make_shared<const api::Object>(std::move(object));
  api::Result<Response> response = request(stop, std::move(asked));
  return response ? api::Result(std::get<api::ObjectPtr>(response->answer)) : response.error();
}

api::Result<api::ObjectPtr> Connection::update(const runtime::StopToken& stop, api::Object object) {
  Request asked = request_for(Verb::Update);
  asked.namespace_ = object.metadata.namespace_;
  asked.object = std::make_shared<const api::Object>(std::move(object));
  api::Result<Response> response = request(stop, std::move(asked));
  return response ? api::Result(std::get<api::ObjectPtr>(response->answer)) : response.error();
}

api::Result<api::ObjectPtr> Connection::apply(const runtime::StopToken& stop,
                                              const api::Object& configuration,
                                              const std::string& manager, bool force) {
  Request asked = request_for(Verb::Patch);
  asked.namespace_ = configuration.metadata.namespace_;
  asked.name = configuration.metadata.name;
  asked.patch_type = PatchType::Apply;
  asked.patch = api::to_json(configuration);
  asked.field_manager = manager;
  asked.force = force;
  api::Result<Response> response = request(stop, std::move(asked));
  return response ? api::Result(std::get<api::ObjectPtr>(response->answer)) : response.error();
}

api::Result<void> Connection::remove(const runtime::StopToken& stop, const std::string& name,
                                     const DeleteOptions& options) {
  Request asked = request_for(Verb::Delete);
  asked.name = name;
  asked.deletion = options;
  const api::Result<Response> response = request(stop, std::move(asked));
  return response ? api::Result<void>() : api::Result<void>(response.error());
}

}  // namespace watchlab::sim
