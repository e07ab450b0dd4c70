#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "sim/explore/explore.hpp"

namespace watchlab::scenarios {

/// "2/4" as shard 2 of 4, counted from 0; "" is the whole. Nothing for what is no shard.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> shard_of(const std::string& text);
/// "0.5%" or "0.005" as a part of 1. Nothing for what is none, or not between 0 and 1.
[[nodiscard]] std::optional<double> part_of(const std::string& text);
/// "12 s", "3 min", "2.5 h", "40 days".
[[nodiscard]] std::string duration_text(double seconds);

/// How far an exploration is that goes on for that long: what sampling has covered and how likely
/// the next run shows something new, or which part of a tree lies behind and how long the rest will
/// take. A line for people.
[[nodiscard]] std::string progress_text(const sim::ExploreResult& so_far, double seconds);

}  // namespace watchlab::scenarios
