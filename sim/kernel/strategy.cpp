#include "sim/kernel/strategy.hpp"

#include <array>

namespace watchlab::sim {

std::string_view name_of(ChoiceKind kind) {
  static constexpr std::array<std::string_view, 8> kNames{"actor",  "waiter", "case",  "partner",
                                                          "parked", "order",  "value", "advance"};
  return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace watchlab::sim
