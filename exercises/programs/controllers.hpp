#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exercises/programs/exercise.hpp"
#include "exercises/programs/stage.hpp"
#include "exercises/programs/variant.hpp"
#include "exercises/sandbox/processes.hpp"

namespace watchlab::course {

/// Something that an exercise needs is missing on this machine, which is nobody's mistake; the
/// message says what. A caller that may leave the exercise out, such as a check of all, prints that
/// line and continues.
class NotHere : public BadInput {
 public:
  using BadInput::BadInput;
};

/// What such a message says after the exercise's id.
inline constexpr std::string_view kSkipped = " is skipped: ";

/// Runs `go`, which takes neither another version of itself nor other versions of modules. It may
/// wait for a network that does not answer, so that it is given up in the end; not before a busy
/// machine has come to it.
[[nodiscard]] ProcessEnd run_go(const std::vector<std::string>& arguments,
                                const std::filesystem::path& folder,
                                std::chrono::seconds time_max = std::chrono::minutes(30));

/// The names of variants that are compiled with Go, which say of a shown one what its file is
/// called, and of others a number. Numbers follow the digests: an order of names would say
/// something about them.
[[nodiscard]] std::map<const Variant*, std::string> names_of(const std::vector<Variant>& variants);

/// The whole source of one of them; a patch is one of a correct variant. Throws `BadInput`.
[[nodiscard]] std::string source_of(const Exercise& exercise, const Variant& variant);
/// The same without the lines that say what is wrong with it.
[[nodiscard]] std::string without_description(const std::string& source);
/// That of each shown one, by its id.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> shown_sources(
    const Exercise& exercise);

/// The sources that a student reads, by file name: the wrong controllers that are shown, without
/// what their first lines say of them, and what they are written with.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> sources_to_read(
    const Toolchain& toolchain, const Exercise& exercise);

/// Sets `built` of each variant to the program that is this controller, and builds what is not as
/// the sources are now: one program of those that students have and one of the hidden ones, which
/// are told by the name that they are started by who they are. These names say of a shown one what
/// its file is called, and of others a number. In a bundle they lie ready. Throws `NotHere` where
/// there is no Go or no way to its modules, and `BadInput` when a source does not compile.
void build_controllers(const CommandContext& context, std::vector<Variant>& variants);

/// Brings what a bundle has of such an exercise into its folder `to`: the program of the right
/// controllers and of those that are shown, which are given back, and the sources to read. Throws
/// as `build_controllers` does.
[[nodiscard]] std::vector<Variant> bring_controllers(const CommandContext& context,
                                                     const std::filesystem::path& to);

/// What such an exercise needs and cannot be had here, as `NotHere` says it; "" of all others. What
/// can be built is built.
[[nodiscard]] std::string missing_here(const CommandContext& context);

}  // namespace watchlab::course
