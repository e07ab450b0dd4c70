#include "sim/network/exchange_log.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "sim/faults/fault_effects.hpp"

namespace watchlab::sim {
namespace {

std::string_view revision_in(const Response& response) {
  if (const auto* list = std::get_if<api::ObjectList>(&response.answer)) {
    return list->resource_version;
  }
  const auto* object = std::get_if<api::ObjectPtr>(&response.answer);
  return object != nullptr && *object != nullptr
             ? std::string_view((*object)->metadata.resource_version)
             : "";
}

/// Every message is written down, and appending takes a fraction of what formatting does.
std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) {
    text += part;
  }
  return text;
}

/// "200 rv=3", "410 Expired": an answer on its way.
std::string response_text(const Response& response) {
  const std::string code = std::to_string(response.code);
  if (const auto* status = std::get_if<api::Status>(&response.answer)) {
    return joined({code, " ", api::to_string(status->reason)});
  }
  const std::string_view revision = revision_in(response);
  return revision.empty() ? code : joined({code, " rv=", revision});
}

bool is_over(const Exchange& exchange) {
  return exchange.answered && exchange.end != StreamEnd::Open;
}

std::string without_spaces(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

}  // namespace

ExchangeLog::ExchangeLog(runtime::Runtime& runtime, ControlPlane& servers, Options options,
                         std::shared_ptr<ExchangeObserver> observer)
    : runtime_(runtime),
      servers_(servers),
      notes_(options.notes),
      exchanges_max_(options.exchanges_max),
      observer_(std::move(observer)),
      noted_(servers.store().revision()) {}

Exchange& ExchangeLog::begin(std::size_t server, const Request& request) {
  if (exchanges_max_ > 0) {
    forget_oldest();
  }
  const std::uint64_t number = next_number();
  Exchange& made = exchanges_.emplace_back();
  made.number = number;
  made.request = request;
  made.server = server;
  made.sent = runtime_.now();
  ++requests_open_;
  return made;
}

void ExchangeLog::forget_if_over(const Exchange& exchange) {
  if (exchange.number < first_ && is_over(exchange)) {
    older_.erase(exchange.number);
  }
}

std::vector<Exchange> ExchangeLog::all() const {
  std::vector<Exchange> all;
  for (const auto& [number, exchange] : older_) {
    all.push_back(exchange);
  }
  all.insert(all.end(), exchanges_.begin(), exchanges_.end());
  return all;
}

void ExchangeLog::forget_oldest() {
  while (exchanges_.size() >= exchanges_max_) {
    if (!is_over(exchanges_.front())) {
      older_.emplace(first_, std::move(exchanges_.front()));
    }
    exchanges_.pop_front();
    ++first_;
  }
}

void ExchangeLog::finish(std::uint64_t number, std::uint64_t message,
                         const api::Result<Response>& outcome) {
  --requests_open_;
  Exchange& made = at(number);
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
  if (message != 0 && notes_) {
    const Response& seen = outcome ? *outcome : response_of(outcome.error().status);
    note_message(made, {"receive", message, Way::ToClient}, response_text(seen));
  }
  if (notes_) {
    note("request", made.request.client, request_text(made.request) + " → " + answer_text(made));
  }
  changed(made);
  forget_if_over(made);
}

void ExchangeLog::arrived(const Exchange& exchange, const watch::Event& event,
                          std::uint64_t message) {
  if (observer_) {
    observer_->arrived(exchange, event);
  }
  // What comes of bytes that were changed on their way belongs to no message.
  if (notes_ && message != 0) {
    note_message(exchange, {"receive", message, Way::ToClient}, event_text(event));
  }
}

void ExchangeLog::end_stream(Exchange& exchange, const StreamEnding& ending) {
  exchange.end = ending.end;
  exchange.end_cause = ending.cause;
  exchange.ended = runtime_.now();
  note("stream", exchange.request.client, std::string(to_string(ending.end)));
  changed(exchange);
  forget_if_over(exchange);
}

void ExchangeLog::changed(const Exchange& exchange) const {
  if (observer_) {
    observer_->changed(exchange);
  }
}

bool ExchangeLog::note_writes() {
  const ObjectStore& store = servers_.store();
  const std::size_t written = observer_ || notes_ ? store.log().size() : 0;
  for (std::size_t i = store.log_position_after(noted_); i < written; ++i) {
    const Change& change = store.log()[i];
    if (observer_) {
      observer_->wrote(change);
    }
    if (notes_) {
      note("write", change.key,
           joined({watch::to_string(change.type), " ", change.resource->resource,
                   " rv=", std::to_string(change.revision)}));
    }
  }
  return std::exchange(noted_, store.revision()) != store.revision();
}

void ExchangeLog::note(std::string_view kind, std::string_view subject, const std::string& text) {
  if (notes_) {
    runtime_.note({kind, subject, text});
  }
}

std::uint64_t ExchangeLog::send(const Exchange& exchange, const Request& request) {
  if (notes_) {
    note_message(exchange, {"send", next_message_, Way::ToServer}, request_text(request));
  }
  return next_message_++;
}

void ExchangeLog::receive(const Exchange& exchange, const Request& request, std::uint64_t message) {
  if (notes_) {
    note_message(exchange, {"receive", message, Way::ToServer}, request_text(request));
  }
}

std::uint64_t ExchangeLog::send(const Exchange& exchange, const Response& response) {
  if (notes_) {
    note_message(exchange, {"send", next_message_, Way::ToClient}, response_text(response));
  }
  return next_message_++;
}

std::uint64_t ExchangeLog::send(const Exchange& exchange, const watch::Event& event) {
  if (notes_) {
    note_message(exchange, {"send", next_message_, Way::ToClient}, event_text(event));
  }
  return next_message_++;
}

void ExchangeLog::lose(Exchange& exchange, const watch::Event& event) {
  ++exchange.lost;
  const std::uint64_t message = send(exchange, event);
  if (notes_) {
    note_message(exchange, {"lost", message, Way::ToClient}, event_text(event));
  }
}

void ExchangeLog::note_message(const Exchange& exchange, const Hop& hop, const std::string& what) {
  std::string from = without_spaces(exchange.request.client);
  std::string to = without_spaces(server_name(exchange));
  if (hop.way == Way::ToClient) {
    std::swap(from, to);
  }
  note(hop.kind, "m" + std::to_string(hop.message), joined({from, " ", to, " ", what}));
}

const std::string& ExchangeLog::server_name(const Exchange& exchange) {
  return servers_.server(exchange.server).options().name;
}

}  // namespace watchlab::sim
