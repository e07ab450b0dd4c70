#include <fmt/format.h>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {

std::optional<std::string> broken_deletions_arrive(const Record& record) {
  for (const ClientRecord* client : informed_clients(record)) {
    const Revisions truth = truth_for(record, *client);
    for (const auto& [key, revision] : stored_by(record, client->name)) {
      if (!truth.contains(key)) {
        return fmt::format("the store of {} holds {}, which the server has no longer", client->name,
                           words_for_state(key, revision));
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
