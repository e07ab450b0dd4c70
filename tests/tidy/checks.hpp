#pragma once

#include "tests/tidy/source.hpp"

/// What no tool of others checks of this tree. Sizes of functions are clang-tidy's, layout is
/// clang-format's, spelling is codespell's: `./dev lint`, `./dev format`.
namespace watchlab::tidy {

/// Whether it maps the seam of core on OS threads or fibers, or on the
/// standard library for foreign code, for which other rules hold.
[[nodiscard]] inline bool maps_the_seam(const Source& source) {
  return source.in("core/runtime/thread_") || source.in("core/runtime/fibers/") ||
         source.in("sim/std/");
}

/// Tokens that may not stand in core and sim, each with what to write instead: clocks, sleeps,
/// locks, threads and draws that the simulation cannot see or decide, and orders by address.
[[nodiscard]] Problems check_banned_tokens(const Tree& tree);

/// Loops over unordered containers in core and sim: their order is that of a hash.
[[nodiscard]] Problems check_unordered_loops(const Tree& tree);

/// Places of one machine, in any text of the tree.
[[nodiscard]] Problems check_places(const Tree& tree);

/// Who may include whom: core <- sim <- scenarios <- exercises, tests. Includes of our own files
/// are quoted and start at the root. Heavy headers stay in the files that are named for them.
[[nodiscard]] Problems check_includes(const Tree& tree);

/// Compares docs/architecture.dot with the sources. A folder may include another one to which its
/// arrows lead, directly or through others; arrows go in no circle; each stands for an include that
/// no other way allows. A tree without that page has no map to keep.
[[nodiscard]] Problems check_modules(const Tree& tree);

/// Which library may include what of which, by the rows of `products` in meson.build and the lists
/// of the folders. Programs may include all.
[[nodiscard]] Problems check_products(const Tree& tree);

/// Two runtime operations that stand unsequenced in one expression: the compiler picks their order,
/// and a schedule that one compiler recorded would diverge on another.
[[nodiscard]] Problems check_sequencing(const Tree& tree);

/// Destructors of core that wait: a stopping world runs them with an exception in flight.
[[nodiscard]] Problems check_destructors(const Tree& tree);

/// Each C++ file stands in a list of the meson.build of its folder, or of one above, save those of
/// the exercises.
[[nodiscard]] Problems check_build_lists(const Tree& tree);

/// Patches, those of mutants and those of fixes: what each hunk takes for given stands in the file
/// that it changes.
[[nodiscard]] Problems check_patches(const Tree& tree);

/// What pages and comments name: pages such as docs/serve.md, what pages link to, tests as
/// `suite_test` or `suite_test/case`, and code behind a line `<!-- from PATH -->`, line by line.
[[nodiscard]] Problems check_pages(const Tree& tree);

/// The table "Where is …" of docs/architecture.md: each answer is a file that is there and a
/// function that it has.
[[nodiscard]] Problems check_map(const Tree& tree);

}  // namespace watchlab::tidy
