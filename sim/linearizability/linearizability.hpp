#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/linearizability/model.hpp"

namespace watchlab::sim::linearizability {

/// Calls of which no order explains what they returned: the shortest stretch of a history that
/// shows it.
struct NotLinearizable {
  std::string model;            ///< its name
  std::string before;           ///< the state that surely held when the stretch begins
  std::vector<Call> calls;      ///< by their invocations, without reads that it does not take
  std::size_t unexplained = 0;  ///< an index into `calls`
  std::vector<std::string> explicable;  ///< what it could have returned; empty: nothing yet

  /// A few lines with a bar for each call.
  [[nodiscard]] std::string to_string() const;
};

/// Whether there is an order of all calls that explains every result by the model, in which no call
/// comes before one that had returned when it was invoked. Pending calls may have taken effect or
/// not. Nothing when there is one.
///
/// The search of Wing and Gong with a memory, breadth first: after each return, the set of all
/// states that may hold, each with the open calls that have taken effect in it. The time grows with
/// the number of calls that are open at once, exponentially, and with the length of the history as
/// a line. Throws `std::invalid_argument` for more than 64 open calls at once.
[[nodiscard]] std::optional<NotLinearizable> check_linearizability(const Model& model,
                                                                   const std::vector<Call>& calls);

}  // namespace watchlab::sim::linearizability
