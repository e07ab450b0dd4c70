#include "sim/network/exchange.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/api/object.hpp"

namespace watchlab::sim {
namespace {

std::string options_text(const api::ListOptions& options) {
  std::string text(" rv=");
  text.append(options.resource_version.empty() ? "\"\"" : options.resource_version);
  if (options.resource_version_match == api::ResourceVersionMatch::Exact) {
    text += " match=Exact";
  } else if (options.resource_version_match == api::ResourceVersionMatch::NotOlderThan) {
    text += " match=NotOlderThan";
  }
  if (options.limit > 0) {
    text += fmt::format(" limit={}", options.limit);
  }
  if (!options.continue_token.empty()) {
    text += " continue";
  }
  if (options.send_initial_events) {
    text += *options.send_initial_events ? " initial_events" : " no_initial_events";
  }
  if (!options.label_selector.empty()) {
    text.append(" labels=").append(options.label_selector);
  }
  if (!options.field_selector.empty()) {
    text.append(" fields=").append(options.field_selector);
  }
  return text;
}

std::string object_name(const Request& request) {
  const std::string& name =
      request.name.empty() && request.object ? request.object->metadata.name : request.name;
  return api::key_from(request.namespace_, name);
}

class BothObservers final : public ExchangeObserver {
 public:
  BothObservers(std::shared_ptr<ExchangeObserver> first, std::shared_ptr<ExchangeObserver> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  void changed(const Exchange& exchange) override {
    first_->changed(exchange);
    second_->changed(exchange);
  }
  void answered(const Exchange& exchange, const api::Result<Response>& outcome) override {
    first_->answered(exchange, outcome);
    second_->answered(exchange, outcome);
  }
  void arrived(const Exchange& exchange, const watch::Event& event) override {
    first_->arrived(exchange, event);
    second_->arrived(exchange, event);
  }
  void wrote(const Change& change) override {
    first_->wrote(change);
    second_->wrote(change);
  }

 private:
  std::shared_ptr<ExchangeObserver> first_;
  std::shared_ptr<ExchangeObserver> second_;
};

}  // namespace

std::string request_text(const Request& request) {
  std::string text(to_string(request.verb));
  const bool about_many = request.verb == Verb::List || request.verb == Verb::Watch ||
                          request.verb == Verb::DeleteCollection;
  if (about_many) {
    return text + options_text(request.options);
  }
  text.append(" ").append(object_name(request));
  if (!request.options.resource_version.empty()) {
    text.append(" rv=").append(request.options.resource_version);
  }
  return text;
}

std::string answer_text(const Exchange& exchange) {
  if (exchange.answer == AnswerKind::Pending || exchange.code == 0) {
    return std::string(to_string(exchange.answer));
  }
  if (exchange.answer != AnswerKind::Ok) {
    return fmt::format("{} {}", exchange.code, to_string(exchange.answer));
  }
  const std::string code = std::to_string(exchange.code);
  return exchange.answer_revision.empty() ? code : code + " rv=" + exchange.answer_revision;
}

StreamEnding ending_after(const watch::Event& error) {
  constexpr std::int32_t kGone = 410;
  const bool expired = error.status && error.status->code == kGone;
  return {expired ? StreamEnd::Expired : StreamEnd::Error,
          error.status ? error.status->message : ""};
}

std::shared_ptr<ExchangeObserver> both(std::shared_ptr<ExchangeObserver> first,
                                       std::shared_ptr<ExchangeObserver> second) {
  if (first == nullptr || second == nullptr) {
    return first == nullptr ? second : first;
  }
  return std::make_shared<BothObservers>(std::move(first), std::move(second));
}

std::string event_text(const watch::Event& event) {
  std::string text(watch::to_string(event.type));
  if (event.status) {
    return text + fmt::format(" {} {}", event.status->code, api::to_string(event.status->reason));
  }
  if (event.object == nullptr) {
    return text;
  }
  if (!event.object->metadata.name.empty()) {
    text.append(" ").append(api::key_of(event.object->metadata));
  }
  return text.append(" rv=").append(event.object->metadata.resource_version);
}

}  // namespace watchlab::sim
