#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/features/release_profile.hpp"
#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/command_line/output_file.hpp"
#include "scenarios/language/input_file.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/language/runner.hpp"
#include "scenarios/language/utf8.hpp"
#include "scenarios/report/alignment.hpp"
#include "scenarios/report/page_data.hpp"

namespace watchlab::scenarios {
namespace {

struct PageArguments {
  CommonOptions common;
  std::string name;
  std::string schedule;
  std::string with;
  std::string machines;
  std::string transport;
  std::string output;
  std::optional<std::size_t> from;
  std::optional<std::size_t> steps;
  bool guided = false;

  [[nodiscard]] bool takes_last_failure() const { return transport.empty() && machines.empty(); }
};

/// A run with what a page shows of it, and how it went.
struct SeenPage {
  boost::json::object whole;
  std::size_t events = 0;
  std::size_t corrected = 0;
};

/// "", or which steps of a long run the page holds and how to get others.
std::string notice_for(const boost::json::object& whole, const PageWindow& window) {
  const auto steps = whole.at("window").at("of").to_number<std::size_t>();
  if (steps <= window.steps_max && !window.first) {
    return "";
  }
  const boost::json::object held = window_of(whole, window);
  const auto number = [&](std::string_view name) {
    return held.at("window").at(name).to_number<std::size_t>();
  };
  return fmt::format("; of {} steps it holds {} to {}: --from STEP shows others", number("of"),
                     number("first"), number("last"));
}

/// The schedule that is played: where it is only a guide, the one of the run that came of it.
std::string played_schedule(const Scenario& scenario, const std::string& argument, bool guided) {
  if (argument.empty() || !guided) {
    return schedule_or_default(scenario, argument);
  }
  const sim::Schedule guide = schedule_for(scenario, schedule_text(argument));
  return replay_scenario(scenario, guide, true).result.schedule;
}

SeenPage see_page(const Scenario& scenario, const std::string& argument, bool guided) {
  const Scope scope = argument.empty() ? Scope::StoredOrder : Scope::AnyOrder;
  const std::string schedule = played_schedule(scenario, argument, guided);
  SeenRun seen = see_run(scenario, schedule, scope);
  const auto& failure = seen.witness.result.failure;
  if (failure && failure->kind == "violation" && seen.record) {
    seen = see_run(scenario, schedule, scope, complaints_of(scenario, seen));
  }
  PageFacts facts = facts_of(scenario, seen, scope);
  facts.variant = variant_played();
  facts.program = program_on_pages();
  const PageData data(scenario, seen, std::move(facts));
  return {.whole = data.whole(), .events = data.events().size(), .corrected = data.corrected()};
}

/// A run that `report -o FILE.json` has written. Throws `std::invalid_argument` for anything else.
boost::json::object read_run(const std::string& path) {
  const std::string text = read_input(path);
  boost::system::error_code wrong;
  const boost::json::value read = boost::json::parse(text, wrong);
  try {
    if (!wrong && is_page_data(read)) {
      (void)item_names(window_of(read.as_object(), {}));  // looks at all parts
      return read.as_object();
    }
  } catch (const std::exception&) {  // a part is missing, or is something else
  }
  throw std::invalid_argument(path + " is no run as `watchlab report -o FILE.json` writes it");
}

/// The machines that --machine names, one or two with a comma between them.
std::vector<std::string> machines_in(const std::string& argument) {
  std::vector<std::string> machines = machines_named(argument);
  if (machines.size() > 2) {
    throw std::invalid_argument("--machine: a page shows at most two machines");
  }
  return machines;
}

/// The run that is shown beside the first one; nothing when none is asked for.
std::optional<boost::json::object> other_run(const PageArguments& arguments,
                                             const Scenario& scenario,
                                             const std::vector<std::string>& machines,
                                             Console& console) {
  if (machines.size() == 2 && !arguments.with.empty()) {
    throw std::invalid_argument(
        "--with and two machines do not go together: a page shows two runs");
  }
  if (machines.size() == 2) {
    return see_page(on_the_named_machine(machines[1], scenario), arguments.schedule,
                    arguments.guided)
        .whole;
  }
  if (arguments.with.empty()) {
    return std::nullopt;
  }
  if (arguments.with == "fixed") {
    throw std::invalid_argument(fmt::format(
        "--with fixed: core is no variant here; it goes with {}, or with a piece of the "
        "museum",
        in_a_checkout("report and --variant")));
  }
  if (arguments.with.ends_with(".json") && !arguments.with.starts_with('@')) {
    return read_run(arguments.with);
  }
  const std::string schedule = unless_default(arguments.with);
  return see_page(scenario_for(scenario, schedule, console), schedule, arguments.guided).whole;
}

constexpr std::size_t kStepsMax = 5'000;

/// Where the page goes if the caller has not said: STORY.html here. Where another file of that name
/// is there, such as the page of a story of that name in another folder, it is named by its path.
std::string own_output(const Scenario& scenario) {
  namespace fs = std::filesystem;
  std::error_code failure;
  const std::string name = display_name(scenario.path);
  std::string file = name.substr(name.rfind('/') + 1) + ".html";
  const std::string is_of = "\"path\":" + boost::json::serialize(scenario.path);
  if (!fs::is_regular_file(fs::symlink_status(file, failure)) ||
      read_file(file).value_or("").find(is_of) != std::string::npos) {
    return file;
  }
  const fs::path folder = fs::path(scenario.path).parent_path();
  std::string by_path =
      ((folder.empty() ? fs::current_path().filename() : folder.lexically_normal()) / file)
          .string();
  std::ranges::replace(by_path, '/', '-');
  return by_path.substr(by_path.find_first_not_of(".-"));
}

/// Throws `std::invalid_argument` for an option that would have no effect.
void check(const PageArguments& arguments, std::string_view output) {
  refuse_unused(arguments.common.json && output == "-", "--json",
                "-o - prints the page on standard output");
  refuse_unused(arguments.common.quiet && output == "-", "--quiet",
                "-o - prints the page and nothing else");
  refuse_unused(arguments.guided && arguments.schedule.empty() && arguments.with.empty(),
                "--guided", "it says how a --schedule is applied, and none is given");
  if (output.ends_with(".json")) {
    constexpr std::string_view kWhy = "a .json holds the whole run";
    refuse_unused(arguments.from.has_value(), "--from", kWhy);
    refuse_unused(arguments.steps.has_value(), "--steps", kWhy);
  }
}

int make_page(const PageArguments& arguments, const Scenario& scenario, Console& console) {
  const std::string output = arguments.output.empty() ? own_output(scenario) : arguments.output;
  refuse_other_endings(output, {".html", ".htm", ".json"});
  check(arguments, output);
  const std::vector<std::string> machines = machines_in(arguments.machines);
  for (const std::string& machine : machines) {
    refuse_schedule_of_another_machine(machine, scenario, arguments.schedule);
  }
  const Scenario shown = on_the_named_machine(machines.empty() ? "" : machines.front(), scenario);
  const SeenPage first = see_page(shown, arguments.schedule, arguments.guided);
  const auto steps = first.whole.at("window").at("of").to_number<std::size_t>();
  if (arguments.from.value_or(1) > steps) {
    throw std::invalid_argument(
        fmt::format("--from {}: the run has only {} steps", *arguments.from, steps));
  }
  const auto other = other_run(arguments, shown, machines, console);
  PageWindow window{.first = arguments.from, .steps_max = arguments.steps.value_or(kStepsMax)};
  const bool as_data = output.ends_with(".json");
  if (as_data && other) {
    throw std::invalid_argument("a .json holds one run; two of them are a page");
  }
  const std::string page =
      valid_utf8(as_data ? visible_text(boost::json::serialize(first.whole)) + "\n"
                 : other ? page_of_two(first.whole, *other, window)
                         : page_of(first.whole, window));
  const std::string problem =
      arguments.output.empty() ? write_own_file(output, page) : write_file(output, page);
  if (!problem.empty()) {
    console.report_error(problem);
    return kExitFound;
  }
  if (arguments.common.json) {
    print_json({{"name", display_name(scenario.path)},
                {"path", output},
                {"bytes", page.size()},
                {"steps", steps},
                {"events", first.events},
                {"corrected", first.corrected},
                {"runs", other ? 2 : 1},
                {"held", first.whole.at("held")}},
               console);
  }
  console.note_output(output,
                      fmt::format(": {} steps, {} events, {} kB{}{}", steps, first.events,
                                  page.size() / 1000, other ? "; two runs side by side" : "",
                                  as_data || other ? "" : notice_for(first.whole, window)));
  return kExitHeld;
}

}  // namespace

std::vector<Command> report_commands() {
  return {command<PageArguments>(
      {.name = "report",
       .group = "Understand",
       .summary = "Writes a page for stepping through a run in a browser.",
       .footer =
           "For each event of the run, the page shows the server's log, messages, reflector, "
           "queue, cache, handlers, work queue, tasks and clauses, and what made a failing run "
           "fail. Press ? on the page for its keys. With --with or two machines it shows two "
           "runs side by side. The exit status is 0 when the page is written.\n"
           "Examples:\n"
           "  watchlab report missed_delete\n"
           "  watchlab report my_race.yaml --schedule @schedule.txt -o my_race.html\n"
           "  watchlab report long_story.yaml --from 20000 -o middle.html\n"
           "  watchlab report missed_delete --machine classic,0.33 -o both.html\n"
           "  ./watchlab report recreated_object_lost -o lost.html   # in a checkout: the "
           "museum's broken variant\n"
           "  ./watchlab report recreated_object_lost --with fixed -o both.html   # in a "
           "checkout\n"
           "  ./watchlab report my_race.yaml --variant defect.patch -o broken.html   # in a "
           "checkout",
       .shares = {.json = true, .quiet = true, .allow_run = true},
       .arguments = [](PageArguments& to) -> std::vector<Argument> {
         return {
             scenario_argument(to.name),
             failing_schedule_argument(to.schedule),
             one_transport_argument(to.transport),
             output_argument(to.output,
                             "The .html file, or a .json file with the run's data for --with, or "
                             "- for standard output; default STORY.html"),
             {.name = "--with",
              .target = &to.with,
              .help = "A second run to show beside it: another schedule, @FILE to read it from a "
                      "file, default for the default order, or a .json that `report -o` wrote; for "
                      "a variant, fixed plays the same schedule on unchanged core",
              .type_name = "SCHEDULE"},
             {.name = "--machine",
              .target = &to.machines,
              .help =
                  "Which release of client-go all clients behave like; two, separated by a comma, "
                  "are shown side by side: " +
                  one_of(features::machine_names()),
              .type_name = "NAME[,NAME]"},
             {"--guided", &to.guided, "Applies what fits of a schedule, and skips the rest"},
             {.name = "--from",
              .target = &to.from,
              .help = "For a long run: the first step on the page; default: the page shows the "
                      "steps before the end of the story",
              .least = 1},
             {.name = "--steps",
              .target = &to.steps,
              .help = "For a long run: maximum number of steps on the page; fewer if the page "
                      "would exceed 2 MB",
              .least = 100,
              .most = 1'000'000}};
       },
       .run = on_scenario("report", make_page)})};
}

}  // namespace watchlab::scenarios
