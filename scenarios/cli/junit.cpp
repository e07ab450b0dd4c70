#include "scenarios/cli/junit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "scenarios/command_line/xml.hpp"

namespace watchlab::scenarios {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string kind_of(const ReportEntry& entry) {
  return entry.kind.empty() ? "failure" : entry.kind;
}

/// Names that stand for stories of several folders. Who reads results by their names would take
/// these for one.
std::set<std::string> ambiguous_names(const std::vector<ReportEntry>& entries) {
  std::map<std::string, std::set<std::string>> paths;
  std::set<std::string> found;
  for (const ReportEntry& entry : entries) {
    std::set<std::string>& known = paths[entry.name];
    known.insert(entry.path);
    if (known.size() > 1) {
      found.insert(entry.name);
    }
  }
  return found;
}

XmlElement testcase_of(const ReportEntry& entry, const std::string& suite,
                       const std::string& name) {
  XmlElement testcase{.name = "testcase",
                      .attributes = {{"classname", suite},
                                     {"name", name},
                                     {"file", entry.path},
                                     {"time", fmt::format("{:.3f}", entry.seconds)}}};
  if (!entry.was_judged()) {
    XmlElement skipped{.name = "skipped"};
    if (!entry.sentence.empty()) {
      skipped.attributes = {{"message", first_line(entry.sentence)}};
    }
    testcase.children.push_back(std::move(skipped));
    return testcase;
  }
  if (!entry.held) {
    testcase.children.push_back(
        {.name = "failure",
         .attributes = {{"type", kind_of(entry)}, {"message", first_line(entry.sentence)}},
         .text = entry.sentence + "\n" + entry.command});
  }
  if (!entry.unfired_faults.empty()) {
    testcase.children.push_back(
        {.name = "system-out", .text = fmt::format("{}", fmt::join(entry.unfired_faults, "\n"))});
  }
  return testcase;
}

}  // namespace

std::string junit_text(const Results& results) {
  const auto failed = std::ranges::count_if(results.entries, &ReportEntry::failed);
  XmlElement suite{.name = "testsuite",
                   .attributes = {{"name", "watchlab " + results.suite},
                                  {"tests", std::to_string(results.entries.size())},
                                  {"failures", std::to_string(failed)}}};
  const std::set<std::string> ambiguous = ambiguous_names(results.entries);
  for (const ReportEntry& entry : results.entries) {
    suite.children.push_back(testcase_of(entry, results.suite,
                                         ambiguous.contains(entry.name) ? entry.path : entry.name));
  }
  return xml_document(suite);
}

}  // namespace watchlab::scenarios
