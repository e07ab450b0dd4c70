#include "scenarios/fuzz/broken_clause.hpp"

#include <cctype>

namespace watchlab::scenarios {
namespace {

/// Of "story_7:3: the rest" the rest.
std::string without_place(const std::string& line) {
  const std::size_t end = line.find(": ");
  const std::size_t space = line.find(' ');
  const bool has_place = end != std::string::npos && end < space && end > 0 &&
                         std::isdigit(static_cast<unsigned char>(line[end - 1])) != 0;
  return has_place ? line.substr(end + 2) : line;
}

}  // namespace

BrokenClause broken_clause_in(const std::string& line) {
  const std::string told = without_place(line);
  const std::size_t end = told.find(": ");
  const std::size_t space = told.find(' ');
  const bool has_number = space != std::string::npos && space > 1 && space < end &&
                          std::isupper(static_cast<unsigned char>(told[0])) != 0 &&
                          std::isdigit(static_cast<unsigned char>(told[1])) != 0;
  const bool has_name = end != std::string::npos && told.find(' ', space + 1) > end;
  if (!has_number || !has_name) {
    return {.clause = "", .words = told};
  }
  return {.clause = told.substr(0, end), .words = told.substr(end + 2)};
}

}  // namespace watchlab::scenarios
