#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/cache/index.hpp"

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

}  // namespace watchlab::cache
