#include <fmt/format.h>

#include <boost/json.hpp>
#include <memory>
#include <stdexcept>
#include <string>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/cli/trace_source.hpp"
#include "scenarios/cli/usual_arguments.hpp"
#include "scenarios/language/runner.hpp"
#include "sim/explain/explain.hpp"
#include "sim/explain/lock_order.hpp"

namespace watchlab::scenarios {
namespace {

struct ExplainArguments {
  CommonOptions common;
  std::string name;
  std::string schedule;
  std::string transport;
  std::size_t endings = 50;
};

using boost::json::object;

/// The line that --json prints, whether the run fails or holds.
object line_for(const Scenario& scenario, const std::string& schedule, bool held) {
  return {{"name", display_name(scenario.path)},
          {"path", scenario.path},
          {"held", held},
          {"schedule", schedule}};
}

void print_line(const ExplainArguments& arguments, const object& line, Console& console) {
  if (arguments.common.json) {
    console.line(boost::json::serialize(line));
  }
}

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
    console.remark(
        fmt::format("two locks in opposite orders:\n{}\n{}", inversion.to_text(seen),
                    deadlock ? "A directed run deadlocks there, by schedule " + deadlock->schedule
                             : "The directed run did not deadlock there."));
    inversions.push_back(object{{"text", inversion.to_text(seen)},
                                {"deadlock", deadlock ? deadlock->schedule : ""}});
    found = found || deadlock.has_value();
  }
  console.remark("the run holds under this schedule");
  object line = line_for(scenario, schedule, true);
  line["opposite_locks"] = std::move(inversions);
  print_line(arguments, line, console);
  return found ? exit_found : exit_held;
}

int explain(const ExplainArguments& arguments, const Scenario& scenario, Console& console) {
  const auto body = body_of(scenario, Scope::AnyOrder);
  const std::string schedule = schedule_or_ordinary(scenario, arguments.schedule);
  const sim::ExplainOptions options{.pair_runs_max = 500,
                                    .likelihood = {.endings = arguments.endings}};
  const auto found = sim::explain(schedule, body, options);
  if (!found) {
    return foretell(arguments, scenario, schedule, console);
  }
  if (!arguments.common.json) {
    console.line(found->to_text(options));
    return exit_found;
  }
  object line = line_for(scenario, schedule, false);
  line["kind"] = found->witness.result.failure->kind;
  line["sentence"] = found->witness.result.failure->sentence;
  line["explanation"] = found->to_text(options);
  if (found->pair) {
    line["difference"] = found->pair->to_text(found->witness);
    line["passing_schedule"] = found->pair->passing_schedule;
  }
  print_line(arguments, line, console);
  return exit_found;
}

}  // namespace

Command explain_command() {
  auto arguments = std::make_shared<ExplainArguments>();
  return {.name = "explain",
          .summary = "Tells why a scenario fails under a schedule, and what would have saved it.",
          .footer =
              "Shrink the schedule first: explanations of short ones are short. A run that "
              "holds is looked\nthrough for locks that are taken in opposite orders.\n"
              "Examples:\n  watchlab explain missed_delete\n  watchlab explain my_race.yaml "
              "--schedule @schedule.txt\n"
              "  watchlab explain my_race.yaml --schedule 'w1:…' --endings 0\n"
              "  watchlab explain missed_delete --json\n"
              "  ./watchlab explain recreated_object_lost     (the museum's broken variant)\n"
              "  ./watchlab explain my_race.yaml --variant defect.patch",
          .arguments = with_common_options(
              {scenario_argument(arguments->name),
               optional_schedule_argument(arguments->schedule, "the ordinary one"),
               one_transport_argument(arguments->transport),
               {.name = "--endings",
                .target = &arguments->endings,
                .help = "Random endings for each line of the likelihood; 0 for none"}},
              arguments->common),
          .run = on_scenario("explain", arguments, explain)};
}

}  // namespace watchlab::scenarios
