#include "sim/story/observed_store.hpp"

namespace watchlab::sim {
namespace {

std::string key_of(const cache::Item& item) {
  if (cache::is_tombstone(item)) {
    return std::get<cache::TombstonePtr>(item)->key;
  }
  return api::key_of(cache::object_of(item)->metadata);
}

}  // namespace

void ObservedStore::hold(const cache::Item& item) {
  held_[key_of(item)] = cache::object_of(item)->metadata.resource_version;
}

api::Result<void> ObservedStore::add(const cache::Item& item) {
  api::Result<void> done = store_->add(item);
  if (done) {
    hold(item);
  }
  return done;
}

api::Result<void> ObservedStore::update(const cache::Item& item) {
  api::Result<void> done = store_->update(item);
  if (done) {
    hold(item);
  }
  return done;
}

api::Result<void> ObservedStore::remove(const cache::Item& item) {
  api::Result<void> done = store_->remove(item);
  if (done) {
    held_.erase(key_of(item));
  }
  return done;
}

api::Result<void> ObservedStore::replace(std::span<const api::ObjectPtr> items,
                                         const std::string& resource_version) {
  api::Result<void> done = store_->replace(items, resource_version);
  if (done) {
    held_.clear();
    for (const api::ObjectPtr& object : items) {
      hold(object);
    }
  }
  return done;
}

std::string ObservedStore::held(const std::string& key) const {
  const auto found = held_.find(key);
  return found == held_.end() ? "" : found->second;
}

}  // namespace watchlab::sim
