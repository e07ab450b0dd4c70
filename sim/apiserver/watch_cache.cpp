#include "sim/apiserver/watch_cache.hpp"

#include <algorithm>

#include "core/runtime/ensure.hpp"

namespace watchlab::sim {

void WatchCache::relist(const std::vector<api::ObjectPtr>& objects, Revision revision) {
  runtime::ensure(options_.capacity_min > 0, "a watch cache holds at least one change");
  window_.clear();
  objects_.clear();
  for (const api::ObjectPtr& object : objects) {
    objects_.emplace(api::key_of(object->metadata), object);
  }
  revision_ = revision;
  oldest_ = revision + 1;
}

void WatchCache::apply(const Change& change, runtime::TimePoint now) {
  runtime::ensure(change.revision > revision_, "a watch cache takes changes in order");
  const bool pushed_out = make_room(now);
  window_.push_back(change);
  if (pushed_out) {
    oldest_ = window_.front().revision;
  }
  revision_ = change.revision;
  if (change.type == watch::EventType::Deleted) {
    objects_.erase(change.key);
  } else {
    objects_.insert_or_assign(change.key, change.object);
  }
}

bool WatchCache::make_room(runtime::TimePoint now) {
  if (window_.size() < capacity_) {
    return false;
  }
  const std::size_t newest_quarter = window_.size() - std::max<std::size_t>(capacity_ / 4, 1);
  if (now - window_.front().at < options_.freshness) {
    capacity_ = std::min(capacity_ * 2, options_.capacity_max);
  } else if (now - window_[newest_quarter].at > options_.freshness) {
    capacity_ = std::max(capacity_ / 2, options_.capacity_min);
  }
  bool pushed_out = false;
  while (window_.size() >= capacity_) {
    window_.pop_front();
    pushed_out = true;
  }
  return pushed_out;
}

void WatchCache::advance(Revision revision) { revision_ = std::max(revision_, revision); }

void WatchCache::expire_below(Revision revision) {
  while (!window_.empty() && window_.front().revision < revision) {
    window_.pop_front();
  }
  oldest_ = std::max(oldest_, std::min(revision, revision_ + 1));
}

api::ObjectPtr WatchCache::get(const std::string& key) const {
  const auto found = objects_.find(key);
  return found == objects_.end() ? nullptr : found->second;
}

std::vector<Change> WatchCache::changes_after(Revision revision) const {
  const auto first =
      std::upper_bound(window_.begin(), window_.end(), revision,
                       [](Revision asked, const Change& each) { return asked < each.revision; });
  return {first, window_.end()};
}

}  // namespace watchlab::sim
