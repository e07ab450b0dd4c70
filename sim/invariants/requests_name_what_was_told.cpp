#include <fmt/format.h>

#include <map>
#include <set>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_requests_name_what_was_told(const Record& record) {
  std::map<std::string, std::set<std::string>> told;
  for (std::size_t i = 0; i < record.requests.size() && i < record.answers.size(); ++i) {
    const RequestRecord& request = record.requests[i];
    const std::string& asked = request.options.resource_version;
    std::set<std::string>& known = told[request.client];
    if (!asked.empty() && asked != "0" && !known.contains(asked)) {
      return fmt::format("{} sends a {} at {}, which nobody has told it", request.client,
                         request.verb, asked);
    }
    known.insert(record.answers[i].list.resource_version);
    for (const FrameRecord& frame : record.answers[i].frames) {
      known.insert(revision_of(frame.event.object));
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
