#include <fmt/format.h>

#include <chrono>
#include <map>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

using std::chrono::milliseconds;

constexpr runtime::Duration shortest_pause = milliseconds(800);
/// A watch that lived a little less than a second may have done so for the server only.
constexpr runtime::Duration surely_short = milliseconds(900);

/// A list at a revision that the server cannot serve is followed by one of the newest state, and a
/// page that cannot be had by a list without pages; once each.
bool is_repeatable(const RequestRecord& request) {
  return request.verb == "LIST" && (request.answer == "expired" || request.answer == "gone" ||
                                    request.answer == "too_large_rv");
}

bool has_failed(const RequestRecord& request) {
  if (request.answer == "pending" || request.answer == "cancelled") {
    return false;
  }
  const bool has_ended = request.end == "closed" || request.end == "cut";
  // A connection that ended before a watch was answered reads as a watch that has ended.
  if (request.answer != "ok" && !(request.verb == "WATCH" && has_ended)) {
    return true;
  }
  if (request.end == "expired" || request.end == "error") {
    return true;
  }
  return has_ended && request.events == 0 && request.ended &&
         *request.ended - request.at < surely_short;
}

}  // namespace

std::optional<std::string> broken_failures_are_followed_by_a_pause(const Record& record) {
  struct Last {
    const RequestRecord* request = nullptr;
    bool is_repetition = false;
  };
  std::map<std::string, Last> last;
  for (const RequestRecord& request : record.requests) {
    Last& before = last[request.client];
    const bool hurries = before.request != nullptr && has_failed(*before.request) &&
                         request.delay && *request.delay < shortest_pause;
    const bool was_page = hurries && !before.request->options.continue_token.empty();
    const bool may_hurry =
        hurries && is_repeatable(*before.request) && (was_page || !before.is_repetition);
    if (hurries && !may_hurry) {
      return fmt::format(
          "{} sends a {} {} ms after its {} has failed ({})", request.client, request.verb,
          std::chrono::duration_cast<milliseconds>(*request.delay).count(), before.request->verb,
          before.request->answer == "ok" ? before.request->end : before.request->answer);
    }
    before = {&request, hurries && !was_page};
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
