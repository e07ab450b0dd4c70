#include <fmt/format.h>

#include <boost/json.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/language/catalogue.hpp"
#include "scenarios/language/document.hpp"
#include "scenarios/language/schema.hpp"
#include "scenarios/museum/piece.hpp"

namespace watchlab::scenarios {
namespace {

struct ListArguments {
  CommonOptions common;
  std::vector<std::string> paths{shipped_scenarios()};
};

void print_entry(const ListArguments& arguments, const Scenario& scenario, Console& console) {
  const std::string name = display_name(scenario.path);
  if (arguments.common.json) {
    print_json({{"name", name}, {"path", scenario.path}, {"story", scenario.story}}, console);
    return;
  }
  const std::string first_line = scenario.story.substr(0, scenario.story.find('\n'));
  console.line(fmt::format("{:<40} {}", name, first_line));
}

int list(const ListArguments& arguments, Console& console) {
  int exit_code = kExitHeld;
  for (const CatalogueEntry& entry : load_named(arguments.paths)) {
    if (entry.parsed.scenario) {
      print_entry(arguments, *entry.parsed.scenario, console);
    } else {
      console.report_error(problem_text(entry));
      exit_code = kExitUsage;
    }
  }
  return exit_code;
}

struct ShowArguments {
  CommonOptions common;
  std::string name;
};

int show(const ShowArguments& arguments, const Scenario& scenario, Console& console) {
  Problems problems;
  const std::string text = read_text_file(scenario.path, problems);
  if (arguments.common.json) {
    print_json({{"name", display_name(scenario.path)},
                {"path", scenario.path},
                {"story", scenario.story},
                {"clients", scenario.clients.size()},
                {"steps", scenario.script.size()},
                {"expectations", scenario.expectations.size()},
                {"hash", fmt::format("{:016x}", scenario.hash)},
                {"text", text}},
               console);
    return kExitHeld;
  }
  console.note(console.faint("# " + scenario.path));
  console.line(text);
  console.note(console.faint("# play it:    " + as_typed("run" + for_shell({scenario.path}))));
  console.note(console.faint("# explore it: " + as_typed("explore" + for_shell({scenario.path}))));
  return kExitHeld;
}

struct MuseumArguments {
  CommonOptions common;
  std::string action;
  std::string slug;
};

boost::json::object piece_json(const Piece& piece) {
  return {{"slug", piece.slug},   {"title", piece.title},       {"summary", piece.summary},
          {"order", piece.order}, {"bug", piece.bug},           {"needs", piece.needs},
          {"fails", piece.fails}, {"upstream", piece.upstream}, {"leads_to", piece.leads_to},
          {"live", piece.live},   {"patch", piece.patch()},     {"folder", piece.folder}};
}

int list_pieces(const Museum& museum, const MuseumArguments& arguments, Console& console) {
  for (const Piece& piece : museum.pieces) {
    if (arguments.common.json) {
      print_json(piece_json(piece), console);
    } else {
      console.line(
          fmt::format("{:<32} {:<5} {:<5} {}", piece.slug, piece.bug, piece.needs, piece.title));
    }
  }
  return kExitHeld;
}

/// Prints a file of the piece under a faint line with its path.
void print_file(const std::string& path, Console& console) {
  Problems problems;
  console.note(console.faint("# " + path));
  console.line(read_text_file(path, problems));
}

int show_piece(const Museum& museum, const MuseumArguments& arguments, Console& console) {
  const Piece* piece = museum.find(arguments.slug);
  if (piece == nullptr) {
    std::vector<std::string> slugs;
    for (const Piece& each : museum.pieces) {
      slugs.push_back(each.slug);
    }
    const std::string nearest = nearest_name(arguments.slug, slugs);
    console.report_error(fmt::format("watchlab museum show: there is no piece '{}'{}",
                                     arguments.slug,
                                     nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
    return kExitUsage;
  }
  if (arguments.common.json) {
    print_json(piece_json(*piece), console);
    return kExitHeld;
  }
  print_file(piece->folder + "/README.md", console);
  print_file(piece->patch(), console);
  print_file(piece->folder + "/scenario.yaml", console);
  console.note(console.faint("# see it fail:  " + in_a_checkout("run " + piece->slug)));
  console.note(console.faint("# its picture:  " + piece->folder + "/picture.svg"));
  return kExitHeld;
}

int visit(const MuseumArguments& arguments, Console& console) {
  const std::string here = shipped_scenarios() + "/museum";
  const Museum museum = read_museum(
      std::filesystem::is_directory(here) ? here : scenarios_of_the_program() + "/museum");
  for (const std::string& problem : museum.problems) {
    console.report_error(problem);
  }
  if (arguments.action == "tour") {
    console.line(tour_of(museum));
    return museum.problems.empty() ? kExitHeld : kExitUsage;
  }
  const int shown = arguments.action == "show" ? show_piece(museum, arguments, console)
                                               : list_pieces(museum, arguments, console);
  return museum.problems.empty() ? shown : kExitUsage;
}

}  // namespace

std::vector<Command> catalogue_commands() {
  return {
      command<ListArguments>(
          {.name = "list",
           .group = "Play",
           .summary = "Lists the stories that come with watchlab.",
           .footer = "Examples:\n  watchlab list\n  watchlab list scenarios/relist --json",
           .arguments = [](ListArguments& to) -> std::vector<Argument> {
             return {{"PATH", &to.paths, "Files or folders; 'scenarios' if left out"}};
           },
           .run = list}),
      command<ShowArguments>(
          {.name = "show",
           .group = "Play",
           .summary = "Prints a story.",
           .footer =
               "Examples:\n  watchlab show missed_delete\n  watchlab show relist/missed_delete",
           .arguments = [](ShowArguments& to) -> std::vector<Argument> {
             return {scenario_argument(to.name)};
           },
           .run = on_scenario("show", show)}),
      command<MuseumArguments>(
          {.name = "museum",
           .group = "Find",
           .summary = "Lists, searches and plays historical bugs of client-go.",
           .footer =
               "museum run SLUG is run SLUG; so are museum explain, trace, draw, report and the "
               "others\nthat play a story. In a checkout they play core with the bug.\n"
               "Examples:\n  watchlab museum list\n"
               "  watchlab museum show ghost_after_relist\n"
               "  watchlab museum tour > museum.md",
           .arguments = [](MuseumArguments& to) -> std::vector<Argument> {
             return {{.name = "ACTION",
                      .target = &to.action,
                      .help = "list all pieces, show one, print docs/museum.md as tour, or play "
                              "one as the command of that name does",
                      .required = true,
                      .one_of = {"list", "show", "tour", "run", "replay", "explain", "trace",
                                 "draw", "report", "branch", "serve-report"}},
                     {"SLUG", &to.slug, "The piece to show, by its folder's name"}};
           },
           .run = visit})};
}

}  // namespace watchlab::scenarios
