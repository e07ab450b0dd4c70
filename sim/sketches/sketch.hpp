#pragma once

#include <string_view>
#include <vector>

#include "core/runtime/runtime.hpp"

namespace watchlab::sim {

/// A few tasks on a piece of core that needs no server, as they meet in real programs. A scenario
/// plays it by name (a client of kind `sketch`), so that it is explored, replayed, drawn and
/// explained like any story. A sketch asserts nothing about core: a run of it fails by a deadlock,
/// a leaked task, a panic or a `Violation`. One file each in this folder.
struct Sketch {
  std::string_view name;  ///< in files: "reader_leaves_a_filter"
  std::string_view doc;   ///< one sentence
  /// The root task of the sketch. It returns when all that it started has been told to end.
  void (*play)(runtime::Runtime& runtime);
};

/// All sketches, in the order of their names.
[[nodiscard]] std::vector<Sketch> sketch_catalogue();

[[nodiscard]] Sketch broadcaster_shut_down_under_a_writer();
[[nodiscard]] Sketch fan_out_before_the_start();
[[nodiscard]] Sketch reader_leaves_a_broadcaster();
[[nodiscard]] Sketch reader_leaves_a_filter();
[[nodiscard]] Sketch stop_meets_a_torn_stream();
[[nodiscard]] Sketch two_runs_of_one_informer();

}  // namespace watchlab::sim
