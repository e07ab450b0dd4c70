#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/fuzz/story_generator.hpp"
#include "sim/explore/random_numbers.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// Primes, so that no small number of them is a whole number of milliseconds.
constexpr std::array<nanoseconds, 4> kOddPaces{nanoseconds(13'007), nanoseconds(17'011),
                                               nanoseconds(19'013), nanoseconds(23'017)};
constexpr nanoseconds kOddPeriod{311'009};
/// What a reader of a store rests when the story does not say.
constexpr milliseconds kReaderPause{700};

/// Where a time is given, makes it odd.
void make_odd(runtime::Duration& time, std::size_t number) {
  if (time > runtime::Duration::zero()) {
    time += kOddPaces.at(number % kOddPaces.size());
  }
}

void make_odd(sim::StoryClientOptions& client, std::size_t number) {
  const sim::ClientTraits& traits = traits_of(client.kind);
  if (client.resync > runtime::Duration::zero()) {
    client.resync += kOddPeriod;
  }
  if (traits.reads_its_store && client.pause == runtime::Duration::zero()) {
    client.pause = kReaderPause;
  }
  if (traits.has_work_queue) {
    // What failed is tried again after whole milliseconds.
    client.takes += kOddPaces.at(number % kOddPaces.size());
  }
  if (traits.has_work_queue || client.failures > 0) {
    client.workers = 1;
  }
  make_odd(client.pause, number);
  for (sim::StoryHandlerOptions& handler : client.handlers) {
    make_odd(handler.takes, number++);
    if (handler.resync.value_or(runtime::Duration::zero()) > runtime::Duration::zero()) {
      *handler.resync += kOddPeriod;
    }
  }
}

/// Puts each removal of a handler into a step of its own, a moment after the rest of its step.
std::vector<Step> with_removals_apart(std::vector<Step> script) {
  constexpr runtime::Duration a_moment = std::chrono::microseconds(1'137);
  const auto removes = [](const Action& action) {
    return std::holds_alternative<RemoveHandlerAction>(action);
  };
  std::vector<Step> result;
  for (Step& step : script) {
    const auto removals = std::ranges::stable_partition(step.actions, std::not_fn(removes));
    Step later{.after = a_moment, .actions = {removals.begin(), removals.end()}};
    step.actions.erase(removals.begin(), removals.end());
    if (later.actions.empty() || step.actions.empty()) {
      step.actions.insert(step.actions.end(), later.actions.begin(), later.actions.end());
      result.push_back(std::move(step));
    } else {
      result.push_back(std::move(step));
      result.push_back(std::move(later));
    }
  }
  return result;
}

constexpr std::array<std::string_view, 13> kIllegalFaults{
    "bookmark_ahead",      "drop_event",    "empty_event",    "empty_list",
    "empty_list_revision", "garble_event",  "nameless_error", "repeat_revision",
    "replay_event",        "revision_back", "stale_delete",   "unknown_event_type",
    "wrong_kind"};

sim::FaultSketch illegal_fault(sim::RandomNumbers& numbers) {
  return {.name = std::string(kIllegalFaults.at(numbers.below(kIllegalFaults.size()))),
          .times = 1 + numbers.below(3)};
}

Scenario with_odd_times(Scenario story) {
  for (std::size_t i = 0; i < story.clients.size(); ++i) {
    make_odd(story.clients[i], i);
  }
  story.script = with_removals_apart(std::move(story.script));
  return story;
}

}  // namespace

Scenario compared_story(std::uint64_t seed) { return with_odd_times(swarm_story(seed)); }

Scenario shaped_story(std::uint64_t seed) { return with_odd_times(drawn_shape(seed)); }

Scenario illegal_story(std::uint64_t seed) {
  sim::RandomNumbers numbers(seed * 2 + 1);
  Scenario story = generate_story(seed);
  story.name = fmt::format("illegal_{}", seed);
  const auto steps = static_cast<std::uint32_t>(story.script.size());
  for (std::uint32_t i = 1 + numbers.below(3); i > 0; --i) {
    Step& step = story.script[numbers.below(steps)];
    sim::FaultSketch fault = illegal_fault(numbers);
    fault.as = fmt::format("illegal_{}", i);
    step.actions.insert(step.actions.begin(), FaultAction{std::move(fault)});
  }
  return story;
}

}  // namespace watchlab::scenarios
