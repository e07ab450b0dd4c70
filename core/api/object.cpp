#include "core/api/object.hpp"

#include <algorithm>

#include "core/runtime/ensure.hpp"

namespace watchlab::api {
namespace {

/// The first entry whose key is not less: where the key stands, or would.
template <typename Entries>
auto place_of(Entries& entries, std::string_view key) {
  return std::ranges::lower_bound(entries, key, {}, [](const Labels::value_type& entry) {
    return std::string_view(entry.first);
  });
}

}  // namespace

Labels::Labels(std::initializer_list<value_type> entries) {
  entries_.reserve(entries.size());
  for (const value_type& entry : entries) {
    if (entries_.empty() || entries_.back().first < entry.first) {
      entries_.push_back(entry);
      continue;
    }
    const auto place = place_of(entries_, entry.first);
    if (place == entries_.end() || place->first != entry.first) {
      entries_.insert(place, entry);
    }
  }
}

Labels::const_iterator Labels::find(std::string_view key) const {
  const auto place = place_of(entries_, key);
  return place != entries_.end() && place->first == key ? place : entries_.end();
}

const std::string& Labels::at(std::string_view key) const {
  const auto found = find(key);
  runtime::ensure(found != end(), "a label that is asked for is there");
  return found->second;
}

std::string& Labels::operator[](std::string_view key) {
  auto place = place_of(entries_, key);
  if (place == entries_.end() || place->first != key) {
    place = entries_.emplace(place, std::string(key), std::string());
  }
  return place->second;
}

bool Labels::erase(std::string_view key) {
  const auto found = find(key);
  if (found == end()) {
    return false;
  }
  entries_.erase(found);
  return true;
}

std::string key_of(const ObjectMeta& metadata) {
  return key_from(metadata.namespace_, metadata.name);
}

}  // namespace watchlab::api
