#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/language/catalogue.hpp"
#include "scenarios/report/branch.hpp"
#include "scenarios/report/page_data.hpp"
#include "sim/explain/wording.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

std::size_t number(const json::value& value) { return value.to_number<std::size_t>(); }

/// The first and the last step that a page holds of a run.
std::pair<std::size_t, std::size_t> bounds_of(const json::object& whole, const PageWindow& wanted) {
  const json::value& window = whole.at("window");
  const std::size_t steps = number(window.at("of"));
  const std::size_t end = std::min(number(window.at("end")), steps);
  std::size_t first = 1;
  if (wanted.first) {
    first = std::clamp<std::size_t>(*wanted.first, 1, std::max<std::size_t>(steps, 1));
  } else if (steps > wanted.steps_max && end > wanted.steps_max) {
    first = end - wanted.steps_max + 1;
  }
  const std::size_t begin = number(window.at("first"));
  const std::size_t finish = number(window.at("last"));
  first = std::clamp(first, begin, std::max(begin, finish));
  return {first, std::min(finish, first + wanted.steps_max - 1)};
}

/// Columns: what is alike in many steps stands once.
json::object steps_between(const json::object& whole, std::size_t first, std::size_t last) {
  const json::object& from = whole.at("steps").as_object();
  const json::array& names = from.at("deeds").as_array();
  const std::size_t begin = number(whole.at("window").at("first"));
  TextTable deeds;
  const auto renumbered = [&](const json::value& deed) {
    return deeds.number_of(names[number(deed)].as_string());
  };
  json::array task;
  json::array deed;
  json::array at;
  json::object handover;
  std::int64_t skipped = 0;  // `at` is the time since the step before
  for (std::size_t step = begin; step <= last; ++step) {
    const std::size_t i = step - begin;
    const std::int64_t passed = from.at("at").as_array()[i].as_int64();
    if (step < first) {
      skipped += passed;
      continue;
    }
    task.push_back(from.at("task").as_array()[i]);
    deed.emplace_back(renumbered(from.at("deed").as_array()[i]));
    at.emplace_back(passed + std::exchange(skipped, 0));
    const std::string name = std::to_string(step);
    if (const json::value* why = from.at("handover").as_object().if_contains(name)) {
      handover[name] = renumbered(*why);
    }
  }
  return {{"task", std::move(task)},
          {"deed", std::move(deed)},
          {"at", std::move(at)},
          {"handover", std::move(handover)},
          {"deeds", deeds.texts()}};
}

}  // namespace

json::object window_of(const json::object& whole, const PageWindow& wanted) {
  const auto [first, last] = bounds_of(whole, wanted);
  json::object data;
  for (const auto& [name, value] : whole) {
    if (name != "steps" && name != "events" && name != "task_patches" && name != "base") {
      data[name] = value;
    }
  }
  json::object base = whole.at("base").as_object();
  json::object task_patches;
  const auto apply = [&](const json::value& patches) {
    for (const json::value& patch : patches.as_array()) {
      apply_patch(base, patch.as_array());
    }
  };
  for (const auto& [step, patches] : whole.at("task_patches").as_object()) {
    const std::size_t of = std::stoul(std::string(step));
    if (of < first) {
      apply(patches);
    } else if (of <= last) {
      task_patches[step] = patches;
    }
  }
  json::array events;
  const bool from_start = first == number(whole.at("window").at("first"));
  for (const json::value& event : whole.at("events").as_array()) {
    const std::size_t of = number(event.at(0));
    if (of < first && !from_start) {
      apply(event.at(7));
    } else if (of <= last) {
      events.push_back(event);
    }
  }
  data["window"].as_object()["first"] = first;
  data["window"].as_object()["last"] = last;
  data["base"] = std::move(base);
  data["steps"] = steps_between(whole, first, last);
  data["task_patches"] = std::move(task_patches);
  data["events"] = std::move(events);
  return data;
}

bool is_page_data(const json::value& value) {
  using Kind = json::kind;
  const std::vector<std::pair<std::string_view, Kind>> members{
      {"format", Kind::int64},        {"name", Kind::string},   {"window", Kind::object},
      {"base", Kind::object},         {"steps", Kind::object},  {"events", Kind::array},
      {"task_patches", Kind::object}, {"tasks", Kind::array},   {"keys", Kind::array},
      {"clients", Kind::array},       {"clauses", Kind::array}, {"words", Kind::array},
      {"turns", Kind::array},         {"held", Kind::bool_},    {"schedule", Kind::string}};
  return value.is_object() && std::ranges::all_of(members, [&](const auto& member) {
           const json::value* const found = value.as_object().if_contains(member.first);
           return found != nullptr && found->kind() == member.second;
         });
}

json::object PageData::window(const PageWindow& wanted) const { return window_of(whole(), wanted); }

json::object PageData::whole() const {
  const sim::RunResult& result = seen_.witness.result;
  json::object data = head_;
  data["format"] = 1;
  data["name"] = display_name(scenario_.path.empty() ? scenario_.name : scenario_.path);
  data["story"] = scenario_.story;
  data["path"] = scenario_.path;
  data["variant"] = facts_.variant;
  if (!facts_.patch.empty()) {
    data["patch"] = facts_.patch;
  }
  if (facts_.program != PageFacts().program) {
    data["program"] = facts_.program;
  }
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
  json::array questions;
  for (const Question& question : scenario_.questions) {
    const sim::Record& record = seen_.record ? *seen_.record : seen_.live;
    questions.push_back({{"ask", question.ask},
                         {"panels", json::value_from(panels_of(question.measure))},
                         {"from", std::chrono::nanoseconds(question.measure.from).count()},
                         {"is_count", question.measure.show == "count"},
                         {"answer", measured_by(question.measure, record)}});
  }
  data["questions"] = std::move(questions);
  data["turns_title"] = facts_.turns_title;
  data["choices"] = choices_of(seen_);
  data["window"] = {{"first", 1},
                    {"last", result.steps},
                    {"of", result.steps},
                    {"end", std::min(seen_.last_step(), result.steps)}};
  data["base"] = initial_;
  data["steps"] = all_steps();
  data["task_patches"] = all_task_patches();
  data["events"] = all_events();
  data["words"] = words_.texts();
  return data;
}

json::object PageData::all_steps() const {
  TextTable deeds;
  json::array task;
  json::array deed;
  json::array at;
  json::object handover;
  std::int64_t before = 0;
  for (const sim::WitnessedStep& step : seen_.witness.steps) {
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

json::object PageData::all_task_patches() const {
  json::object patches;
  for (const auto& [step, patch] : task_patches_) {
    json::value& list = patches[std::to_string(step)];
    if (!list.is_array()) {
      list.emplace_array();
    }
    list.as_array().push_back(patch);
  }
  return patches;
}

json::array PageData::all_events() const {
  json::array events;
  for (const PageEvent& event : events_) {
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

}  // namespace watchlab::scenarios
