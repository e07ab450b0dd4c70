#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/language/catalogue.hpp"
#include "scenarios/report/page_data.hpp"
#include "sim/explain/wording.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

}  // namespace

json::object PageData::window(const PageWindow& wanted) const {
  const sim::RunResult& result = seen_.witness.result;
  const std::size_t end = std::min(seen_.last_step(), result.steps);
  std::size_t first = 1;
  if (wanted.first) {
    first = std::clamp<std::size_t>(*wanted.first, 1, std::max<std::size_t>(result.steps, 1));
  } else if (result.steps > wanted.steps_max && end > wanted.steps_max) {
    first = end - wanted.steps_max + 1;
  }
  const std::size_t last = std::min(result.steps, first + wanted.steps_max - 1);
  json::object data = head_;
  data["format"] = 1;
  data["name"] = display_name(scenario_.path.empty() ? scenario_.name : scenario_.path);
  data["story"] = scenario_.story;
  data["path"] = scenario_.path;
  data["variant"] = facts_.variant;
  data["schedule"] = result.schedule;
  data["digest"] = fmt::format("{:016x}", result.digest);
  data["held"] = !result.failure.has_value();
  if (const auto& failure = result.failure) {
    data["failure"] = {{"kind", failure->kind}, {"messages", json::value_from(broken_messages())}};
  }
  data["why"] = facts_.why;
  json::array turns;
  for (const TurningPoint& turn : facts_.turns) {
    turns.push_back({{"step", turn.step}, {"text", turn.text}});
  }
  data["turns"] = std::move(turns);
  data["turns_title"] = facts_.turns_title;
  data["window"] = {{"first", first}, {"last", last}, {"of", result.steps}, {"end", end}};
  data["base"] = state_before(first);
  data["steps"] = steps_between(first, last);
  data["task_patches"] = task_patches_between(first, last);
  data["events"] = events_between(first, last);
  data["words"] = words_.texts();
  return data;
}

/// Columns: what is alike in many steps stands once.
json::object PageData::steps_between(std::size_t first, std::size_t last) const {
  TextTable deeds;
  json::array task;
  json::array deed;
  json::array at;
  json::object handover;
  std::int64_t before = 0;
  for (const sim::WitnessedStep& step : seen_.witness.steps) {
    if (step.step < first || step.step > last) {
      continue;
    }
    task.emplace_back(step.done.actor);
    deed.emplace_back(deeds.number_of(sim::deed(step.done)));
    const std::int64_t now =
        std::chrono::nanoseconds(step.at - seen_.witness.result.started).count();
    at.emplace_back(now - before);
    before = now;
    const std::string why = sim::handover_text(seen_.witness, step);
    if (!why.empty()) {
      handover[std::to_string(step.step)] = deeds.number_of(why);
    }
  }
  return {{"task", std::move(task)},
          {"deed", std::move(deed)},
          {"at", std::move(at)},
          {"handover", std::move(handover)},
          {"deeds", deeds.texts()}};
}

json::object PageData::task_patches_between(std::size_t first, std::size_t last) const {
  json::object patches;
  for (const auto& [step, patch] : task_patches_) {
    if (step >= first && step <= last) {
      json::value& list = patches[std::to_string(step)];
      if (!list.is_array()) {
        list.emplace_array();
      }
      list.as_array().push_back(patch);
    }
  }
  return patches;
}

json::array PageData::events_between(std::size_t first, std::size_t last) const {
  json::array events;
  for (const PageEvent& event : events_) {
    if (event.step < first && !(first == 1 && event.step == 0)) {
      continue;
    }
    if (event.step > last) {
      break;
    }
    const auto task = task_numbers_.find(event.task);
    json::array patches;
    for (const Patch& patch : event.patches) {
      patches.push_back(patch);
    }
    events.push_back(json::array{
        event.step, event.at, task == task_numbers_.end() ? -1 : task->second, event.lane,
        event.client, json::value_from(event.keys), event.text, std::move(patches)});
  }
  return events;
}

json::object PageData::state_before(std::size_t first) const {
  json::object state = initial_;
  const bool from_start = first == 1;
  for (const auto& [step, patch] : task_patches_) {
    if (step < first) {
      apply_patch(state, patch);
    }
  }
  for (const PageEvent& event : events_) {
    if (event.step < first && !(from_start && event.step == 0)) {
      for (const Patch& patch : event.patches) {
        apply_patch(state, patch);
      }
    }
  }
  return state;
}

}  // namespace watchlab::scenarios
