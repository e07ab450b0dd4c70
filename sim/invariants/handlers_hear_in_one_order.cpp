#include <fmt/format.h>

#include <map>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// What a call tells, in words; "" for one that not every handler hears at the same place: what was
/// there already when it joined, and resyncs.
std::string told_by(const CallRecord& call) {
  const bool repeats = call.before && revision_of(call.before) == revision_of(call.object);
  return call.initial || repeats
             ? ""
             : call.type + " " + words_for_state(call.key, revision_of(call.object));
}

}  // namespace

std::optional<std::string> broken_handlers_hear_in_one_order(const Record& record) {
  std::map<std::string, std::map<std::string, std::size_t>> places;  // by client, of its first
  std::map<std::string, std::string> first_handler;
  for (const auto& [handler, calls] : calls_by_handler(record)) {
    std::map<std::string, std::size_t>& place = places[handler.first];
    const bool is_first = first_handler.try_emplace(handler.first, handler.second).second;
    std::size_t reached = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const std::string told = told_by(*calls[i]);
      if (told.empty()) {
        continue;
      }
      if (is_first) {
        place.try_emplace(told, i);
        continue;
      }
      const auto known = place.find(told);
      if (known != place.end() && known->second < reached) {
        return fmt::format("{} hears the {} later than {} does", handler.second, told,
                           first_handler[handler.first]);
      }
      reached = known == place.end() ? reached : known->second;
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
