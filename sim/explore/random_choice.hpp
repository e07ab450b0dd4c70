#pragma once

#include "sim/explore/random_numbers.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// A uniformly random alternative, but for early jumps of time: at one half each they would use up
/// their budget at the first decisions of every run.
[[nodiscard]] inline std::uint32_t random_alternative(const Choice& choice,
                                                      RandomNumbers& numbers) {
  constexpr std::uint32_t kAdvanceOneIn = 32;
  if (choice.kind == ChoiceKind::Advance) {
    return numbers.below(kAdvanceOneIn) == 0 ? 1 : 0;
  }
  return numbers.below(choice.options);
}

}  // namespace watchlab::sim
