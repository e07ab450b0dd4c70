#include "exercises/programs/exercise_set.hpp"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <numeric>

#include "exercises/programs/texts.hpp"
#include "scenarios/language/table.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

scenarios::Codec<ExerciseSet> grammar_of_set() {
  using scenarios::integer;
  using scenarios::text;
  scenarios::Table<ExerciseSet::Part> part("a part", "An exercise of a set.");
  part.required("id", &ExerciseSet::Part::id, text("an id"), "E01t.")
      .required("points", &ExerciseSet::Part::points, integer("points", 1, 10'000),
                "What it is worth in the set.");
  scenarios::Table<ExerciseSet> table("a homework", "Exercises with one score.");
  table.required("id", &ExerciseSet::id, text("a name"), "What it is called in commands.")
      .required("title", &ExerciseSet::title, text("a title"), "What it is called.")
      .required("exercises", &ExerciseSet::parts, list_of("a list of parts", part.codec()),
                "In the order they are done.");
  return table.codec();
}

}  // namespace

double ExerciseSet::points_max() const {
  return std::accumulate(parts.begin(), parts.end(), 0.0, [](double sum, const Part& part) {
    return sum + static_cast<double>(part.points);
  });
}

std::vector<ExerciseSet> read_exercise_sets(const fs::path& folder,
                                            const std::vector<Exercise>& exercises) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (fs::exists(entry.path() / "homework.yaml")) {
      files.push_back(entry.path() / "homework.yaml");
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<ExerciseSet> sets;
  for (const fs::path& file : files) {
    ExerciseSet set = read_by(grammar_of_set(), file);
    set.folder = file.parent_path();
    for (const ExerciseSet::Part& part : set.parts) {
      try {
        static_cast<void>(find_exercise(exercises, part.id));
      } catch (const BadInput& wrong) {
        throw BadInput(file.string() + ": " + wrong.what());
      }
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

const ExerciseSet* find_set(const std::vector<ExerciseSet>& sets, std::string_view name) {
  for (const ExerciseSet& set : sets) {
    if (boost::algorithm::iequals(set.id, name)) {
      return &set;
    }
  }
  return nullptr;
}

}  // namespace watchlab::course
