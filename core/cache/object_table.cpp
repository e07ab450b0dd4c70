#include "core/cache/object_table.hpp"

#include <algorithm>
#include <utility>

#include "core/runtime/ensure.hpp"

namespace watchlab::cache {

ValueIndex::ValueIndex(IndexFunction function) : function_(std::move(function)) {}

const ValueIndex::Bucket* ValueIndex::find(std::string_view value) const {
  const auto found = by_value_.find(value);
  return found != by_value_.end() ? &buckets_[found->second] : nullptr;
}

/// A bucket that became free is used again, so that numbers stay small when values come and go.
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

/// The last row takes the place of the one that goes: no row behind it has to move, and the caller
/// corrects the one position that has changed.
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

namespace {

/// Room for so many keys is made at once, because small tables grow often.
constexpr std::size_t kFewRows = 8;

}  // namespace

api::ObjectPtr ObjectTable::find(std::string_view key) const {
  const auto found = by_key_.find(key);
  return found != by_key_.end() ? objects_[*found] : nullptr;
}

std::vector<api::ObjectPtr> ObjectTable::objects() const {
  std::vector<api::ObjectPtr> objects;
  objects.reserve(size());
  for (Slot slot = 0; slot < objects_.size(); ++slot) {
    if (objects_[slot] != nullptr) {
      objects.push_back(objects_[slot]);
    }
  }
  return objects;
}

std::vector<std::string> ObjectTable::keys() const {
  std::vector<std::string> keys;
  keys.reserve(size());
  for (Slot slot = 0; slot < keys_.size(); ++slot) {
    if (objects_[slot] != nullptr) {
      keys.emplace_back(keys_[slot].view());
    }
  }
  return keys;
}

void ObjectTable::reserve(std::size_t rows) {
  memberships_.reserve(indices_.empty() ? 0 : rows);
  keys_.reserve(rows);
  by_key_.reserve(rows);
}

ObjectTable::Values ObjectTable::values_of(const ValueIndex& index, const std::string& name,
                                           const std::string& key, const api::ObjectPtr& object) {
  api::Result<Values> values = index.function()(object);
  if (!values) {
    throw runtime::Panic("no index entry for key \"" + key + "\" on index \"" + name +
                         "\": " + values.error().message);
  }
  return std::move(values).value();
}

/// The hash set holds slots, not keys. It finds the key of a slot in the row, so a key lies in
/// memory once, and a row must have its key before its slot is inserted.
Slot ObjectTable::slot_for(std::string_view key) {
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    return *found;
  }
  Slot slot = 0;
  if (free_.empty()) {
    if (keys_.capacity() == 0) {
      keys_.reserve(kFewRows);
    }
    slot = static_cast<Slot>(keys_.size());
    keys_.emplace_back();
    objects_.add_row();
    memberships_.resize(indices_.empty() ? 0 : keys_.size());
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  keys_[slot] = key;
  by_key_.insert(slot);
  return slot;
}

void ObjectTable::put(const std::string& key, api::ObjectPtr object) {
  // All values first: a function that fails must not leave half a change behind.
  std::vector<Values> values;
  values.reserve(indices_.size());
  for (std::size_t i = 0; i < indices_.size(); ++i) {
    values.push_back(values_of(indices_[i], index_names_[i], key, object));
  }
  const Slot slot = slot_for(key);
  objects_[slot] = std::move(object);
  for (std::uint32_t i = 0; i < indices_.size(); ++i) {
    if (!stands_under(slot, i, values[i])) {
      leave(slot, i);
      enter(slot, i, values[i]);
    }
  }
}

bool ObjectTable::erase(std::string_view key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    return false;
  }
  const Slot slot = *found;
  by_key_.erase(found);
  for (std::uint32_t i = 0; i < indices_.size(); ++i) {
    leave(slot, i);
  }
  keys_[slot] = {};
  objects_[slot] = nullptr;
  free_.push_back(slot);
  return true;
}

/// Most updates change no indexed value. The memberships of a row are in the order of its values,
/// so one walk over both shows whether they are the same.
bool ObjectTable::stands_under(Slot slot, std::uint32_t index, const Values& values) const {
  std::size_t matched = 0;
  for (const Membership& membership : memberships_[slot]) {
    if (membership.index == index) {
      if (matched == values.size() ||
          indices_[index].bucket(membership.bucket).value != values[matched]) {
        return false;
      }
      ++matched;
    }
  }
  return matched == values.size();
}

/// A value that the function gives twice counts once: a row stands in a bucket at one position.
void ObjectTable::enter(Slot slot, std::uint32_t index, const Values& values) {
  for (auto value = values.begin(); value != values.end(); ++value) {
    if (std::find(values.begin(), value, *value) == value) {
      const ValueIndex::BucketId bucket = indices_[index].bucket_for(*value);
      const std::uint32_t position = indices_[index].add(bucket, slot);
      memberships_[slot].push_back({.index = index, .bucket = bucket, .position = position});
    }
  }
}

/// Each removal moves the last row of its bucket into the gap, so that row's own record of where it
/// stands has to follow.
void ObjectTable::leave(Slot slot, std::uint32_t index) {
  const auto is_of_index = [index](const Membership& membership) {
    return membership.index == index;
  };
  for (const Membership& left : memberships_[slot]) {
    if (!is_of_index(left)) {
      continue;
    }
    const Slot moved = indices_[index].remove(left.bucket, left.position);
    for (Membership& other : memberships_[moved]) {
      if (moved != slot && other.index == index && other.bucket == left.bucket) {
        other.position = left.position;
      }
    }
  }
  std::erase_if(memberships_[slot], is_of_index);
}

/// All values first, as in `put`: a function that fails leaves the table without the index.
void ObjectTable::add_index(const std::string& name, IndexFunction function) {
  ValueIndex added(std::move(function));
  std::vector<Values> values(keys_.size());
  for (Slot slot = 0; slot < keys_.size(); ++slot) {
    if (objects_[slot] != nullptr) {
      const std::string key(keys_[slot].view());
      values[slot] = values_of(added, name, key, objects_[slot]);
    }
  }
  const auto number = static_cast<std::uint32_t>(indices_.size());
  indices_.push_back(std::move(added));
  index_names_.push_back(name);
  index_by_name_.emplace(name, number);
  memberships_.resize(keys_.size());
  for (Slot slot = 0; slot < keys_.size(); ++slot) {
    enter(slot, number, values[slot]);
  }
}

const ValueIndex* ObjectTable::index(std::string_view name) const {
  const auto found = index_by_name_.find(name);
  return found != index_by_name_.end() ? &indices_[found->second] : nullptr;
}

std::vector<api::ObjectPtr> ObjectTable::objects_of(const ValueIndex::Bucket& bucket) const {
  std::vector<api::ObjectPtr> objects;
  objects.reserve(bucket.slots.size());
  for (const Slot slot : bucket.slots) {
    objects.push_back(objects_[slot]);
  }
  return objects;
}

std::vector<std::string> ObjectTable::keys_of(const ValueIndex::Bucket& bucket) const {
  std::vector<std::string> keys;
  keys.reserve(bucket.slots.size());
  for (const Slot slot : bucket.slots) {
    keys.emplace_back(keys_[slot].view());
  }
  return keys;
}

/// One value, which is the rule, needs no set: the rows of a bucket are different ones. With
/// several values the slots are sorted to drop what stands under two of them; that order depends on
/// the history of calls only, as every order here.
std::vector<api::ObjectPtr> ObjectTable::objects_with_any(
    const ValueIndex& index, const std::vector<std::string>& values) const {
  if (values.size() == 1) {
    const ValueIndex::Bucket* bucket = index.find(values.front());
    return bucket != nullptr ? objects_of(*bucket) : std::vector<api::ObjectPtr>{};
  }
  std::vector<Slot> slots;
  for (const std::string& value : values) {
    if (const ValueIndex::Bucket* bucket = index.find(value)) {
      slots.insert(slots.end(), bucket->slots.begin(), bucket->slots.end());
    }
  }
  std::ranges::sort(slots);
  const auto repeated = std::ranges::unique(slots);
  slots.erase(repeated.begin(), repeated.end());
  return objects_of({.value = {}, .slots = std::move(slots)});
}

Indexers ObjectTable::indexers() const {
  Indexers indexers;
  for (const auto& [name, number] : index_by_name_) {
    indexers.emplace(name, indices_[number].function());
  }
  return indexers;
}

void ObjectTable::check_consistent() const {
  std::size_t live = 0;
  for (Slot slot = 0; slot < keys_.size(); ++slot) {
    live += objects_[slot] != nullptr ? 1 : 0;
    runtime::ensure(objects_[slot] == nullptr || by_key_.find(keys_[slot].view()) != by_key_.end(),
                    "every stored object is found under its key");
    for (std::uint32_t i = 0; !indices_.empty() && i < memberships_[slot].size(); ++i) {
      const Membership& membership = memberships_[slot][i];
      const auto& slots = indices_[membership.index].bucket(membership.bucket).slots;
      runtime::ensure(membership.position < slots.size() && slots[membership.position] == slot,
                      "an object stands in an index where it says");
    }
  }
  runtime::ensure(live == by_key_.size(), "no key leads to an object that is gone");
}

}  // namespace watchlab::cache
