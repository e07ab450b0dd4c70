#include "scenarios/cli/result_formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <boost/json.hpp>
#include <cctype>
#include <charconv>
#include <optional>

#include "scenarios/command_line/command_line.hpp"
#include "scenarios/command_line/xml.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string kind_of(const ReportEntry& entry) {
  return entry.kind.empty() ? "failure" : entry.kind;
}

/// What is wrong and how to see it again.
std::string message_of(const ReportEntry& entry) {
  return entry.command.empty() ? entry.sentence : entry.sentence + "\n" + entry.command;
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

std::string junit(const Results& results) {
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

/// The line of its file that a sentence begins with, as in `story.yaml:7: …`.
std::optional<int> line_of(const ReportEntry& entry) {
  const std::string begin = entry.path + ":";
  if (!entry.sentence.starts_with(begin)) {
    return std::nullopt;
  }
  int line = 0;
  const char* const last = entry.sentence.data() + entry.sentence.size();
  const auto [end, failure] = std::from_chars(entry.sentence.data() + begin.size(), last, line);
  return failure == std::errc() && line > 0 ? std::optional(line) : std::nullopt;
}

/// A path as the reference that SARIF wants: relative, or a URI of a file.
std::string uri_of(const std::string& path) {
  const std::string_view kept = "/-._~";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char each : path) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(each)) != 0 ||
                          kept.find(each) != std::string_view::npos;
    uri += is_plain
               ? std::string(1, each)
               : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(each)));
  }
  return uri;
}

json::object sarif_result(const ReportEntry& entry) {
  json::object place{{"artifactLocation", json::object{{"uri", uri_of(entry.path)}}}};
  if (const std::optional<int> line = line_of(entry)) {
    place["region"] = json::object{{"startLine", *line}};
  }
  json::object result{{"ruleId", kind_of(entry)},
                      {"level", "error"},
                      {"message", json::object{{"text", message_of(entry)}}},
                      {"locations", json::array{json::object{{"physicalLocation", place}}}}};
  json::object properties{{"scenario", entry.name}};
  if (!entry.schedule.empty()) {
    properties["schedule"] = entry.schedule;
  }
  result["properties"] = std::move(properties);
  return result;
}

std::string sarif(const Results& results) {
  json::array found;
  for (const ReportEntry& entry : results.entries) {
    if (entry.failed()) {
      found.push_back(sarif_result(entry));
    }
  }
  const json::object driver{{"name", "watchlab"}, {"version", program_version().number}};
  const json::object run{{"tool", json::object{{"driver", driver}}},
                         {"automationDetails", json::object{{"id", "watchlab " + results.suite}}},
                         {"results", found}};
  return json::serialize(
             json::object{{"$schema",
                           "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                           "sarif-schema-2.1.0.json"},
                          {"version", "2.1.0"},
                          {"runs", json::array{run}}}) +
         "\n";
}

/// What a line of TAP takes as it is: no end of a line, no directive.
std::string tap_text(std::string text) {
  boost::replace_all(text, "\\", "\\\\");
  boost::replace_all(text, "#", "\\#");
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string tap(const Results& results) {
  std::string text = fmt::format("TAP version 14\n1..{}\n", results.entries.size());
  std::size_t number = 0;
  for (const ReportEntry& entry : results.entries) {
    const bool ok = !entry.failed();
    text += fmt::format("{} {} - {}{}\n", ok ? "ok" : "not ok", ++number, tap_text(entry.name),
                        entry.was_played() ? "" : " # SKIP not played");
    if (ok) {
      continue;
    }
    // A YAML block; texts in JSON are texts in YAML.
    text += fmt::format("  ---\n  message: {}\n  severity: fail\n  kind: {}\n  file: {}\n",
                        json::serialize(json::string(message_of(entry))),
                        json::serialize(json::string(kind_of(entry))),
                        json::serialize(json::string(entry.path)));
    text += fmt::format("  duration_ms: {:.3f}\n  ...\n", entry.seconds * 1'000);
  }
  return text;
}

}  // namespace

const std::array<ResultFormat, 3>& result_formats() {
  static const std::array<ResultFormat, 3> formats{
      {{"--junit", &CommonOptions::junit, "Writes the results as a JUnit file", &junit},
       {"--sarif", &CommonOptions::sarif, "Writes the failures as a SARIF file", &sarif},
       {"--tap", &CommonOptions::tap, "Writes the results as a TAP file", &tap}}};
  return formats;
}

}  // namespace watchlab::scenarios
