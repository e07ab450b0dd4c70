#include <algorithm>
#include <string>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

// These limits ratchet: they are lowered when the code allows it, never raised.
constexpr std::size_t file_lines_max = 400;
constexpr std::size_t columns_max = 100;
constexpr std::size_t function_lines_max = 70;
constexpr std::size_t parameters_max = 4;
constexpr std::size_t levels_max = 4;

/// What a reader counts as columns: characters, not bytes.
std::size_t columns_of(std::string_view line) {
  return static_cast<std::size_t>(
      std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string too_much(const std::string& what, std::size_t size, std::size_t limit) {
  return what + " " + std::to_string(size) + ", the limit is " + std::to_string(limit);
}

void check_file(const Source& source, Complaints& complaints) {
  if (source.lines().size() > file_lines_max) {
    complaints.push_back({source.path(), source.lines().size(),
                          too_much("lines:", source.lines().size(), file_lines_max) +
                              "; split it where a reader would"});
  }
  for (std::size_t i = 0; i < source.lines().size(); ++i) {
    const std::size_t columns = columns_of(source.lines()[i]);
    if (columns > columns_max && source.lines()[i].find("http") == std::string_view::npos) {
      complaints.push_back({source.path(), i + 1, too_much("columns:", columns, columns_max)});
    }
  }
  if (source.is_header() && !source.text().starts_with("#pragma once\n")) {
    complaints.push_back({source.path(), 1, "a header starts with #pragma once"});
  }
}

void check_functions(const Source& source, Complaints& complaints) {
  for (const Function& function : functions_of(source)) {
    const std::size_t line = source.line_of(function.start);
    const std::size_t lines = source.line_of(function.end) - line + 1;
    const auto complain = [&](const std::string& what, std::size_t size, std::size_t limit,
                              const std::string& instead) {
      if (size > limit) {
        complaints.push_back({source.path(), line,
                              function.name + ": " + too_much(what, size, limit) + "; " + instead});
      }
    };
    complain("lines", lines, function_lines_max, "name its parts and move them out");
    complain("parameters", function.parameters, parameters_max, "take an Options struct");
    complain("levels", function.levels, levels_max, "leave early, or move the inner part out");
  }
}

}  // namespace

Complaints check_limits(const Tree& tree) {
  Complaints complaints;
  for (const Source& source : tree) {
    if (source.is_cpp()) {
      check_file(source, complaints);
      check_functions(source, complaints);
    }
  }
  return complaints;
}

}  // namespace watchlab::tidy
