#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "scenarios/fuzz/fuzz_run.hpp"
#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// A failing story reduced to what it needs.
struct ShrunkStory {
  Scenario scenario;  ///< its `schedule` is set if it does not fail in the default order
  FuzzFailure found;  ///< the failure, with the same signature
  std::size_t runs = 0;
  std::size_t actions_before = 0;
  std::size_t actions = 0;  ///< in all steps of its script
};

/// A finding is not worth more runs than this.
inline constexpr std::size_t kShrinkRunsMax = 4'000;

/// Removes whatever it can while the story fails with the same signature: steps, actions, clients,
/// handlers, objects, details of faults and clients, time; then shortens the schedule. Scenario and
/// failure must belong together. A scenario with expectations was generated around a blank one, and
/// must still meet them. Ends with the smallest so far when `keep_going` returns false.
[[nodiscard]] ShrunkStory shrink_story(const Scenario& scenario, const FuzzFailure& found,
                                       const std::function<bool()>& keep_going = {});

/// The story as a file that fails: named after the signature and the seed, with a comment that says
/// what is wrong and how it was found.
struct FoundFile {
  std::string name;  ///< of the scenario; the file's name without .yaml
  std::string text;
};
[[nodiscard]] FoundFile file_of(const ShrunkStory& story, std::uint64_t seed);

}  // namespace watchlab::scenarios
