#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/kernel/run_result.hpp"

namespace watchlab::scenarios {

/// How a run has to fail.
struct LevelGoal {
  std::string kind;  ///< "violation", "deadlock" …
  std::string says;  ///< a part of its message
};

/// A break-it level: a story to be broken by who decides, as its file says.
struct Level {
  std::string path;
  std::string version;  ///< of the form of the file
  std::string title;
  std::string scenario;  ///< a name or a path of the story
  std::string variant;   ///< the piece of the museum whose bug is in core; "" for core as it is
  std::string you_are;   ///< "the scheduler", "the network"
  std::string task;      ///< what there is to know, and a question
  LevelGoal goal;
  std::string after;         ///< what to read when it is won
  std::int64_t choices = 1;  ///< answers other than the default one that may be given
};

/// Whether a file is a level, by its first lines.
[[nodiscard]] bool is_level(const std::string& path);

/// The file of the level of that name, "02-ghost_after_relist", in a folder; "" when there is none.
[[nodiscard]] std::string find_level(const std::string& folder, const std::string& name);

/// The names of the levels in a folder, in their order.
[[nodiscard]] std::vector<std::string> level_names(const std::string& folder);

/// Reads a level. Throws `std::invalid_argument` with every problem, a line each:
/// file:line:column, what is wrong, and what was expected.
[[nodiscard]] Level load_level(const std::string& path);

/// Whether a run wins the level, and how many answers it took.
struct LevelResult {
  bool is_broken = false;   ///< it fails as the level wants
  std::size_t choices = 0;  ///< answers that were not the default one
  bool is_won = false;      ///< that, within the level's choices
};

[[nodiscard]] LevelResult result_of(const Level& level, const sim::RunResult& run);

/// What a page says of the level after a run: what there is to do, and how far it is done. What to
/// read afterwards is "" until it is won.
[[nodiscard]] boost::json::object described(const Level& level, const LevelResult& result);

}  // namespace watchlab::scenarios
