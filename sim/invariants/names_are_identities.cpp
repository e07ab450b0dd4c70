#include <fmt/format.h>

#include <set>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {

std::optional<std::string> broken_names_are_identities(const Record& record) {
  for (const auto& [handler, calls] : calls_by_handler(record)) {
    std::set<std::string> known;
    for (const CallRecord* call : calls) {
      const bool is_new = !known.contains(call->key);
      if (is_new != (call->type == "add")) {
        return fmt::format("{} is told the {} of {}, which {}", handler.second, call->type,
                           call->key, is_new ? "was never added" : "is there already");
      }
      if (call->type == "delete") {
        known.erase(call->key);
      } else {
        known.insert(call->key);
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
