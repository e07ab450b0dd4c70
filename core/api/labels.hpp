#pragma once

#include <compare>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/text.hpp"

namespace watchlab::api {

/// What the iterators below have in common: the names that algorithms ask for, and `i++`.
template <typename Iterator, typename Value>
class TextIterator {
 public:
  using value_type = Value;
  using difference_type = std::ptrdiff_t;
  using reference = Value;
  using iterator_category = std::forward_iterator_tag;

  Iterator operator++(int) {
    auto& self = static_cast<Iterator&>(*this);
    const Iterator before = self;
    ++self;
    return before;
  }
  bool operator==(const TextIterator&) const = default;
};

/// A few texts in one piece of memory, in an order: the finalizers of an object. Every change makes
/// all of it anew: views and iterators do not outlive it. Not synchronised.
class Texts {
 public:
  using value_type = TextView;
  class const_iterator : public TextIterator<const_iterator, TextView> {
   public:
    const_iterator() = default;
    explicit const_iterator(const char* at) : at_(at) {}
    TextView operator*() const;
    using TextIterator::operator++;
    const_iterator& operator++();
    bool operator==(const const_iterator&) const = default;

   private:
    friend class Labels;

    const char* at_ = nullptr;  ///< its size, then its bytes
  };
  using iterator = const_iterator;

  Texts() = default;
  Texts(std::initializer_list<std::string_view> texts);
  Texts(const std::vector<std::string>& texts);  // NOLINT: implicit

  [[nodiscard]] bool empty() const { return all_.empty(); }
  /// Walks over all.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] const_iterator begin() const { return const_iterator(all_.begin()); }
  [[nodiscard]] const_iterator end() const { return const_iterator(all_.end()); }
  [[nodiscard]] bool contains(std::string_view text) const;
  /// The text at a place that is there; it is a bug to ask for another.
  [[nodiscard]] TextView at(std::size_t place) const;

  void push_back(std::string_view text);
  /// Takes out each that is equal.
  void remove(std::string_view text);
  void clear() { all_.clear(); }

  bool operator==(const Texts&) const = default;

 private:
  friend class Labels;
  friend class Packing;

  static void append(std::string& all, std::string_view text);

  Text all_;
};

/// The labels or the annotations of an object: texts by key, each key once, always sorted by key.
/// To be used as the `std::map` of texts that it stands for, and made for what objects have, which
/// is few labels each, and many objects: all lie in one piece of memory, a search walks over them,
/// and every change makes all of them anew. Views and iterators do not outlive a change. Not
/// synchronised.
class Labels {
 public:
  using value_type = std::pair<TextView, TextView>;  ///< key and text
  using Entry = std::pair<std::string_view, std::string_view>;
  class const_iterator : public TextIterator<const_iterator, value_type> {
   public:
    const_iterator() = default;
    explicit const_iterator(Texts::const_iterator at) : at_(at) {}
    value_type operator*() const { return {*at_, *std::next(at_)}; }
    /// So that `->` works on a pair that is made when it is asked for.
    struct Pointer {
      value_type entry;
      const value_type* operator->() const { return &entry; }
    };
    Pointer operator->() const { return {**this}; }
    using TextIterator::operator++;
    const_iterator& operator++() {
      ++ ++at_;
      return *this;
    }
    bool operator==(const const_iterator&) const = default;

   private:
    friend class Labels;

    Texts::const_iterator at_;
  };
  using iterator = const_iterator;

  /// The text under a key, as `labels[key]` gives it: to be read, or to be changed by assignment.
  class Place {
   public:
    Place(const Place&) = default;
    Place& operator=(std::string_view text) {
      labels_->set(key_, text);
      return *this;
    }
    /// Assigns the text that stands there, not the place.
    Place& operator=(const Place& other) { return *this = TextView(other); }
    operator TextView() const;  // NOLINT: implicit

   private:
    friend class Labels;
    Place(Labels& labels, std::string_view key) : labels_(&labels), key_(key) {}

    Labels* labels_;
    std::string key_;
  };

  Labels() = default;
  /// Of two entries with one key, the first counts.
  Labels(std::initializer_list<Entry> entries) : Labels(std::vector<Entry>(entries)) {}
  explicit Labels(std::vector<Entry> entries);

  [[nodiscard]] bool empty() const { return texts_.empty(); }
  /// Walks over all.
  [[nodiscard]] std::size_t size() const { return texts_.size() / 2; }
  /// In the order of the keys.
  [[nodiscard]] const_iterator begin() const { return const_iterator(texts_.begin()); }
  [[nodiscard]] const_iterator end() const { return const_iterator(texts_.end()); }
  /// `end()` when there is none.
  [[nodiscard]] const_iterator find(std::string_view key) const;
  [[nodiscard]] bool contains(std::string_view key) const { return find(key) != end(); }
  /// The text under a key that is there; it is a bug to ask for another.
  [[nodiscard]] TextView at(std::string_view key) const;

  Place operator[](std::string_view key) { return {*this, key}; }
  /// In place of what was there.
  void set(std::string_view key, std::string_view text);
  /// False when there was none.
  bool erase(std::string_view key);
  void clear() { texts_.clear(); }

  bool operator==(const Labels&) const = default;

 private:
  friend class Packing;

  Texts texts_;  ///< a key, its text, the next key
};

}  // namespace watchlab::api
