#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scenarios/fuzz/fuzz_run.hpp"
#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// A smaller story made out of a larger one; the same again when there is nothing to take away.
using Cut = std::function<void(Scenario&)>;

/// All single cuts of a story, the largest first. What one takes away it takes away with all that
/// refers to it: a client with its starts, a fault with its healing, an object with its writes. No
/// cut heals less: a lasting fault goes or stays as it is.
[[nodiscard]] std::vector<Cut> cuts_of(const Scenario& scenario);

/// How many actions the script has.
[[nodiscard]] std::size_t actions_of(const Scenario& scenario);

struct ShrinkStoryOptions {
  std::size_t runs_max = 4'000;  ///< how many runs it may take
  std::size_t schedules = 12;    ///< random ones for each candidate
};

/// A failing story without what it does not need.
struct ShrunkStory {
  Scenario scenario;  ///< its `schedule` is set if it does not fail undisturbed
  FuzzFailure found;  ///< the same signature
  std::size_t runs = 0;
  std::size_t actions_before = 0;
  std::size_t actions = 0;  ///< in all steps of its script
};

/// Takes away whatever it can as long as the story fails with the same signature: steps, actions,
/// clients, handlers, objects, details of faults and clients, time; then makes the schedule short.
/// Scenario and failure belong together; the scenario has no expectations.
[[nodiscard]] ShrunkStory shrink_story(Scenario scenario, FuzzFailure found,
                                       const ShrinkStoryOptions& options = {});

/// The story as a file that fails: named after the signature and the seed, with a comment that says
/// what is wrong and how it was found.
struct FoundFile {
  std::string name;  ///< of the scenario; the file's name without .yaml
  std::string text;
};
[[nodiscard]] FoundFile file_of(const ShrunkStory& story, std::uint64_t seed);

}  // namespace watchlab::scenarios
