#include "exercises/gradebook/gradebook.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <iterator>
#include <set>

#include "exercises/gradebook/csv.hpp"
#include "exercises/programs/exercise.hpp"
#include "exercises/programs/texts.hpp"
#include "scenarios/language/document.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

/// Results have four places; with as many here, the last one would be rounded twice.
double rounded(double points) { return std::round(points * 100) / 100; }

std::vector<fs::path> results_below(const std::vector<fs::path>& folders) {
  std::set<fs::path> files;
  for (const fs::path& folder : folders) {
    if (!fs::is_directory(folder)) {
      throw BadInput(fmt::format("{} is no folder", folder.string()));
    }
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file() && entry.path().extension() == ".json") {
        files.insert(entry.path().lexically_normal());
      }
    }
  }
  return {files.begin(), files.end()};
}

json::object read_grade(const fs::path& file) {
  try {
    json::object grade = json::parse(read_whole(file)).as_object();
    for (const char* const key : {"exercise", "title", "status", "summary"}) {
      static_cast<void>(grade.at(key).as_string());
    }
    static_cast<void>(grade.at("points").to_number<double>());
    static_cast<void>(grade.at("max_points").to_number<double>());
    static_cast<void>(grade.at("cases").as_array());
    return grade;
  } catch (const BadInput&) {
    throw;
  } catch (const std::exception&) {
    throw BadInput(fmt::format("{} is no grade; grade with --format json", file.string()));
  }
}

std::string text_of(const json::object& object, std::string_view key) {
  return std::string(object.at(key).as_string());
}

Shortfall shortfall_of(const json::object& grade) {
  const std::string status = text_of(grade, "status");
  if (status == "finished") {
    return grade.at("points").to_number<double>() > 0 ? Shortfall::None : Shortfall::Zero;
  }
  if (status != "not_gradable") {
    return Shortfall::Unfinished;
  }
  const std::string why = text_of(grade, "summary");
  return why.starts_with(kDoesNotCompile) ? Shortfall::DoesNotCompile
         : why.starts_with(kTheFile)      ? Shortfall::FileMissing
                                          : Shortfall::NotRun;
}

/// The exercises of the policy, then those that only results have.
std::vector<Assignment> exercises_of(const CoursePolicy& policy,
                                     const std::map<std::string, std::string>& titles) {
  std::vector<Assignment> exercises = policy.exercises;
  for (const auto& [id, title] : titles) {
    if (std::ranges::find(exercises, id, &Assignment::id) == exercises.end()) {
      exercises.push_back({.id = id, .due = {}, .column = {}, .points_max = 0});
    }
  }
  for (Assignment& exercise : exercises) {
    if (exercise.column.empty()) {
      const auto title = titles.find(exercise.id);
      exercise.column =
          title == titles.end() ? exercise.id : fmt::format("{} {}", exercise.id, title->second);
    }
  }
  return exercises;
}

/// Fills in what one student got.
void fill_in(Gradebook& book, const Student& student, const GradebookInput& input) {
  for (const Assignment& exercise : book.exercises) {
    GradebookEntry& entry = book.entries[{student.id, exercise.id}];
    if (entry.grade.empty()) {
      entry.points_max = static_cast<double>(exercise.points_max);
      entry.shortfall =
          exercise.due && input.now < *exercise.due ? Shortfall::NotDue : Shortfall::Missing;
      continue;
    }
    const json::value grade = json::parse(entry.grade);
    entry.shortfall = shortfall_of(grade.as_object());
    const double most = grade.at("max_points").to_number<double>();
    entry.points_max = exercise.points_max > 0 ? static_cast<double>(exercise.points_max) : most;
    const double share = most > 0 ? grade.at("points").to_number<double>() / most : 0;
    entry.earned = rounded(std::clamp(share, 0.0, 1.0) * entry.points_max);
    const auto submitted = input.submitted.find({student.id, exercise.id});
    if (exercise.due && submitted != input.submitted.end()) {
      entry.lateness = lateness_of(submitted->second, *exercise.due, input.policy);
    }
    entry.points = rounded(entry.earned * static_cast<double>(entry.lateness.percent) / 100);
    if (entry.earned > 0 && entry.points <= 0) {
      entry.shortfall = Shortfall::TooLate;
    }
  }
}

/// Puts what the instructor has decided in place of what was earned.
void put_overrides(Gradebook& book, const Overrides& overrides) {
  const auto nearest = [](const std::string& wanted, const std::vector<std::string>& names) {
    const std::string name = scenarios::nearest_name(wanted, names);
    return name.empty() ? "" : fmt::format("; did you mean {}?", name);
  };
  for (const auto& [key, own] : overrides) {
    const auto& [student, exercise] = key;
    const auto found = book.entries.find(key);
    if (found != book.entries.end()) {
      found->second.points = own.points;
      found->second.override = own.reason;
      found->second.shortfall = Shortfall::None;
      if (own.points > found->second.points_max && found->second.points_max > 0) {
        book.notes.push_back(fmt::format("{}{} points are more than the {} of {}", own.where,
                                         own.points, found->second.points_max, exercise));
      }
      continue;
    }
    std::vector<std::string> students;
    std::ranges::transform(book.students, std::back_inserter(students), &Student::id);
    if (std::ranges::find(students, student) == students.end()) {
      throw BadInput(fmt::format("{}the roster has no student {}{}", own.where, student,
                                 nearest(student, students)));
    }
    std::vector<std::string> exercises;
    std::ranges::transform(book.exercises, std::back_inserter(exercises), &Assignment::id);
    throw BadInput(fmt::format("{}there is no exercise {}{}", own.where, exercise,
                               nearest(exercise, exercises)));
  }
}

/// The most points of an exercise without a result: those of the others' results.
void fill_in_most(Gradebook& book) {
  for (const Assignment& exercise : book.exercises) {
    double most = 0;
    for (const Student& student : book.students) {
      most = std::max(most, book.entry(student, exercise).points_max);
    }
    for (const Student& student : book.students) {
      book.entries.at({student.id, exercise.id}).points_max = most;
    }
  }
}

std::string points_text(double points) { return fmt::format("{}", points); }

/// Of a cell; nothing where nothing was graded.
std::string points_text(const GradebookEntry& entry) {
  return entry.has_points() ? points_text(entry.points) : "";
}

double most_of(const Gradebook& book, const Assignment& exercise) {
  return book.students.empty() ? 0 : book.entry(book.students.front(), exercise).points_max;
}

}  // namespace

std::string_view to_string(Shortfall shortfall) {
  constexpr std::array<std::string_view, kShortfalls> words{
      "",        "zero", "does_not_compile", "file_missing", "not_run", "unfinished", "too_late",
      "missing", ""};
  return words.at(static_cast<std::size_t>(shortfall));
}

Gradebook make_gradebook(const GradebookInput& input) {
  Gradebook book{.students = input.students};
  std::vector<std::string> ids;
  for (const Student& student : input.students) {
    ids.push_back(student.id);
  }
  std::map<std::pair<std::string, std::string>, fs::path> files;
  for (const fs::path& file : results_below(input.results)) {
    const json::object grade = read_grade(file);
    const std::string student = file.stem().string();
    const std::string exercise = text_of(grade, "exercise");
    if (std::ranges::find(ids, student) == ids.end()) {
      const std::string nearest = scenarios::nearest_name(student, ids);
      book.strangers.push_back(fmt::format(
          "{}: the roster has no student {}{}", visible_line(file.string()), visible_line(student),
          nearest.empty() ? "" : fmt::format("; did you mean {}?", visible_line(nearest))));
      continue;
    }
    const auto [first, is_new] = files.try_emplace({student, exercise}, file);
    if (!is_new) {
      throw BadInput(fmt::format("{} and {} are both {}'s result for {}; take one away",
                                 first->second.string(), file.string(), student, exercise));
    }
    book.titles[exercise] = plain_line(text_of(grade, "title"));
    book.entries[{student, exercise}].grade = json::serialize(grade);
  }
  book.exercises = exercises_of(input.policy, book.titles);
  for (const Student& student : book.students) {
    fill_in(book, student, input);
  }
  fill_in_most(book);
  put_overrides(book, input.overrides);
  return book;
}

std::string to_csv(const Gradebook& book) {
  std::string text = csv_line({"student", "name", "exercise", "earned", "points", "max_points",
                               "late_days", "failure", "override"});
  for (const Student& student : book.students) {
    for (const Assignment& exercise : book.exercises) {
      const GradebookEntry& entry = book.entry(student, exercise);
      const bool was_graded = !entry.grade.empty() && entry.has_points();
      text += csv_line({student.id, student.name, exercise.id,
                        was_graded ? points_text(entry.earned) : "", points_text(entry),
                        points_text(entry.points_max), std::to_string(entry.lateness.days),
                        std::string(to_string(entry.shortfall)), entry.override});
    }
  }
  return text;
}

std::string to_canvas(const Gradebook& book) {
  std::vector<std::string> names{"Student", "ID", "SIS User ID", "SIS Login ID", "Section"};
  std::vector<std::string> most{"    Points Possible", "", "", "", ""};
  for (const Assignment& exercise : book.exercises) {
    names.push_back(exercise.column);
    most.push_back(points_text(most_of(book, exercise)));
  }
  std::string text = csv_line(names) + csv_line(most);
  for (const Student& student : book.students) {
    std::vector<std::string> cells{
        student.name.empty() ? student.id : student.name, student.canvas_id,
        student.sis_id.empty() ? student.id : student.sis_id, student.login, student.section};
    for (const Assignment& exercise : book.exercises) {
      cells.push_back(points_text(book.entry(student, exercise)));
    }
    text += csv_line(cells);
  }
  return text;
}

std::string to_moodle(const Gradebook& book) {
  std::vector<std::string> names{"Username", "Email address"};
  for (const Assignment& exercise : book.exercises) {
    names.push_back(exercise.column);
    names.push_back(exercise.column + " (feedback)");
  }
  std::string text = csv_line(names);
  for (const Student& student : book.students) {
    std::vector<std::string> cells{student.login.empty() ? student.id : student.login,
                                   student.email};
    for (const Assignment& exercise : book.exercises) {
      const GradebookEntry& entry = book.entry(student, exercise);
      std::string note(to_string(entry.shortfall));
      if (entry.lateness.days > 0) {
        note += fmt::format("{}{} days late", note.empty() ? "" : ", ", entry.lateness.days);
      }
      if (!entry.override.empty()) {
        note += fmt::format("{}corrected: {}", note.empty() ? "" : ", ", entry.override);
      }
      // A dash is a grade that was not given.
      cells.push_back(entry.has_points() ? points_text(entry.points) : "-");
      cells.push_back(note);
    }
    text += csv_line(cells);
  }
  return text;
}

std::string summary_of(const Gradebook& book) {
  constexpr std::array<std::string_view, kShortfalls> words{
      "with points", "without points", "not compiling", "with a file missing",
      "not run",     "unfinished",     "too late",      "missing",
      "not due"};
  std::array<std::size_t, kShortfalls> counts{};
  for (const auto& [key, entry] : book.entries) {
    ++counts.at(static_cast<std::size_t>(entry.shortfall));
  }
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < kShortfalls; ++i) {
    if (counts.at(i) > 0) {
      parts.push_back(fmt::format("{} {}", counts.at(i), words.at(i)));
    }
  }
  return fmt::format("{} students, {} exercises: {}", book.students.size(), book.exercises.size(),
                     fmt::join(parts, ", "));
}

}  // namespace watchlab::course
