#include "sim/faults/fault_effects.hpp"

#include <array>
#include <utility>

namespace watchlab::sim {
namespace {

using api::ErrorKind;
using api::StatusReason;

struct TransportWord {
  std::string_view word;
  ErrorKind kind;
  std::string_view message;
};

constexpr std::array<TransportWord, 6> kTransport{{
    {"refused", ErrorKind::ConnectionRefused, "connection refused"},
    {"reset", ErrorKind::ConnectionReset, "connection reset by peer"},
    {"eof", ErrorKind::Eof, "EOF"},
    {"unexpected_eof", ErrorKind::UnexpectedEof, "unexpected EOF"},
    {"timeout", ErrorKind::Timeout, "the request timed out"},
    {"cancelled", ErrorKind::Cancelled, "the request was cancelled"},
}};

struct StatusWord {
  std::string_view word;
  StatusReason reason;
  std::string_view message;
};

constexpr std::array<StatusWord, 14> kStatuses{{
    {"expired", StatusReason::Expired, "The provided resource version is too old."},
    {"gone", StatusReason::Gone, "The provided resource version is too old."},
    {"too_many", StatusReason::TooManyRequests,
     "the server has received too many requests and has asked us to try again later"},
    {"internal", StatusReason::InternalError, "an error on the server has prevented the request"},
    {"server_timeout", StatusReason::ServerTimeout,
     "the server was unable to return a response in the time allotted"},
    {"unavailable", StatusReason::ServiceUnavailable,
     "the server is currently unable to handle the request"},
    {"gateway_timeout", StatusReason::Timeout,
     "the server was unable to return a response in the time allotted"},
    {"unauthorized", StatusReason::Unauthorized,
     "the server has asked for the client to provide credentials"},
    {"forbidden", StatusReason::Forbidden, "the client may not do this"},
    {"not_found", StatusReason::NotFound, "the server could not find the requested resource"},
    {"invalid", StatusReason::Invalid, "the request is not valid"},
    {"bad_request", StatusReason::BadRequest, "the server rejected our request"},
    {"conflict", StatusReason::Conflict, "the object has been modified"},
    {"exists", StatusReason::AlreadyExists, "the object already exists"},
}};

constexpr std::string_view kTooLarge = "too_large_rv";

api::Error too_large() {
  api::Status status = api::failure(StatusReason::Timeout, "Timeout: Too large resource version");
  status.details.causes.push_back({"ResourceVersionTooLarge", "Too large resource version", ""});
  status.details.retry_after_seconds = 1;
  return api::error_from(std::move(status));
}

}  // namespace

std::vector<std::string_view> failure_words() {
  std::vector<std::string_view> words;
  for (const TransportWord& each : kTransport) {
    words.push_back(each.word);
  }
  for (const StatusWord& each : kStatuses) {
    words.push_back(each.word);
  }
  words.push_back(kTooLarge);
  return words;
}

std::optional<api::Error> failure_for(std::string_view word) {
  for (const TransportWord& each : kTransport) {
    if (each.word == word) {
      return api::Error{each.kind, std::string(each.message), {}};
    }
  }
  for (const StatusWord& each : kStatuses) {
    if (each.word == word) {
      return api::error_from(api::failure(each.reason, std::string(each.message)));
    }
  }
  return word == kTooLarge ? std::optional(too_large()) : std::nullopt;
}

std::string_view word_for(const api::Error& error) {
  if (api::is_too_large_resource_version(error)) {
    return kTooLarge;
  }
  for (const TransportWord& each : kTransport) {
    if (each.kind == error.kind) {
      return each.word;
    }
  }
  for (const StatusWord& each : kStatuses) {
    if (error.kind == ErrorKind::Status && each.reason == error.status.reason) {
      return each.word;
    }
  }
  return "other";
}

namespace {

class StageFault : public Fault {
 public:
  StageFault(Stage stage, std::function<Verdict(const MessageContext&)> judge)
      : stage_(stage), judge_(std::move(judge)) {}

  Verdict evaluate(const MessageContext& context) override {
    return context.stage == stage_ ? judge_(context) : Verdict(Pass{});
  }

 private:
  Stage stage_;
  std::function<Verdict(const MessageContext&)> judge_;
};

}  // namespace

std::unique_ptr<Fault> fault_at(Stage stage, std::function<Verdict(const MessageContext&)> judge) {
  return std::make_unique<StageFault>(stage, std::move(judge));
}

std::unique_ptr<Fault> fault_at(Stage stage, Verdict verdict) {
  return std::make_unique<StageFault>(
      stage, [verdict = std::move(verdict)](const MessageContext& /*context*/) { return verdict; });
}

std::unique_ptr<Fault> distort_at(Stage stage, std::function<void(WireMessage&)> how) {
  return fault_at(stage, Distort{std::move(how)});
}

bool is_change(const watch::Event& event) {
  return event.object != nullptr && event.type != watch::EventType::Bookmark;
}

watch::Event error_event(api::Status status) {
  return {watch::EventType::Error, nullptr, std::make_shared<const api::Status>(std::move(status))};
}

}  // namespace watchlab::sim
