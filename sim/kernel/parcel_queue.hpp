#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/runtime/backend.hpp"

namespace watchlab::sim {

/// The values in the buffer of a channel, first in, first out. Most channels never hold one, so it
/// takes no memory before it does.
class ParcelQueue {
 public:
  void push(runtime::Parcel parcel) { parcels_.push_back(std::move(parcel)); }
  /// The oldest; there must be one.
  [[nodiscard]] runtime::Parcel pop() {
    runtime::Parcel oldest = std::move(parcels_[first_++]);
    if (first_ == parcels_.size()) {
      parcels_.clear();
      first_ = 0;
    } else if (first_ > kTakenMax && first_ > parcels_.size() / 2) {
      parcels_.erase(parcels_.begin(), parcels_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    return oldest;
  }
  [[nodiscard]] std::size_t size() const { return parcels_.size() - first_; }
  [[nodiscard]] bool empty() const { return size() == 0; }

 private:
  static constexpr std::size_t kTakenMax = 16;  // places that are kept for what was taken

  std::vector<runtime::Parcel> parcels_;
  std::size_t first_ = 0;  // of those that were not taken
};

}  // namespace watchlab::sim
