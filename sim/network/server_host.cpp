#include "sim/network/server_host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/faults/fault_effects.hpp"

namespace watchlab::sim {

using runtime::Lock;

namespace {

std::string revision_in(const Response& response) {
  if (const auto* list = std::get_if<api::ObjectList>(&response.answer)) {
    return list->resource_version;
  }
  const auto* object = std::get_if<api::ObjectPtr>(&response.answer);
  return object != nullptr && *object != nullptr ? (*object)->metadata.resource_version : "";
}

/// "200 rv=3", "410 Expired": an answer on its way.
std::string response_text(const Response& response) {
  const auto* status = std::get_if<api::Status>(&response.answer);
  if (status != nullptr) {
    return fmt::format("{} {}", response.code, api::name_of(status->reason));
  }
  const std::string revision = revision_in(response);
  return revision.empty() ? fmt::format("{}", response.code)
                          : fmt::format("{} rv={}", response.code, revision);
}

std::string verdict_text(const Verdict& verdict) {
  struct Texts {
    std::string operator()(const Pass&) const { return "passed"; }
    std::string operator()(const Delay& delay) const {
      const auto late = std::chrono::duration_cast<std::chrono::milliseconds>(delay.by);
      return fmt::format("delayed by {} ms", late.count());
    }
    std::string operator()(const Fail& fail) const {
      return fmt::format("failed: {}", to_string(answer_kind_of(fail.error)));
    }
    std::string operator()(const Lose&) const { return "lost"; }
    std::string operator()(const EndStream& end) const { return end.clean ? "closed" : "cut"; }
    std::string operator()(const Rewrite&) const { return "rewrote an event"; }
    std::string operator()(const RewriteAnswer&) const { return "rewrote an answer"; }
    std::string operator()(const Distort&) const { return "changed the bytes"; }
  };
  return std::visit(Texts{}, verdict);
}

}  // namespace

std::shared_ptr<ServerHost> ServerHost::make(runtime::Runtime& runtime, ServerHostOptions options,
                                             std::shared_ptr<ExchangeObserver> observer) {
  return std::shared_ptr<ServerHost>(
      new ServerHost(runtime, std::move(options), std::move(observer)));
}

ServerHost::ServerHost(runtime::Runtime& runtime, ServerHostOptions options,
                       std::shared_ptr<ExchangeObserver> observer)
    : runtime_(runtime),
      options_(std::move(options)),
      observer_(std::move(observer)),
      mutex_(runtime, "server"),
      servers_(options_.servers, runtime.now()),
      messages_(runtime, options_.notes),
      noted_(servers_.store().revision()) {}

Response ServerHost::Transaction::write(Request request, std::size_t server) {
  return host_.write_now(request, server);
}

FaultId ServerHost::Transaction::add_fault(FaultRule rule) {
  host_.servers_.change(now(), [&] { rule.fault->activate(host_.servers_, now()); });
  host_.note("fault", rule.name, "in place");
  return host_.faults_.add(std::move(rule), host_.exchanges_.size() + 1);
}

bool ServerHost::Transaction::remove_fault(FaultId fault) {
  std::optional<FaultRule> rule = host_.faults_.remove(fault);
  if (!rule) {
    return false;
  }
  host_.servers_.change(now(), [&] { rule->fault->heal(host_.servers_, now()); });
  host_.note("fault", rule->name, "healed");
  return true;
}

void ServerHost::transact(const std::function<void(Transaction&)>& body, runtime::Location here) {
  Lock lock(mutex_, here);
  Transaction transaction(*this);
  servers_.change(runtime_.now(), [&] { body(transaction); });
  note_writes();
  // What was changed may concern any stream, not only those that got events.
  wake_streams();
}

Response ServerHost::write(Request request, runtime::Location here) {
  Lock lock(mutex_, here);
  Response response = write_now(request, 0);
  wake_after_write();
  return response;
}

Response ServerHost::write_now(Request& request, std::size_t server) {
  request.arrived = runtime_.now();
  Response response = servers_.handle(server, request, request.arrived);
  note_writes();
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
  return {exchanges_.begin(), exchanges_.end()};
}

bool ServerHost::idle() {
  Lock lock(mutex_);
  return requests_open_ == 0 && std::all_of(streams_.begin(), streams_.end(), [&](auto& each) {
           const Stream& stream = *each.second;
           return !stream.busy && servers_.server(stream.server).waiting(stream.watch) == 0;
         });
}

ServerHost::Departure ServerHost::depart(std::size_t server, const Request& request) {
  Lock lock(mutex_);
  const runtime::TimePoint now = runtime_.now();
  Exchange& made = exchanges_.emplace_back();
  made.number = exchanges_.size();
  made.request = request;
  made.server = server;
  made.sent = now;
  ++requests_open_;
  FaultDecision decision = faults_.evaluate({.stage = Stage::Request,
                                             .request = request,
                                             .exchange = made.number,
                                             .now = now,
                                             .opened = now},
                                            servers_.store().revision());
  Departure departure{.exchange = made.number};
  if (messages_.enabled()) {
    const std::string what = request_text(request);
    departure.message = messages_.send({request.client, server_name(server), what});
  }
  note_fault(decision, request);
  departure.verdict = std::move(decision.verdict);
  changed(made);
  return departure;
}

std::optional<ServerHost::Reply> ServerHost::serve(const Departure& departure, Request request,
                                                   const runtime::StopToken& stop) {
  Lock lock(mutex_);
  const std::size_t server = exchange(departure.exchange).server;
  if (messages_.enabled()) {
    messages_.receive(departure.message,
                      {request.client, server_name(server), request_text(request)});
  }
  Reply reply{.response = answer(server, request, lock, stop)};
  if (reply.response.code == 0) {
    return std::nullopt;
  }
  const bool wrote = servers_.store().revision() != noted_;
  note_writes();
  if (wrote) {
    wake_after_write();
  }
  FaultDecision decision = faults_.evaluate({.stage = Stage::Answer,
                                             .request = request,
                                             .exchange = departure.exchange,
                                             .answer = &reply.response,
                                             .now = runtime_.now(),
                                             .opened = exchange(departure.exchange).sent},
                                            servers_.store().revision());
  note_fault(decision, request);
  if (auto* rewritten = std::get_if<RewriteAnswer>(&decision.verdict)) {
    reply.response = std::move(rewritten->response);
    decision.verdict = Pass{};
  }
  reply.verdict = std::move(decision.verdict);
  reply.fault = std::move(decision.fault);
  open_stream(reply, departure, request);
  if (messages_.enabled()) {
    reply.message =
        messages_.send({server_name(server), request.client, response_text(reply.response)});
  }
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
    const bool goes_on = wake_up->sleep(stop, wake_at);
    wake_up->rest();
    lock.lock();
    std::erase(waiting_, wake_up);
    if (!goes_on) {
      return {};
    }
    response = servers_.handle(server, request, runtime_.now());
  }
  return response;
}

void ServerHost::open_stream(Reply& reply, const Departure& departure, const Request& request) {
  const auto* opened = std::get_if<WatchOpened>(&reply.response.answer);
  if (opened == nullptr) {
    return;
  }
  const Exchange& made = exchange(departure.exchange);
  if (std::holds_alternative<Fail>(reply.verdict) || std::holds_alternative<Lose>(reply.verdict)) {
    servers_.server(made.server).close(opened->watch);
    return;
  }
  reply.stream = std::make_shared<Stream>(runtime_, request, opened->watch);
  reply.stream->exchange = departure.exchange;
  reply.stream->server = made.server;
  reply.stream->opened = runtime_.now();
  streams_.emplace(opened->watch, reply.stream);
}

void ServerHost::finish(std::uint64_t number, std::uint64_t message,
                        const api::Result<Response>& outcome) {
  Lock lock(mutex_);
  --requests_open_;
  Exchange& made = exchange(number);
  made.answered = runtime_.now();
  made.answer = outcome ? AnswerKind::Ok : answer_kind_of(outcome.error());
  made.code = outcome ? outcome->code : outcome.error().status.code;
  if (outcome) {
    made.answer_revision = revision_in(*outcome);
    // On the wire a stream may be over before its client has begun to read it.
    const bool opens = std::holds_alternative<WatchOpened>(outcome->answer) && !made.ended;
    made.end = opens ? StreamEnd::Open : made.end;
  }
  if (observer_) {
    observer_->answered(made, outcome);
  }
  const Request& request = made.request;
  if (message != 0 && messages_.enabled()) {
    const std::string what =
        outcome ? response_text(*outcome) : response_text(response_of(outcome.error().status));
    messages_.receive(message, {server_name(made.server), request.client, what});
  }
  if (options_.notes) {
    note("request", request.client, request_text(request) + " → " + answer_text(made));
  }
  changed(made);
}

void ServerHost::wake_concerned() {
  woken_.clear();
  servers_.take_woken(woken_);
  for (const WatchId watch : woken_) {
    const auto stream = streams_.find(watch);
    if (stream != streams_.end()) {
      stream->second->wake_up.ring();
    }
  }
}

void ServerHost::wake_after_write() {
  wake_concerned();
  for (auto& [watch, stream] : streams_) {
    // A server that lags has learnt when it will see more.
    if (servers_.server(stream->server).next_catch_up()) {
      stream->wake_up.ring();
    }
  }
  for (const std::shared_ptr<WakeUp>& wake_up : waiting_) {
    wake_up->ring();
  }
}

void ServerHost::wake_streams() {
  woken_.clear();
  servers_.take_woken(woken_);  // all of them are woken, and many others
  for (auto& [watch, stream] : streams_) {
    stream->wake_up.ring();
  }
  for (const std::shared_ptr<WakeUp>& wake_up : waiting_) {
    wake_up->ring();
  }
}

void ServerHost::note_writes() {
  const ObjectStore& store = servers_.store();
  const std::size_t written = observer_ || options_.notes ? store.log().size() : 0;
  for (std::size_t i = store.log_position_after(noted_); i < written; ++i) {
    const Change& change = store.log()[i];
    if (observer_) {
      observer_->wrote(change);
    }
    if (options_.notes) {
      note("write", change.key,
           fmt::format("{} {} rv={}", watch::name_of(change.type), change.resource->resource,
                       change.revision));
    }
  }
  noted_ = store.revision();
}

void ServerHost::note_fault(const FaultDecision& decision, const Request& request) {
  if (!passes(decision.verdict)) {
    note("fault", decision.fault,
         fmt::format("{} {}", request.client, verdict_text(decision.verdict)));
  }
}

void ServerHost::note(std::string_view kind, std::string_view subject, const std::string& text) {
  if (options_.notes) {
    runtime_.note({kind, subject, text});
  }
}

void ServerHost::changed(const Exchange& exchange) {
  if (observer_ != nullptr) {
    observer_->changed(exchange);
  }
}

const std::string& ServerHost::server_name(std::size_t server) {
  return servers_.server(server).options().name;
}

}  // namespace watchlab::sim
