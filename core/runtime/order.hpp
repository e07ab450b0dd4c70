#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace watchlab::runtime {

/// The order in which to visit the elements of a container that promises none: unchanged, rotated,
/// reversed, or any other. Only the last one takes memory per element.
class Order {
 public:
  /// Unchanged.
  explicit Order(std::size_t size) : size_(size) {}
  /// Starts with element number `first` and wraps around.
  [[nodiscard]] static Order turned(std::size_t size, std::size_t first) {
    Order order(size);
    order.first_ = first;
    return order;
  }
  [[nodiscard]] static Order reversed(std::size_t size) {
    Order order(size);
    order.reversed_ = true;
    return order;
  }
  /// Any other order; `numbers` has each of 0 … size-1 once.
  [[nodiscard]] static Order of(std::vector<std::size_t> numbers) {
    Order order(numbers.size());
    order.numbers_ = std::move(numbers);
    return order;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  /// The number of the element to visit at `place`, from 0.
  [[nodiscard]] std::size_t operator[](std::size_t place) const {
    if (!numbers_.empty()) {
      return numbers_[place];
    }
    if (reversed_) {
      return size_ - 1 - place;
    }
    const std::size_t number = first_ + place;
    return number < size_ ? number : number - size_;
  }

  /// Reorders the elements; there must be as many as this order has.
  template <typename T>
  void arrange(std::vector<T>& things) const {
    if (reversed_) {
      std::reverse(things.begin(), things.end());
    } else if (numbers_.empty()) {
      std::rotate(things.begin(), things.begin() + static_cast<std::ptrdiff_t>(first_),
                  things.end());
    } else {
      std::vector<T> arranged;
      arranged.reserve(things.size());
      for (std::size_t place = 0; place < things.size(); ++place) {
        arranged.push_back(std::move(things[(*this)[place]]));
      }
      things = std::move(arranged);
    }
  }

 private:
  std::size_t size_;
  std::size_t first_ = 0;
  bool reversed_ = false;
  std::vector<std::size_t> numbers_;  ///< empty for the other kinds of order
};

}  // namespace watchlab::runtime
