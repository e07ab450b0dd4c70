#include "sim/network/server_host.hpp"

#include <algorithm>
#include <utility>

namespace watchlab::sim {

using runtime::Lock;

std::shared_ptr<ServerHost> ServerHost::make(runtime::Runtime& runtime, ServerHostOptions options,
                                             std::shared_ptr<ExchangeObserver> observer) {
  return std::shared_ptr<ServerHost>(
      new ServerHost(runtime, std::move(options), std::move(observer)));
}

ServerHost::ServerHost(runtime::Runtime& runtime, ServerHostOptions options,
                       std::shared_ptr<ExchangeObserver> observer)
    : runtime_(runtime),
      options_(std::move(options)),
      mutex_(runtime, "server"),
      servers_(options_.servers, runtime.now()),
      log_(runtime, servers_, {options_.notes, options_.exchanges_max}, std::move(observer)),
      faults_(servers_, log_),
      streams_(runtime, servers_, faults_, log_) {}

Response ServerHost::Transaction::write(Request request, std::size_t server) {
  return host_.write_now(request, server, now_);
}

FaultId ServerHost::Transaction::add_fault(FaultRule rule) {
  return host_.faults_.add(std::move(rule), now());
}

bool ServerHost::Transaction::remove_fault(FaultId fault) {
  return host_.faults_.remove(fault, now());
}

void ServerHost::transact(const std::function<void(Transaction&)>& body, runtime::Location here) {
  Lock lock(mutex_, here);
  Transaction transaction(*this, runtime_.now());
  servers_.change(transaction.now(), [&] { body(transaction); });
  log_.note_writes();
  // What was changed may concern any stream, not only those that got events.
  streams_.wake_all();
  ring_waiting();
}

void ServerHost::look(const std::function<void(ControlPlane&)>& body) {
  Lock lock(mutex_);
  servers_.change(runtime_.now(), [&] { body(servers_); });
}

std::int64_t ServerHost::acted(FaultId fault) {
  Lock lock(mutex_);
  return faults_.acted(fault);
}

Response ServerHost::write(Request request, runtime::Location here) {
  Lock lock(mutex_, here);
  Response response = write_now(request, 0, runtime_.now());
  streams_.wake_after_write();
  ring_waiting();
  return response;
}

Response ServerHost::write_now(Request& request, std::size_t server, runtime::TimePoint now) {
  request.arrived = now;
  Response response = servers_.handle(server, request, request.arrived);
  log_.note_writes();
  return response;
}

FaultId ServerHost::add_fault(FaultRule rule, runtime::Location here) {
  FaultId fault = 0;
  transact([&](Transaction& servers) { fault = servers.add_fault(std::move(rule)); }, here);
  return fault;
}

bool ServerHost::remove_fault(FaultId fault, runtime::Location here) {
  bool removed = false;
  transact([&](Transaction& servers) { removed = servers.remove_fault(fault); }, here);
  return removed;
}

std::vector<Exchange> ServerHost::exchanges() {
  Lock lock(mutex_);
  return log_.all();
}

bool ServerHost::idle() {
  Lock lock(mutex_);
  return log_.all_answered() && streams_.idle();
}

ServerHost::Departure ServerHost::depart(std::size_t server, const Request& request) {
  Lock lock(mutex_);
  const Exchange& made = log_.begin(server, request);
  Departure departure{.exchange = made.number, .message = log_.send(made, request)};
  departure.verdict = faults_
                          .evaluate({.stage = Stage::Request,
                                     .request = request,
                                     .exchange = made.number,
                                     .now = made.sent,
                                     .opened = made.sent})
                          .verdict;
  log_.changed(made);
  return departure;
}

std::optional<ServerHost::Reply> ServerHost::serve(const Departure& departure, Request request,
                                                   const runtime::StopToken& stop) {
  Lock lock(mutex_);
  const Exchange& exchange = log_.at(departure.exchange);
  log_.receive(exchange, request, departure.message);
  Response response = answer(exchange.server, request, lock, stop);
  if (response.code == 0) {
    return std::nullopt;
  }
  return reply_to(departure, request, std::move(response));
}

std::variant<ServerHost::Reply, runtime::TimePoint> ServerHost::try_serve(
    const Departure& departure, Request& request) {
  Lock lock(mutex_);
  const Exchange& exchange = log_.at(departure.exchange);
  if (!request.waits_for) {
    log_.receive(exchange, request, departure.message);
    request.arrived = runtime_.now();
  }
  Response response = servers_.handle(exchange.server, request, runtime_.now());
  if (const auto* pending = std::get_if<Pending>(&response.answer)) {
    request.waits_for = pending->needed;
    const auto moves = servers_.server(exchange.server).next_catch_up();
    return std::min(pending->deadline, moves.value_or(pending->deadline));
  }
  return reply_to(departure, request, std::move(response));
}

ServerHost::Reply ServerHost::reply_to(const Departure& departure, const Request& request,
                                       Response response) {
  const Exchange& exchange = log_.at(departure.exchange);
  Reply reply{.response = std::move(response)};
  if (log_.note_writes()) {
    streams_.wake_after_write();
    ring_waiting();
  }
  FaultDecision decision = faults_.evaluate({.stage = Stage::Answer,
                                             .request = request,
                                             .exchange = departure.exchange,
                                             .answer = &reply.response,
                                             .now = runtime_.now(),
                                             .opened = exchange.sent});
  if (auto* rewritten = std::get_if<RewriteAnswer>(&decision.verdict)) {
    reply.response = std::move(rewritten->response);
    decision.verdict = Pass{};
  }
  reply.verdict = std::move(decision.verdict);
  reply.fault = std::move(decision.fault);
  open_stream(reply, exchange, request);
  reply.message = log_.send(exchange, reply.response);
  return reply;
}

Response ServerHost::answer(std::size_t server, Request& request, Lock& lock,
                            const runtime::StopToken& stop) {
  request.arrived = runtime_.now();
  Response response = servers_.handle(server, request, request.arrived);
  while (const auto* pending = std::get_if<Pending>(&response.answer)) {
    request.waits_for = pending->needed;
    runtime::TimePoint wake_at = pending->deadline;
    if (const auto moves = servers_.server(server).next_catch_up()) {
      wake_at = std::min(wake_at, *moves);
    }
    const auto wake_up = std::make_shared<WakeUp>(runtime_);
    waiting_.push_back(wake_up);
    lock.unlock();
    const bool continues = wake_up->sleep(stop, wake_at);
    wake_up->rest();
    lock.lock();
    std::erase(waiting_, wake_up);
    if (!continues) {
      return {};
    }
    response = servers_.handle(server, request, runtime_.now());
  }
  return response;
}

void ServerHost::open_stream(Reply& reply, const Exchange& exchange, const Request& request) {
  const auto* opened = std::get_if<WatchOpened>(&reply.response.answer);
  if (opened == nullptr) {
    return;
  }
  if (std::holds_alternative<Fail>(reply.verdict) || std::holds_alternative<Drop>(reply.verdict)) {
    servers_.server(exchange.server).close(opened->watch);
    return;
  }
  reply.stream = streams_.open(exchange, request, opened->watch);
}

void ServerHost::finish(std::uint64_t exchange, std::uint64_t message,
                        const api::Result<Response>& outcome) {
  Lock lock(mutex_);
  log_.finish(exchange, message, outcome);
}

void ServerHost::listen(Stream& stream, std::function<void()> listener) {
  const Lock lock(mutex_);
  stream.wake_up.notify(std::move(listener));
}

StreamStep ServerHost::next_step(Stream& stream) {
  Lock lock(mutex_);
  return streams_.next_step(stream);
}

void ServerHost::arrived(Stream& stream, const stream_step::Deliver& delivered) {
  Lock lock(mutex_);
  streams_.arrived(stream, delivered);
}

void ServerHost::end_stream(Stream& stream, const StreamEnding& ending) {
  Lock lock(mutex_);
  stream.wake_up.notify({});
  streams_.end(stream, ending);
}

void ServerHost::ring_waiting() {
  for (const std::shared_ptr<WakeUp>& wake_up : waiting_) {
    wake_up->ring();
  }
}

}  // namespace watchlab::sim
