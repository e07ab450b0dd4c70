#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "sim/kernel/strategy.hpp"
#include "tests/sim/explore/oracle/graph.hpp"
#include "tests/sim/explore/oracle/listing.hpp"

namespace watchlab::sim::oracle {

/// What one comparison may cost.
struct Costs {
  Limits limits = {};
  std::size_t executions_max = 30'000;  ///< of each mode of dpor, abandoned ones included
  std::uint64_t dfs_runs_max = 2'000;   ///< programs with more runs are not given to dfs
  int preemptions_max = 1;              ///< for the bounded search
  /// Of each mode of dpor where the oracle has too many states; the modes then judge each other.
  std::size_t modes_runs_max = 0;
};

/// The strategies that are compared with the oracle.
enum class Searched : std::uint8_t { SourceSets, WakeupTrees, Everything, Bounded };
constexpr std::size_t kSearched = 4;
[[nodiscard]] std::string_view to_string(Searched searched);

struct Comparison {
  bool done = false;  ///< within the costs: both modes of dpor against all classes and outcomes
  std::vector<std::string> differences;  ///< one line each
  std::size_t states = 0;
  std::size_t classes = 0;
  std::size_t outcomes = 0;
  std::array<std::size_t, kSearched> executions = {};  ///< 0 where a strategy was not asked
  std::array<std::size_t, kSearched> blocked = {};
};

/// What the runs of a strategy showed.
struct Found {
  bool exhausted = false;
  std::size_t executions = 0;
  std::size_t blocked = 0;  ///< abandoned
  std::set<std::string> outcomes = {};
  std::set<std::size_t> classes = {};
  std::string error = "";  ///< a run that is none of the state machine's
};

/// Plays a listing on the simulated world until the strategy has nothing left, or `runs_max` times.
/// Without a graph it looks at outcomes only.
[[nodiscard]] Found search(Strategy& strategy, const Listing& listing, const Graph* graph,
                           std::size_t runs_max);

/// Plays a listing on the simulated world under the modes of `dpor` and, where there are not too
/// many runs, under `dfs` without and with a bound, and compares with the oracle:
///
/// - every run is one of the state machine's, and shows what that says (kernel against model);
/// - each mode says exhausted, and the outcomes that it finds, deadlocks with who is blocked among
///   them, are all and only those of the machine;
/// - the runs of each mode of dpor meet every class of the machine;
/// - `dfs` plays as many runs as there are, and with a bound exactly those within it.
///
/// dpor may play several runs of a class. Not asked for are the classes of programs that count a
/// wait group up again while a task waits for it: when that task has come to wait is no step of its
/// own, and so classes differ there that show the same.
[[nodiscard]] Comparison compare(const Listing& listing, const Costs& costs = {});

/// In what the modes of dpor differ that both come to an end.
struct ModesComparison {
  /// Of their outcomes, or of how many classes each has played, which it tells apart by the order
  /// in which steps depend on each other. "" where there is none.
  std::string difference = "";
  /// The numbers of classes differ, and a class may have two names in this program: what that says,
  /// the oracle knows.
  bool asks_oracle = false;
};

/// Without the oracle, which takes ten times as long. Neither mode plays more than so many runs.
[[nodiscard]] ModesComparison compare_modes(const Listing& listing, std::size_t runs_max);

/// The smallest listing that can be made from this one by leaving out tasks, instructions and arms,
/// and for which `fails` still holds.
[[nodiscard]] Listing shrink(Listing listing, const std::function<bool(const Listing&)>& fails);

}  // namespace watchlab::sim::oracle
