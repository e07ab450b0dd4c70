#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/object.hpp"
#include "core/cache/indexer.hpp"
#include "core/cache/key_text.hpp"

namespace watchlab::cache {

/// The number of a row in an `ObjectTable`; stays the same while the row lives.
using Slot = std::uint32_t;

/// One index of an `ObjectTable`: which rows have which value. Private to the table: it keeps the
/// positions that this class hands out. Not synchronised.
///
/// The rows of a value lie in a vector, so that walking them is fast and in an order that depends
/// on the history of calls only. A value without rows is forgotten at once.
class ValueIndex {
 public:
  /// The rows that share a value.
  struct Bucket {
    std::string value;
    std::vector<Slot> slots;
  };
  using BucketId = std::uint32_t;

  explicit ValueIndex(IndexFunction function);

  [[nodiscard]] const IndexFunction& function() const { return function_; }
  /// Null when no row has the value.
  [[nodiscard]] const Bucket* find(std::string_view value) const;
  [[nodiscard]] const Bucket& bucket(BucketId id) const { return buckets_[id]; }
  /// The bucket for a value, made if need be; the caller adds a row to it right away.
  [[nodiscard]] BucketId bucket_for(const std::string& value);
  /// Adds a row that is not in the bucket; returns its position there.
  std::uint32_t add(BucketId id, Slot slot);
  /// Takes out the row at that position. Returns the row that now stands there in its place, which
  /// may be the removed one itself if it was the last.
  Slot remove(BucketId id, std::uint32_t position);
  /// The values that have rows.
  [[nodiscard]] std::vector<std::string> values() const;

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  IndexFunction function_;
  std::vector<Bucket> buckets_;
  std::vector<BucketId> free_;
  boost::unordered_flat_map<std::string, BucketId, TextHash, std::equal_to<>> by_value_;
};

/// A value for each row of an `ObjectTable`, by slot. In pieces, so that it grows without moving
/// anything and takes no more memory than it needs: `std::vector` takes up to twice as much, and a
/// deque of the library finds a value more slowly. Private to the table; not synchronised.
template <typename T>
class Column {
 public:
  [[nodiscard]] Slot size() const { return size_; }
  T& operator[](Slot slot) { return (*pieces_[slot / kPiece])[slot % kPiece]; }
  const T& operator[](Slot slot) const { return (*pieces_[slot / kPiece])[slot % kPiece]; }
  void add_row() {
    if (size_ % kPiece == 0) {
      pieces_.push_back(std::make_unique<Piece>());
    }
    ++size_;
  }

 private:
  static constexpr Slot kPiece = 64;
  using Piece = std::array<T, kPiece>;

  std::vector<std::unique_ptr<Piece>> pieces_;
  Slot size_ = 0;
};

/// Objects by key, with indices: what a `ThreadSafeStore` guards with its lock. Private to that
/// store; not synchronised.
///
/// Rows lie in a vector and keep their slot while they live; a hash set of slots finds a row by its
/// key. So there is no iteration over a hash container: every order that comes out depends on the
/// history of calls only. Each row remembers where it stands in which bucket of which index, which
/// makes a removal cost the same whether two objects share a value or two million.
class ObjectTable {
 public:
  ObjectTable() = default;
  ObjectTable(const ObjectTable&) = delete;
  ObjectTable& operator=(const ObjectTable&) = delete;

  [[nodiscard]] std::size_t size() const { return by_key_.size(); }
  /// Which revision it has come to, as `set_version` was given it last.
  [[nodiscard]] const std::string& version() const { return version_; }
  void set_version(const std::string& version) { version_ = version; }
  /// Null when there is none.
  [[nodiscard]] api::ObjectPtr find(std::string_view key) const;
  [[nodiscard]] std::vector<api::ObjectPtr> objects() const;
  [[nodiscard]] std::vector<std::string> keys() const;

  void reserve(std::size_t rows);
  /// Inserts or replaces, and brings all indices up to date. Panics, with nothing changed, when an
  /// index function fails.
  void put(const std::string& key, api::ObjectPtr object);
  /// False when there was none.
  bool erase(std::string_view key);

  /// Adds an index under a name that is free, and fills it. Panics, with nothing changed, when the
  /// function fails.
  void add_index(const std::string& name, IndexFunction function);
  /// Null when there is no index of that name.
  [[nodiscard]] const ValueIndex* index(std::string_view name) const;
  /// The objects and keys of a bucket's rows.
  [[nodiscard]] std::vector<api::ObjectPtr> objects_of(const ValueIndex::Bucket& bucket) const;
  [[nodiscard]] std::vector<std::string> keys_of(const ValueIndex::Bucket& bucket) const;
  /// The objects that have at least one of the values, each once.
  [[nodiscard]] std::vector<api::ObjectPtr> objects_with_any(
      const ValueIndex& index, const std::vector<std::string>& values) const;
  [[nodiscard]] Indexers indexers() const;

  /// Checks that rows, hash set and indices agree; throws `EnsureFailed` if not.
  void check_consistent() const;

 private:
  /// Where a row stands in an index.
  struct Membership {
    std::uint32_t index = 0;
    ValueIndex::BucketId bucket = 0;
    std::uint32_t position = 0;
  };
  struct HashOfKey {
    using is_transparent = void;
    using is_avalanching = void;
    const std::vector<KeyText>* keys;
    std::size_t operator()(Slot slot) const { return hash_of_key((*keys)[slot]); }
    std::size_t operator()(std::string_view key) const { return hash_of_key(key); }
  };
  struct SameKey {
    using is_transparent = void;
    const std::vector<KeyText>* keys;
    bool operator()(Slot a, Slot b) const { return a == b; }
    bool operator()(Slot slot, std::string_view key) const { return (*keys)[slot].view() == key; }
    bool operator()(std::string_view key, Slot slot) const { return (*this)(slot, key); }
  };
  using Values = std::vector<std::string>;

  [[nodiscard]] static Values values_of(const ValueIndex& index, const std::string& name,
                                        const std::string& key, const api::ObjectPtr& object);
  Slot slot_for(std::string_view key);
  [[nodiscard]] bool stands_under(Slot slot, std::uint32_t index, const Values& values) const;
  void enter(Slot slot, std::uint32_t index, const Values& values);
  void leave(Slot slot, std::uint32_t index);

  std::string version_;
  std::vector<KeyText> keys_;
  // Of the row with the same slot:
  Column<api::ObjectPtr> objects_;  ///< null while it is free; apart, to be listed quickly
  std::vector<std::vector<Membership>> memberships_;  ///< empty while there is no index
  std::vector<Slot> free_;
  boost::unordered_flat_set<Slot, HashOfKey, SameKey> by_key_{0, HashOfKey{&keys_},
                                                              SameKey{&keys_}};
  std::vector<ValueIndex> indices_;
  std::vector<std::string> index_names_;
  std::map<std::string, std::uint32_t, std::less<>> index_by_name_;
};

}  // namespace watchlab::cache
