#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/kernel/strategy.hpp"
#include "tests/sim/explore/oracle/program.hpp"

namespace watchlab::sim::oracle {

/// What a judgement may cost; what costs more is skipped, and counted.
struct JudgementCosts {
  std::size_t brute_runs_max = 4'000;
  std::size_t checked_runs_max =
      500;                          ///< of brute force where the state machine has come to an end
  std::size_t states_max = 40'000;  ///< of the state machine
  std::size_t runs_max = 4'000;     ///< of each mode of dpor, abandoned ones included
  std::size_t dfs_runs_max = 300;   ///< dfs is asked where brute force took no more
  std::size_t sampled_runs = 10;    ///< of one sampling strategy, another one with each seed
};

/// What was said of one program. An outcome is what all tasks have seen, and how the run ended.
struct Judgement {
  bool skipped = false;   ///< neither brute force nor the state machine came to an end, or dpor
  bool modelled = false;  ///< by the state machine
  bool brute = false;     ///< by brute force
  std::size_t runs = 0;   ///< of all strategies
  /// A line each. *Lost*: dpor or dfs says exhausted and lacks an outcome that there is. *False*:
  /// a strategy shows what there is not, or what it shows does not replay, or the judges differ.
  std::vector<std::string> lost;
  std::vector<std::string> wrong;
  /// Lost, but a run of the same search was cut off by a failure, and what it would have done after
  /// that is not known; or a loop took so many equal turns that the verdict says what is left out.
  std::vector<std::string> hidden;
  std::set<std::string> outcomes;  ///< what there is
};

/// Plays the program under both modes of dpor, dfs and a sampling strategy, and compares the sets
/// of outcomes with those of brute force, which shares nothing with sim/explore, and of a state
/// machine, which shares nothing with the simulated world, as far as each comes to an end.
[[nodiscard]] Judgement judge(const Program& program, const JudgementCosts& costs = {});

using MakeStrategy = std::function<std::unique_ptr<Strategy>()>;

/// The same of one strategy, whatever it says to be all there is.
[[nodiscard]] Judgement judge(const Program& program, const MakeStrategy& make,
                              const JudgementCosts& costs = {});

/// The smallest program that can be made from this one by leaving out tasks and operations and for
/// which the judgement still finds something lost or wrong.
[[nodiscard]] Program shrink(Program program, const JudgementCosts& costs);

}  // namespace watchlab::sim::oracle
