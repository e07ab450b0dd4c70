#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/command_line/interrupt.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/language/runner.hpp"
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

void remark_stopped(const std::string& words, Console& console) {
  console.remark(
      fmt::format("stopped{}; to continue, from the beginning:\n  {}", words, same_call("replay")));
}

/// Throws `std::invalid_argument` for an option that would have no effect.
void check(const ReplayArguments& arguments) {
  refuse_unused(arguments.time.count() > 0 && arguments.times == 1, "--time",
                "it goes with --times, and the schedule is played once");
  refuse_unused(arguments.guided && unless_default(arguments.schedule).empty(), "--guided",
                "the default order always fits");
}

int replay(const ReplayArguments& arguments, const Scenario& scenario, Console& console) {
  check(arguments);
  Report report(arguments.common, "replay");
  const auto schedule = sim::Schedule::parse(schedule_or_default(scenario, arguments.schedule));
  const Interrupt interrupt;
  if (Interrupt::requested()) {
    add_stopped(report, scenario, "a signal came before it was played", console);
    remark_stopped("", console);
    (void)report.write(console);
    return kExitInterrupted;
  }
  const Stopwatch watch;
  const auto [played, times] = play_often(scenario, schedule, arguments, console);
  ReportEntry entry = entry_for(scenario, played);
  entry.seconds = watch.seconds();
  entry.executions = times;
  const bool is_cut = times < arguments.times && !played.divergence;
  const bool is_stopped = is_cut && entry.held && Interrupt::requested();
  if (is_stopped) {
    entry.held = false;
    entry.kind = ReportEntry::kStopped;
    entry.sentence = fmt::format("a signal came after {} of {} times", times, arguments.times);
  }
  report.add(entry);
  if (played.divergence) {
    console.report_error(fmt::format("{}: the run left the schedule: {}\n--guided plays what fits",
                                     visible_line(entry.path), *played.divergence));
  } else if (entry.failed()) {
    const std::string why = why_in_short(scenario, entry.schedule, &console);
    console.remark(
        Console::bad("FAIL") + "  " + entry.name + "\n" +
        failure_text(entry, played.result, {events_before(scenario, played.result), why}));
  } else if (!is_stopped) {
    console.note(Console::good("held") +
                 fmt::format("  {} under this schedule, {} steps", entry.name, entry.steps));
  }
  const std::string how_far =
      is_cut ? fmt::format(": it was played {} of {} times, each time the same way", times,
                           arguments.times)
             : "";
  if (Interrupt::requested()) {
    remark_stopped(how_far, console);
  } else if (is_cut) {
    console.remark("stopped" + how_far);
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
}  // namespace

std::vector<Command> replay_commands() {
  return {command<ReplayArguments>(
      {.name = "replay",
       .group = "Play",
       .summary = "Plays a story under exactly one schedule.",
       .footer = "Every failure prints a line that replays it, with this command.\n"
                 "Examples:\n"
                 "  watchlab replay missed_delete --schedule 'w1:…'\n"
                 "  watchlab replay missed_delete --schedule @schedule.txt --guided\n"
                 "  watchlab replay missed_delete --schedule @schedule.txt --times 100",
       .shares = {.json = true, .junit = true, .quiet = true, .allow_run = true},
       .heeds_signals = true,
       .arguments = [](ReplayArguments& to) -> std::vector<Argument> {
         return {scenario_argument(to.name),
                 schedule_argument(to.schedule),
                 one_transport_argument(to.transport),
                 {"--guided", &to.guided, "Applies what fits and skips the rest"},
                 {.name = "--times",
                  .target = &to.times,
                  .help = "How often to replay; every run must be the same",
                  .least = 1},
                 {"--time", &to.time, "With --times: stops after this time, such as 30s"}};
       },
       .run = on_scenario("replay", replay)})};
}

}  // namespace watchlab::scenarios
