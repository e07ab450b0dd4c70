#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "core/runtime/order.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::cache {

/// The values, in an order that the outside decides: for every list that comes out of a container
/// where the original has a Go map and so promises no order. One choice, named `what`.
template <typename T>
[[nodiscard]] std::vector<T> in_visiting_order(runtime::Runtime& runtime, std::vector<T> values,
                                               std::string_view what) {
  if (values.size() < 2) {
    return values;
  }
  runtime.order(values.size(), what).arrange(values);
  return values;
}

}  // namespace watchlab::cache
