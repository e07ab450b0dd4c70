#include "core/cache/value_index.hpp"

#include <utility>

namespace watchlab::cache {

ValueIndex::ValueIndex(IndexFunction function) : function_(std::move(function)) {}

const ValueIndex::Bucket* ValueIndex::find(std::string_view value) const {
  const auto found = by_value_.find(value);
  return found != by_value_.end() ? &buckets_[found->second] : nullptr;
}

ValueIndex::BucketId ValueIndex::bucket_for(const std::string& value) {
  if (const auto found = by_value_.find(value); found != by_value_.end()) {
    return found->second;
  }
  BucketId id = 0;
  if (free_.empty()) {
    id = static_cast<BucketId>(buckets_.size());
    buckets_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  buckets_[id].value = value;
  by_value_.emplace(value, id);
  return id;
}

std::uint32_t ValueIndex::add(BucketId id, Slot slot) {
  std::vector<Slot>& slots = buckets_[id].slots;
  slots.push_back(slot);
  return static_cast<std::uint32_t>(slots.size() - 1);
}

Slot ValueIndex::remove(BucketId id, std::uint32_t position) {
  Bucket& bucket = buckets_[id];
  const Slot moved = bucket.slots.back();
  bucket.slots[position] = moved;
  bucket.slots.pop_back();
  if (bucket.slots.empty()) {
    // Values can be as many as objects ever were (a pod's node, a job's uid): an empty bucket that
    // stayed would be a leak.
    by_value_.erase(bucket.value);
    bucket = Bucket{};
    free_.push_back(id);
  }
  return moved;
}

std::vector<std::string> ValueIndex::values() const {
  std::vector<std::string> values;
  values.reserve(by_value_.size());
  for (const Bucket& bucket : buckets_) {
    if (!bucket.slots.empty()) {
      values.push_back(bucket.value);
    }
  }
  return values;
}

}  // namespace watchlab::cache
