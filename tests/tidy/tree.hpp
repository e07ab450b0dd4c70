#pragma once

#include <filesystem>

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// Reads the text files of the checkout below `root`: sources, scripts, pages, build files,
/// stories. Leaves out `build`, hidden folders except .ci, and files of other kinds.
[[nodiscard]] Tree read_tree(const std::filesystem::path& root);

}  // namespace watchlab::tidy
