#include "sim/faults/fault_effects.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace watchlab::sim {
namespace {

using api::ErrorKind;
using api::StatusReason;

struct TransportFailure {
  AnswerKind answer;
  ErrorKind kind;
  std::string_view message;
};

constexpr std::array<TransportFailure, 6> kTransport{{
    {AnswerKind::Refused, ErrorKind::ConnectionRefused, "connection refused"},
    {AnswerKind::Reset, ErrorKind::ConnectionReset, "connection reset by peer"},
    {AnswerKind::Eof, ErrorKind::Eof, "EOF"},
    {AnswerKind::UnexpectedEof, ErrorKind::UnexpectedEof, "unexpected EOF"},
    {AnswerKind::Timeout, ErrorKind::Timeout, "the request timed out"},
    {AnswerKind::Cancelled, ErrorKind::Cancelled, "the request was cancelled"},
}};

struct StatusFailure {
  AnswerKind answer;
  StatusReason reason;
  std::string_view message;
};

constexpr std::array<StatusFailure, 14> kStatuses{{
    {AnswerKind::Expired, StatusReason::Expired, "The provided resource version is too old."},
    {AnswerKind::Gone, StatusReason::Gone, "The provided resource version is too old."},
    {AnswerKind::TooMany, StatusReason::TooManyRequests,
     "the server has received too many requests and has asked us to try again later"},
    {AnswerKind::Internal, StatusReason::InternalError,
     "an error on the server has prevented the request"},
    {AnswerKind::ServerTimeout, StatusReason::ServerTimeout,
     "the server was unable to return a response in the time allotted"},
    {AnswerKind::Unavailable, StatusReason::ServiceUnavailable,
     "the server is currently unable to handle the request"},
    {AnswerKind::GatewayTimeout, StatusReason::Timeout,
     "the server was unable to return a response in the time allotted"},
    {AnswerKind::Unauthorized, StatusReason::Unauthorized,
     "the server has asked for the client to provide credentials"},
    {AnswerKind::Forbidden, StatusReason::Forbidden, "the client may not do this"},
    {AnswerKind::NotFound, StatusReason::NotFound,
     "the server could not find the requested resource"},
    {AnswerKind::Invalid, StatusReason::Invalid, "the request is not valid"},
    {AnswerKind::BadRequest, StatusReason::BadRequest, "the server rejected our request"},
    {AnswerKind::Conflict, StatusReason::Conflict, "the object has been modified"},
    {AnswerKind::Exists, StatusReason::AlreadyExists, "the object already exists"},
}};

api::Error too_large() {
  api::Status status = api::failure(StatusReason::Timeout, "Timeout: Too large resource version");
  status.details.causes.push_back({"ResourceVersionTooLarge", "Too large resource version", ""});
  status.details.retry_after_seconds = 1;
  return api::error_from(std::move(status));
}

}  // namespace

std::vector<std::string_view> failure_words() {
  std::vector<std::string_view> words;
  std::ranges::copy_if(kTexts<AnswerKind>, std::back_inserter(words),
                       [](std::string_view word) { return failure_for(word).has_value(); });
  return words;
}

std::optional<api::Error> failure_for(AnswerKind answer) {
  for (const TransportFailure& each : kTransport) {
    if (each.answer == answer) {
      return api::Error{each.kind, std::string(each.message), {}};
    }
  }
  for (const StatusFailure& each : kStatuses) {
    if (each.answer == answer) {
      return api::error_from(api::failure(each.reason, std::string(each.message)));
    }
  }
  return answer == AnswerKind::TooLargeRevision ? std::optional(too_large()) : std::nullopt;
}

std::optional<api::Error> failure_for(std::string_view word) {
  const std::optional<AnswerKind> answer = value_of<AnswerKind>(word);
  return answer ? failure_for(*answer) : std::nullopt;
}

AnswerKind answer_kind_of(const api::Error& error) {
  if (api::is_too_large_resource_version(error)) {
    return AnswerKind::TooLargeRevision;
  }
  for (const TransportFailure& each : kTransport) {
    if (each.kind == error.kind) {
      return each.answer;
    }
  }
  for (const StatusFailure& each : kStatuses) {
    if (error.kind == ErrorKind::Status && each.reason == error.status.reason) {
      return each.answer;
    }
  }
  return AnswerKind::Other;
}

namespace {

class StageFault : public Fault {
 public:
  StageFault(Stage stage, std::function<Verdict(const MessageContext&)> evaluate)
      : stage_(stage), evaluate_(std::move(evaluate)) {}

  Verdict evaluate(const MessageContext& context) override {
    return context.stage == stage_ ? evaluate_(context) : Verdict(Pass{});
  }

 private:
  Stage stage_;
  std::function<Verdict(const MessageContext&)> evaluate_;
};

}  // namespace

std::optional<Stage> stage_named(std::string_view messages) {
  constexpr auto kStages =
      std::to_array<std::pair<std::string_view, Stage>>({{"requests", Stage::Request},
                                                         {"answers", Stage::Answer},
                                                         {"events", Stage::Frame},
                                                         {"ends", Stage::End}});
  const auto* const found =
      std::ranges::find(kStages, messages, &std::pair<std::string_view, Stage>::first);
  return found == kStages.end() ? std::nullopt : std::optional(found->second);
}

std::unique_ptr<Fault> fault_at(Stage stage,
                                std::function<Verdict(const MessageContext&)> evaluate) {
  return std::make_unique<StageFault>(stage, std::move(evaluate));
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
