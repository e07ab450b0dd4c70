// JUnit XML, as most tools read it. Partial points stand in properties only.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "exercises/grader/grade.hpp"

namespace watchlab::course {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char character : text) {
    const auto code = static_cast<unsigned char>(character);
    if (character == '&') {
      out += "&amp;";
    } else if (character == '<') {
      out += "&lt;";
    } else if (character == '>') {
      out += "&gt;";
    } else if (character == '"') {
      out += "&quot;";
    } else if (code >= 0x20 || character == '\n' || character == '\t') {
      out += character;  // XML has no other control characters
    }
  }
  return out;
}

bool is_error(const GradeCase& entry) {
  return entry.outcome == "crash" || entry.outcome == "hang";
}
bool is_skipped(const GradeCase& entry) { return entry.outcome == "not_run"; }
bool is_failure(const GradeCase& entry) {
  return entry.outcome != "pass" && entry.outcome != "killed" && !is_error(entry) &&
         !is_skipped(entry);
}

std::string property(std::string_view name, const std::string& value) {
  return value.empty()
             ? ""
             : fmt::format("        <property name=\"{}\" value=\"{}\"/>\n", name, escaped(value));
}

std::string line_of(const Grade& grade, const GradeCase& entry) {
  std::string text =
      fmt::format("    <testcase name=\"{}\" classname=\"exercise.{}\" time=\"0\">\n",
                  escaped(entry.id), escaped(grade.exercise));
  text += "      <properties>\n";
  text += property("score", fmt::format("{}", rounded(entry.points)));
  text += property("max_score", fmt::format("{}", rounded(entry.points_max)));
  text += property("seed", std::to_string(grade.seed));
  text += property("clause", entry.hidden ? "" : entry.clause);
  text += property("schedule_id", entry.hidden ? "" : entry.schedule);
  text += "      </properties>\n";
  const std::string message = entry.hidden ? "hidden" : escaped(entry.message);
  const std::string body = entry.hidden ? "" : escaped(entry.narration);
  if (is_skipped(entry)) {
    text += fmt::format("      <skipped message=\"{}\"/>\n", message);
  } else if (is_error(entry) || is_failure(entry)) {
    const char* const tag = is_error(entry) ? "error" : "failure";
    text += fmt::format("      <{0} message=\"{1}\" type=\"{2}\">{3}</{0}>\n", tag, message,
                        escaped(entry.outcome), body);
  }
  return text + "    </testcase>\n";
}

}  // namespace

std::string to_junit(const Grade& given) {
  const Grade grade = presentable(given);
  const auto count = [&grade](bool (*is)(const GradeCase&)) {
    return std::count_if(grade.cases.begin(), grade.cases.end(), is);
  };
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{}\"",
                  grade.cases.size(), count(&is_failure), count(&is_error), count(&is_skipped),
                  static_cast<double>(grade.wall_ms) / 1000);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites name=\"watchlab-course\" {}>\n", counts);
  text += fmt::format("  <testsuite name=\"{} {}\" {}>\n", escaped(grade.exercise),
                      escaped(grade.title), counts);
  for (const GradeCase& entry : grade.cases) {
    text += line_of(grade, entry);
  }
  text += fmt::format("    <system-out>{}</system-out>\n", escaped(grade.summary));
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace watchlab::course
