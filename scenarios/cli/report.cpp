#include "scenarios/cli/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "scenarios/campaign/sealed.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/command_line/go_programs.hpp"
#include "scenarios/command_line/interrupt.hpp"
#include "scenarios/command_line/terminal.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/report/narration.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::size_t kShownSteps = 10;

long long nanoseconds_now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

boost::json::object object_of(const ReportEntry& entry) {
  boost::json::object line{{"name", entry.name}, {"path", entry.path}, {"held", entry.held}};
  const auto add_text = [&](std::string_view key, const std::string& text) {
    if (!text.empty()) {
      line[key] = text;
    }
  };
  add_text("kind", entry.kind);
  add_text("sentence", entry.sentence);
  add_text("schedule", entry.schedule);
  add_text("replay", entry.command);
  add_text("digest", entry.digest);
  if (entry.executions > 0) {
    line["executions"] = entry.executions;
  }
  if (entry.steps > 0) {
    line["steps"] = entry.steps;
  }
  line["seconds"] = entry.seconds;
  if (!entry.unfired_faults.empty()) {
    line["unfired_faults"] =
        boost::json::array(entry.unfired_faults.begin(), entry.unfired_faults.end());
  }
  for (const auto& [key, value] : entry.more) {
    std::visit([&line, &key = key](const auto& held) { line[key] = held; }, value);
  }
  return line;
}

}  // namespace

Report::Report(CommonOptions options, std::string suite, Lines lines)
    : options_(std::move(options)), lines_(lines), results_{std::move(suite), {}} {}

void Report::add(ReportEntry entry) {
  add_detail(entry);
  results_.entries.push_back(std::move(entry));
}

std::string json_line(const ReportEntry& entry) {
  return visible_text(boost::json::serialize(object_of(entry)));
}

void Report::add_detail(const ReportEntry& detail) { add_detail(object_of(detail)); }

void Report::add_detail(const boost::json::object& detail) {
  if (options_.json) {
    const std::string line = visible_text(boost::json::serialize(detail));  // before it is sealed
    Console({.json = true}).line(lines_ == Lines::Sealed ? sealed(line) : line);
    (void)flush_standard_output();  // what is wrong is reported at the end
  }
}

std::size_t Report::held() const {
  return static_cast<std::size_t>(std::ranges::count(results_.entries, true, &ReportEntry::held));
}

std::size_t Report::failed() const {
  return static_cast<std::size_t>(std::ranges::count_if(results_.entries, &ReportEntry::failed));
}

std::size_t Report::unplayed() const { return results_.entries.size() - held() - failed(); }

bool Report::write(Console& console) const {
  if (options_.junit.empty()) {
    return true;
  }
  for (const ReportEntry& entry : results_.entries) {
    if (const std::string problem = overwriting(options_.junit, entry.path); !problem.empty()) {
      console.report_error(problem);
      return false;
    }
  }
  return write_output(options_.junit, junit_text(results_), console) == kExitHeld;
}

ReportEntry bad_input_entry(const std::string& path, std::string sentence) {
  return {.name = display_name(path),
          .path = path,
          .held = false,
          .kind = "input",
          .sentence = std::move(sentence)};
}

void add_unplayed(Report& report, const std::vector<CatalogueEntry>& files, std::size_t first) {
  for (std::size_t i = first; i < files.size(); ++i) {
    report.add({.name = display_name(files[i].path),
                .path = files[i].path,
                .held = false,
                .kind = ReportEntry::kNotPlayed,
                .sentence = "the call ended before it was played"});
  }
}

void add_stopped(Report& report, const Scenario& scenario, std::string why, Console& console) {
  report.add({.name = display_name(scenario.path),
              .path = scenario.path,
              .held = false,
              .kind = ReportEntry::kStopped,
              .sentence = std::move(why)});
  console.remark(fmt::format("stopped  {}", display_name(scenario.path)));
}

void remark_stopped(const std::string& command, std::size_t left, std::size_t all,
                    Console& console) {
  console.remark(
      fmt::format("stopped: {} of {} stories were not played{}", left, all,
                  left == 0 ? "" : "; to continue, from the beginning:\n  " + same_call(command)));
}

Stopwatch::Stopwatch() : began_(nanoseconds_now()) {}

double Stopwatch::seconds() const { return static_cast<double>(nanoseconds_now() - began_) / 1e9; }

std::function<bool()> until_stopped(runtime::Duration time) {
  return [watch = Stopwatch(), seconds = std::chrono::duration<double>(time).count()] {
    return !Interrupt::requested() && (seconds <= 0 || watch.seconds() < seconds);
  };
}

std::string replay_line(const Scenario& scenario, const std::string& schedule) {
  const std::string of_go = go_test_line();
  return !of_go.empty()
             ? of_go
             : line_to_paste("replay", scenario, fmt::format("--schedule '{}'", schedule));
}

ReportEntry entry_for(const Scenario& scenario, const Played& played) {
  ReportEntry entry{.name = display_name(scenario.path),
                    .path = scenario.path,
                    .held = played.held(),
                    .digest = fmt::format("{:016x}", played.result.digest),
                    .steps = played.result.steps,
                    .unfired_faults = played.unfired_faults};
  if (played.divergence) {
    entry.kind = "divergence";
    entry.sentence = *played.divergence;
  } else if (played.result.failure) {
    entry.kind = played.result.failure->kind;
    entry.sentence = played.result.failure->sentence;
  }
  if (!entry.held) {
    entry.schedule = played.result.schedule;
    entry.command = replay_line(scenario, played.result.schedule);
  }
  return entry;
}

namespace {

std::string last_steps(const sim::RunResult& result) {
  const std::size_t total = result.steps_taken.size();
  const std::size_t first = total - std::min(total, kShownSteps);
  std::string text;
  if (total > 0) {
    text += fmt::format("the last {} of {} steps:\n", total - first, total);
  }
  for (std::size_t i = first; i < total; ++i) {
    const sim::StepRecord& step = result.steps_taken[i];
    const double seconds = std::chrono::duration<double>(step.at - result.started).count();
    text += fmt::format("  {:>6}  {:>10.3f}s  {}\n", step.step, seconds, step.to_string());
  }
  return text;
}

}  // namespace

std::string events_before(const Scenario& scenario, const sim::RunResult& failed) {
  return narrate(scenario, failed, kShownSteps);
}

std::string failure_text(const ReportEntry& entry, const sim::RunResult& result,
                         const FailureWords& words) {
  std::string text = fmt::format("{}: {}\n", entry.kind, sim::with_readable_tasks(entry.sentence));
  text += words.happened.empty() ? last_steps(result) : words.happened;
  if (!words.why.empty()) {
    text += words.why + (words.why.ends_with('\n') ? "" : "\n");
  }
  return text + "replay it: " + entry.command;
}

void print_json(const boost::json::object& line, Console& console) {
  console.line(boost::json::serialize(line));
}

std::string overwriting(const std::string& output, const std::string& input) {
  std::error_code failure;
  const bool is_same = std::filesystem::is_regular_file(output, failure) &&
                       std::filesystem::equivalent(output, input, failure);
  return is_same
             ? fmt::format("{}: this is the input; expected another file for the output", output)
             : "";
}

std::string problem_text(const CatalogueEntry& entry) {
  std::string text;
  for (const Problem& problem : entry.parsed.problems) {
    text += (text.empty() ? "" : "\n") + describe(entry.path, problem);
  }
  return text;
}

}  // namespace watchlab::scenarios
