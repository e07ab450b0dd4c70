#include "exercises/toolkit/mirror.hpp"

#include "exercises/toolkit/objects.hpp"

namespace watchlab::exercise {

void Mirror::note(const api::ObjectPtr& object) {
  const std::string key = api::key_of(object->metadata);
  objects_[key] = object;
  versions_[key].push_back(object->metadata.resource_version);
}

void Mirror::put(const api::ObjectPtr& object) { note(object); }

void Mirror::remove(const api::ObjectPtr& object) { objects_.erase(api::key_of(object->metadata)); }

void Mirror::replace(const std::vector<api::ObjectPtr>& objects) {
  objects_.clear();
  for (const api::ObjectPtr& object : objects) {
    note(object);
  }
}

std::string Mirror::contents() const {
  std::string text;
  for (const auto& [key, object] : objects_) {
    text.append(text.empty() ? "" : " ").append(text_of(object));
  }
  return text;
}

std::vector<std::string> Mirror::versions_of(const std::string& key) const {
  const auto found = versions_.find(key);
  return found != versions_.end() ? found->second : std::vector<std::string>();
}

}  // namespace watchlab::exercise
