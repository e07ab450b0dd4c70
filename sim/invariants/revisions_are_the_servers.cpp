#include <fmt/format.h>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

bool is_canonical(const std::string& revision) {
  return revision.front() != '0' && revision.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

std::optional<std::string> broken_revisions_are_the_servers(const Record& record) {
  Revisions watched;
  for (const RequestRecord& request : record.requests) {
    const std::string& revision = request.options.resource_version;
    const bool is_said = !revision.empty() && revision != "0";
    if (is_said && (!is_canonical(revision) || is_earlier(record.revision, revision))) {
      return fmt::format("{} sends a {} with the revision '{}', which the server never had",
                         request.client, request.verb, revision);
    }
    std::string& last = watched[request.client];
    if (request.verb == "LIST") {
      last.clear();
      continue;
    }
    if (is_earlier(revision, last)) {
      return fmt::format("{} watches from {} after it has watched from {}", request.client,
                         revision, last);
    }
    last = revision;
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
