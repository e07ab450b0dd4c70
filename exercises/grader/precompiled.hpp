#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/grader/toolchain.hpp"

namespace watchlab::course {

/// What a compilation of the course makes. Each kind begins with the same headers, which is half of
/// the time that it takes, unless they were compiled before.
enum class Product : std::uint8_t { Tests, Library };

/// Compiles the headers of both kinds, if they are not up to date; `tell` hears of it. Where that
/// cannot be done, as in a bundle that may not be written to, compilations take longer, that is
/// all. The instructors' own files: nothing here is contained.
void precompile_headers(const Toolchain& toolchain,
                        const std::function<void(std::string_view)>& tell);

/// The words that let a compilation begin with them, compiled or not.
[[nodiscard]] std::vector<std::string> beginning_words(const Toolchain& toolchain, Product product);
/// The same, never with compiled ones: for compilations with other flags.
[[nodiscard]] std::vector<std::string> plain_beginning_words(const Toolchain& toolchain,
                                                             Product product);

/// Where compiled headers lie.
[[nodiscard]] std::filesystem::path precompiled_folder(const Toolchain& toolchain);

}  // namespace watchlab::course
