#include <fmt/format.h>

#include <string_view>

#include "exercises/grader/commands.hpp"
#include "exercises/programs/controllers.hpp"
#include "exercises/programs/texts.hpp"

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

void show_bad(StudentConsole& console, const GradeCase& entry) {
  console.line(fmt::format("  {} {}", console.bad("✗"), entry.id));
  console.line(indented(
      entry.narration.empty() ? entry.message : entry.message.substr(0, entry.message.find('\n'))));
  if (!entry.narration.empty()) {
    console.line(indented(entry.narration));
  }
  if (!entry.schedule.empty()) {
    console.line(fmt::format("      again: watchlab-course check --schedule '{}' --case {}",
                             entry.schedule, entry.id));
  }
}

/// What is said of each defect; those of which the same is said share a line.
class Unnoticed {
 public:
  /// `one` and `several` are what the defects are of: "library", "libraries".
  Unnoticed(StudentConsole& console, std::string_view one, std::string_view several)
      : console_(console), one_(one), several_(several) {}

  void add(const GradeCase& entry, const Progress& progress) {
    if (is_good(entry)) {
      console_.line(fmt::format("  {} a wrong {} is {}", console_.good("✓"), one_, entry.message));
      return;
    }
    const auto found = progress.survivals.find(entry.variant);
    const std::size_t survived = found == progress.survivals.end() ? 0 : found->second;
    if (entry.symptom.empty() || survived < kAttemptsBeforeSymptom) {
      ++(entry.symptom.empty() ? without_symptom_ : with_symptom_);
      return;
    }
    console_.line(fmt::format("  {} a wrong {} goes unnoticed ({}): {}", console_.bad("✗"), one_,
                              entry.clause, entry.symptom));
    if (survived >= kAttemptsBeforeHint && !entry.hint.empty()) {
      console_.line("      " + entry.hint);
    }
  }

  void show_rest() const {
    show(without_symptom_, "");
    show(with_symptom_, with_symptom_ == 1 ? " (its symptom is shown when it does so twice)"
                                           : " (symptoms are shown when they do so twice)");
  }

 private:
  void show(std::size_t count, std::string_view note) const {
    if (count > 0) {
      console_.line(count == 1 ? fmt::format("  {} a wrong {} goes unnoticed{}", console_.bad("✗"),
                                             one_, note)
                               : fmt::format("  {} {} wrong {} go unnoticed{}", console_.bad("✗"),
                                             count, several_, note));
    }
  }

  StudentConsole& console_;
  std::string_view one_;
  std::string_view several_;
  std::size_t without_symptom_ = 0;
  std::size_t with_symptom_ = 0;
};

}  // namespace

bool is_complete(const Grade& grade) {
  return grade.status == Grade::Status::Finished && grade.points() >= grade.points_max - 1e-6;
}

void show_verdict(StudentConsole& console, const Exercise& exercise, const Grade& given,
                  const Progress& progress) {
  const Grade grade = presentable(given);
  if (grade.status == Grade::Status::NotGradable) {
    console.line(grade.summary);
    return;
  }
  const bool has_controllers = is_about_controllers(exercise);
  Unnoticed unnoticed(console, has_controllers ? "controller" : "library",
                      has_controllers ? "controllers" : "libraries");
  for (const GradeCase& entry : grade.cases) {
    if (entry.kind == "defect") {
      unnoticed.add(entry, progress);
    } else if (is_good(entry)) {
      console.line(fmt::format("  {} {}", console.good("✓"), entry.id));
    } else {
      show_bad(console, entry);
    }
  }
  unnoticed.show_rest();
  console.line(grade.summary);
  console.line(fmt::format("{}: {:.0f} of {:.0f} points here, in {:.1f} s.", exercise.id,
                           grade.points(), grade.points_max,
                           static_cast<double>(grade.wall_ms) / 1000));
}

}  // namespace watchlab::course
