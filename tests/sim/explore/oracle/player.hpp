#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "tests/sim/explore/oracle/listing.hpp"

namespace watchlab::sim::oracle {

/// What the tasks of a played listing have written down, in the words of observations.hpp. What
/// tasks that are being taken down write does not count.
using Observations = std::vector<std::vector<int>>;

[[nodiscard]] std::string describe_all(const Observations& observations);

struct Shared;

/// What the tasks of a listing play on. The last of them to end takes it down, as the last owner of
/// an object does; where a run ends with tasks that wait, `clear` does.
class Stage {
 public:
  Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage();

  /// Plays a listing on a simulated world, as the body of its root task: starts tasks "t0", "t1", …
  /// and ends. `observations` is cleared first.
  void play(const Listing& listing, runtime::Runtime& runtime, Observations& observations);
  /// After a run. Tasks of a world that was taken down do not own anything: their frames are lost.
  void clear();

 private:
  std::unique_ptr<Shared> shared_;
};

}  // namespace watchlab::sim::oracle
