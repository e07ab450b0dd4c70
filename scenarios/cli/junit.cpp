#include "scenarios/cli/junit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scenarios/command_line/xml.hpp"

namespace watchlab::scenarios {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string kind_of(const ReportEntry& entry) {
  return entry.kind.empty() ? "failure" : entry.kind;
}

XmlElement testcase_of(const ReportEntry& entry, const std::string& suite) {
  XmlElement testcase{.name = "testcase",
                      .attributes = {{"classname", suite},
                                     {"name", entry.name},
                                     {"file", entry.path},
                                     {"time", fmt::format("{:.3f}", entry.seconds)}}};
  if (!entry.was_played()) {
    testcase.children.push_back({.name = "skipped"});
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
  for (const ReportEntry& entry : results.entries) {
    suite.children.push_back(testcase_of(entry, results.suite));
  }
  return xml_document(suite);
}

}  // namespace watchlab::scenarios
