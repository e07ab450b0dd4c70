#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/runtime/ensure.hpp"

namespace watchlab::cache {

/// First in, first out, without bound: a ring that doubles when it is full and never shrinks. It
/// takes memory when it first holds something, and little at first: most of those that wait for a
/// slow reader never do, and few hold more than some.
/// Not to be shared between tasks. Mirrors k8s.io/utils/buffer, RingGrowing.
template <typename T>
class GrowingRing {
 public:
  /// Room for `capacity` values at first; at least 1.
  explicit GrowingRing(std::size_t capacity) : capacity_(capacity) {
    runtime::ensure(capacity > 0, "a ring needs room for one value");
  }

  void push(T value) {
    if (size_ == slots_.size()) {
      grow();
    }
    slots_[(first_ + size_) % slots_.size()] = std::move(value);
    ++size_;
  }
  /// The oldest value; nothing when there is none.
  [[nodiscard]] std::optional<T> pop() {
    if (size_ == 0) {
      return std::nullopt;
    }
    std::optional<T> value = std::exchange(slots_[first_], T{});
    first_ = (first_ + 1) % slots_.size();
    --size_;
    return value;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

 private:
  static constexpr std::size_t kFew = 16;

  void grow() {
    if (slots_.size() == capacity_) {
      capacity_ *= 2;
    }
    std::vector<T> larger(std::min(capacity_, std::max(kFew, slots_.size() * 2)));
    for (std::size_t i = 0; i < size_; ++i) {
      larger[i] = std::move(slots_[(first_ + i) % slots_.size()]);
    }
    slots_ = std::move(larger);
    first_ = 0;
  }

  std::size_t capacity_;
  std::vector<T> slots_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace watchlab::cache
