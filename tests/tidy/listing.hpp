#pragma once

#include <span>
#include <string_view>

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// Each C++ file stands in a list of the meson.build of its folder, or of one above, save those of
/// the exercises.
[[nodiscard]] Complaints check_build_lists(const Tree& tree);

/// Files of a kind that a page must name. A further kind is one row of `catalogues`.
struct Catalogue {
  std::string_view folder;  ///< all files below it …
  std::string_view ending;  ///< … that end so and …
  std::string_view marker;  ///< … hold this text, in which * is the stem
  std::string_view page;    ///< the file that has to name the stem
};

/// The catalogues of this tree.
[[nodiscard]] std::span<const Catalogue> catalogues();

[[nodiscard]] Complaints check_catalogues(const Tree& tree, std::span<const Catalogue> rows);

}  // namespace watchlab::tidy
