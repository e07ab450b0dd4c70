#include <fmt/format.h>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// What the workers of a client saw last of each key that they had; "" for nothing.
Revisions worked_last(const Record& record, const std::string& client) {
  Revisions seen;
  for (const WorkRecord& work : record.work) {
    if (work.client == client && work.type == "done") {
      seen[work.key] = work.revision;
    }
  }
  return seen;
}

/// The truth about these keys alone: a controller may reconcile owners and not what they own.
Revisions truth_about(const Revisions& keys, const Revisions& truth) {
  Revisions about;
  for (const auto& [key, revision] : keys) {
    const auto found = truth.find(key);
    about[key] = found == truth.end() ? "" : found->second;
  }
  return about;
}

}  // namespace

std::optional<std::string> broken_final_states_arrive(const Record& record) {
  const auto calls = calls_by_handler(record);
  for (const ClientRecord* client : informed_clients(record)) {
    const Revisions truth = truth_for(record, *client);
    if (client->workers) {
      const Revisions seen = worked_last(record, client->name);
      const std::string difference = first_difference(seen, truth_about(seen, truth));
      if (!difference.empty()) {
        return fmt::format("what the workers of {} saw last is not the truth: {}", client->name,
                           difference);
      }
    }
    for (const auto& [handler, of_handler] : calls) {
      if (handler.first != client->name || has_left(record, handler)) {
        continue;
      }
      const std::string difference = first_difference(told_last(of_handler), truth);
      if (!difference.empty()) {
        return fmt::format("what {} was told last is not the truth: {}", handler.second,
                           difference);
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
