#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exercises/grader/toolchain.hpp"

namespace watchlab::course {

/// What libraries under test are built for.
enum class BuiltFor : unsigned char {
  Students,  ///< to be handed out
  Grading,   ///< with other bytes than those that are handed out, and than those of any other tree
};

/// Words for the compiler that change the bytes, the sizes and the places of all functions and
/// nothing of what they do. Whoever has the libraries that are handed out would otherwise know the
/// right ones again by their bytes. For `Grading` they come from a secret of the build tree, which
/// is drawn when it is first asked for, and from the `name` of what is built. Throws
/// `std::runtime_error` when the secret cannot be kept.
[[nodiscard]] std::vector<std::string> trait_words(const Toolchain& toolchain, BuiltFor purpose,
                                                   std::string_view name);

/// All words that may be drawn: what was built with others is built again.
[[nodiscard]] std::string known_trait_words();

/// Such words drawn anew at each call, which nothing that is kept tells.
[[nodiscard]] std::vector<std::string> fresh_trait_words(const Toolchain& toolchain);

}  // namespace watchlab::course
