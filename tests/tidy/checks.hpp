#pragma once

#include <span>
#include <string_view>

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// Whether it maps the seam of core on OS threads or fibers, or on the
/// standard library for foreign code, for which other rules hold.
[[nodiscard]] inline bool maps_the_seam(const Source& source) {
  return source.in("core/runtime/thread_") || source.in("core/runtime/fibers/") ||
         source.in("sim/std/");
}

/// Tokens that may not stand in the code, each with what to write instead: what the simulation
/// cannot see or decide, what differs between standard libraries, and what readers stumble over.
[[nodiscard]] Problems check_banned_tokens(const Tree& tree);

/// Loops over unordered containers in core and sim: their order is that of a hash.
[[nodiscard]] Problems check_unordered_loops(const Tree& tree);

/// Constants of namespaces and classes that are not called kLikeThis.
[[nodiscard]] Problems check_constants(const Tree& tree);

/// Functions from a value to text that are called neither `to_string`, for its canonical text, nor
/// `describe`, for people, but as a family that is gone.
[[nodiscard]] Problems check_text_functions(const Tree& tree);

/// Suites and cases inside of the anonymous namespace of their helpers.
[[nodiscard]] Problems check_test_layout(const Tree& tree);

/// Unfinished work, and places of one machine, in any text of the tree.
[[nodiscard]] Problems check_texts(const Tree& tree);

/// Pages that sources and pages name in passing, as in "docs/wire.md": they must be there, and so
/// must the rules that are named behind "docs/apiserver_rules.md", as in "… L10 to L17" and "… G".
/// What stands outside of the tree is not for its readers.
[[nodiscard]] Problems check_citations(const Tree& tree);

/// Who may include whom: core <- sim <- scenarios <- exercises, tests. Includes of our own files
/// are quoted and start at the root. Heavy headers stay in the files that are named for them.
[[nodiscard]] Problems check_includes(const Tree& tree);

/// Sizes that a reader can take in: lines of a file, columns of a line, lines, parameters and
/// levels of a function. Also that headers guard themselves.
[[nodiscard]] Problems check_limits(const Tree& tree);

/// Compares docs/architecture.dot with the sources. A folder may include another one to which its
/// arrows lead, directly or through others; arrows go in no circle; each stands for an include that
/// no other way allows. A tree without that page has no map to keep.
[[nodiscard]] Problems check_modules(const Tree& tree);

/// Pages: one title each, links that lead somewhere, and no page under docs without a link to it.
[[nodiscard]] Problems check_pages(const Tree& tree);

/// Patches, those of mutants and those of fixes: what each hunk takes for given stands in the file
/// that it changes. A fix also says what it fixes, names the test that shows what it fixes, and is
/// named by docs/known_live.md. The list of mutants that the fuzzer looks for names mutants that
/// are there, each with a clause.
[[nodiscard]] Problems check_patches(const Tree& tree);

/// Every test that docs/port_map.md, docs/original_tests.md, docs/known_live.md and the fixes name,
/// as `suite` or `suite/case`, exists.
[[nodiscard]] Problems check_pinned(const Tree& tree);

/// Code on pages: a block of code behind a line `<!-- from PATH -->` stands in that file, line by
/// line. So what a page shows is compiled.
[[nodiscard]] Problems check_quotations(const Tree& tree);

/// Two runtime operations that stand unsequenced in one expression: the compiler picks their order,
/// and a schedule that one compiler recorded would diverge on another.
[[nodiscard]] Problems check_sequencing(const Tree& tree);

/// Destructors of core that wait: a stopping world runs them with an exception in flight.
[[nodiscard]] Problems check_destructors(const Tree& tree);

/// Each C++ file stands in a list of the meson.build of its folder, or of one above, save those of
/// the exercises.
[[nodiscard]] Problems check_build_lists(const Tree& tree);

/// Files of a kind that a page must name. A further kind is one row of `catalogues`.
struct Catalogue {
  std::string_view folder;        ///< all files below it …
  std::string_view ending;        ///< … that end so and …
  std::string_view marker;        ///< … hold this text, in which * is the stem
  std::string_view page;          ///< the file that has to name the stem
  std::string_view refresh = "";  ///< the command that writes the row; "" for one written by hand
};

/// The catalogues of this tree.
[[nodiscard]] std::span<const Catalogue> catalogues();

[[nodiscard]] Problems check_catalogues(const Tree& tree, std::span<const Catalogue> rows);

}  // namespace watchlab::tidy
