#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/text.hpp"

namespace watchlab::api {

/// A few texts in one piece of memory, in an order: the finalizers of an object. Every change makes
/// all of it anew: views and iterators do not outlive it. Not synchronised.
class Texts {
 public:
  using value_type = TextView;
  class const_iterator {
   public:
    using value_type = TextView;
    using difference_type = std::ptrdiff_t;
    using reference = TextView;
    using iterator_category = std::forward_iterator_tag;

    const_iterator() = default;
    explicit const_iterator(const char* at) : at_(at) {}
    TextView operator*() const;
    const_iterator& operator++();
    const_iterator operator++(int) {
      const const_iterator before = *this;
      ++*this;
      return before;
    }
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
  [[nodiscard]] TextView operator[](std::size_t place) const { return at(place); }

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
/// and every change makes all of them anew. Views and iterators do not outlive a change, and a loop
/// over labels that changes them has to loop over a copy. Entries are made when they are asked for:
/// `const auto text = found->second` is right, `const auto&` refers to what is gone. Of a map and
/// back: `Labels({map.begin(), map.end()})`, `std::map<…>(labels.begin(), labels.end())`. Not
/// synchronised.
class Labels {
 public:
  /// Key and text; made when it is asked for, so a loop is over `const auto&` or `auto`.
  using value_type = std::pair<TextView, TextView>;
  using Entry = std::pair<std::string_view, std::string_view>;
  class const_iterator {
   public:
    using value_type = Labels::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = Labels::value_type;
    using iterator_category = std::forward_iterator_tag;

    const_iterator() = default;
    explicit const_iterator(Texts::const_iterator at) : at_(at) {}
    value_type operator*() const { return {*at_, *std::next(at_)}; }
    /// So that `->` works on a pair that is made when it is asked for.
    struct Pointer {
      value_type entry;
      const value_type* operator->() const { return &entry; }
    };
    Pointer operator->() const { return {**this}; }
    const_iterator& operator++() {
      ++ ++at_;
      return *this;
    }
    const_iterator operator++(int) {
      const const_iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const const_iterator&) const = default;

   private:
    friend class Labels;

    Texts::const_iterator at_;
  };
  using iterator = const_iterator;

  /// The text under a key, as `labels[key]` gives it: to be read, or to be changed by assignment.
  /// It is looked up whenever it is read, so that one that is kept reads what was assigned later,
  /// and must not outlive its labels. To keep the text, make it a `std::string`.
  class Place {
   public:
    Place(const Place&) = default;
    Place& operator=(std::string_view text) {
      labels_->set(key_, text);
      return *this;
    }
    /// The text of one becomes that of the other, as with every other text.
    Place& operator=(const Place& other) { return *this = other.view(); }  // NOLINT: itself as well
    Place& operator+=(std::string_view text) { return *this = std::string(view()).append(text); }

    [[nodiscard]] TextView view() const { return *this; }
    operator TextView() const;                       // NOLINT: implicit
    operator std::string() const { return view(); }  // NOLINT: implicit
    [[nodiscard]] bool empty() const { return view().empty(); }
    [[nodiscard]] std::size_t size() const { return view().size(); }

    template <std::convertible_to<std::string_view> Other>
    friend bool operator==(const Place& one, const Other& other) {
      return one.view() == std::string_view(other);
    }
    friend std::ostream& operator<<(std::ostream& out, const Place& place);

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
  [[nodiscard]] std::size_t count(std::string_view key) const { return contains(key) ? 1 : 0; }
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

template <>
inline constexpr bool kIsText<Labels::Place> = true;

}  // namespace watchlab::api
