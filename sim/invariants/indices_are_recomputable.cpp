#include <fmt/format.h>

#include <algorithm>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

std::optional<std::string> wrong_in(const Record& record,
                                    const std::map<std::string, IndexRecord>& indices) {
  for (const auto& [client, found] : indices) {
    IndexRecord expected;
    for (const api::ObjectPtr& object : record.stores.at(client)) {
      for (const auto& [label, value] : object->metadata.labels) {
        expected[label + "=" + value].push_back(api::key_of(object->metadata));
      }
    }
    for (auto& [value, keys] : expected) {
      std::sort(keys.begin(), keys.end());
    }
    for (const auto& [value, keys] : expected) {
      const auto there = found.find(value);
      if (there == found.end() || there->second != keys) {
        return fmt::format(
            "the index of {} has [{}] for {} instead of [{}]", client,
            there == found.end() ? "" : fmt::format("{}", fmt::join(there->second, ", ")), value,
            fmt::join(keys, ", "));
      }
    }
    for (const auto& [value, keys] : found) {
      if (!expected.contains(value)) {
        return fmt::format("the index of {} has [{}] for {}, which no object has", client,
                           fmt::join(keys, ", "), value);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> broken_indices_are_recomputable(const Record& record) {
  const auto sentence = wrong_in(record, record.indices);
  return sentence ? sentence : wrong_in(record, record.late_indices);
}

}  // namespace watchlab::sim::invariants
