#include <fmt/format.h>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_requests_never_go_back(const Record& record) {
  Revisions told;  // the newest, by client
  for (std::size_t i = 0; i < record.requests.size(); ++i) {
    const RequestRecord& request = record.requests[i];
    std::string& newest = told[request.client];
    const std::string& asked = request.options.resource_version;
    const bool is_stale = asked == "0" ? !newest.empty() : is_earlier(asked, newest);
    if (!asked.empty() && is_stale) {
      return fmt::format("{} sends a {} at {} although it was told {}", request.client,
                         request.verb, asked, newest);
    }
    if (i >= record.answers.size()) {
      continue;
    }
    if (request.verb == "LIST" && !record.answers[i].list.resource_version.empty()) {
      // The pages of a list all have the revision of the first.
      newest = record.answers[i].list.resource_version;
    }
    if (request.verb == "WATCH" && !asked.empty() && asked != "0") {
      newest = last_frame_revision(record.answers[i], newest);
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
