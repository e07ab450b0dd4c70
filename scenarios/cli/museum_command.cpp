#include <fmt/format.h>

#include <boost/json.hpp>
#include <memory>
#include <string>

#include "scenarios/cli/commands.hpp"
#include "scenarios/language/document.hpp"
#include "scenarios/language/problem.hpp"
#include "scenarios/museum/piece.hpp"
#include "scenarios/museum/tour.hpp"

namespace watchlab::scenarios {
namespace {

constexpr const char* museum_root = "scenarios/museum";

struct MuseumArguments {
  CommonOptions common;
  std::string action;
  std::string slug;
};

std::string json_of(const Piece& piece) {
  return boost::json::serialize(boost::json::object{{"slug", piece.slug},
                                                    {"title", piece.title},
                                                    {"summary", piece.summary},
                                                    {"order", piece.order},
                                                    {"bug", piece.bug},
                                                    {"needs", piece.needs},
                                                    {"fails", piece.fails},
                                                    {"upstream", piece.upstream},
                                                    {"leads_to", piece.leads_to},
                                                    {"live", piece.live},
                                                    {"patch", piece.patch()},
                                                    {"folder", piece.folder}});
}

int list(const Museum& museum, const MuseumArguments& arguments, Console& console) {
  for (const Piece& piece : museum.pieces) {
    console.line(arguments.common.json ? json_of(piece)
                                       : fmt::format("{:<32} {:<5} {:<5} {}", piece.slug, piece.bug,
                                                     piece.needs, piece.title));
  }
  return exit_held;
}

/// Prints a file of the piece under a faint line with its path.
void print_file(const std::string& path, Console& console) {
  Problems problems;
  console.remark(console.faint("# " + path));
  console.line(read_text_file(path, problems));
}

int show(const Museum& museum, const MuseumArguments& arguments, Console& console) {
  const Piece* piece = museum.find(arguments.slug);
  if (piece == nullptr) {
    std::vector<std::string> slugs;
    for (const Piece& each : museum.pieces) {
      slugs.push_back(each.slug);
    }
    const std::string nearest = nearest_name(arguments.slug, slugs);
    console.complain(fmt::format("watchlab museum show: there is no piece '{}'{}", arguments.slug,
                                 nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
    return exit_usage;
  }
  if (arguments.common.json) {
    console.line(json_of(*piece));
    return exit_held;
  }
  print_file(piece->folder + "/README.md", console);
  print_file(piece->patch(), console);
  print_file(piece->folder + "/scenario.yaml", console);
  console.remark(console.faint("# see it fail:  ./watchlab museum run " + piece->slug));
  console.remark(console.faint("# its picture:  " + piece->folder + "/picture.svg"));
  return exit_held;
}

int visit(const MuseumArguments& arguments) {
  Console console(arguments.common);
  const Museum museum = read_museum(museum_root);
  for (const std::string& problem : museum.problems) {
    console.complain(problem);
  }
  if (arguments.action == "tour") {
    console.line(tour_of(museum));
    return museum.problems.empty() ? exit_held : exit_usage;
  }
  const int shown = arguments.action == "show" ? show(museum, arguments, console)
                                               : list(museum, arguments, console);
  return museum.problems.empty() ? shown : exit_usage;
}

}  // namespace

Command museum_command() {
  auto arguments = std::make_shared<MuseumArguments>();
  return {.name = "museum",
          .summary = "Shows the historical bugs, each of which happens every time.",
          .footer =
              "./watchlab museum run builds the broken variants and sees them fail.\n"
              "Examples:\n  watchlab museum list\n"
              "  watchlab museum show ghost_after_relist\n"
              "  watchlab museum tour > docs/museum.md",
          .arguments = with_common_options({{.name = "ACTION",
                                             .target = &arguments->action,
                                             .help = "list, show one piece, or print the tour",
                                             .required = true,
                                             .one_of = {"list", "show", "tour"}},
                                            {.name = "SLUG",
                                             .target = &arguments->slug,
                                             .help = "The piece to show, by its folder's name"}},
                                           arguments->common),
          .run = [arguments] { return visit(*arguments); }};
}

}  // namespace watchlab::scenarios
