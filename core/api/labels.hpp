#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace watchlab::api {

/// The labels or the annotations of an object: texts by key, each key once, always sorted by key.
/// To be used as the `std::map` of texts that it stands for, and made for what objects have, which
/// is few labels each, and many objects: it lies in one piece of memory and takes half of a map's.
/// Every change may move what it holds: iterators and references do not outlive it. Not
/// synchronised.
class Labels {
 public:
  using value_type = std::pair<std::string, std::string>;  ///< key and text
  using const_iterator = std::vector<value_type>::const_iterator;

  Labels() = default;
  /// Of two entries with one key, the first counts.
  Labels(std::initializer_list<value_type> entries);

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// In the order of the keys.
  [[nodiscard]] const_iterator begin() const { return entries_.begin(); }
  [[nodiscard]] const_iterator end() const { return entries_.end(); }
  /// `end()` when there is none.
  [[nodiscard]] const_iterator find(std::string_view key) const;
  [[nodiscard]] bool contains(std::string_view key) const { return find(key) != end(); }
  /// The text under a key that is there; it is a bug to ask for another.
  [[nodiscard]] const std::string& at(std::string_view key) const;

  /// The text under the key, to be changed; empty when the key is new.
  std::string& operator[](std::string_view key);
  /// False when there was none.
  bool erase(std::string_view key);
  void clear() { entries_.clear(); }
  /// Makes room for so many, so that adding them moves nothing.
  void reserve(std::size_t size) { entries_.reserve(size); }

  bool operator==(const Labels&) const = default;

 private:
  std::vector<value_type> entries_;
};

}  // namespace watchlab::api
