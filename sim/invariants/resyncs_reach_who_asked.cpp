#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// No shared informer resyncs more often.
constexpr runtime::Duration shortest_period = std::chrono::seconds(1);

bool repeats(const CallRecord& call) {
  return call.type == "update" && !revision_of(call.object).empty() &&
         revision_of(call.before) == revision_of(call.object);
}

/// A list that brings nothing new is told to those whom the last resync told, and before the first
/// resync to everybody.
bool has_listed_again(const Record& record, const std::string& client) {
  return std::count_if(record.requests.begin(), record.requests.end(), [&](const auto& request) {
           return request.client == client && request.verb == "LIST" && request.answer == "ok";
         }) > 1;
}

std::optional<std::string> broken_for(const HandlerRecord& handler,
                                      const std::vector<const CallRecord*>& calls) {
  const runtime::Duration period = std::max(handler.resync, shortest_period);
  std::map<std::string, const CallRecord*> last;  // resyncs by key
  for (const CallRecord* call : calls) {
    if (!repeats(*call)) {
      continue;
    }
    if (handler.resync == runtime::Duration::zero()) {
      return fmt::format("{} has asked for no resync and is told {} again", handler.name,
                         words_for_state(call->key, revision_of(call->object)));
    }
    const CallRecord*& before = last[call->key];
    const bool is_prompt = handler.takes == runtime::Duration::zero();
    if (is_prompt && before != nullptr && call->at - before->at < period) {
      return fmt::format(
          "{} is told {} again after {} ms, and has asked for a resync every {} ms", handler.name,
          words_for_state(call->key, revision_of(call->object)),
          std::chrono::duration_cast<std::chrono::milliseconds>(call->at - before->at).count(),
          std::chrono::duration_cast<std::chrono::milliseconds>(period).count());
    }
    before = call;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> broken_resyncs_reach_who_asked(const Record& record) {
  const auto calls = calls_by_handler(record);
  for (const HandlerRecord& handler : record.handlers) {
    const auto heard = calls.find({handler.client, handler.name});
    if (heard == calls.end() || has_listed_again(record, handler.client)) {
      continue;
    }
    if (auto sentence = broken_for(handler, heard->second)) {
      return sentence;
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
