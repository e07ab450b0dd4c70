#include <fmt/format.h>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {

std::optional<std::string> broken_stores_converge(const Record& record) {
  for (const ClientRecord* client : informed_clients(record)) {
    const Revisions stored = stored_by(record, client->name);
    for (const auto& [key, revision] : truth_for(record, *client)) {
      const auto found = stored.find(key);
      if (found == stored.end() || found->second != revision) {
        return fmt::format("the store of {} {} while the server has {}", client->name,
                           found == stored.end()
                               ? "does not hold " + key
                               : "still holds " + words_for_state(key, found->second),
                           words_for_state(key, revision));
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
