#pragma once

#include <string>
#include <vector>

#include "scenarios/language/scenario.hpp"
#include "scenarios/serve/server_record.hpp"

namespace watchlab::scenarios {

/// What a client from outside lived through, as a scenario.
struct RecordedStory {
  Scenario scenario;
  /// What happened and is not in the scenario, a message each.
  std::vector<std::string> left_out;
};

/// A scenario in which clients of ours live through what that client of the record did: the objects
/// that it found, what was written meanwhile, the failures that it was answered with, and how its
/// watches ended, each at its time since its first list or watch. A client of ours stands for each
/// selection of objects that it watched. What `validate` would refuse is left out. `client` may be
/// "" when only one client watched something. Throws `std::invalid_argument`, with a message, when
/// there is no story in it.
[[nodiscard]] RecordedStory story_from(const ServerRecord& record, const std::string& client,
                                       const std::string& name);

}  // namespace watchlab::scenarios
