#pragma once

#include <functional>
#include <vector>

#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// A smaller story made out of a larger one; the same again when there is nothing to take away.
using Cut = std::function<void(Scenario&)>;

/// All single cuts of a story, the largest first. What one takes away it takes away with all that
/// refers to it: a client with its starts, a fault with its healing, an object with its writes. No
/// cut heals less: a lasting fault goes or stays as it is.
[[nodiscard]] std::vector<Cut> cuts_of(const Scenario& scenario);

/// How many actions the script has.
[[nodiscard]] std::size_t actions_of(const Scenario& scenario);

}  // namespace watchlab::scenarios
