#pragma once

#include <string>

#include "scenarios/museum/piece.hpp"

namespace watchlab::scenarios {

/// The page docs/museum.md: every piece with its summary and its picture, in the order of the tour.
/// `watchlab museum tour` prints it, and a test compares the page with it.
[[nodiscard]] std::string tour_of(const Museum& museum);

}  // namespace watchlab::scenarios
