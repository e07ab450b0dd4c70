#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "exercises/grader/commands.hpp"
#include "exercises/programs/controllers.hpp"
#include "exercises/programs/texts.hpp"
#include "scenarios/command_line/child_process.hpp"

namespace watchlab::course {
namespace {

constexpr std::size_t kAttemptsBeforeSymptom = 2;
constexpr std::size_t kAttemptsBeforeHint = 3;

std::string indented(std::string_view text) {
  std::string out;
  for (const std::string_view line : lines_in(text)) {
    out += fmt::format("{}      {}", out.empty() ? "" : "\n", line);
  }
  return out;
}

std::string first_line_of(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Shows what failed. Of several that fail in the same way only the first one's steps are shown,
/// and the others stand below it.
class Failures {
 public:
  explicit Failures(StudentConsole& console) : console_(console) {}

  void add(const GradeCase& entry) {
    const std::string way = way_of(entry);
    const auto same = std::ranges::find(groups_, way, &Group::way);
    if (!way.empty() && same != groups_.end()) {
      same->others.push_back(entry.id);
    } else {
      groups_.push_back({&entry, way, {}});
    }
  }

  void show(const std::string& exercise) const {
    for (const Group& group : groups_) {
      show(*group.first, exercise);
      if (!group.others.empty()) {
        console_.line(fmt::format("      {} more {} like this: {}", group.others.size(),
                                  group.others.size() == 1 ? "fails" : "fail",
                                  fmt::join(group.others, ", ")));
      }
    }
  }

 private:
  struct Group {
    const GradeCase* first;
    std::string way;
    std::vector<std::string> others;
  };

  /// The line of the tests in which it failed, and why that is bad; "" where that is not known.
  static std::string way_of(const GradeCase& entry) {
    const std::string failure = first_line_of(entry.narration);
    const std::size_t place = failure.rfind('(');
    return failure.empty()
               ? entry.outcome == "invalid" ? entry.message : ""
               : first_line_of(entry.message) + "\n" +
                     (failure.ends_with(')') && place != std::string::npos ? failure.substr(place)
                                                                           : failure);
  }

  void show(const GradeCase& entry, const std::string& exercise) const {
    console_.verdict(false, entry.id);
    console_.line(indented(entry.narration.empty() ? entry.message : first_line_of(entry.message)));
    if (!entry.narration.empty()) {
      console_.line(indented(entry.narration));
    }
    if (!entry.schedule.empty()) {
      console_.line(fmt::format("      again: watchlab-course check {} --schedule '{}' --case {}",
                                exercise, entry.schedule, scenarios::word_for_shell(entry.id)));
    }
  }

  StudentConsole& console_;
  std::vector<Group> groups_;
};

/// What is said of each defect; those of which the same is said share a line.
class Unnoticed {
 public:
  /// `one` and `several` are what the defects are of: "library", "libraries".
  Unnoticed(StudentConsole& console, std::string_view one, std::string_view several)
      : console_(console), one_(one), several_(several) {}

  void add(const GradeCase& entry, const Progress& progress) {
    const auto found = progress.survivals.find(entry.variant);
    const std::size_t survived = found == progress.survivals.end() ? 0 : found->second;
    if (is_good(entry)) {
      console_.verdict(true, fmt::format("a wrong {} is {}{}", one_, entry.message,
                                         entry.symptom.empty() ? "" : ": " + entry.symptom));
      return;
    }
    if (entry.symptom.empty() || survived < kAttemptsBeforeSymptom) {
      ++(entry.symptom.empty() ? without_symptom_ : with_symptom_);
      return;
    }
    console_.verdict(false, fmt::format("a wrong {} goes unnoticed ({}): {}", one_, entry.clause,
                                        entry.symptom));
    if (survived >= kAttemptsBeforeHint && !entry.hint.empty()) {
      console_.line("      " + entry.hint);
    }
  }

  void show_rest() const {
    show(without_symptom_, "");
    show(with_symptom_, with_symptom_ == 1
                            ? " (its symptom is shown if your next edit leaves it so)"
                            : " (symptoms are shown if your next edit leaves them so)");
  }

 private:
  void show(std::size_t count, std::string_view note) const {
    if (count > 0) {
      console_.verdict(
          false, count == 1 ? fmt::format("a wrong {} goes unnoticed{}", one_, note)
                            : fmt::format("{} wrong {} go unnoticed{}", count, several_, note));
    }
  }

  StudentConsole& console_;
  std::string_view one_;
  std::string_view several_;
  std::size_t without_symptom_ = 0;
  std::size_t with_symptom_ = 0;
};

void show_cases(StudentConsole& console, const Exercise& exercise, const Grade& grade,
                const Progress& progress) {
  Failures failures(console);
  for (const GradeCase& entry : grade.cases) {
    if (entry.kind == "defect") {
      continue;
    }
    if (is_good(entry)) {
      console.verdict(true, entry.id);
    } else if (entry.outcome == "open") {
      console.line(fmt::format("  ? {}", entry.id));
    } else {
      failures.add(entry);
    }
  }
  failures.show(exercise.id);
  const bool has_controllers = is_about_controllers(exercise);
  Unnoticed unnoticed(console, has_controllers ? "controller" : "library",
                      has_controllers ? "controllers" : "libraries");
  for (const GradeCase& entry : grade.cases) {
    if (entry.kind == "defect") {
      unnoticed.add(entry, progress);
    }
  }
  unnoticed.show_rest();
}

/// Of a suite that was given up, what is known of its tests comes first.
void show_why_not(StudentConsole& console, const Exercise& exercise, const Grade& grade) {
  Failures failures(console);
  for (const GradeCase& entry : grade.cases) {
    if (entry.kind == "test") {
      failures.add(entry);
    }
  }
  failures.show(exercise.id);
  console.line(grade.summary);
}

}  // namespace

bool is_complete(const Grade& grade) {
  return grade.status == Grade::Status::Finished && grade.points() >= grade.points_max - 1e-6;
}

void show_verdict(StudentConsole& console, const Exercise& exercise, const Grade& given,
                  const Progress& progress) {
  const Grade grade = presentable(given);
  if (grade.status == Grade::Status::NotGradable) {
    show_why_not(console, exercise, grade);
    return;
  }
  show_cases(console, exercise, grade, progress);
  console.line(grade.summary);
  console.line(fmt::format("{}: checked in {:.1f} s.", exercise.id,
                           static_cast<double>(grade.wall_ms) / 1000));
  if (grade.points_open > 0) {
    console.line(fmt::format("{:.0f} more points are open until it is graded.", grade.points_open));
  }
}

void show_case(StudentConsole& console, const Exercise& exercise, const Grade& given) {
  const Grade grade = presentable(given);
  if (grade.status == Grade::Status::NotGradable) {
    show_why_not(console, exercise, grade);
    return;
  }
  show_cases(console, exercise, grade, {});
  console.line(
      fmt::format("Only this test was run; watchlab-course check {} scores all of "
                  "them.",
                  exercise.id));
}

}  // namespace watchlab::course
