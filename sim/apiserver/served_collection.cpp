#include "sim/apiserver/served_collection.hpp"

#include <utility>

namespace watchlab::sim {

ServedCollection::ServedCollection(ResourceType type, WatchWindowOptions window)
    : type_(std::move(type)), cache_(window) {}

void ServedCollection::finish_all() {
  for (auto& [watch, cursor] : watches_) {
    cursor.end_behind_events(WatchEnd::CacheReset);
    woken_.push_back(watch);
  }
}

void ServedCollection::relist(const std::vector<api::ObjectPtr>& objects, Revision revision) {
  end_all(WatchEnd::CacheReset);
  cache_.relist(objects, revision);
}

void ServedCollection::apply(const Change& change, runtime::TimePoint now) {
  cache_.apply(change, now);
  for (auto& [watch, cursor] : watches_) {
    const std::size_t before = cursor.waiting();
    cursor.offer(change, now);
    cursor.cache_moved(cache_, now);
    if (cursor.waiting() != before) {
      woken_.push_back(watch);
    }
  }
}

void ServedCollection::advance(Revision revision, runtime::TimePoint now) {
  if (revision <= cache_.revision()) {
    return;
  }
  cache_.advance(revision);
  for (auto& [watch, cursor] : watches_) {
    const std::size_t before = cursor.waiting();
    cursor.cache_moved(cache_, now);
    if (cursor.waiting() != before) {
      woken_.push_back(watch);
    }
  }
}

void ServedCollection::open(WatchId watch, WatchCursor cursor, Revision store_revision,
                            runtime::TimePoint now) {
  cursor.open(cache_, store_revision, now);
  watches_.emplace(watch, std::move(cursor));
}

WatchCursor* ServedCollection::find(WatchId watch) {
  const auto found = watches_.find(watch);
  return found == watches_.end() ? nullptr : &found->second;
}

void ServedCollection::end_all(WatchEnd why) {
  for (auto& [watch, cursor] : watches_) {
    cursor.end(why);
    woken_.push_back(watch);
  }
}

void ServedCollection::take_woken(std::vector<WatchId>& woken) {
  woken.insert(woken.end(), woken_.begin(), woken_.end());
  woken_.clear();
}

}  // namespace watchlab::sim
