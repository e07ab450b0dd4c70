#include "scenarios/report/level.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "scenarios/language/document.hpp"
#include "scenarios/language/table.hpp"

namespace watchlab::scenarios {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVersion = "watchlab/level/v1";

Codec<LevelGoal> goal_grammar() {
  Table<LevelGoal> table("a goal", "How the run has to fail.");
  table
      .required("kind", &LevelGoal::kind,
                word("a kind of failure", {"violation", "deadlock", "livelock", "no end", "leak",
                                           "exception", "data race"}),
                "The kind of failure.")
      .required("says", &LevelGoal::says, text("a part of a message"), "A part of its message.");
  return table.codec();
}

Codec<Level> level_grammar() {
  Table<Level> table("a level", "A story to be broken.");
  table.required("apiVersion", &Level::version, word("a version", {kVersion}), "The version.")
      .required("title", &Level::title, text("a title"), "Its title.")
      .required("scenario", &Level::scenario, text("a scenario"),
                "The story: the name of a scenario or of a piece of the museum, or a path.")
      .optional("variant", &Level::variant, text("a piece"),
                "The piece of the museum whose bug is in core.")
      .required("you_are", &Level::you_are,
                word("a role", {"the scheduler", "the network", "the scheduler and the network"}),
                "Whose decisions are to be made.")
      .required("task", &Level::task, text("a text"), "What there is to know, and to be broken.")
      .required("choices", &Level::choices, integer("a number of choices", 1, 1000),
                "How many answers other than the default one may be given.")
      .required("goal", &Level::goal, goal_grammar(), "How the run has to fail.")
      .required("after", &Level::after, text("a text"), "What to read when it is won.");
  return table.codec();
}

}  // namespace

bool is_level(const std::string& path) {
  Problems problems;
  std::error_code failure;
  return fs::is_regular_file(path, failure) &&
         read_text_file(path, problems).find(kVersion) != std::string::npos;
}

std::string find_level(const std::string& folder, const std::string& name) {
  const std::string path = (fs::path(folder) / (name + ".yaml")).string();
  return is_level(path) ? path : "";
}

std::vector<std::string> level_names(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  for (fs::directory_iterator file(folder, failure), end; !failure && file != end;
       file.increment(failure)) {
    if (is_level(file->path().string())) {
      names.push_back(file->path().stem().string());
    }
  }
  std::ranges::sort(names);
  return names;
}

Level load_level(const std::string& path) {
  ParseContext context;
  const std::string text = read_text_file(path, context.problems);
  Level level;
  if (context.problems.empty()) {
    const Node root = parse_document(text, context.problems);
    if (context.problems.empty()) {
      level = level_grammar().read(root, context);
    }
  }
  std::string messages;
  for (const Problem& problem : context.problems.take()) {
    messages += (messages.empty() ? "" : "\n") + describe(path, problem);
  }
  if (!messages.empty()) {
    throw std::invalid_argument(messages);
  }
  level.path = path;
  return level;
}

LevelResult result_of(const Level& level, const sim::RunResult& run) {
  LevelResult result{.choices = run.deviations};
  result.is_broken = run.failure && run.failure->kind == level.goal.kind &&
                     run.failure->sentence.find(level.goal.says) != std::string::npos;
  result.is_won = result.is_broken && result.choices <= static_cast<std::size_t>(level.choices);
  return result;
}

boost::json::object described(const Level& level, const LevelResult& result) {
  return {{"name", fs::path(level.path).stem().string()},
          {"title", level.title},
          {"you_are", level.you_are},
          {"task", level.task},
          {"goal", fmt::format("{}: {}", level.goal.kind, level.goal.says)},
          {"choices", level.choices},
          {"taken", result.choices},
          {"broken", result.is_broken},
          {"won", result.is_won},
          {"after", result.is_won ? level.after : ""}};
}

}  // namespace watchlab::scenarios
