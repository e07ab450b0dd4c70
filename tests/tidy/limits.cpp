#include <algorithm>
#include <string>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

// Where a reader gives up. Most files and functions stay far below.
constexpr std::size_t kFileLinesMax = 800;
constexpr std::size_t kColumnsMax = 100;
constexpr std::size_t kFunctionLinesMax = 70;
constexpr std::size_t kParametersMax = 4;
constexpr std::size_t kLevelsMax = 4;

/// What a reader counts as columns: characters, not bytes.
std::size_t columns_of(std::string_view line) {
  return static_cast<std::size_t>(
      std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string too_much(const std::string& what, std::size_t size, std::size_t limit) {
  return what + " " + std::to_string(size) + ", the limit is " + std::to_string(limit);
}

void check_file(const Source& source, Problems& problems) {
  if (source.lines().size() > kFileLinesMax) {
    problems.push_back(
        {source.path(), source.lines().size(),
         too_much("lines:", source.lines().size(), kFileLinesMax) + "; split it by topic"});
  }
  for (std::size_t i = 0; i < source.lines().size(); ++i) {
    const std::size_t columns = columns_of(source.lines()[i]);
    if (columns > kColumnsMax && source.lines()[i].find("http") == std::string_view::npos) {
      problems.push_back({source.path(), i + 1, too_much("columns:", columns, kColumnsMax)});
    }
  }
  if (source.is_header() && !source.text().starts_with("#pragma once\n")) {
    problems.push_back({source.path(), 1, "a header starts with #pragma once"});
  }
}

void check_functions(const Source& source, Problems& problems) {
  for (const Function& function : functions_of(source)) {
    const std::size_t line = source.line_of(function.start);
    const std::size_t lines = source.line_of(function.end) - line + 1;
    const auto report_error = [&](const std::string& what, std::size_t size, std::size_t limit,
                                  const std::string& instead) {
      if (size > limit) {
        problems.push_back({source.path(), line,
                            function.name + ": " + too_much(what, size, limit) + "; " + instead});
      }
    };
    report_error("lines", lines, kFunctionLinesMax, "name its parts and move them out");
    report_error("parameters", function.parameters, kParametersMax, "take an Options struct");
    report_error("levels", function.levels, kLevelsMax, "leave early, or move the inner part out");
  }
}

}  // namespace

Problems check_limits(const Tree& tree) {
  Problems problems;
  for (const Source& source : tree) {
    if (source.is_cpp()) {
      check_file(source, problems);
      check_functions(source, problems);
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
