#include <fmt/format.h>

#include <chrono>
#include <map>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

constexpr runtime::Duration long_watch = std::chrono::seconds(1);

/// What is answered by another watch, at once or after a pause.
bool wants_a_watch(const RequestRecord& request) {
  if (request.verb != "WATCH") {
    return false;
  }
  if (request.answer == "refused" || request.answer == "too_many") {
    return true;
  }
  const bool has_ended = request.end == "closed" || request.end == "cut";
  return has_ended && request.ended &&
         (request.events > 0 || *request.ended - request.at >= long_watch);
}

}  // namespace

std::optional<std::string> broken_relists_have_a_reason(const Record& record) {
  std::map<std::string, const RequestRecord*> last;
  for (const RequestRecord& request : record.requests) {
    const RequestRecord*& before = last[request.client];
    if (before != nullptr && request.verb == "LIST" && wants_a_watch(*before)) {
      return fmt::format("{} sends a LIST although its WATCH at {} was {}", request.client,
                         before->options.resource_version,
                         before->answer == "ok" ? before->end : before->answer);
    }
    before = &request;
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
