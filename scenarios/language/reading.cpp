#include "scenarios/language/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace watchlab::scenarios {
namespace {

constexpr std::size_t listed_max = 8;

}  // namespace

void Reading::defines(std::string kind, std::string name, Place place) {
  // An object may be created again after it was deleted, a fault come back after it was healed.
  const auto same = [&](const NameUse& use) { return use.kind == kind && use.name == name; };
  const auto first = std::find_if(defined_.begin(), defined_.end(), same);
  if (first == defined_.end()) {
    defined_.push_back({std::move(kind), std::move(name), place});
  } else if (kind != "object" && kind != "fault") {
    problems.add({place, fmt::format("the {} '{}' for the second time", kind, name),
                  fmt::format("another name; the first one is on line {}", first->place.line), ""});
  }
}

void Reading::uses(std::string kind, std::string name, Place place) {
  used_.push_back({std::move(kind), std::move(name), place});
}

void Reading::check_names() {
  for (const NameUse& use : used_) {
    const std::vector<std::string> known = names_of(use.kind);
    if (std::find(known.begin(), known.end(), use.name) != known.end()) {
      continue;
    }
    const std::string expected = known.empty() ? fmt::format("none: the file names no {}", use.kind)
                                 : known.size() > listed_max
                                     ? fmt::format("one of {} names", known.size())
                                     : one_of(known);
    problems.add({use.place, fmt::format("unknown {} '{}'", use.kind, use.name), expected,
                  nearest_name(use.name, known)});
  }
}

std::vector<std::string> Reading::names_of(const std::string& kind) const {
  std::vector<std::string> names;
  for (const NameUse& use : defined_) {
    if (use.kind == kind) {
      names.push_back(use.name);
    }
  }
  return names;
}

}  // namespace watchlab::scenarios
