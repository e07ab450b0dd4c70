#include "scenarios/serve/branch_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "scenarios/language/document.hpp"
#include "scenarios/report/narration.hpp"
#include "scenarios/report/page_data.hpp"
#include "sim/explain/wording.hpp"
#include "sim/http/local_origin.hpp"

namespace watchlab::scenarios {
namespace {

using sim::HttpPage;
using sim::HttpRequest;

constexpr std::int32_t kSeeOther = 303;
constexpr std::int32_t kBadRequest = 400;
constexpr std::int32_t kForbidden = 403;
constexpr std::int32_t kNotFound = 404;
constexpr std::int32_t kNotAllowed = 405;
constexpr std::size_t kRunsMax = 1'000;

HttpPage plain(std::int32_t code, std::string text) {
  return {.code = code, .type = "text/plain; charset=utf-8", .body = std::move(text) + "\n"};
}

HttpPage see(const std::string& target) {
  HttpPage page = plain(kSeeOther, target);
  page.fields.push_back({"Location", target});
  return page;
}

HttpPage file(std::string type, const std::string& name, std::string text) {
  return {.type = std::move(type),
          .body = std::move(text),
          .fields = {{"Content-Disposition", fmt::format("attachment; filename=\"{}\"", name)}}};
}

/// The number that a part of a path is; one that no run has for anything else.
std::size_t run_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() && end == text.data() + text.size() ? number : kRunsMax;
}

std::string outcome_of(const sim::RunResult& result) {
  if (!result.failure) {
    return "holds";
  }
  const std::string text = sim::with_short_places(result.failure->sentence);
  return shortened(fmt::format("{}: {}", result.failure->kind, text.substr(0, text.find('\n'))));
}

}  // namespace

BranchSession::BranchSession(const Scenario& scenario, const std::string& schedule,
                             std::string variant, std::optional<Level> level)
    : scenario_(scenario), variant_(std::move(variant)), level_(std::move(level)) {
  const std::size_t steps = see_run(scenario_, schedule, Scope::AnyOrder).witness.result.steps;
  if (steps > kBranchStepsMax) {
    throw std::invalid_argument(
        fmt::format("the run has {} steps, and one of at most {} can be branched; `watchlab "
                    "report` shows it",
                    steps, kBranchStepsMax));
  }
  (void)add({.schedule = schedule});
}

std::size_t BranchSession::add(Run run) {
  const SeenRun seen = see_run(scenario_, run.schedule, Scope::AnyOrder);
  const sim::RunResult& result = seen.witness.result;
  run.held = !result.failure.has_value();
  run.outcome = outcome_of(result);
  if (level_) {
    run.result = result_of(*level_, result);
  }
  run.result.choices = result.deviations;
  runs_.push_back(std::move(run));
  return runs_.size() - 1;
}

std::size_t BranchSession::branch(std::size_t parent, BranchPoint point) {
  const std::string schedule = branch_schedule(scenario_, runs_[parent].schedule, point);
  const auto known = std::ranges::find(runs_, schedule, &Run::schedule);
  if (known != runs_.end()) {
    return static_cast<std::size_t>(known - runs_.begin());
  }
  if (runs_.size() == kRunsMax) {
    throw std::invalid_argument("there are too many runs; start serve-report again");
  }
  const SeenRun left = see_run(scenario_, runs_[parent].schedule, Scope::AnyOrder);
  return add({.schedule = schedule,
              .parent = parent,
              .from = point,
              .step = step_before(left, point.decision)});
}

boost::json::object BranchSession::session_json(std::size_t number) const {
  boost::json::array runs;
  for (const Run& run : runs_) {
    runs.push_back({{"parent", run.parent},
                    {"decision", run.from.decision},
                    {"alternative", run.from.alternative},
                    {"step", run.step},
                    {"held", run.held},
                    {"outcome", run.outcome},
                    {"choices", run.result.choices},
                    {"won", run.result.is_won}});
  }
  boost::json::object session{{"run", number}, {"runs", std::move(runs)}};
  if (level_) {
    session["level"] = described(*level_, runs_[number].result);
  }
  return session;
}

HttpPage BranchSession::page_of_run(std::size_t number) const {
  const SeenRun seen = see_clauses(scenario_, runs_[number].schedule, Scope::AnyOrder);
  PageFacts facts = facts_of(scenario_, seen, Scope::AnyOrder);
  facts.variant = variant_;
  facts.patch = level_ ? "" : facts.patch;  // of a level the player finds it
  facts.program = program_;
  const PageData data(scenario_, seen, std::move(facts));
  boost::json::object shown = data.window({.steps_max = 2 * kBranchStepsMax});
  shown["session"] = session_json(number);
  return {.type = "text/html; charset=utf-8",
          .body = page_with(shown),
          .fields = {{"Cache-Control", "no-store"}}};
}

HttpPage BranchSession::take(std::size_t number, const HttpRequest& http) {
  const std::optional<sim::Target> form = sim::target_from("/?" + http.body);
  const auto value = [&](std::string_view name) {
    return form ? std::string(sim::value_in(form->query, name).value_or("")) : std::string();
  };
  try {
    const BranchPoint point = branch_point_from(value("decision") + "=" + value("alternative"));
    const std::size_t made = branch(number, point);
    return see(fmt::format("/run/{}#step={}", made, runs_[made].step));
  } catch (const std::invalid_argument& refused) {
    return plain(kBadRequest, refused.what());
  }
}

HttpPage BranchSession::scenario_file(std::size_t number) const {
  Problems problems;
  std::string text = read_text_file(scenario_.path, problems);
  if (!problems.empty()) {
    return plain(kNotFound, scenario_.path + " cannot be read any more");
  }
  const std::string of_variant = variant_.empty() ? "" : fmt::format(" --variant {}", variant_);
  std::string kept;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n') + 1, text.size());
    const std::string line = text.substr(0, end == 0 ? text.size() : end);
    kept += line.starts_with("schedule:") ? "" : line;
    text.erase(0, line.size());
  }
  kept += kept.ends_with('\n') ? "" : "\n";
  return file("application/yaml", scenario_.name + ".yaml",
              fmt::format("# To play it: {} run {}.yaml{}\n{}\nschedule: '{}'\n", program_,
                          scenario_.name, of_variant, kept, runs_[number].schedule));
}

HttpPage BranchSession::answer(const HttpRequest& http, const sim::Target& target) {
  if (!sim::is_local_request(http)) {
    return plain(kForbidden, "serve-report answers its own pages on this machine only");
  }
  const std::vector<std::string>& path = target.path;
  if (path.empty() || (path.size() == 1 && path[0].empty())) {
    return see("/run/0");
  }
  const std::size_t number = path.size() >= 2 && path[0] == "run" ? run_number(path[1]) : kRunsMax;
  const std::string what = path.size() == 3 ? path[2] : "";
  if (number >= runs_.size() || path.size() > 3) {
    return plain(kNotFound, "there is no such run; / leads to the first one");
  }
  const bool posts = what == "take";
  if (http.method != (posts ? "POST" : "GET")) {
    return plain(kNotAllowed, "this is asked for in another way");
  }
  if (posts) {
    return take(number, http);
  }
  if (what.empty()) {
    return page_of_run(number);
  }
  return what == "schedule.txt"
             ? file("text/plain; charset=utf-8", "schedule.txt", runs_[number].schedule + "\n")
         : what == "scenario.yaml" ? scenario_file(number)
                                   : plain(kNotFound, "there is no such page");
}

}  // namespace watchlab::scenarios
