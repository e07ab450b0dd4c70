#include <fmt/format.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/language/runner.hpp"
#include "scenarios/report/page_data.hpp"

namespace watchlab::scenarios {
namespace {

struct PageArguments {
  CommonOptions common;
  std::string name;
  std::string schedule;
  std::string transport;
  std::string output;
  std::optional<std::size_t> from;
  std::size_t steps = 5'000;
};

/// "", or which steps of a long run the page holds and how to get others.
std::string notice_for(const boost::json::object& window) {
  const auto number = [&](std::string_view name) {
    return window.at(name).to_number<std::size_t>();
  };
  if (number("first") == 1 && number("last") == number("of")) {
    return "";
  }
  return fmt::format("; of {} steps it holds {} to {}: --from STEP shows others", number("of"),
                     number("first"), number("last"));
}

int make_page(const PageArguments& arguments, const Scenario& scenario, Console& console) {
  const Scope scope = arguments.schedule.empty() ? Scope::StoredOrder : Scope::AnyOrder;
  const std::string schedule = schedule_or_default(scenario, arguments.schedule);
  SeenRun seen = see_run(scenario, schedule, scope);
  const auto& failure = seen.witness.result.failure;
  if (failure && failure->kind == "violation" && seen.record) {
    seen =
        see_run(scenario, schedule, scope, sim::broken_invariants(*seen.record, scenario.waived));
  }
  PageFacts facts = facts_of(scenario, seen, scope);
  const char* const variant = std::getenv("WATCHLAB_VARIANT");
  facts.variant = variant == nullptr ? "" : variant;
  const PageData data(scenario, seen, std::move(facts));
  PageWindow window{.first = arguments.from, .steps_max = arguments.steps};
  const std::string page = page_of(data, window);
  if (arguments.output.empty()) {
    console.line(page);
    return kExitHeld;
  }
  if (write_output(arguments.output, page, console) != kExitHeld) {
    return kExitFound;
  }
  const auto held = data.window(window);
  if (arguments.common.json) {
    print_json({{"name", display_name(scenario.path)},
                {"path", arguments.output},
                {"bytes", page.size()},
                {"steps", seen.witness.result.steps},
                {"events", data.events().size()},
                {"corrected", data.corrected()},
                {"held", !failure.has_value()}},
               console);
  }
  console.note(fmt::format("{}: {} steps, {} events, {} kB{}", arguments.output,
                           seen.witness.result.steps, data.events().size(), page.size() / 1000,
                           notice_for(held.at("window").as_object())));
  return kExitHeld;
}

}  // namespace

std::vector<Command> report_commands() {
  return {command<PageArguments>(
      {.name = "report",
       .summary = "Writes a page to step through a run, for a browser: one file, no network.",
       .footer =
           "The page shows the server's log, messages, reflector, queue, cache, handlers, work "
           "queue, tasks and clauses\nafter each event of the run, and what decides it if it "
           "fails. Its keys: press ? in it. Exit 0 when it is written.\n"
           "Examples:\n  watchlab report missed_delete -o missed_delete.html\n"
           "  watchlab report my_race.yaml --schedule @schedule.txt -o my_race.html\n"
           "  watchlab report long_story.yaml --from 20000 -o middle.html\n"
           "  ./watchlab report recreated_object_lost -o lost.html   (the museum's broken "
           "variant)\n"
           "  ./watchlab report my_race.yaml --variant defect.patch -o broken.html",
       .arguments = [](PageArguments& to) -> std::vector<Argument> {
         return {
             scenario_argument(to.name),
             optional_schedule_argument(to.schedule),
             one_transport_argument(to.transport),
             output_argument(to.output, "The .html file; on standard output if left out"),
             {.name = "--from",
              .target = &to.from,
              .help = "Of a long run: the first step that the page holds; if left out, it holds "
                      "those before the end of the story",
              .least = 1},
             {.name = "--steps",
              .target = &to.steps,
              .help = "Of a long run: how many steps the page holds at most; fewer where it "
                      "would have more than 2 MB",
              .least = 100,
              .most = 1'000'000}};
       },
       .run = on_scenario("report", make_page)})};
}

}  // namespace watchlab::scenarios
