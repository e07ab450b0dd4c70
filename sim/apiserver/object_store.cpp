#include "sim/apiserver/object_store.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "core/runtime/ensure.hpp"

namespace watchlab::sim {

using runtime::ensure;

std::size_t size_of(const api::Object& object) {
  constexpr std::size_t kEach = 512;  // overhead of an object and its entries in the store
  std::size_t size = kEach + object.body.size() + object.metadata.other_members.size();
  for (const api::Labels* const texts : {&object.metadata.labels, &object.metadata.annotations}) {
    for (const auto& [key, value] : *texts) {
      size += key.size() + value.size();
    }
  }
  return size;
}

api::ObjectPtr ObjectStore::at(const Versions& versions, Revision revision) {
  const auto later =
      std::upper_bound(versions.begin(), versions.end(), revision,
                       [](Revision asked, const Version& each) { return asked < each.revision; });
  return later == versions.begin() ? nullptr : std::prev(later)->object;
}

const ObjectStore::Collection* ObjectStore::find(const api::GroupVersionResource& resource) const {
  const auto found =
      std::find_if(collections_.begin(), collections_.end(),
                   [&](const Collection& each) { return each.resource == resource; });
  return found == collections_.end() ? nullptr : &*found;
}

ObjectStore::Collection& ObjectStore::find_or_add(const api::GroupVersionResource& resource) {
  const Collection* const found = find(resource);
  return found != nullptr
             ? const_cast<Collection&>(*found)
             : collections_.emplace_back(Collection{.resource = resource, .objects = {}});
}

const Change& ObjectStore::put(const api::GroupVersionResource& resource,
                               std::shared_ptr<api::Object> object, runtime::TimePoint now) {
  std::string key = api::key_of(object->metadata);
  return put(resource, std::move(key), std::move(object), now);
}

const Change& ObjectStore::put(const api::GroupVersionResource& resource, std::string key,
                               std::shared_ptr<api::Object> object, runtime::TimePoint now) {
  Collection& collection = find_or_add(resource);
  Change& change = log_.emplace_back();
  change.revision = revision_ + 1;
  change.at = now;
  change.resource = &collection.resource;
  change.key = std::move(key);
  Versions& versions = collection.objects[change.key];
  change.previous = versions.empty() ? nullptr : versions.back().object;
  change.type = change.previous ? watch::EventType::Modified : watch::EventType::Added;
  object->metadata.resource_version = revision_text(change.revision);
  change.object = std::move(object);
  enter(change, versions);
  return change;
}

const Change& ObjectStore::remove(const api::GroupVersionResource& resource, const std::string& key,
                                  runtime::TimePoint now) {
  Change change{.revision = revision_ + 1, .at = now, .key = key};
  change.resource = &find_or_add(resource).resource;
  change.type = watch::EventType::Deleted;
  change.previous = get(resource, key);
  ensure(change.previous != nullptr, "only an object that exists can be deleted");
  api::Object last = *change.previous;
  last.metadata.resource_version = revision_text(change.revision);
  change.object = std::make_shared<const api::Object>(std::move(last));
  return commit(std::move(change));
}

const Change& ObjectStore::commit(Change change) {
  enter(change, find_or_add(*change.resource).objects[change.key]);
  return log_.emplace_back(std::move(change));
}

void ObjectStore::enter(const Change& change, Versions& versions) {
  const bool deleted = change.type == watch::EventType::Deleted;
  versions.push_back({change.revision, deleted ? nullptr : change.object});
  bytes_ += deleted ? 0 : size_of(*change.object);
  revision_ = change.revision;
}

void ObjectStore::compact(Revision revision) {
  compacted_ = std::clamp(revision, compacted_, revision_);
  for (Collection& collection : collections_) {
    auto& objects = collection.objects;
    for (auto each = objects.begin(); each != objects.end();) {
      each = drop_before(each->second, compacted_) ? objects.erase(each) : std::next(each);
    }
  }
  while (!log_.empty() && log_.front().revision <= compacted_) {
    log_.pop_front();
  }
}

bool ObjectStore::drop_before(Versions& versions, Revision revision) {
  const auto current =
      std::find_if(versions.rbegin(), versions.rend(),
                   [revision](const Version& each) { return each.revision <= revision; });
  if (current == versions.rend()) {
    return false;
  }
  // The version that is current at that revision stays readable, unless it says "deleted".
  const auto keep = current->object != nullptr ? std::prev(current.base()) : current.base();
  for (auto each = versions.begin(); each != keep; ++each) {
    bytes_ -= each->object != nullptr ? size_of(*each->object) : 0;
  }
  versions.erase(versions.begin(), keep);
  return versions.empty();
}

void ObjectStore::restore(Revision revision) {
  ensure(revision >= compacted_ && revision <= revision_, "a backup is of a state that is known");
  for (Collection& collection : collections_) {
    auto& objects = collection.objects;
    for (auto each = objects.begin(); each != objects.end();) {
      while (!each->second.empty() && each->second.back().revision > revision) {
        const api::ObjectPtr& lost = each->second.back().object;
        bytes_ -= lost != nullptr ? size_of(*lost) : 0;
        each->second.pop_back();
      }
      each = each->second.empty() ? objects.erase(each) : std::next(each);
    }
  }
  while (!log_.empty() && log_.back().revision > revision) {
    log_.pop_back();
  }
  revision_ = revision;
}

api::ObjectPtr ObjectStore::get(const api::GroupVersionResource& resource,
                                const std::string& key) const {
  const Collection* const collection = find(resource);
  if (collection == nullptr) {
    return nullptr;
  }
  const auto found = collection->objects.find(key);
  return found == collection->objects.end() ? nullptr : found->second.back().object;
}

void ObjectStore::visit(
    const api::GroupVersionResource& resource, const Range& range, Revision revision,
    const std::function<bool(const std::string&, const api::ObjectPtr&)>& visit) const {
  ensure(revision >= compacted_ && revision <= revision_, "only a known state can be read");
  const Collection* const collection = find(resource);
  if (collection == nullptr) {
    return;
  }
  const std::string prefix = range.namespace_.empty() ? "" : range.namespace_ + "/";
  const auto& objects = collection->objects;
  for (auto each = objects.lower_bound(std::max(prefix, range.start_key));
       each != objects.end() && each->first.starts_with(prefix); ++each) {
    const api::ObjectPtr object = at(each->second, revision);
    if (object != nullptr && !visit(each->first, object)) {
      return;
    }
  }
}

std::vector<api::GroupVersionResource> ObjectStore::resources() const {
  std::vector<api::GroupVersionResource> resources;
  for (const Collection& collection : collections_) {
    resources.push_back(collection.resource);
  }
  std::sort(resources.begin(), resources.end());
  return resources;
}

std::size_t ObjectStore::log_position_after(Revision after) const {
  // Each write takes the next revision, and a restore takes whole ends away: there are no gaps.
  if (log_.empty() || after < log_.front().revision) {
    return 0;
  }
  return std::min(static_cast<std::size_t>(after - log_.front().revision) + 1, log_.size());
}

}  // namespace watchlab::sim
