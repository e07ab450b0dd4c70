#include <fmt/format.h>

#include <chrono>
#include <map>
#include <set>

#include "sim/invariants/families.hpp"
#include "sim/invariants/reading.hpp"
#include "sim/kernel/article.hpp"

namespace watchlab::sim::invariants {
namespace {

constexpr runtime::Duration kShortestPause = std::chrono::milliseconds(800);
/// A watch that lived a little less than a second may have done so for the server only.
constexpr runtime::Duration kSurelyShort = std::chrono::milliseconds(900);

bool has_failed(const RequestRecord& request) {
  if (request.answer == AnswerKind::Pending || request.answer == AnswerKind::Cancelled) {
    return false;
  }
  const bool has_ended = stream_has_ended(request);
  // A connection that ended before a watch was answered reads as a watch that has ended.
  if (request.answer != AnswerKind::Ok && !(request.verb == Verb::Watch && has_ended)) {
    return true;
  }
  if (request.end == StreamEnd::Expired || request.end == StreamEnd::Error) {
    return true;
  }
  return has_ended && request.events == 0 && request.ended &&
         *request.ended - request.at < kSurelyShort;
}

Finding check_failures_are_followed_by_a_pause(const Record& record) {
  struct Last {
    const RequestRecord* request = nullptr;
    bool is_repetition = false;
    bool is_unmarked = false;
  };
  std::map<std::string, Last> last;
  for (std::size_t i = 0; i < record.requests.size(); ++i) {
    const RequestRecord& request = record.requests[i];
    Last& before = last[request.client];
    const bool hurries = before.request != nullptr && has_failed(*before.request) &&
                         request.delay && *request.delay < kShortestPause;
    const bool was_page = hurries && !before.request->options.continue_token.empty();
    // A list at a revision that the server cannot serve is followed by one of the newest state, and
    // a page that cannot be had by a list without pages; once each.
    const bool may_hurry =
        hurries && (before.is_unmarked || (before.request->verb == Verb::List &&
                                           is_refused_its_revision(*before.request) &&
                                           (was_page || !before.is_repetition)));
    if (hurries && !may_hurry) {
      return fmt::format("{} sends {} {} ms after its {} has failed ({})", request.client,
                         with_article(to_string(request.verb)), milliseconds_in(*request.delay),
                         to_string(before.request->verb), outcome_of(*before.request));
    }
    // A list that is not streamed to its end is followed by another way to have it.
    const bool is_unmarked = streams_a_list(request) && i < record.answers.size() &&
                             from_the_mark(record.answers[i]).empty();
    before = {&request, hurries && !was_page && !before.is_unmarked, is_unmarked};
  }
  return std::nullopt;
}

/// Client and key of what failed and was not tried since.
using Owed = std::set<std::pair<std::string, std::string>>;

void note(Owed& owed, const auto& tried) {
  for (const auto& each : tried) {
    if (each.failed) {
      owed.emplace(each.client, each.key);
    } else {
      owed.erase({each.client, each.key});
    }
  }
}

Finding check_failures_are_tried_again(const Record& record) {
  Owed owed;
  note(owed, record.deltas);
  note(owed, record.pops);
  for (const auto& [name, key] : owed) {
    const ClientRecord* client = client_named(record, name);
    // What was deleted while it waited may never come.
    if (client != nullptr && knows_everything(record, *client) &&
        truth_for(record, *client).contains(key)) {
      return fmt::format("{} has failed at {} and did not try again", name, key);
    }
  }
  return std::nullopt;
}

constexpr runtime::Duration kShortestRest = std::chrono::seconds(1);

Finding check_panics_are_followed_by_a_pause(const Record& record) {
  for (const auto& [handler, calls] : calls_by_handler(record)) {
    for (std::size_t i = 1; i < calls.size(); ++i) {
      const runtime::Duration rest = calls[i]->at - calls[i - 1]->at;
      if (calls[i - 1]->panics && rest < kShortestRest) {
        return fmt::format("{} has panicked, and is called again after {} ms", handler.second,
                           milliseconds_in(rest));
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Invariant> of_failures() {
  return {
      {.clause = "I11",
       .name = "failures_are_followed_by_a_pause",
       .doc = "After a failed request, or a watch that ends at once without an event, a client "
              "pauses before its next request.",
       .check = check_failures_are_followed_by_a_pause},
      {.clause = "I31",
       .name = "failures_are_tried_again",
       .doc = "Once everything is quiet, everything that a consumer failed at and put back has "
              "been retried.",
       .check = check_failures_are_tried_again},
      {.clause = "I33",
       .name = "panics_are_followed_by_a_pause",
       .doc = "A handler that panicked is not called for a second.",
       .check = check_panics_are_followed_by_a_pause},
  };
}

}  // namespace watchlab::sim::invariants
