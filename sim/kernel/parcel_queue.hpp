#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/runtime/backend.hpp"

namespace watchlab::sim {

/// The values in the buffer of a channel, first in, first out. Most channels never hold more than
/// one, so it takes no memory for that.
class ParcelQueue {
 public:
  void push(runtime::Parcel&& parcel) {
    if (size_++ == 0) {
      oldest_ = std::move(parcel);
    } else {
      younger_.push_back(std::move(parcel));
    }
  }
  /// The oldest; there must be one.
  [[nodiscard]] runtime::Parcel pop() {
    runtime::Parcel oldest = std::move(oldest_);
    if (--size_ > 0) {
      promote();
    }
    return oldest;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

 private:
  static constexpr std::size_t kTakenMax = 16;  // places that are kept for what was taken

  /// The first of the younger ones is the oldest now.
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
  runtime::Parcel oldest_;
  std::vector<runtime::Parcel> younger_;  // and before them some that were taken
  std::size_t first_ = 0;                 // of those that were not taken
};

}  // namespace watchlab::sim
