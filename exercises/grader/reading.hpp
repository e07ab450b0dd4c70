#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "exercises/grader/exercise.hpp"
#include "scenarios/language/values.hpp"

namespace watchlab::course {

/// Reads a YAML file by a grammar of the scenario language's making. Throws `BadInput` with every
/// problem, a line each: file:line:column, what is wrong, and what was expected.
template <typename T>
[[nodiscard]] T read_by(const scenarios::Typed<T>& grammar, const std::filesystem::path& file) {
  scenarios::Reading reading;
  const std::string text = scenarios::read_text_file(file.string(), reading.problems);
  T value{};
  if (reading.problems.empty()) {
    const scenarios::Node root = scenarios::parse_document(text, reading.problems);
    if (reading.problems.empty()) {
      value = grammar.read(root, reading);
    }
  }
  std::string sentences;
  for (const scenarios::Problem& problem : reading.problems.take()) {
    sentences += (sentences.empty() ? "" : "\n") + scenarios::sentence_of(file.string(), problem);
  }
  if (!sentences.empty()) {
    throw BadInput(sentences);
  }
  return value;
}

/// The whole of a text file. Throws `BadInput` when it cannot be read.
[[nodiscard]] std::string read_whole(const std::filesystem::path& file);

/// Writes an output as `scenarios::write_file` does. Throws `std::runtime_error` with path and
/// reason.
void write_output(const std::filesystem::path& file, std::string_view text);

/// The text as one YAML scalar on one line: what has no place on a line becomes a blank.
[[nodiscard]] std::string quoted(const std::string& text);

}  // namespace watchlab::course
