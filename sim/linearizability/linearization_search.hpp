#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/linearizability/model.hpp"

namespace watchlab::sim::linearizability {

/// One search through a history, return by return; `check_linearizability` makes a report of it.
class LinearizationSearch {
 public:
  /// A moment after which only one state can hold, and no open call has taken effect.
  struct Certainty {
    std::size_t moment = 0;
    std::string state;
  };
  struct DeadEnd {
    std::size_t call = 0;           ///< whose return cannot be explained
    Certainty before;               ///< the last one before its invocation
    std::set<std::string> instead;  ///< what it could have returned
  };

  /// `model` and `calls` must outlive this.
  LinearizationSearch(const Model& model, const std::vector<Call>& calls)
      : model_(model), calls_(calls) {}

  /// Nothing when all can be explained.
  [[nodiscard]] std::optional<DeadEnd> run(const std::string& state);

 private:
  /// A way in which all that has returned so far can be explained.
  struct Way {
    std::string state;
    std::uint64_t taken = 0;  ///< by slot: open calls that have taken effect
    auto operator<=>(const Way&) const = default;
  };

  void open(std::size_t call);
  void close(std::size_t call);
  /// Appends every way that comes of one more call taking effect.
  void extend(const Way& way, std::vector<Way>& found);
  void note_certainty(std::size_t moment);
  [[nodiscard]] DeadEnd dead_end(std::size_t call) const;
  [[nodiscard]] std::uint64_t bit(std::size_t call) const {
    return std::uint64_t{1} << slots_.at(call);
  }

  const Model& model_;
  const std::vector<Call>& calls_;
  std::map<std::size_t, unsigned> slots_;  ///< of open calls
  std::set<Way> ways_;
  std::size_t returning_ = 0;
  std::set<std::string> instead_;
  std::vector<Certainty> certainties_;
};

}  // namespace watchlab::sim::linearizability
