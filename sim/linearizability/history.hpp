#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/runtime/atomic.hpp"
#include "core/runtime/runtime.hpp"
#include "sim/linearizability/model.hpp"

namespace watchlab::sim {
class World;
}  // namespace watchlab::sim

namespace watchlab::sim::linearizability {

/// Calls on an object under test, written down by the tasks that make them. For simulated worlds
/// only. Each call is a step of its task of its own, before the first of the call itself: there
/// another task may go first, so that a call can begin late. That step commutes with those of other
/// calls, so for dpor two calls are only in an order where the object makes them so; the sampling
/// strategies and dfs see all.
class History {
 public:
  /// Throws `runtime::EnsureFailed` for a runtime that is no `World`.
  explicit History(runtime::Runtime& runtime);

  /// Makes the call by `operation`, a function without parameters that returns the result as text.
  /// When it does not come back, or throws, the call stays pending.
  template <typename Operation>
  std::string record(const Request& asked, const Operation& operation,
                     runtime::Location here = runtime::Location::current()) {
    const std::size_t call = invoke(asked, here);
    return complete(call, operation());
  }

  [[nodiscard]] const std::vector<Call>& calls() const { return calls_; }
  /// Throws `runtime::EnsureFailed`, which fails the run, with `NotLinearizable::to_string` unless
  /// some order explains all that was recorded.
  void expect_linearizable(const Model& model,
                           runtime::Location here = runtime::Location::current()) const;

 private:
  std::size_t invoke(const Request& asked, runtime::Location here);
  std::string complete(std::size_t call, std::string result);

  World& world_;
  runtime::Atomic<int> calling_;  // read by each call
  std::vector<Call> calls_;
  std::size_t moments_ = 0;
};

}  // namespace watchlab::sim::linearizability
