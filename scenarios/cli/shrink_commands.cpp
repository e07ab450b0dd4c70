#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/campaign/ticker.hpp"
#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/last_failure.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/command_line/interrupt.hpp"
#include "scenarios/command_line/output_file.hpp"
#include "scenarios/language/document.hpp"
#include "scenarios/language/parse.hpp"
#include "scenarios/language/plain_text.hpp"
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

/// Asks for the end when a signal has come, and after the time that the user gave, or else after a
/// while, and says how far the search is. A search for a proof takes what it takes.
std::function<bool()> time_limit(const ShrinkArguments& arguments, Console& console) {
  const bool has_end = !arguments.prove || arguments.time > runtime::Duration(0);
  const runtime::Duration time =
      arguments.time == runtime::Duration(0) ? kShrinkTime : arguments.time;
  return [&console, has_end, seconds = std::chrono::duration<double>(time).count(),
          shows = Ticker(std::chrono::milliseconds(100)), watch = Stopwatch(),
          runs = std::size_t{0}]() mutable {
    const double past = watch.seconds();
    if (++runs == 1 || shows.is_due()) {
      const std::string left =
          has_end ? fmt::format("at most {:.0f} s left: ", seconds - past) : "";
      console.progress(fmt::format("{}run {}, {}", left, runs,
                                   rate_text(static_cast<double>(runs) / std::max(past, 1e-3))));
    }
    return !Interrupt::requested() && (!has_end || past < seconds);
  };
}

std::string_view certainty_of(const sim::ShrinkResult& result) {
  if (result.interrupted && Interrupt::requested()) {
    return "a signal came before all was tried";
  }
  if (result.interrupted) {
    return "the time was over before all was tried: --time gives it more";
  }
  return result.proven ? "no run with fewer preemptions fails this way"
                       : "fewer may be enough: --prove continues until that is certain";
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
      fmt::format("{}: removed {} values of {}, {} steps remain, in {} runs; play it:"
                  "\n  {}",
                  visible_line(arguments.output), smaller.removed, visible_line(scenario.path),
                  smaller.remaining, smaller.runs, run_line(arguments.output)));
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

/// The failure of the story that is made small, and its schedule.
sim::Failure failure_to_shrink(const ShrinkArguments& arguments, const Scenario& scenario) {
  if (arguments.schedule.empty() && run_scenario(scenario).held()) {
    throw std::invalid_argument(
        fmt::format("{} holds in its default order, and no failure of it is on record here; "
                    "give --schedule, or run {} first",
                    visible_line(scenario.path), line_to_paste("explore", scenario)));
  }
  return {.schedule =
              sim::Schedule::parse(schedule_or_default(scenario, arguments.schedule)).to_string()};
}

/// The call that goes on from what was found: `kept` is the file of that, "" for none.
std::string rest_line(const Scenario& scenario, const std::string& schedule,
                      const std::string& kept) {
  return same_call("shrink",
                   {.without = {"--schedule"},
                    .with = "--schedule" + for_shell({kept.empty() ? schedule : "@" + kept}),
                    .stories = {&scenario}});
}

/// Says what was found and why it fails, and keeps it. Returns the file; "" for none.
std::string print_shrunk(const Scenario& scenario, const sim::ShrinkResult& result,
                         Console& console) {
  const std::string& schedule = result.failure.schedule;
  console.report_error(result.failure.sentence);
  const std::string why = Interrupt::requested() ? "" : why_in_short(scenario, schedule, &console);
  if (!why.empty()) {
    console.report_error(why);
  }
  console.report_error(summary_of(result));
  std::string kept = keep_last_failure(scenario, schedule);
  if (!kept.empty()) {
    console.report_error("explain it: " + line_to_paste("explain", scenario));
  }
  return kept;
}

/// Says what a signal kept from its end, which is not always the search.
void print_stopped(const ShrinkArguments& arguments, const sim::ShrinkResult& result,
                   const std::string& rest, Console& console) {
  if (result.interrupted || !arguments.output.empty()) {
    console.report_error(fmt::format(
        "stopped{}; to continue:\n  {}",
        result.interrupted ? "" : ": the schedule is short, the story is not smaller yet", rest));
  } else {
    console.report_error("stopped: the search was over, and only why it fails is not known yet");
  }
}

/// Prints the schedule alone on stdout, so that a script can take it; the rest goes to stderr.
int shrink(const ShrinkArguments& arguments, const Scenario& scenario, Console& console) {
  if (!arguments.output.empty()) {
    refuse_other_folder(scenario, arguments.output);
  }
  const sim::Failure failure = failure_to_shrink(arguments, scenario);
  const Interrupt interrupt;
  const sim::ShrinkResult result =
      sim::shrink(failure, {.prove = arguments.prove, .keep_going = time_limit(arguments, console)},
                  body_of(scenario, Scope::AnyOrder));
  const std::string kept = print_shrunk(scenario, result, console);
  std::string last = result.failure.schedule;  // of the smaller file, where one is written
  const bool writes_story = !arguments.output.empty() && !Interrupt::requested();
  if (writes_story) {
    last = shrink_story(scenario, last, arguments, console).schedule;
  }
  const std::string rest =
      Interrupt::requested() ? rest_line(scenario, result.failure.schedule, kept) : "";
  if (Interrupt::requested()) {
    print_stopped(arguments, result, rest, console);
  }
  Report report({.junit = arguments.common.junit}, "shrink");
  report.add({.name = display_name(scenario.path),
              .path = scenario.path,
              .held = false,
              .kind = result.failure.kind,
              .sentence = result.failure.sentence,
              .schedule = result.failure.schedule,
              .command = replay_line(scenario, result.failure.schedule),
              .executions = result.runs});
  (void)report.write(console);  // the exit status says already that something was found
  if (arguments.common.json) {
    object line = shrunk_line(scenario, result);
    if (!rest.empty()) {
      line["resume"] = rest;
    }
    if (writes_story) {
      line["story"] = object{{"path", arguments.output}, {"schedule", last}};
    }
    print_json(line, console);
  } else {
    console.line(last);
  }
  return Interrupt::requested() ? kExitInterrupted : kExitFound;
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
  console.note(Console::good("the run holds under this schedule"));
  if (arguments.schedule.empty()) {
    console.note(
        fmt::format("This is the default order, because no failure of {} is on record here; "
                    "pass --schedule, or run {} first.",
                    visible_line(scenario.path), line_to_paste("explore", scenario)));
  }
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

void print_explained(const ExplainArguments& arguments, const Scenario& scenario,
                     const sim::Explanation& found, const sim::ExplainOptions& options,
                     Console& console) {
  if (!arguments.common.json) {
    console.line(Console::with_headings(found.to_string(options)));
    return;
  }
  const sim::Failure& failure = *found.witness.result.failure;
  object line = explained_line(scenario, found.witness.result.schedule, false);
  line["kind"] = failure.kind;
  line["sentence"] = failure.sentence;
  line["explanation"] = found.to_string(options);
  line["interrupted"] = found.interrupted;
  if (found.pair) {
    line["difference"] = found.pair->to_string(found.witness);
    line["passing_schedule"] = found.pair->passing_schedule;
  }
  print_json(line, console);
}

int explain(const ExplainArguments& arguments, const Scenario& scenario, Console& console) {
  const std::string schedule = schedule_or_default(scenario, arguments.schedule);
  const Interrupt interrupt;
  sim::ExplainOptions options{.pair_runs_max = 500,
                              .likelihood = {.endings = arguments.endings},
                              .lane_width = console.columns_or(180) / 5,
                              .keep_going = [] { return !Interrupt::requested(); }};
  const std::size_t most =
      1 + options.pair_runs_max + arguments.endings * options.likelihood.points_max;
  const auto body = counted(body_of(scenario, Scope::AnyOrder), most, "runs at most", console);
  const auto found = sim::explain(schedule, body, options);
  int status = kExitFound;
  if (found) {
    add_what_happened(options, arguments, scenario, *found);
    print_explained(arguments, scenario, *found, options, console);
  } else {
    status = foretell(arguments, scenario, schedule, console);
  }
  if (!Interrupt::requested()) {
    return status;
  }
  if (!found || found->interrupted) {
    console.remark("stopped before all was tried; explain begins again with:\n  " +
                   same_call("explain", {.without = {"--schedule"},
                                         .with = "--schedule" + for_shell({schedule}),
                                         .stories = {&scenario}}));
  }
  return kExitInterrupted;
}

Command explain_command() {
  return command<ExplainArguments>(
      {.name = "explain",
       .group = "Understand",
       .summary = "Shows why a story fails and what would have saved it.",
       .footer =
           "Shrink the schedule first: a short schedule has a short explanation. If the run "
           "passes, explain looks for locks that are taken in opposite orders.\n"
           "Ctrl-C, SIGTERM and SIGHUP print what is known so far; the exit status is then 130.\n"
           "Examples:\n"
           "  watchlab explain my_race.yaml --schedule @schedule.txt\n"
           "  watchlab explain my_race.yaml --schedule 'w1:…' --endings 0\n"
           "  watchlab explain my_race.yaml --locks\n"
           "  watchlab explain my_race.yaml --json\n"
           "  ./watchlab explain recreated_object_lost   # in a checkout: the museum's broken "
           "variant\n"
           "  ./watchlab explain my_race.yaml --variant defect.patch   # in a checkout",
       .shares = {.json = true, .quiet = true, .allow_run = true},
       .heeds_signals = true,
       .arguments = [](ExplainArguments& to) -> std::vector<Argument> {
         return {scenario_argument(to.name),
                 failing_schedule_argument(to.schedule),
                 one_transport_argument(to.transport),
                 {"--locks", &to.locks,
                  "Shows every operation of every task before the failure, instead of the events "
                  "of the story"},
                 {"--endings", &to.endings,
                  "Random endings to play for each line of the likelihood; 0 for none"}};
       },
       .run = on_scenario("explain", explain)});
}

}  // namespace

std::vector<Command> shrink_commands() {
  return {
      command<ShrinkArguments>(
          {.name = "shrink",
           .group = "Find",
           .summary = "Finds the shortest schedule that still fails in the same way.",
           .footer = "Prints only the schedule, or a line of JSON. The exit status is 1, because "
                     "the scenario still fails.\n"
                     "Ctrl-C, SIGTERM and SIGHUP print the shortest schedule so far and a line "
                     "that continues; the exit status is then 130.\n"
                     "Examples:\n"
                     "  watchlab shrink my_race.yaml\n"
                     "  watchlab shrink my_race.yaml --schedule @schedule.txt > shorter.txt\n"
                     "  watchlab shrink my_race.yaml --schedule 'w1:…' --prove\n"
                     "  watchlab shrink my_race.yaml --schedule @schedule.txt --story "
                     "smaller.yaml",
           .shares = {.json = true, .junit = true, .allow_run = true},
           .heeds_signals = true,
           .arguments = [](ShrinkArguments& to) -> std::vector<Argument> {
             return {
                 scenario_argument(to.name),
                 failing_schedule_argument(to.schedule),
                 {"--prove", &to.prove,
                  "Searches until it is proven that no run with fewer preemptions fails this way"},
                 {"--time", &to.time, "Stops after this time; default 30s, no limit with --prove"},
                 {.name = "--story",
                  .target = &to.output,
                  .help = "Also removes steps, faults, clients and options that the failure does "
                          "not need, and writes the smaller scenario to this file",
                  .type_name = "OUT.yaml",
                  .is_output = true}};
           },
           .run = on_scenario("shrink", shrink)}),
      explain_command()};
}

}  // namespace watchlab::scenarios
