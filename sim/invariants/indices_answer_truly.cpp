#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

bool has_value(const api::Object& object, const std::string& value) {
  return std::any_of(object.metadata.labels.begin(), object.metadata.labels.end(),
                     [&](const auto& label) { return label.first + "=" + label.second == value; });
}

bool is_like(const api::Object& object, const api::Object& other) {
  return std::any_of(
      object.metadata.labels.begin(), object.metadata.labels.end(),
      [&](const auto& label) { return has_value(other, label.first + "=" + label.second); });
}

}  // namespace

std::optional<std::string> broken_indices_answer_truly(const Record& record) {
  for (const ReadRecord& read : record.reads) {
    const std::string asked =
        read.like ? "what is like " + api::key_of(read.like->metadata) : read.value;
    std::set<std::string> seen;
    for (const api::ObjectPtr& object : read.objects) {
      const std::string key = api::key_of(object->metadata);
      if (!seen.insert(key).second) {
        return fmt::format("the store of {} has {} twice for {}", read.client, key, asked);
      }
      // An object without labels is asked for by nothing, and nothing is like it.
      if (read.like ? !is_like(*object, *read.like) : !has_value(*object, read.value)) {
        return fmt::format("the store of {} gives {} for {}", read.client,
                           words_for_state(key, revision_of(object)), asked);
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
