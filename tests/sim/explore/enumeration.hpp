#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

using Body = std::function<void(runtime::Runtime&)>;

/// What one run of a test program lets see: a line for each task. Programs write to it as they go,
/// and the writing of tasks that are being taken down after a deadlock does not count.
class Outcome {
 public:
  void clear() { lines_.clear(); }
  void add(runtime::Runtime& runtime, const std::string& task, const std::string& text);
  [[nodiscard]] std::string to_string() const;

 private:
  std::map<std::string, std::string> lines_;
};

/// A program together with what it shows. `body` clears and fills `outcome`.
struct Program {
  std::string name;
  Body body;
  Outcome* outcome;
};

/// Everything that a strategy found out about a program.
struct Enumeration {
  std::size_t executions = 0;
  std::size_t blocked = 0;
  std::size_t repeated = 0;
  bool exhausted = false;
  std::set<std::string> outcomes;        ///< with the kind of failure, if any
  std::size_t stuck = 0;                 ///< runs that ended in a deadlock or leak
  std::multiset<std::uint64_t> digests;  ///< of the executions
};

/// Runs the program until the strategy has nothing left, or `runs_max` times. Unlike `explore` it
/// goes on after failures.
[[nodiscard]] Enumeration enumerate(Strategy& strategy, const Program& program,
                                    std::size_t runs_max = 1'000'000);

/// Brute force: every run once.
[[nodiscard]] Enumeration brute_force(const Program& program, std::size_t runs_max = 1'000'000);

}  // namespace watchlab::sim
