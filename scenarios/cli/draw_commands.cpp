#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/picture_filter.hpp"
#include "scenarios/cli/picture_notes.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/command_line/interrupt.hpp"
#include "scenarios/command_line/output_file.hpp"
#include "scenarios/language/runner.hpp"
#include "scenarios/report/narration.hpp"
#include "sim/explore/strategy_catalogue.hpp"
#include "sim/trace/explored.hpp"
#include "sim/trace/pictures.hpp"
#include "sim/trace/waits.hpp"

namespace watchlab::scenarios {
namespace {

struct DrawArguments {
  CommonOptions common;
  std::string name;
  std::string view;  ///< "" for the one that suits the story
  std::string schedule;
  std::string machine;
  std::string output;
  std::optional<std::size_t> step;
  std::optional<std::string> strategy;
  std::optional<std::size_t> schedules;
  std::optional<std::size_t> nodes;
  runtime::Duration time{0};  ///< 0 for no limit
  std::string clients;        ///< names with commas between
  std::string keys;
  std::string object;  ///< of a run only what is about this; "" for all
  std::string from;    ///< a step or a moment
  std::string to;
  std::optional<std::size_t> last;
  bool brief = false;

  [[nodiscard]] bool takes_last_failure() const {
    return machine.empty() && view != "explored" && view != "story";
  }
};

/// What is drawn when --view is left out, too.
std::string view_of(const Scenario& scenario, const DrawArguments& arguments) {
  if (!arguments.view.empty()) {
    return arguments.view;
  }
  return scenario.program.empty() ? "spacetime" : "tasks";
}

/// An option that some views have no use for.
struct ViewOption {
  const char* name;
  bool is_given;
  std::vector<std::string> views;  ///< those that have
};

std::vector<ViewOption> options_of_views(const DrawArguments& given) {
  const std::vector<std::string> stories{"spacetime", "pipeline"};
  const std::vector<std::string> runs{"spacetime", "pipeline", "tasks"};
  return {{"--clients", !given.clients.empty(), stories},
          {"--keys", !given.keys.empty(), stories},
          {"--object", !given.object.empty(), stories},
          {"--from", !given.from.empty(), runs},
          {"--to", !given.to.empty(), runs},
          {"--last", given.last.has_value(), runs},
          {"--brief", given.brief, runs},
          {"--step", given.step.has_value(), {"waits"}},
          {"--schedule", !given.schedule.empty(), {"spacetime", "pipeline", "tasks", "waits"}},
          {"--strategy", given.strategy.has_value(), {"explored"}},
          {"--schedules", given.schedules.has_value(), {"explored"}},
          {"--nodes", given.nodes.has_value(), {"explored"}},
          {"--time", given.time.count() > 0, {"explored"}}};
}

/// Throws `std::invalid_argument` for an option that the view would ignore.
void refuse_other_views(const std::string& view, const DrawArguments& arguments) {
  for (const ViewOption& option : options_of_views(arguments)) {
    if (option.is_given && std::ranges::find(option.views, view) == option.views.end()) {
      throw std::invalid_argument(fmt::format("{} does not go with the view {}; it goes with {}",
                                              option.name, view, one_of(option.views)));
    }
  }
}

/// A run, as far as pictures need it, and the steps that decide how it ends.
struct RunForPicture {
  SeenRun seen;
  PageFacts facts;
  FailureMark failure;

  [[nodiscard]] std::vector<std::size_t> steps_that_matter() const {
    std::vector<std::size_t> steps{failure.step};
    for (const TurningPoint& turn : facts.turns) {
      steps.push_back(turn.step);
    }
    return steps;
  }
};

RunForPicture play_for_picture(const Scenario& scenario, const DrawArguments& arguments) {
  const Scope scope = arguments.schedule.empty() ? Scope::StoredOrder : Scope::AnyOrder;
  const std::string schedule = schedule_or_default(scenario, arguments.schedule);
  RunForPicture run{.seen = see_run(scenario, schedule, scope)};
  const auto& failure = run.seen.witness.result.failure;
  if (failure && failure->kind == "violation" && run.seen.record) {
    run.seen = see_run(scenario, schedule, scope, complaints_of(scenario, run.seen));
  }
  if (arguments.brief && !failure) {
    throw std::invalid_argument("--brief draws what decides how a run fails, and this run holds");
  }
  run.facts = facts_of(scenario, run.seen, scope);
  run.failure = failure_mark(scenario, run.seen);
  return run;
}

PictureFilter filter_of(const Scenario& scenario, const SeenRun& seen,
                        const DrawArguments& arguments) {
  PictureFilter filter{.clients = names_in(arguments.clients),
                       .keys = names_in(arguments.keys),
                       .object = arguments.object,
                       .last = arguments.last};
  refuse_unknown_clients(scenario, filter.clients);
  set_steps(filter, seen, arguments.from, arguments.to);
  return filter;
}

Graph tasks(const Scenario& scenario, const DrawArguments& arguments) {
  const RunForPicture run = play_for_picture(scenario, arguments);
  const sim::Witness& witness = run.seen.witness;
  const PictureFilter filter = filter_of(scenario, run.seen, arguments);
  sim::TasksPicture wanted{.first = filter.from.value_or(1),
                           .last = filter.to.value_or(witness.steps.size()),
                           .failure = run.failure.text};
  if (filter.last) {
    wanted.first = std::max(wanted.first, wanted.last - std::min(wanted.last, *filter.last) + 1);
  }
  if (arguments.brief) {
    wanted.steps = steps_around(run.steps_that_matter(), witness.steps.size());
    wanted.steps.erase(0);
  }
  for (const TurningPoint& turn : run.facts.turns) {
    wanted.marks.emplace(turn.step, "this decides");
  }
  const std::size_t rows = wanted.steps.empty()
                               ? wanted.last - std::min(wanted.last, wanted.first) + 1
                               : wanted.steps.size();
  std::set<std::uint32_t> lanes;
  for (const sim::WitnessedStep& step : witness.steps) {
    const bool is_chosen = wanted.steps.empty() || wanted.steps.contains(step.step);
    if (is_chosen && step.step >= wanted.first && step.step <= wanted.last) {
      lanes.insert(step.done.actor);
    }
  }
  refuse_too_large(
      rows, lanes.size(),
      fmt::format("--from and --to draw some steps, --last N the last ones{}",
                  run.failure.text.empty() ? "" : ", --brief those that decide how the run ends"),
      arguments.output);
  return {sim::tasks_dot(witness, wanted,
                         {.title = display_name(scenario.path), .story = scenario.story}),
          "nop"};
}

/// Whether pictures of messages have a place for it in a story.
bool is_of_story(const sim::NoteRecord& note) {
  return note.kind != "failure" && note.kind != "turn" && note.kind != "story";
}

/// How many columns a picture of messages may have: a client's own, and one for each handler.
std::size_t lanes_of(const Scenario& scenario, const PictureFilter& filter, bool is_pipeline) {
  std::size_t lanes = 1;
  for (const sim::StoryClientOptions& client : scenario.clients) {
    if (filter.clients.empty() || std::ranges::count(filter.clients, client.name) > 0) {
      lanes += (is_pipeline ? 3 : 1) + std::max<std::size_t>(client.handlers.size(), 1);
    }
  }
  return lanes;
}

Graph messages(const Scenario& scenario, const DrawArguments& arguments) {
  const RunForPicture run = play_for_picture(scenario, arguments);
  const bool is_pipeline = arguments.view == "pipeline";
  const auto all = picture_notes(scenario, run.seen, run.facts.turns);
  PictureFilter filter = filter_of(scenario, run.seen, arguments);
  filter.kinds = {"write", "fault", "receive", "handler", "returns", "full", "turn"};
  for (const char* kind : is_pipeline ? std::vector{"delta", "pop", "streamed"}
                                      : std::vector{"send", "lost", "print", "stream", "reflector",
                                                    "reconcile", "reconciled"}) {
    filter.kinds.emplace_back(kind);
  }
  auto notes = filtered(all, scenario, filter);
  if (!scenario.program.empty() && std::ranges::none_of(notes, is_of_story)) {
    throw std::invalid_argument(
        fmt::format("{} is a program of which the view {} shows nothing; --view tasks draws what "
                    "its tasks do to "
                    "locks and to one another, --view waits who waits for whom",
                    display_name(scenario.path), arguments.view));
  }
  refuse_unknown_objects(all, filter);
  if (arguments.brief) {
    notes = around(notes, run.steps_that_matter());
  }
  refuse_too_large(notes.size(), lanes_of(scenario, filter, is_pipeline),
                   "--clients and --keys draw what is about these, --object NAME what names one "
                   "object, --from and --to a part of the run, --last N its end",
                   arguments.output);
  sim::RunResult result = run.seen.witness.result;
  const sim::Heading heading{.title = display_name(scenario.path), .story = scenario.story};
  if (!is_pipeline) {
    result.notes = std::move(notes);
    return {sim::spacetime_dot(result, heading), "nop"};
  }
  result.notes = all;
  std::erase_if(result.notes, sim::is_of_picture);
  return {
      sim::pipeline_dot(result, {.clients = names_of_clients(scenario), .shown = notes}, heading),
      "nop"};
}

Graph waits(const Scenario& scenario, const DrawArguments& arguments) {
  const auto found = sim::find_waits(schedule_or_default(scenario, arguments.schedule),
                                     body_of(scenario, Scope::AnyOrder), arguments.step);
  if (!found) {
    throw std::invalid_argument(arguments.step
                                    ? fmt::format("the run has no step {}", *arguments.step)
                                    : std::string("no task ever waits in this run"));
  }
  std::string title = display_name(scenario.path);
  for (const TurningPoint& turn : play_for_picture(scenario, arguments).facts.turns) {
    title += turn.step == arguments.step ? "\n◆ this step decides how the run ends" : "";
  }
  return {sim::waits_dot(*found, title), "dot"};
}

/// Of `explored`, where nobody says how many.
constexpr std::size_t kRunsMax = 200;

/// What a signal leaves, or the end of the time, is drawn as well.
Graph explored(const Scenario& scenario, const DrawArguments& arguments, Console& console) {
  const Interrupt interrupt;
  const Exploration& own = scenario.explore;
  const sim::ExploreOptions options{.strategy = arguments.strategy.value_or(own.strategy),
                                    .seed = static_cast<std::uint64_t>(own.seed),
                                    .schedules_max = arguments.schedules.value_or(kRunsMax),
                                    .steps_max = static_cast<std::size_t>(own.steps),
                                    .preemptions_max = static_cast<int>(own.preemptions),
                                    .early_advances_max = static_cast<int>(own.early_advances),
                                    .scenario = scenario.hash,
                                    .keep_going = [&, goes_on = until_stopped(arguments.time),
                                                   runs = std::size_t{0}](const auto&) mutable {
                                      console.count(++runs, arguments.schedules.value_or(kRunsMax),
                                                    "runs");
                                      return goes_on();
                                    }};
  const sim::Explored found = sim::explore_tree(options, body_of(scenario, Scope::AnyOrder));
  if (found.interrupted) {
    console.remark(fmt::format("stopped: these are the first {} of {} runs",
                               found.tree.root().runs + found.blocked, options.schedules_max));
  } else if (Interrupt::requested()) {
    console.remark("stopped");  // behind the last of them
  }
  return {sim::explored_dot(found, {.title = display_name(scenario.path),
                                    .nodes_max = arguments.nodes.value_or(60)}),
          "nop"};
}

Graph graph_of(const Scenario& scenario, const DrawArguments& arguments, Console& console) {
  const std::string view = view_of(scenario, arguments);
  refuse_other_views(view, arguments);
  if (view == "waits") {
    return waits(scenario, arguments);
  }
  if (view == "explored") {
    return explored(scenario, arguments, console);
  }
  return view == "tasks" ? tasks(scenario, arguments) : messages(scenario, arguments);
}

/// What the name of the file asks for; SVG where it has no ending. Throws `std::invalid_argument`
/// for an ending that stands for no picture.
std::string format_of(const std::filesystem::path& output) {
  const std::string ending = output.extension().string();
  if (ending.empty()) {
    return "svg";
  }
  for (const char* format : {"svg", "png", "pdf", "dot"}) {
    if (ending == fmt::format(".{}", format)) {
      return format;
    }
  }
  throw std::invalid_argument(
      fmt::format("{}: no picture is written as '{}'; expected .svg, .png, .pdf or .dot",
                  output.string(), ending));
}

int draw(const DrawArguments& arguments, const Scenario& scenario, Console& console) {
  refuse_unused(arguments.common.quiet && !names_a_file(arguments.output), "--quiet",
                "it leaves out the line about the file that -o names");
  const std::string format = format_of(arguments.output);
  const std::string picture = render(graph_of(scenario, arguments, console), format);
  const int exit_code = Interrupt::requested() ? kExitInterrupted : kExitHeld;
  if (arguments.output.empty()) {
    console.line(picture);
    return exit_code;
  }
  if (write_output(arguments.output, picture, console) != kExitHeld) {
    return kExitFound;
  }
  console.note_output(arguments.output, " is drawn");
  return exit_code;
}

Argument explored_strategy_argument(std::optional<std::string>& strategy) {
  return {.name = "--strategy",
          .target = &strategy,
          .help = "For explored: how to choose schedules; default: the scenario's own strategy",
          .one_of = names_of(sim::strategy_catalogue())};
}

}  // namespace

std::vector<Command> draw_commands() {
  return {command<DrawArguments>(
      {.name = "draw",
       .group = "Understand",
       .summary = "Draws a run, or many runs, as a picture.",
       .footer =
           "Examples:\n  watchlab draw missed_delete --view spacetime -o missed_delete.svg\n"
           "  watchlab draw slow_handler --view pipeline -o slow_handler.png\n"
           "  watchlab draw crowded.yaml --view pipeline --keys demo-17 --to 90s -o demo.svg\n"
           "  watchlab draw recreated_object_lost --brief -o lost.svg\n"
           "  watchlab draw my_deadlock --view waits --schedule 'w1:…' -o waits.svg\n"
           "  watchlab draw missed_delete --view waits --step 120 -o waits.svg\n"
           "  watchlab draw my_race --view explored --strategy dfs --schedules 500 -o tree.svg",
       .shares = {.quiet = true, .allow_run = true},
       .arguments = [](DrawArguments& to) -> std::vector<Argument> {
         return {
             scenario_argument(to.name),
             {.name = "--view",
              .target = &to.view,
              .help = "spacetime: who did what when, with messages as arrows. pipeline: how each "
                      "change gets from the server through queue and store to the handlers. "
                      "tasks: what tasks did to locks and to each other. waits: who waits for "
                      "whom. explored: where many runs diverge, and which of them fail. Default: "
                      "tasks for a program, spacetime for a story",
              .one_of = {"spacetime", "pipeline", "tasks", "waits", "explored"}},
             failing_schedule_argument(to.schedule),
             one_machine_argument(to.machine),
             {"--step", &to.step,
              "For waits: the moment just before this step; default: the end of a run that is "
              "stuck, or where most tasks wait"},
             {.name = "--clients",
              .target = &to.clients,
              .help = "For spacetime and pipeline: only these clients, separated by commas",
              .type_name = "NAME,…"},
             {.name = "--keys",
              .target = &to.keys,
              .help = "For spacetime and pipeline: only these objects, as default/demo or demo",
              .type_name = "KEY,…"},
             {.name = "--from",
              .target = &to.from,
              .help = "For one run: from this step or time on, such as 20s",
              .type_name = "STEP|TIME"},
             {.name = "--to",
              .target = &to.to,
              .help = "For one run: up to this step or time",
              .type_name = "STEP|TIME"},
             {"--brief", &to.brief,
              "For a failing run: only the part around the decisive steps, as `explain` finds "
              "them"},
             {"--object", &to.object,
              "For spacetime and pipeline: only what mentions this object, and faults"},
             {.name = "--last",
              .target = &to.last,
              .help = "For one run: only the last events of its story, or steps of its tasks",
              .least = 1},
             explored_strategy_argument(to.strategy),
             {.name = "--schedules",
              .target = &to.schedules,
              .help = "For explored: how many runs to play; default 200",
              .least = 1},
             {.name = "--nodes",
              .target = &to.nodes,
              .help = "For explored: maximum number of boxes, branches with failures first; "
                      "default 60",
              .least = 1},
             {"--time", &to.time,
              "For explored: stops after this time, such as 30s, and draws "
              "the runs so far"},
             output_argument(to.output,
                             "An .svg, .png, .pdf or .dot file; default: SVG on "
                             "standard output")};
       },
       .run =
           [](const DrawArguments& arguments, Console& console) {
             need_graphviz();
             return on_scenario("draw", draw)(arguments, console);
           }})};
}

}  // namespace watchlab::scenarios
