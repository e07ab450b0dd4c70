#include "sim/kernel/strategy.hpp"

#include <array>

namespace watchlab::sim {

std::string_view name_of(ChoiceKind kind) {
  static constexpr std::array<std::string_view, 9> kNames{
      "actor", "waiter", "case", "partner", "parked", "order", "value", "advance", "handover"};
  return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace watchlab::sim
