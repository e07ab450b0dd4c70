#pragma once

#include <cstdint>
#include <vector>

#include "sim/linearizability/model.hpp"

namespace watchlab::sim::linearizability {

/// The same as `check_linearizability` by trying every order of every subset that has all completed
/// calls. For histories of a few calls.
[[nodiscard]] bool has_some_order(const Model& model, const std::vector<Call>& calls);

/// Up to `calls_max` calls by three tasks, asked for and answered at random, out of the words that
/// the model knows. Many cannot be explained; some calls stay pending.
[[nodiscard]] std::vector<Call> random_history(const Model& model, std::uint64_t seed,
                                               std::size_t calls_max);

}  // namespace watchlab::sim::linearizability
