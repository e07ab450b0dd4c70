#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/json.hpp>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/command_line/page_layout.hpp"
#include "scenarios/language/catalogue.hpp"
#include "scenarios/language/document.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/language/schema.hpp"
#include "scenarios/museum/piece.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

struct ListArguments {
  CommonOptions common;
  std::vector<std::string> paths{shipped_scenarios()};
};

/// What plays a story: "serve" for a client from outside, "go test" for a Go client that names
/// nothing to run, else "run".
std::string_view played_by(const Scenario& scenario) {
  std::string_view by = "run";
  for (const sim::StoryClientOptions& client : scenario.clients) {
    if (traits_of(client.kind).in_lockstep) {  // it comes over sockets as well
      by = client.run.empty() ? "go test" : by;
    } else if (traits_of(client.kind).external) {
      return "serve";
    }
  }
  return by;
}

void print_entry(const ListArguments& arguments, const Scenario& scenario, Console& console) {
  const std::string name = display_name(scenario.path);
  if (arguments.common.json) {
    print_json({{"name", name},
                {"path", scenario.path},
                {"plays", played_by(scenario)},
                {"story", scenario.story}},
               console);
    return;
  }
  const std::string first_line = scenario.story.substr(0, scenario.story.find('\n'));
  console.row({.name = name, .width = 40, .facts = first_line, .cuts_facts = true});
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

/// A page for somebody who reads it: laid out on a terminal, and as it stands everywhere else.
void print_for_reading(const std::string& text, bool is_markdown, Console& console) {
  const std::size_t columns = console.columns_or(0);
  console.verbatim(columns == 0  ? text
                   : is_markdown ? page_text(text, columns)
                                 : code_text(text, columns));
}

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
  console.note(Console::faint("# " + visible_line(scenario.path)));
  print_for_reading(text, false, console);
  const std::string_view by = played_by(scenario);
  if (by == "serve") {
    console.note(Console::faint("# play it:    " + line_to_paste("serve", scenario)));
  } else if (by == "run") {
    console.note(Console::faint("# play it:    " + line_to_paste("run", scenario)));
    console.note(Console::faint("# explore it: " + line_to_paste("explore", scenario)));
  }
  return kExitHeld;
}

struct MuseumArguments {
  CommonOptions common;
  std::string action;
  std::vector<std::string> words;  ///< the slug of a piece, or what is looked for
};

boost::json::object piece_json(const Piece& piece) {
  return {{"slug", piece.slug},   {"title", piece.title},       {"summary", piece.summary},
          {"order", piece.order}, {"bug", piece.bug},           {"needs", piece.needs},
          {"fails", piece.fails}, {"upstream", piece.upstream}, {"leads_to", piece.leads_to},
          {"live", piece.live},   {"patch", piece.patch()},     {"folder", piece.folder},
          {"in_go", piece.in_go}};
}

void print_piece(const Piece& piece, const MuseumArguments& arguments, Console& console) {
  if (arguments.common.json) {
    print_json(piece_json(piece), console);
  } else {
    console.row({.name = piece.slug,
                 .width = 32,
                 .facts = fmt::format("{:<5} {:<5} {}", piece.bug, piece.needs, piece.title),
                 .cuts_facts = true});
  }
}

int list_pieces(const Museum& museum, const MuseumArguments& arguments, Console& console) {
  for (const Piece& piece : museum.pieces) {
    print_piece(piece, arguments, console);
  }
  return kExitHeld;
}

int search(const Museum& museum, const MuseumArguments& arguments, Console& console) {
  const std::string words = fmt::format("{}", fmt::join(arguments.words, " "));
  const std::vector<const Piece*> found = search_pieces(museum, words);
  for (const Piece* piece : found) {
    print_piece(*piece, arguments, console);
    console.note("    " + piece->summary);
  }
  if (found.empty()) {
    console.report_error(
        fmt::format("no bug of the museum is about '{}'; museum list names all", words));
    return kExitFound;
  }
  console.note(Console::faint("# play one: " + as_typed("run " + found.front()->slug)));
  return kExitHeld;
}

/// Prints a file of the piece under a faint line with its path.
void print_file(const std::string& path, Console& console) {
  Problems problems;
  console.note(Console::faint("# " + visible_line(path)));
  const std::string text = read_text_file(path, problems);
  const bool is_markdown = path.ends_with(".md");
  print_for_reading(is_markdown ? with_calls_as_typed(text) : text, is_markdown, console);
}

int show_piece(const Museum& museum, const MuseumArguments& arguments, Console& console) {
  const std::string& slug = arguments.words.front();
  const Piece* piece = museum.find(slug);
  if (piece == nullptr) {
    std::vector<std::string> slugs;
    for (const Piece& each : museum.pieces) {
      slugs.push_back(each.slug);
    }
    const std::string nearest = nearest_name(slug, slugs);
    console.report_error(
        fmt::format("watchlab museum show: there is no piece '{}'{}; museum search finds one by "
                    "what you see",
                    slug, nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
    return kExitUsage;
  }
  if (arguments.common.json) {
    print_json(piece_json(*piece), console);
    return kExitHeld;
  }
  print_file(piece->folder + "/README.md", console);
  print_file(piece->patch(), console);
  if (!piece->in_go) {
    print_file(piece->folder + "/scenario.yaml", console);
  }
  console.note(Console::faint("# see it fail:  " + in_a_checkout("run " + piece->slug)));
  return kExitHeld;
}

/// Throws `std::invalid_argument` for what does not go with the action.
void check(const MuseumArguments& arguments) {
  const std::string& action = arguments.action;
  const bool has_notes = action == "show" || action == "search";
  refuse_unused(arguments.common.quiet && !has_notes, "--quiet",
                "it goes with museum show and museum search");
  refuse_unused(arguments.common.json && action == "tour", "--json",
                "it goes with museum list, museum show and museum search");
  const std::size_t words = arguments.words.size();
  if (!has_notes && words > 0) {
    throw std::invalid_argument(
        fmt::format("museum {} takes no '{}'; museum search looks for words, museum show prints a "
                    "piece",
                    action, arguments.words.front()));
  }
  if (has_notes && words == 0) {
    throw std::invalid_argument(action == "show" ? "museum show takes the SLUG of a piece"
                                                 : "museum search takes words of what you see");
  }
  if (action == "show" && words > 1) {
    throw std::invalid_argument("museum show prints one piece; museum search looks for words");
  }
}

int visit(const MuseumArguments& arguments, Console& console) {
  check(arguments);
  const std::string here = shipped_scenarios() + "/museum";
  const Museum museum = read_museum(
      std::filesystem::is_directory(here) ? here : scenarios_of_the_program() + "/museum");
  for (const std::string& problem : museum.problems) {
    console.report_error(problem);
  }
  if (arguments.action == "tour") {
    print_for_reading(with_calls_as_typed(tour_of(museum)), true, console);
    return museum.problems.empty() ? kExitHeld : kExitUsage;
  }
  const int shown = arguments.action == "show"     ? show_piece(museum, arguments, console)
                    : arguments.action == "search" ? search(museum, arguments, console)
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
           .shares = {.json = true},
           .arguments = [](ListArguments& to) -> std::vector<Argument> {
             return {{"PATH", &to.paths, "Files or folders; default 'scenarios'"}};
           },
           .run = list}),
      command<ShowArguments>(
          {.name = "show",
           .group = "Play",
           .summary = "Prints a story.",
           .footer =
               "Examples:\n  watchlab show missed_delete\n  watchlab show relist/missed_delete",
           .shares = {.json = true, .quiet = true},
           .arguments = [](ShowArguments& to) -> std::vector<Argument> {
             return {scenario_argument(to.name)};
           },
           .run = on_scenario("show", show)}),
      command<MuseumArguments>(
          {.name = "museum",
           .group = "Find",
           .summary = "Lists, searches and plays bugs of client-go and races in Go.",
           .footer =
               "museum run SLUG is the same as run SLUG, and so on for explain, trace, draw, "
               "report and the other commands that play a story. In a checkout they play core "
               "with the bug. A race in Go is played by run, replay and explain, where Go is.\n"
               "Examples:\n"
               "  watchlab museum list\n"
               "  watchlab museum search deleted object comes back\n"
               "  watchlab museum show ghost_after_relist\n"
               "  watchlab museum tour > museum.md",
           .shares = {.json = true, .quiet = true},
           .arguments = [](MuseumArguments& to) -> std::vector<Argument> {
             return {
                 {.name = "ACTION",
                  .target = &to.action,
                  .help =
                      "list all pieces, search them by words, show one, print the tour, or play "
                      "one with the command of that name",
                  .required = true,
                  .one_of = {"list", "search", "show", "tour", "run", "replay", "explain", "trace",
                             "draw", "report", "branch", "serve-report"}},
                 {"SLUG", &to.words, "Which piece; for search, words that describe what you see"}};
           },
           .run = refusing("museum", visit)})};
}

}  // namespace watchlab::scenarios
