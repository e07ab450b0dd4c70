#include "sim/explore/signature.hpp"

#include <set>
#include <sstream>

namespace watchlab::sim {
namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Without "#2" and without numbers.
std::string without_numbers(const std::string& line) {
  std::string kept;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool counts = line[i] == '#' && i + 1 < line.size() && is_digit(line[i + 1]);
    if (!counts && !is_digit(line[i])) {
      kept += line[i];
    }
  }
  return kept;
}

/// Of "main/a waits for mutex 'm' (x.cpp:9), which …" only who waits for what.
std::string who_waits(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return without_numbers(line.substr(begin, line.find(" (", begin) - begin));
}

}  // namespace

std::string signature_of(const Failure& failure) {
  std::istringstream lines(failure.sentence);
  std::string line;
  std::getline(lines, line);
  const bool is_stuck = failure.kind == "deadlock" || failure.kind == "leak";
  if (!is_stuck) {
    return failure.kind + (failure.kind == "livelock" ? "" : "|" + without_numbers(line));
  }
  std::set<std::string> waits;
  while (std::getline(lines, line)) {
    if (line.find("wait") != std::string::npos) {
      waits.insert(who_waits(line));
    }
  }
  std::string signature = failure.kind;
  for (const std::string& wait : waits) {
    signature += "|" + wait;
  }
  return signature;
}

}  // namespace watchlab::sim
