#pragma once

#include <filesystem>
#include <string>

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

}  // namespace watchlab::course
