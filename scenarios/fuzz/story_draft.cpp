#include "scenarios/fuzz/story_draft.hpp"

#include <fmt/format.h>

#include <utility>

namespace watchlab::scenarios {
namespace {

/// The object of NAME or NAMESPACE/NAME, and nothing more.
sim::ObjectSketch object_at(const std::string& key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string::npos) {
    return {.name = key};
  }
  return {.name = key.substr(slash + 1), .namespace_ = key.substr(0, slash)};
}

/// Takes the last name away.
std::string take_last(std::vector<std::string>& names) {
  std::string name = std::move(names.back());
  names.pop_back();
  return name;
}

}  // namespace

StoryDraft::StoryDraft(std::string_view kind, std::uint64_t seed)
    : StoryDraft(fmt::format("{}_{}", kind, seed), sim::RandomNumbers(seed * 2 + 1)) {
  constexpr std::int64_t steps_max = 2'000'000;
  scenario_.story = fmt::format("A random {}.", kind);
  scenario_.explore.seed += 1;
  scenario_.explore.steps = steps_max;
}

StoryDraft::StoryDraft(std::string name, sim::RandomNumbers numbers) : numbers_(numbers) {
  scenario_.name = std::move(name);
  scenario_.explore.seed = numbers_.below(1'000'000);
}

runtime::Duration StoryDraft::up_to(std::uint32_t limit) {
  return std::chrono::milliseconds(1 + numbers_.below(limit));
}

sim::ObjectSketch StoryDraft::state_of(const std::string& key) {
  sim::ObjectSketch object = object_at(key);
  object.data["turn"] = std::to_string(++turn_);
  add_labels(object);
  return object;
}

void StoryDraft::add_object(const std::string& key) {
  scenario_.server.objects.push_back(state_of(key));
  existing_.insert(key);
}

Action StoryDraft::write(const std::string& key) {
  if (existing_.insert(key).second) {
    return CreateAction{state_of(key)};
  }
  if (!deletes()) {
    return UpdateAction{state_of(key)};
  }
  existing_.erase(key);
  return DeleteAction{object_at(key)};
}

void StoryDraft::add_handler(sim::StoryClientOptions& client, sim::StoryHandlerOptions handler) {
  if (handler.starts_later) {
    outside_.push_back(handler.name);
  }
  client.handlers.push_back(std::move(handler));
}

void StoryDraft::join(Step& step) {
  inside_.push_back(take_last(outside_));
  step.actions.emplace_back(AddHandlerAction{inside_.back()});
}

void StoryDraft::leave(Step& step) {
  step.actions.emplace_back(RemoveHandlerAction{take_last(inside_)});
}

void StoryDraft::add_client(sim::StoryClientOptions client) {
  if (client.starts_later) {
    waiting_.insert(client.name);
  }
  scenario_.clients.push_back(std::move(client));
}

void StoryDraft::maybe_start(Step& step) {
  if (!waiting_.empty() && one_in(3)) {
    step.actions.emplace_back(StartAction{*waiting_.begin()});
    waiting_.erase(waiting_.begin());
  }
}

void StoryDraft::crash(Step& step, const std::string& client) {
  if (waiting_.insert(client).second) {
    step.actions.emplace_back(CrashAction{client});
  }
}

Action StoryDraft::expire_streams() {
  return FaultAction{{.name = "fail_stream", .parameters = {{"answer", std::string("expired")}}}};
}

void StoryDraft::add(Step step) {
  length_ += step.after.value_or(runtime::Duration::zero());
  scenario_.script.push_back(std::move(step));
}

void StoryDraft::add_last(Step step) {
  for (const std::string& fault : lasting_) {
    step.actions.emplace_back(HealAction{fault});
  }
  for (const std::string& client : waiting_) {
    step.actions.emplace_back(StartAction{client});
  }
  if (!step.actions.empty()) {
    add(std::move(step));
  }
}

Scenario StoryDraft::finished() {
  scenario_.within = length_ + kQuietWithin;
  return std::move(scenario_);
}

}  // namespace watchlab::scenarios
