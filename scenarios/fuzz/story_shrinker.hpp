#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "scenarios/fuzz/fuzz_run.hpp"
#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// A failing story without what it does not need.
struct ShrunkStory {
  Scenario scenario;  ///< its `schedule` is set if it does not fail undisturbed
  FuzzFailure found;  ///< the same signature
  std::size_t runs = 0;
  std::size_t actions_before = 0;
  std::size_t actions = 0;  ///< in all steps of its script
};

/// More than that many runs a finding is not worth.
inline constexpr std::size_t kShrinkRunsMax = 4'000;

/// Takes away whatever it can as long as the story fails with the same signature: steps, actions,
/// clients, handlers, objects, details of faults and clients, time; then makes the schedule short.
/// Scenario and failure belong together. A scenario with expectations was drawn around a blank one,
/// and what is left of it may still be asked for the same. Ends with what is small by then when
/// `keep_going` says no.
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
