#include <fmt/format.h>

#include <map>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

bool is_alike(const api::Object& a, const api::Object& b) {
  return a.body == b.body && a.metadata.labels == b.metadata.labels &&
         a.metadata.uid == b.metadata.uid && a.kind == b.kind;
}

}  // namespace

std::optional<std::string> broken_stored_objects_are_unchanged(const Record& record) {
  std::map<std::string, api::ObjectPtr> written;
  for (const WriteRecord& write : record.writes) {
    if (write.object) {
      written[words_for_state(write.key, write.revision)] = write.object;
    }
  }
  for (const auto& [client, objects] : record.stores) {
    for (const api::ObjectPtr& object : objects) {
      const std::string state =
          words_for_state(api::key_of(object->metadata), object->metadata.resource_version);
      const auto found = written.find(state);
      if (found != written.end() && !is_alike(*found->second, *object)) {
        return fmt::format("the store of {} holds {} with another content than the server wrote",
                           client, state);
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
