#include "core/cache/thread_safe_store.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include "core/runtime/ensure.hpp"

namespace watchlab::cache {

/// Objects by key, with indices: what the lock guards.
///
/// A row keeps its slot while it lives, and the slot that became free last is used next. Every
/// order that comes out depends on the history of calls, never on a hash.
class ThreadSafeStore::Table {
 public:
  using Slot = std::uint32_t;
  using Slots = std::vector<Slot>;
  using Values = std::vector<std::string>;
  struct Index {
    IndexFunction function;
    std::map<std::string, Slots> slots;  ///< by value; a value without rows is forgotten at once
  };

  Table() = default;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  /// An empty one.
  [[nodiscard]] static std::unique_ptr<Table> with(const Indexers& indexers);

  [[nodiscard]] std::size_t size() const { return by_key_.size(); }
  [[nodiscard]] const std::string& version() const { return version_; }
  void set_version(const std::string& version) { version_ = version; }
  /// Null when there is none.
  [[nodiscard]] api::ObjectPtr find(const std::string& key) const;
  [[nodiscard]] std::vector<api::ObjectPtr> objects() const;
  [[nodiscard]] std::vector<std::string> keys() const;

  void reserve(std::size_t rows);
  /// Inserts or replaces, and updates all indices. Panics, with nothing changed, when an index
  /// function fails.
  void put(const std::string& key, const api::ObjectPtr& object);
  /// Removes nothing when the key is absent.
  void erase(const std::string& key);

  /// Adds an index under a name that is free, and fills it. Panics, with nothing changed, when the
  /// function fails.
  void add_index(const std::string& name, const IndexFunction& function);
  /// Null when there is no index of that name.
  [[nodiscard]] const Index* index(const std::string& name) const;
  /// The objects that have at least one of the values, each once.
  [[nodiscard]] std::vector<api::ObjectPtr> objects_with_any(const Index& index,
                                                             const Values& values) const;
  [[nodiscard]] std::vector<std::string> keys_with(const Index& index,
                                                   const std::string& value) const;
  [[nodiscard]] static Values values(const Index& index);
  [[nodiscard]] Indexers indexers() const;

  /// Throws `EnsureFailed` unless rows, hash set and indices agree.
  void check_consistent() const;

 private:
  /// A value of an index that a row has, and where the row stands among those that have it. So a
  /// removal costs the same whether two objects share a value or two million.
  struct Membership {
    Index* index;
    std::map<std::string, Slots>::iterator value;
    std::size_t position;
  };
  /// The set holds slots, and finds the key of a slot in its row: a key lies in memory once.
  struct HashOfKey {
    using is_transparent = void;
    const std::vector<std::string>* keys;
    std::size_t operator()(const std::string& key) const { return std::hash<std::string>()(key); }
    std::size_t operator()(Slot slot) const { return (*this)((*keys)[slot]); }
  };
  struct SameKey {
    using is_transparent = void;
    const std::vector<std::string>* keys;
    bool operator()(Slot a, Slot b) const { return a == b; }
    bool operator()(Slot slot, const std::string& key) const { return (*keys)[slot] == key; }
    bool operator()(const std::string& key, Slot slot) const { return (*this)(slot, key); }
  };

  [[nodiscard]] static Values values_of(const std::string& name, const IndexFunction& function,
                                        const std::string& key, const api::ObjectPtr& object);
  Slot slot_for(const std::string& key);
  [[nodiscard]] bool stands_under(Slot slot, const Index& index, const Values& values) const;
  void enter(Slot slot, Index& index, const Values& values);
  void leave(Slot slot, const Index& index);

  std::string version_;
  std::vector<std::string> keys_;
  // Of the row with the same slot:
  std::vector<api::ObjectPtr> objects_;               ///< null while it is free
  std::vector<std::vector<Membership>> memberships_;  ///< empty while there is no index
  std::vector<Slot> free_;
  boost::unordered_flat_set<Slot, HashOfKey, SameKey> by_key_{0, HashOfKey{&keys_},
                                                              SameKey{&keys_}};
  std::map<std::string, Index> indices_;
};

namespace {

api::Error no_such_index(const std::string& name) {
  return {.message = "index with name " + name + " does not exist"};
}

}  // namespace

std::unique_ptr<ThreadSafeStore::Table> ThreadSafeStore::Table::with(const Indexers& indexers) {
  auto table = std::make_unique<Table>();
  for (const auto& [name, function] : indexers) {
    table->add_index(name, function);
  }
  return table;
}

ThreadSafeStore::Table::Values ThreadSafeStore::Table::values_of(const std::string& name,
                                                                 const IndexFunction& function,
                                                                 const std::string& key,
                                                                 const api::ObjectPtr& object) {
  api::Result<Values> values = function(object);
  if (!values) {
    throw runtime::Panic("no index entry for key \"" + key + "\" on index \"" + name +
                         "\": " + values.error().message);
  }
  return std::move(values).value();
}

api::ObjectPtr ThreadSafeStore::Table::find(const std::string& key) const {
  const auto found = by_key_.find(key);
  return found != by_key_.end() ? objects_[*found] : nullptr;
}

std::vector<api::ObjectPtr> ThreadSafeStore::Table::objects() const {
  std::vector<api::ObjectPtr> objects;
  objects.reserve(size());
  std::ranges::copy_if(objects_, std::back_inserter(objects),
                       [](const api::ObjectPtr& object) { return object != nullptr; });
  return objects;
}

std::vector<std::string> ThreadSafeStore::Table::keys() const {
  std::vector<std::string> keys;
  keys.reserve(size());
  for (Slot slot = 0; slot < keys_.size(); ++slot) {
    if (objects_[slot] != nullptr) {
      keys.push_back(keys_[slot]);
    }
  }
  return keys;
}

void ThreadSafeStore::Table::reserve(std::size_t rows) {
  memberships_.reserve(indices_.empty() ? 0 : rows);
  keys_.reserve(rows);
  objects_.reserve(rows);
  by_key_.reserve(rows);
}

/// A row must have its key before its slot is inserted.
ThreadSafeStore::Table::Slot ThreadSafeStore::Table::slot_for(const std::string& key) {
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    return *found;
  }
  Slot slot = 0;
  if (free_.empty()) {
    slot = static_cast<Slot>(keys_.size());
    keys_.emplace_back();
    objects_.emplace_back();
    memberships_.resize(indices_.empty() ? 0 : keys_.size());
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  keys_[slot] = key;
  by_key_.insert(slot);
  return slot;
}

void ThreadSafeStore::Table::put(const std::string& key, const api::ObjectPtr& object) {
  // All values first: a function that fails must not leave half a change behind.
  std::vector<Values> values;
  values.reserve(indices_.size());
  for (const auto& [name, index] : indices_) {
    values.push_back(values_of(name, index.function, key, object));
  }
  const Slot slot = slot_for(key);
  objects_[slot] = object;
  auto own = values.begin();
  for (auto& [name, index] : indices_) {
    if (!stands_under(slot, index, *own)) {
      leave(slot, index);
      enter(slot, index, *own);
    }
    ++own;
  }
}

void ThreadSafeStore::Table::erase(const std::string& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    return;
  }
  const Slot slot = *found;
  by_key_.erase(found);
  for (const auto& [name, index] : indices_) {
    leave(slot, index);
  }
  keys_[slot].clear();
  objects_[slot] = nullptr;
  free_.push_back(slot);
}

/// Most updates change no indexed value. The memberships of a row are in the order of its values,
/// so one walk over both shows whether they are the same.
bool ThreadSafeStore::Table::stands_under(Slot slot, const Index& index,
                                          const Values& values) const {
  std::size_t matched = 0;
  for (const Membership& membership : memberships_[slot]) {
    if (membership.index == &index) {
      if (matched == values.size() || membership.value->first != values[matched]) {
        return false;
      }
      ++matched;
    }
  }
  return matched == values.size();
}

/// A value that the function gives twice counts once.
void ThreadSafeStore::Table::enter(Slot slot, Index& index, const Values& values) {
  for (const std::string& value : values) {
    const auto place = index.slots.try_emplace(value).first;
    Slots& slots = place->second;
    if (slots.empty() || slots.back() != slot) {
      memberships_[slot].push_back({.index = &index, .value = place, .position = slots.size()});
      slots.push_back(slot);
    }
  }
}

/// The last row of a value takes the place of the one that goes, so no other has to move.
void ThreadSafeStore::Table::leave(Slot slot, const Index& index) {
  const auto is_of_index = [&index](const Membership& membership) {
    return membership.index == &index;
  };
  for (const Membership& left : memberships_[slot]) {
    if (!is_of_index(left)) {
      continue;
    }
    Slots& slots = left.value->second;
    const Slot moved = slots.back();
    slots[left.position] = moved;
    slots.pop_back();
    for (Membership& other : memberships_[moved]) {
      if (moved != slot && other.index == left.index && other.value == left.value) {
        other.position = left.position;
      }
    }
    if (slots.empty()) {
      // Values can be as many as objects ever were (a pod's node, a job's uid): one that stayed
      // would be a leak.
      left.index->slots.erase(left.value);
    }
  }
  std::erase_if(memberships_[slot], is_of_index);
}

/// All values first, as in `put`: a function that fails leaves the table without the index.
void ThreadSafeStore::Table::add_index(const std::string& name, const IndexFunction& function) {
  std::vector<Values> values(keys_.size());
  for (Slot slot = 0; slot < keys_.size(); ++slot) {
    if (objects_[slot] != nullptr) {
      values[slot] = values_of(name, function, keys_[slot], objects_[slot]);
    }
  }
  Index& index = indices_[name];
  index.function = function;
  memberships_.resize(keys_.size());
  for (Slot slot = 0; slot < keys_.size(); ++slot) {
    enter(slot, index, values[slot]);
  }
}

const ThreadSafeStore::Table::Index* ThreadSafeStore::Table::index(const std::string& name) const {
  const auto found = indices_.find(name);
  return found != indices_.end() ? &found->second : nullptr;
}

std::vector<api::ObjectPtr> ThreadSafeStore::Table::objects_with_any(const Index& index,
                                                                     const Values& values) const {
  std::vector<Slot> slots;
  for (const std::string& value : values) {
    if (const auto found = index.slots.find(value); found != index.slots.end()) {
      slots.insert(slots.end(), found->second.begin(), found->second.end());
    }
  }
  if (values.size() > 1) {
    std::ranges::sort(slots);
    const auto repeated = std::ranges::unique(slots);
    slots.erase(repeated.begin(), repeated.end());
  }
  std::vector<api::ObjectPtr> objects;
  objects.reserve(slots.size());
  for (const Slot slot : slots) {
    objects.push_back(objects_[slot]);
  }
  return objects;
}

std::vector<std::string> ThreadSafeStore::Table::keys_with(const Index& index,
                                                           const std::string& value) const {
  std::vector<std::string> keys;
  if (const auto found = index.slots.find(value); found != index.slots.end()) {
    for (const Slot slot : found->second) {
      keys.push_back(keys_[slot]);
    }
  }
  return keys;
}

ThreadSafeStore::Table::Values ThreadSafeStore::Table::values(const Index& index) {
  Values values;
  for (const auto& [value, slots] : index.slots) {
    values.push_back(value);
  }
  return values;
}

Indexers ThreadSafeStore::Table::indexers() const {
  Indexers indexers;
  for (const auto& [name, index] : indices_) {
    indexers.emplace(name, index.function);
  }
  return indexers;
}

void ThreadSafeStore::Table::check_consistent() const {
  std::size_t live = 0;
  for (Slot slot = 0; slot < keys_.size(); ++slot) {
    live += objects_[slot] != nullptr ? 1 : 0;
    runtime::ensure(objects_[slot] == nullptr || by_key_.contains(keys_[slot]),
                    "every stored object is found under its key");
  }
  for (Slot slot = 0; slot < memberships_.size(); ++slot) {
    for (const Membership& each : memberships_[slot]) {
      const Slots& slots = each.value->second;
      runtime::ensure(each.position < slots.size() && slots[each.position] == slot,
                      "an object stands in an index where it says");
    }
  }
  runtime::ensure(live == by_key_.size(), "no key leads to an object that is gone");
}

ThreadSafeStore::ThreadSafeStore(runtime::Runtime& runtime, const Indexers& indexers)
    : ThreadSafeStore(runtime, indexers, nullptr) {}

ThreadSafeStore::ThreadSafeStore(runtime::Runtime& runtime, const Indexers& indexers,
                                 std::shared_ptr<StoreMetrics> metrics)
    : runtime_(runtime),
      metrics_(std::move(metrics)),
      mutex_(runtime, "store"),
      table_(runtime, Table::with(indexers), "store") {}

ThreadSafeStore::~ThreadSafeStore() = default;

/// The lock must be held.
void ThreadSafeStore::reach(Table& table, const std::string& version) const {
  table.set_version(version);
  if (metrics_) {
    metrics_->store_reached(version);
  }
}

void ThreadSafeStore::check_table() const {
  // The check walks the whole table. Tests of one behaviour have small ones.
  constexpr std::size_t kRowsMax = 256;
  if (runtime_.checks() && table_.read()->size() <= kRowsMax) {
    table_.read()->check_consistent();
  }
}

void ThreadSafeStore::add(const std::string& key, const api::ObjectPtr& object) {
  update(key, object);
}

void ThreadSafeStore::update(const std::string& key, const api::ObjectPtr& object) {
  const runtime::WriteLock lock(mutex_);
  Table& table = *table_.write();
  table.put(key, object);
  reach(table, object->metadata.resource_version);
  check_table();
}

void ThreadSafeStore::remove(const std::string& key) {
  const runtime::WriteLock lock(mutex_);
  table_.write()->erase(key);
  check_table();
}

void ThreadSafeStore::remove(const std::string& key, const api::Object& last) {
  const runtime::WriteLock lock(mutex_);
  Table& table = *table_.write();
  table.erase(key);
  reach(table, last.metadata.resource_version);
  check_table();
}

/// Mirrors client-go 0.35 Transaction. An index function that panics leaves what was done before.
void ThreadSafeStore::change(const std::vector<KeyedObject>& changes,
                             const std::optional<std::string>& version) {
  const runtime::WriteLock lock(mutex_);
  Table& table = *table_.write();
  for (const auto& [key, object] : changes) {
    if (object != nullptr) {
      table.put(key, object);
    } else {
      table.erase(key);
    }
  }
  if (version) {
    reach(table, *version);
  }
  check_table();
}

void ThreadSafeStore::set_version(const std::string& version) {
  const runtime::WriteLock lock(mutex_);
  reach(*table_.write(), version);
}

/// What `read` gives of the table, under the readers' lock. Where no order is promised the caller
/// asks for one after that, because other tasks may go first there.
template <typename Read>
auto ThreadSafeStore::read_table(Read read) const {
  const runtime::ReadLock lock(mutex_);
  return read(*table_.read());
}

std::string ThreadSafeStore::version() const {
  return read_table([](const Table& table) { return table.version(); });
}

api::ObjectPtr ThreadSafeStore::get(const std::string& key) const {
  return read_table([&](const Table& table) { return table.find(key); });
}

std::vector<api::ObjectPtr> ThreadSafeStore::list() const {
  auto objects = read_table([](const Table& table) { return table.objects(); });
  return in_visiting_order(runtime_, std::move(objects), "list");
}

std::vector<std::string> ThreadSafeStore::list_keys() const {
  auto keys = read_table([](const Table& table) { return table.keys(); });
  return in_visiting_order(runtime_, std::move(keys), "list_keys");
}

/// Mirrors client-go Replace. The new table is filled beside the old one and takes its place in one
/// step; the old one is freed after the lock is released.
void ThreadSafeStore::replace(const std::vector<KeyedObject>& objects, const std::string& version) {
  std::unique_ptr<Table> table;  // outlives the lock: freeing many objects takes its time
  const runtime::WriteLock lock(mutex_);
  table = Table::with(table_.read()->indexers());
  table->reserve(objects.size());
  for (const auto& [key, object] : objects) {
    table->put(key, object);
  }
  reach(*table, version);
  table_.write().swap(table);
  check_table();
}

/// The objects that have one of the values, each once.
api::Result<std::vector<api::ObjectPtr>> ThreadSafeStore::objects_with_any(
    const std::string& index_name, const ValuesToFind& values_to_find,
    std::string_view what) const {
  std::vector<api::ObjectPtr> objects;
  {
    const runtime::ReadLock lock(mutex_);
    const Table& table = *table_.read();
    const Table::Index* index = table.index(index_name);
    if (index == nullptr) {
      return no_such_index(index_name);
    }
    const api::Result<std::vector<std::string>> values = values_to_find(index->function);
    if (!values) {
      return values.error();
    }
    objects = table.objects_with_any(*index, *values);
  }
  return in_visiting_order(runtime_, std::move(objects), what);
}

/// Mirrors client-go Index: the objects that share at least one value with `object`.
api::Result<std::vector<api::ObjectPtr>> ThreadSafeStore::index(
    const std::string& index_name, const api::ObjectPtr& object) const {
  return objects_with_any(
      index_name, [&object](const IndexFunction& values_of) { return values_of(object); }, "index");
}

api::Result<std::vector<std::string>> ThreadSafeStore::index_keys(const std::string& index_name,
                                                                  const std::string& value) const {
  std::vector<std::string> keys;
  {
    const runtime::ReadLock lock(mutex_);
    const Table& table = *table_.read();
    const Table::Index* index = table.index(index_name);
    if (index == nullptr) {
      return no_such_index(index_name);
    }
    keys = table.keys_with(*index, value);
  }
  std::ranges::sort(keys);
  return keys;
}

api::Result<std::vector<api::ObjectPtr>> ThreadSafeStore::by_index(const std::string& index_name,
                                                                   const std::string& value) const {
  const auto the_value = [&value](const IndexFunction& /*values_of*/) {
    return std::vector<std::string>{value};
  };
  return objects_with_any(index_name, the_value, "by_index");
}

std::vector<std::string> ThreadSafeStore::list_index_function_values(
    const std::string& index_name) const {
  auto values = read_table([&](const Table& table) {
    const Table::Index* index = table.index(index_name);
    return index != nullptr ? Table::values(*index) : std::vector<std::string>();
  });
  return in_visiting_order(runtime_, std::move(values), "list_index_function_values");
}

Indexers ThreadSafeStore::get_indexers() const {
  return read_table([](const Table& table) { return table.indexers(); });
}

/// Mirrors client-go AddIndexers. A name that is taken refuses all of them, before the first is
/// added.
api::Result<void> ThreadSafeStore::add_indexers(const Indexers& indexers) {
  const runtime::WriteLock lock(mutex_);
  Table& table = *table_.write();
  for (const auto& [name, function] : indexers) {
    if (table.index(name) != nullptr) {
      return api::Error{.message = "an index with name " + name + " exists already"};
    }
  }
  for (const auto& [name, function] : indexers) {
    table.add_index(name, function);
  }
  check_table();
  return {};
}

}  // namespace watchlab::cache
