#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "scenarios/language/scenario.hpp"
#include "sim/explore/random_numbers.hpp"

namespace watchlab::scenarios {

/// A story of the fuzzer while it is drawn: what all kinds of them have in common. The seed decides
/// everything, on every platform.
class StoryDraft {
 public:
  StoryDraft(const StoryDraft&) = delete;
  StoryDraft& operator=(const StoryDraft&) = delete;

 protected:
  /// `kind` is a word: "storm" makes the story storm_17, "a random storm".
  StoryDraft(std::string_view kind, std::uint64_t seed) : numbers_(seed * 2 + 1) {
    constexpr std::int64_t steps_max = 2'000'000;
    scenario_.name = fmt::format("{}_{}", kind, seed);
    scenario_.story = fmt::format("A random {}.", kind);
    scenario_.explore.seed = static_cast<std::int64_t>(1 + numbers_.below(1'000'000));
    scenario_.explore.steps = steps_max;
  }
  ~StoryDraft() = default;

  /// Whether something happens that happens once in so many times.
  [[nodiscard]] bool one_in(std::uint32_t count) { return numbers_.below(count) == 0; }
  /// From one millisecond to so many.
  [[nodiscard]] runtime::Duration up_to(std::uint32_t limit) {
    return std::chrono::milliseconds(1 + numbers_.below(limit));
  }

  void add(Step step) {
    length_ += step.after.value_or(runtime::Duration::zero());
    scenario_.script.push_back(std::move(step));
  }

  sim::RandomNumbers numbers_;
  Scenario scenario_;
  runtime::Duration length_{0};  ///< of the script so far
};

}  // namespace watchlab::scenarios
