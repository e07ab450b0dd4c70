#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/runtime/backend.hpp"

namespace watchlab::sim {

class SimTask;

/// An arm of a select that a task has published.
struct PublishedArm {
  SimTask* task;
  std::size_t index;  ///< index of the arm in its select
};

/// The arms that wait at a channel in one direction, in order of arrival. Most channels never have
/// more than two.
using ArmList = boost::container::small_vector<PublishedArm, 2>;

/// The buffer of a channel, first in, first out. Most channels never hold more than one value, so
/// one needs no allocation.
class AnyValueQueue {
 public:
  void push(runtime::AnyValue&& any_value) {
    if (size_++ == 0) {
      oldest_ = std::move(any_value);
    } else {
      younger_.push_back(std::move(any_value));
    }
  }
  /// The oldest; there must be one.
  [[nodiscard]] runtime::AnyValue pop() {
    runtime::AnyValue oldest = std::move(oldest_);
    if (--size_ > 0) {
      promote();
    }
    return oldest;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

 private:
  static constexpr std::size_t kTakenMax = 16;  // slots kept for values that were taken

  /// The first of the younger values becomes the oldest.
  void promote() {
    oldest_ = std::move(younger_[first_++]);
    if (first_ == younger_.size()) {
      younger_.clear();
      first_ = 0;
    } else if (first_ > kTakenMax && first_ > younger_.size() / 2) {
      younger_.erase(younger_.begin(), younger_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
  }

  std::size_t size_ = 0;
  runtime::AnyValue oldest_;
  std::vector<runtime::AnyValue> younger_;  // preceded by some that were taken
  std::size_t first_ = 0;                   // index of the first that was not taken
};

}  // namespace watchlab::sim
