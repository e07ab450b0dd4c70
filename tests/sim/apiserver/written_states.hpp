#pragma once

#include <map>
#include <string>
#include <utility>

#include "core/api/object.hpp"
#include "core/watch/watch.hpp"

namespace watchlab::sim {

/// The objects that a test has written, as the server answered: what each revision made of an
/// object, and what the object was before it. So each event can be compared as a whole.
class WrittenStates {
 public:
  /// Notes a create or an update.
  void wrote(const api::Object& object) {
    const std::string key = api::key_of(object.metadata);
    before_[object.metadata.resource_version] = newest_[key];
    newest_[key] = after_[object.metadata.resource_version] = object;
  }
  /// Notes the deletion of an object at a revision.
  void removed(const std::string& key, const std::string& revision) {
    before_[revision] = newest_[key];
  }
  /// What an event of this type and revision carries: the object that was written or, when it is
  /// deleted or leaves the selection, its state before that, with the revision of the change.
  [[nodiscard]] api::Object expected(watch::EventType type, const std::string& revision) const {
    if (type != watch::EventType::Deleted) {
      return after_.at(revision);
    }
    api::Object object = before_.at(revision);
    object.metadata.resource_version = revision;
    return object;
  }

 private:
  std::map<std::string, api::Object> newest_;  // by key
  std::map<std::string, api::Object> before_;  // by revision
  std::map<std::string, api::Object> after_;   // by revision
};

}  // namespace watchlab::sim
