#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/campaign/every.hpp"
#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/last_failure.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/language/document.hpp"
#include "scenarios/language/parse.hpp"
#include "scenarios/language/play.hpp"
#include "scenarios/language/runner.hpp"
#include "scenarios/language/smaller_scenario.hpp"
#include "scenarios/report/narration.hpp"
#include "sim/explain/explain.hpp"
#include "sim/explain/lock_order.hpp"
#include "sim/explore/shrink.hpp"
#include "sim/kernel/schedule.hpp"

namespace watchlab::scenarios {
namespace {

struct ReplayArguments {
  CommonOptions common;
  std::string name;
  std::string schedule;
  std::string transport;
  bool guided = false;
  std::size_t times = 1;
  runtime::Duration time{0};  ///< 0 for no limit
};

struct PlayedOften {
  Played first;
  std::size_t times = 0;
};

/// Plays the schedule so often, as long as that may go on; a run that differs from the first is its
/// divergence.
PlayedOften play_often(const Scenario& scenario, const sim::Schedule& schedule,
                       const ReplayArguments& arguments, Console& console) {
  const std::function<bool()> goes_on = until_stopped(arguments.time);
  Played first = replay_scenario(scenario, schedule, arguments.guided);
  std::size_t played = 1;
  for (; played < arguments.times && !first.divergence && goes_on(); ++played) {
    console.count(played, arguments.times, "times");
    const Played again = replay_scenario(scenario, schedule, arguments.guided);
    if (again.divergence || again.result.digest != first.result.digest) {
      first.divergence = fmt::format("time {} went another way than the first", played + 1);
    }
  }
  return {std::move(first), played};
}

/// Throws `std::invalid_argument` for an option that would have no effect.
void check(const ReplayArguments& arguments) {
  refuse_unused(arguments.time.count() > 0 && arguments.times == 1, "--time",
                "it goes with --times, and the schedule is played once");
  refuse_unused(arguments.guided && unless_default(arguments.schedule).empty(), "--guided",
                "the undisturbed order always fits");
}

int replay(const ReplayArguments& arguments, const Scenario& scenario, Console& console) {
  check(arguments);
  Report report(arguments.common, "replay");
  const auto schedule = sim::Schedule::parse(schedule_or_default(scenario, arguments.schedule));
  std::optional<Interrupt> interrupt;
  if (arguments.times > 1) {
    interrupt.emplace();
  }
  const Stopwatch watch;
  const auto [played, times] = play_often(scenario, schedule, arguments, console);
  ReportEntry entry = entry_for(scenario, played);
  entry.seconds = watch.seconds();
  entry.executions = times;
  report.add(entry);
  if (played.divergence) {
    console.report_error(fmt::format("{}: the run left the schedule: {}\n--guided plays what fits",
                                     entry.path, *played.divergence));
  } else if (!entry.held) {
    const std::string why = why_in_short(scenario, entry.schedule, &console);
    console.report_error(fmt::format(
        "{}  {}\n{}", console.bad("FAIL"), entry.name,
        failure_text(entry, played.result, {events_before(scenario, played.result), why})));
  } else {
    console.note(fmt::format("{}  {} under this schedule, {} steps", console.good("held"),
                             entry.name, entry.steps));
  }
  if (times < arguments.times && !played.divergence) {
    console.remark(fmt::format("stopped: it was played {} of {} times, each time the same way",
                               times, arguments.times));
  }
  const bool is_written = report.write(console);
  if (played.divergence) {
    return kExitUsage;
  }
  if (Interrupt::requested()) {
    return kExitInterrupted;
  }
  return entry.held && is_written ? kExitHeld : kExitFound;
}

using boost::json::object;

/// The line that --json prints, whether the run fails or holds.
object explained_line(const Scenario& scenario, const std::string& schedule, bool held) {
  return {{"name", display_name(scenario.path)},
          {"path", scenario.path},
          {"held", held},
          {"schedule", schedule}};
}

struct ShrinkArguments {
  CommonOptions common;
  std::string name;
  std::string schedule;
  bool prove = false;
  runtime::Duration time{0};  ///< 0 for the default
  std::string output;         ///< a file for the smaller scenario; "" for none

  [[nodiscard]] static bool takes_last_failure() { return true; }
};

constexpr std::chrono::seconds kShrinkTime(30);

/// Asks for the end after the time that the user gave, or else after a while, and says how far the
/// search is. A search for a proof takes what it takes.
std::function<bool()> time_limit(const ShrinkArguments& arguments, Console& console) {
  const bool has_end = !arguments.prove || arguments.time > runtime::Duration(0);
  const runtime::Duration time =
      arguments.time == runtime::Duration(0) ? kShrinkTime : arguments.time;
  return [&console, has_end, seconds = std::chrono::duration<double>(time).count(),
          shows = Every(std::chrono::milliseconds(100)), watch = Stopwatch(),
          runs = std::size_t{0}]() mutable {
    const double past = watch.seconds();
    if (++runs == 1 || shows.is_due()) {
      const std::string left =
          has_end ? fmt::format("at most {:.0f} s left: ", seconds - past) : "";
      console.progress(fmt::format("{}run {}, {:.3g} a second", left, runs,
                                   static_cast<double>(runs) / std::max(past, 1e-3)));
    }
    return !has_end || past < seconds;
  };
}

std::string_view certainty_of(const sim::ShrinkResult& result) {
  if (result.interrupted) {
    return "the time was over before all was tried: --time gives it more";
  }
  return result.proven ? "no run with fewer preemptions fails this way"
                       : "the search ended at its bound before it was certain that no fewer will "
                         "do: --prove has none";
}

std::string summary_of(const sim::ShrinkResult& result) {
  return fmt::format("{} deviations from fifo became {}, with {} preemption{}, in {} runs; {}",
                     result.deviations_before, result.deviations, result.preemptions,
                     result.preemptions == 1 ? "" : "s", result.runs, certainty_of(result));
}

/// The text of a file that asks for the scenario as it is played, and its schedule there. Throws
/// `std::invalid_argument` when that takes more than a line.
std::pair<std::string, std::string> as_file(const Scenario& scenario, const std::string& schedule) {
  Problems problems;
  std::string text = read_text_file(scenario.path, problems);
  const Parsed file = parse_scenario(text);
  if (!file.scenario || file.scenario->hash == scenario.hash) {
    return {std::move(text), schedule};
  }
  text += scenario.transport == sim::Transport::Wire ? "\ntransport: wire\n" : "";
  const Parsed changed = parse_scenario(text);
  if (!changed.scenario || changed.scenario->transport != scenario.transport) {
    throw std::invalid_argument("the file asks for another transport than its schedule; change it");
  }
  sim::Schedule moved = sim::Schedule::parse(schedule);
  moved.scenario = changed.scenario->hash;
  return {std::move(text), moved.to_string()};
}

/// Throws `std::invalid_argument` for a smaller file from which the programs of the story would not
/// be found.
void refuse_other_folder(const Scenario& scenario, const std::string& output) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::weakly_canonical(fs::absolute(scenario.path)).parent_path();
  if (starts_programs(scenario) &&
      fs::weakly_canonical(fs::absolute(output)).parent_path() != folder) {
    throw std::invalid_argument(fmt::format(
        "--story {}: the story names its program from its own folder; expected a file in {}",
        output, folder.string()));
  }
}

/// Writes the scenario without what the failure does not need. Throws `std::invalid_argument`.
sim::Failure shrink_story(const Scenario& scenario, const std::string& schedule,
                          const ShrinkArguments& arguments, Console& console) {
  const auto [text, fitting] = as_file(scenario, schedule);
  const SmallerScenario smaller =
      smaller_scenario(text, fitting,
                       {.name = std::filesystem::path(arguments.output).stem().string(),
                        .keep_going = time_limit(arguments, console),
                        .complete = [&](Scenario& each) { complete_like(scenario, each); }});
  const std::string head =
      fmt::format("# What is left of{}: it fails in the same way.\n", for_shell({scenario.path}));
  const std::string problem = write_file(arguments.output, head + smaller.text);
  if (!problem.empty()) {
    throw std::runtime_error(problem);
  }
  console.report_error(
      fmt::format("{}: without {} values of {}, {} steps are left, in {} runs; play it:"
                  "\n  {}",
                  arguments.output, smaller.removed, scenario.path, smaller.remaining, smaller.runs,
                  run_line(arguments.output)));
  return smaller.failure;
}

object shrunk_line(const Scenario& scenario, const sim::ShrinkResult& result) {
  object line = explained_line(scenario, result.failure.schedule, false);
  line["kind"] = result.failure.kind;
  line["sentence"] = result.failure.sentence;
  line["deviations"] = result.deviations;
  line["preemptions"] = result.preemptions;
  line["proven"] = result.proven;
  line["interrupted"] = result.interrupted;
  line["executions"] = result.runs;
  return line;
}

/// Prints the schedule alone on stdout, so that a script can take it; the rest goes to stderr.
int shrink(const ShrinkArguments& arguments, const Scenario& scenario, Console& console) {
  if (!arguments.output.empty()) {
    refuse_other_folder(scenario, arguments.output);
  }
  if (arguments.schedule.empty() && run_scenario(scenario).held()) {
    throw std::invalid_argument(
        fmt::format("{} holds in its undisturbed order, and no failure of it is on record here; "
                    "give --schedule, or run {} first",
                    scenario.path, line_to_paste("explore", scenario)));
  }
  const auto schedule = sim::Schedule::parse(schedule_or_default(scenario, arguments.schedule));
  const auto body = body_of(scenario, Scope::AnyOrder);
  const sim::Failure failure{.schedule = schedule.to_string()};
  const sim::ShrinkResult result = sim::shrink(
      failure, {.prove = arguments.prove, .keep_going = time_limit(arguments, console)}, body);
  console.report_error(result.failure.sentence);
  const std::string why = why_in_short(scenario, result.failure.schedule, &console);
  if (!why.empty()) {
    console.report_error(why);
  }
  console.report_error(summary_of(result));
  if (!keep_last_failure(scenario, result.failure.schedule).empty()) {
    console.report_error("explain it: " + line_to_paste("explain", scenario));
  }
  std::string last = result.failure.schedule;  // of the smaller file, where one is written
  if (!arguments.output.empty()) {
    last = shrink_story(scenario, last, arguments, console).schedule;
  }
  if (!arguments.common.json) {
    console.line(last);
    return kExitFound;
  }
  object line = shrunk_line(scenario, result);
  if (!arguments.output.empty()) {
    line["story"] = object{{"path", arguments.output}, {"schedule", last}};
  }
  print_json(line, console);
  return kExitFound;
}

struct ExplainArguments {
  CommonOptions common;
  std::string name;
  std::string schedule;
  std::string transport;
  std::size_t endings = 50;
  bool locks = false;

  [[nodiscard]] bool takes_last_failure() const { return transport.empty(); }
};

/// What a run that holds foretells: opposite lock orders, each tried out.
int foretell(const ExplainArguments& arguments, const Scenario& scenario,
             const std::string& schedule, Console& console) {
  const auto body = body_of(scenario, Scope::AnyOrder);
  sim::Numbering objects;
  const sim::Witness seen = sim::witness(schedule, body, objects);
  bool found = false;
  boost::json::array inversions;
  for (const sim::LockInversion& inversion : sim::predict_lock_inversions(seen)) {
    const auto deadlock = sim::confirm(inversion, seen, body);
    console.note(
        fmt::format("two locks in opposite orders:\n{}\n{}", inversion.to_string(seen),
                    deadlock ? "A directed run deadlocks there, by schedule " + deadlock->schedule
                             : "The directed run did not deadlock there."));
    inversions.push_back(object{{"text", inversion.to_string(seen)},
                                {"deadlock", deadlock ? deadlock->schedule : ""}});
    found = found || deadlock.has_value();
  }
  console.note("the run holds under this schedule");
  if (arguments.common.json) {
    object line = explained_line(scenario, schedule, true);
    line["opposite_locks"] = std::move(inversions);
    print_json(line, console);
  }
  return found ? kExitFound : kExitHeld;
}

constexpr std::size_t kEventsMax = 25;

/// What happened goes up to the failure; of a story, in its events, unless each operation is
/// wanted.
void add_what_happened(sim::ExplainOptions& options, const ExplainArguments& arguments,
                       const Scenario& scenario, const sim::Explanation& found) {
  const sim::RunResult& failed = found.witness.result;
  if (!arguments.locks) {
    options.story = narrate(scenario, failed, kEventsMax, &found);
  }
  options.story += options.story.empty() ? "" : "(each operation of each task: --locks)";
  options.last_step = failure_step(scenario, failed);
}

int explain(const ExplainArguments& arguments, const Scenario& scenario, Console& console) {
  const std::string schedule = schedule_or_default(scenario, arguments.schedule);
  sim::ExplainOptions options{.pair_runs_max = 500, .likelihood = {.endings = arguments.endings}};
  const std::size_t most =
      1 + options.pair_runs_max + arguments.endings * options.likelihood.points_max;
  const auto body = counted(body_of(scenario, Scope::AnyOrder), most, "runs at most", console);
  const auto found = sim::explain(schedule, body, options);
  if (!found) {
    return foretell(arguments, scenario, schedule, console);
  }
  add_what_happened(options, arguments, scenario, *found);
  if (!arguments.common.json) {
    console.line(found->to_string(options));
    return kExitFound;
  }
  object line = explained_line(scenario, schedule, false);
  line["kind"] = found->witness.result.failure->kind;
  line["sentence"] = found->witness.result.failure->sentence;
  line["explanation"] = found->to_string(options);
  if (found->pair) {
    line["difference"] = found->pair->to_string(found->witness);
    line["passing_schedule"] = found->pair->passing_schedule;
  }
  print_json(line, console);
  return kExitFound;
}

Command explain_command() {
  return command<ExplainArguments>(
      {.name = "explain",
       .group = "Understand",
       .summary = "Shows why a story fails and what would have saved it.",
       .footer =
           "Shrink the schedule first: explanations of short ones are short. A run that holds "
           "is looked through for locks that are taken in opposite orders.\n"
           "Examples:\n  watchlab explain missed_delete\n  watchlab explain my_race.yaml "
           "--schedule @schedule.txt\n"
           "  watchlab explain my_race.yaml --schedule 'w1:…' --endings 0\n"
           "  watchlab explain my_race.yaml --locks\n  watchlab explain missed_delete --json\n"
           "  ./watchlab explain recreated_object_lost     (in a checkout: the museum's broken "
           "variant)\n"
           "  ./watchlab explain my_race.yaml --variant defect.patch   (in a checkout)",
       .shares = {.json = true, .quiet = true, .allow_run = true},
       .arguments = [](ExplainArguments& to) -> std::vector<Argument> {
         return {scenario_argument(to.name),
                 failing_schedule_argument(to.schedule),
                 one_transport_argument(to.transport),
                 {"--locks", &to.locks,
                  "Shows each operation of each task before the failure, in place of the "
                  "events of the story"},
                 {"--endings", &to.endings,
                  "Random endings for each line of the likelihood; 0 for none"}};
       },
       .run = on_scenario("explain", explain)});
}

}  // namespace

std::vector<Command> replay_commands() {
  return {
      command<ReplayArguments>(
          {.name = "replay",
           .group = "Play",
           .summary = "Plays a story under exactly one schedule.",
           .footer =
               "A failure prints the line that replays it; this is the command in that line.\n"
               "Examples:\n  watchlab replay missed_delete --schedule 'w1:…'\n"
               "  watchlab replay missed_delete --schedule @schedule.txt --guided\n"
               "  watchlab replay missed_delete --schedule @schedule.txt --times 100",
           .shares = {.json = true, .junit = true, .quiet = true, .allow_run = true},
           .arguments = [](ReplayArguments& to) -> std::vector<Argument> {
             return {scenario_argument(to.name),
                     schedule_argument(to.schedule),
                     one_transport_argument(to.transport),
                     {"--guided", &to.guided, "Applies what fits and leaves out the rest"},
                     {.name = "--times",
                      .target = &to.times,
                      .help = "How often; each time must go the same way",
                      .least = 1},
                     {"--time", &to.time, "Of --times: stops after that time, like 30s"}};
           },
           .run = on_scenario("replay", replay)}),
      command<ShrinkArguments>(
          {.name = "shrink",
           .group = "Find",
           .summary = "Finds the shortest schedule that still fails in the same way.",
           .footer = "Prints the schedule alone on stdout, or a line of JSON. Exit 1, because the "
                     "scenario "
                     "still fails.\n"
                     "Examples:\n"
                     "  watchlab shrink my_race.yaml\n"
                     "  watchlab shrink my_race.yaml --schedule @schedule.txt > shorter.txt\n"
                     "  watchlab shrink my_race.yaml --schedule 'w1:…' --prove\n"
                     "  watchlab shrink my_race.yaml --schedule @schedule.txt --story smaller.yaml",
           .shares = {.json = true, .allow_run = true},
           .arguments = [](ShrinkArguments& to) -> std::vector<Argument> {
             return {
                 scenario_argument(to.name),
                 failing_schedule_argument(to.schedule),
                 {"--prove", &to.prove,
                  "Searches until no run with fewer preemptions can fail this way"},
                 {"--time", &to.time, "Stops after that time; 30s if left out, with --prove none"},
                 {.name = "--story",
                  .target = &to.output,
                  .help = "Also takes away steps, faults, clients and options that the failure "
                          "does not need, and writes the smaller scenario there",
                  .type_name = "OUT.yaml"}};
           },
           .run = on_scenario("shrink", shrink)}),
      explain_command()};
}

}  // namespace watchlab::scenarios
