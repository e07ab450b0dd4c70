#include <fmt/format.h>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
std::optional<std::string> broken_handlers_never_go_back(const Record& record) {
  for (const auto& [handler, calls] : calls_by_handler(record)) {
    Revisions last;  // by key and uid
    for (const CallRecord* call : calls) {
      const std::string uid = call->object ? call->object->metadata.uid : "";
      std::string& before = last[call->key + " " + uid];
      const std::string revision = revision_of(call->object);
      if (is_earlier(revision, before)) {
        return fmt::format("{} is told the {} of {} after {} of the same object", handler.second,
                           call->type, words_for_state(call->key, revision), before);
      }
      before = revision;
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
