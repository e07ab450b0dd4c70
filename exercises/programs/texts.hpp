#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/programs/exercise.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/language/scenario.hpp"
#include "scenarios/language/values.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::course {

/// Reads a YAML file by a grammar of the scenario language's making. Throws `BadInput` with every
/// problem, a line each: file:line:column, what is wrong, and what was expected.
template <typename T>
[[nodiscard]] T read_by(const scenarios::Codec<T>& grammar, const std::filesystem::path& file) {
  scenarios::ParseContext context;
  const std::string text = scenarios::read_text_file(file.string(), context.problems);
  T value{};
  if (context.problems.empty()) {
    const scenarios::Node root = scenarios::parse_document(text, context.problems);
    if (context.problems.empty()) {
      value = grammar.read(root, context);
    }
  }
  std::string messages;
  for (const scenarios::Problem& problem : context.problems.take()) {
    messages += (messages.empty() ? "" : "\n") + scenarios::describe(file.string(), problem);
  }
  if (!messages.empty()) {
    throw BadInput(messages);
  }
  return value;
}

/// The whole of a text file. Throws `BadInput` when it cannot be read.
[[nodiscard]] std::string read_whole(const std::filesystem::path& file);

using sim::lines_in;

/// A scenario file. Throws `BadInput` with its first problem.
[[nodiscard]] scenarios::Scenario read_story(const std::filesystem::path& file);

/// Writes an output as `scenarios::write_file` does. Throws `std::runtime_error` with path and
/// reason.
void write_output(const std::filesystem::path& file, std::string_view text);

/// The text as one YAML scalar on one line: what has no place on a line becomes a blank.
[[nodiscard]] std::string quoted(const std::string& text);

// What submissions print, name and contain goes through these before it is written anywhere: into
// results, reports, or on a terminal.
using scenarios::plain_line;
using scenarios::plain_text;
using scenarios::visible_line;

/// The text with the characters replaced that mean something in HTML.
[[nodiscard]] std::string in_html(std::string_view text);

/// Whether a text has more than one line: what can be no name.
[[nodiscard]] bool has_line_break(std::string_view text);

/// A name as it may stand beside others: one plain line, in which characters that are not seen, and
/// letters that look like Latin ones, are written as "<U+0430>".
[[nodiscard]] std::string marked_name(std::string_view name);

/// The beginning of a UTF-8 text: at most that many bytes, and no part of a character.
[[nodiscard]] std::string beginning_of(std::string_view text, std::size_t bytes_max);

/// Without the blank that YAML puts between the lines of a folded text, where Chinese has none.
[[nodiscard]] std::string without_folds(std::string_view text);

}  // namespace watchlab::course
