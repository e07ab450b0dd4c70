#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace watchlab::litmus {

constexpr std::size_t kEventsMax = 32;
/// A set of events, by number.
using Events = std::uint32_t;

/// A relation on events, with the operators that the axioms are written in: `|` union, `&`
/// intersection, `*` composition (what papers write as `;`).
class Relation {
 public:
  [[nodiscard]] bool has(std::size_t from, std::size_t to) const { return rows_[from] >> to & 1U; }
  void add(std::size_t from, std::size_t to) { rows_[from] |= Events{1} << to; }

  /// `[set]`: each of its events to itself.
  static Relation identity(Events set) {
    Relation result;
    for (std::size_t i = 0; i < kEventsMax; ++i) {
      result.rows_[i] = set & Events{1} << i;
    }
    return result;
  }
  [[nodiscard]] Relation inverse() const {
    Relation result;
    for (std::size_t i = 0; i < kEventsMax; ++i) {
      for (std::size_t j = 0; j < kEventsMax; ++j) {
        if (has(i, j)) {
          result.add(j, i);
        }
      }
    }
    return result;
  }
  /// `r?`: the relation, or nothing.
  [[nodiscard]] Relation optional() const { return *this | identity(~Events{0}); }
  /// `r+`.
  [[nodiscard]] Relation closure() const {
    Relation result = *this;
    for (std::size_t k = 0; k < kEventsMax; ++k) {
      for (std::size_t i = 0; i < kEventsMax; ++i) {
        if (result.has(i, k)) {
          result.rows_[i] |= result.rows_[k];
        }
      }
    }
    return result;
  }
  [[nodiscard]] Relation without(const Relation& other) const {
    Relation result = *this;
    for (std::size_t i = 0; i < kEventsMax; ++i) {
      result.rows_[i] &= ~other.rows_[i];
    }
    return result;
  }

  [[nodiscard]] bool is_empty() const { return rows_ == Relation().rows_; }
  [[nodiscard]] bool is_irreflexive() const { return (*this & identity(~Events{0})).is_empty(); }
  [[nodiscard]] bool is_acyclic() const { return closure().is_irreflexive(); }

  friend Relation operator|(Relation a, const Relation& b) {
    for (std::size_t i = 0; i < kEventsMax; ++i) {
      a.rows_[i] |= b.rows_[i];
    }
    return a;
  }
  friend Relation operator&(Relation a, const Relation& b) {
    for (std::size_t i = 0; i < kEventsMax; ++i) {
      a.rows_[i] &= b.rows_[i];
    }
    return a;
  }
  friend Relation operator*(const Relation& a, const Relation& b) {
    Relation result;
    for (std::size_t i = 0; i < kEventsMax; ++i) {
      for (std::size_t k = 0; k < kEventsMax; ++k) {
        if (a.has(i, k)) {
          result.rows_[i] |= b.rows_[k];
        }
      }
    }
    return result;
  }

 private:
  std::array<Events, kEventsMax> rows_{};
};

}  // namespace watchlab::litmus
