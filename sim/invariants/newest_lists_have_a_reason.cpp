#include <fmt/format.h>

#include <map>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

bool is_refusal(const std::string& answer) {
  return answer == "expired" || answer == "gone" || answer == "too_large_rv";
}

}  // namespace

std::optional<std::string> broken_newest_lists_have_a_reason(const Record& record) {
  std::map<std::string, bool> refused;  // a revision, since the last list that came
  for (std::size_t i = 0; i < record.requests.size() && i < record.answers.size(); ++i) {
    const RequestRecord& request = record.requests[i];
    const ClientRecord* client = client_named(record, request.client);
    const bool is_first_page = request.verb == "LIST" && request.options.continue_token.empty();
    // What workers ask for is their own affair.
    if (!is_first_page || client == nullptr || client->workers) {
      continue;
    }
    bool& is_refused = refused[request.client];
    const std::string& asked = request.options.resource_version;
    if (is_refused && !asked.empty()) {
      return fmt::format("{} sends a LIST at {} although its revision was refused", request.client,
                         asked);
    }
    if (!is_refused && asked.empty()) {
      return fmt::format("{} asks for the newest state of all, although no revision was refused",
                         request.client);
    }
    if (is_refusal(request.answer)) {
      is_refused = true;
    } else if (request.answer == "ok" && record.answers[i].list.continue_token.empty()) {
      is_refused = false;
    } else if (request.answer == "ok") {
      return std::nullopt;  // what becomes of the other pages is another story
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
