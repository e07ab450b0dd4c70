#include <fmt/format.h>
#include <gvc.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/language/runner.hpp"
#include "sim/trace/explored.hpp"
#include "sim/trace/pictures.hpp"
#include "sim/trace/waits.hpp"

namespace watchlab::scenarios {
namespace {

/// A graph in the DOT language, and the engine that lays it out.
struct Graph {
  std::string dot;
  std::string layout;
};

struct FreeContext {
  void operator()(GVC_t* context) const { gvFreeContext(context); }
};
struct CloseGraph {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};

/// Renders the graph in this process, as "svg", "png", "pdf" or "dot" (the bytes of such a file).
/// Throws `std::runtime_error` when Graphviz refuses.
std::string render(const Graph& graph, const std::string& format) {
  const std::unique_ptr<GVC_t, FreeContext> context(gvContext());
  const std::unique_ptr<Agraph_t, CloseGraph> parsed(agmemread(graph.dot.c_str()));
  if (!context || !parsed || gvLayout(context.get(), parsed.get(), graph.layout.c_str()) != 0) {
    throw std::runtime_error("Graphviz cannot lay out the picture with '" + graph.layout + "'");
  }
  char* rendered = nullptr;
  unsigned int length = 0;
  const int failed = gvRenderData(context.get(), parsed.get(), format.c_str(), &rendered, &length);
  std::string bytes = failed == 0 ? std::string(rendered, length) : "";
  gvFreeRenderData(rendered);
  gvFreeLayout(context.get(), parsed.get());
  if (failed != 0) {
    throw std::runtime_error("Graphviz cannot render " + format + " here");
  }
  return bytes;
}

struct DrawArguments {
  CommonOptions common;
  std::string name;
  std::string view = "spacetime";
  std::string schedule;
  std::string output;
  std::optional<std::size_t> step;
  std::optional<std::string> strategy;
  std::size_t schedules = 200;
  std::size_t nodes = 60;
  std::string object;  ///< of a run only what is about this; "" for all
  std::optional<std::size_t> last;
};

/// More than that no reader can look at, and Graphviz takes minutes for it.
constexpr std::size_t kRowsMax = 1'500;

Played play_for_picture(const Scenario& scenario, const DrawArguments& arguments) {
  if (arguments.schedule.empty()) {
    return run_scenario(scenario);
  }
  const sim::Schedule schedule = schedule_for(scenario, schedule_text(arguments.schedule));
  return replay_scenario(scenario, schedule, false);
}

/// Leaves of a run what is to be drawn. Throws `std::invalid_argument` when that is too much.
void keep_wanted(std::vector<sim::NoteRecord>& notes, const DrawArguments& arguments) {
  if (!arguments.object.empty()) {
    std::erase_if(notes, [&](const sim::NoteRecord& note) {
      const bool is_about = note.subject.find(arguments.object) != std::string::npos ||
                            note.text.find(arguments.object) != std::string::npos;
      return !is_about && note.kind != "story" && note.kind != "fault";
    });
  }
  if (arguments.last && notes.size() > *arguments.last) {
    notes.erase(notes.begin(), notes.end() - static_cast<std::ptrdiff_t>(*arguments.last));
  }
  if (notes.size() > kRowsMax) {
    throw std::invalid_argument(
        fmt::format("the picture would have {} rows, and {} can be drawn; --object NAME draws what "
                    "is about one object, --last N the end of the run",
                    notes.size(), kRowsMax));
  }
}

Graph waits(const Scenario& scenario, const DrawArguments& arguments) {
  const auto found = sim::find_waits(schedule_or_default(scenario, arguments.schedule),
                                     body_of(scenario, Scope::AnyOrder), arguments.step);
  if (!found) {
    throw std::invalid_argument(arguments.step
                                    ? fmt::format("the run has no step {}", *arguments.step)
                                    : std::string("no task ever waits in this run"));
  }
  return {sim::waits_dot(*found, display_name(scenario.path)), "dot"};
}

Graph explored(const Scenario& scenario, const DrawArguments& arguments) {
  const Exploration& own = scenario.explore;
  const sim::ExploreOptions options{.strategy = arguments.strategy.value_or(own.strategy),
                                    .seed = static_cast<std::uint64_t>(own.seed),
                                    .schedules_max = arguments.schedules,
                                    .steps_max = static_cast<std::size_t>(own.steps),
                                    .preemptions_max = static_cast<int>(own.preemptions),
                                    .early_advances_max = static_cast<int>(own.early_advances),
                                    .scenario = scenario.hash};
  const sim::Explored found = sim::explore_tree(options, body_of(scenario, Scope::AnyOrder));
  return {sim::explored_dot(found,
                            {.title = display_name(scenario.path), .nodes_max = arguments.nodes}),
          "dot"};
}

Graph graph_of(const Scenario& scenario, const DrawArguments& arguments) {
  if (arguments.view == "waits") {
    return waits(scenario, arguments);
  }
  if (arguments.view == "explored") {
    return explored(scenario, arguments);
  }
  Played played = play_for_picture(scenario, arguments);
  keep_wanted(played.result.notes, arguments);
  const sim::Heading heading{.title = display_name(scenario.path), .story = scenario.story};
  return {arguments.view == "pipeline" ? sim::pipeline_dot(played.result, heading)
                                       : sim::spacetime_dot(played.result, heading),
          "nop"};
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
  const std::string format = format_of(arguments.output);
  const std::string picture = render(graph_of(scenario, arguments), format);
  if (arguments.output.empty()) {
    console.line(picture);
    return kExitHeld;
  }
  if (write_output(arguments.output, picture, console) != kExitHeld) {
    return kExitFound;
  }
  console.note(fmt::format("{} is drawn", arguments.output));
  return kExitHeld;
}

}  // namespace

std::vector<Command> draw_commands() {
  return {command<DrawArguments>(
      {.name = "draw",
       .summary = "Draws a run, or many, as a picture.",
       .footer =
           "Examples:\n  watchlab draw missed_delete --view spacetime -o missed_delete.svg\n"
           "  watchlab draw slow_handler --view pipeline -o slow_handler.png\n"
           "  watchlab draw crowded.yaml --view pipeline --object demo-17 --last 200 -o demo.svg\n"
           "  watchlab draw my_deadlock --view waits --schedule 'w1:…' -o waits.svg\n"
           "  watchlab draw missed_delete --view waits --step 120 -o waits.svg\n"
           "  watchlab draw my_race --view explored --strategy dfs --schedules 500 -o tree.svg",
       .arguments = [](DrawArguments& to) -> std::vector<Argument> {
         return {
             scenario_argument(to.name),
             {.name = "--view",
              .target = &to.view,
              .help = "spacetime: who did what, when; messages as arrows. pipeline: how each "
                      "change goes from the server through queue and store to the handlers. waits: "
                      "who waits for whom. explored: where many runs part, and which of them fail",
              .one_of = {"spacetime", "pipeline", "waits", "explored"}},
             optional_schedule_argument(to.schedule),
             {"--step", &to.step,
              "Of waits: the moment just before that step; if left out, the end of a run that is "
              "stuck, or where most tasks wait"},
             {"--object", &to.object,
              "Of spacetime and pipeline: only what names that object, and faults"},
             {.name = "--last",
              .target = &to.last,
              .help = "Of spacetime and pipeline: only the last so many events of the run",
              .least = 1},
             {"--strategy", &to.strategy,
              "Of explored: how schedules are picked; the scenario's own if left out"},
             {"--schedules", &to.schedules, "Of explored: runs to play"},
             {"--nodes", &to.nodes,
              "Of explored: boxes at most; branches with failures are opened first"},
             output_argument(to.output,
                             "An .svg, .png, .pdf or .dot; SVG on standard output if left out")};
       },
       .run = on_scenario("draw", draw)})};
}

}  // namespace watchlab::scenarios
