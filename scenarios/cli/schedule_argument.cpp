#include "scenarios/cli/schedule_argument.hpp"

#include <vector>

#include "scenarios/language/document.hpp"
#include "sim/kernel/schedule.hpp"

namespace watchlab::scenarios {

std::string schedule_text(const std::string& argument) {
  if (!argument.starts_with('@')) {
    return argument;
  }
  Problems problems;
  const std::string text = read_text_file(argument.substr(1), problems);
  const std::vector<Problem> found = problems.take();
  if (!found.empty()) {
    throw sim::InvalidSchedule(sentence_of(argument.substr(1), found.front()));
  }
  return text.substr(0, text.find_first_of("\r\n"));
}

}  // namespace watchlab::scenarios
