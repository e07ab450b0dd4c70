#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "exercises/programs/exercise.hpp"
#include "exercises/programs/toolchain.hpp"

namespace watchlab::course {

/// How far a student is with one exercise.
struct Progress {
  std::size_t attempts = 0;  ///< checks of files that had changed
  std::size_t hints = 0;     ///< the highest level that was read
  double best = 0;           ///< points
  std::size_t caught = 0;    ///< of the cases that are shown: most in a check
  std::size_t shown = 0;     ///< of as many; 0 where a check sees what the grade sees
  bool done = false;         ///< it was complete once
  bool holds = false;        ///< and it was in the last check
  std::string checked;       ///< a fingerprint of the files that were checked last
  std::map<std::string, std::size_t> survivals;  ///< attempts that a defect has survived
};

/// How far that is, in the list of exercises: "4 of 6 shown"; "" where nothing was started.
[[nodiscard]] std::string words_of(const Progress* progress);

/// A student's folder: a folder for each exercise that was started, and progress.json.
class Homework {
 public:
  /// Reads progress.json, if there is one. Throws `BadInput` when it is broken.
  explicit Homework(std::filesystem::path folder);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::filesystem::path folder_of(const Exercise& exercise) const {
    return folder_ / exercise.slug();
  }
  /// Where compiled programs are kept.
  [[nodiscard]] std::filesystem::path cache() const { return folder_ / ".cache"; }

  /// Of the student's files of an exercise: the same for the same.
  [[nodiscard]] std::string fingerprint_of(const Exercise& exercise) const;

  /// The exercise that was started or checked last; "" before.
  [[nodiscard]] const std::string& current() const { return current_; }
  [[nodiscard]] const Progress* find(const std::string& id) const;
  /// To be changed; the exercise is the current one from now on.
  [[nodiscard]] Progress& of(const std::string& id);

  /// Copies the exercise's starter, README, subject.hpp and the controllers to read, and writes
  /// compile_flags.txt for editors, each whole or not at all. Files that are there stay as they
  /// are; but what an earlier start had begun to write, and could not, is written anew. Returns
  /// whether something was copied.
  bool start(const Toolchain& toolchain, const Exercise& exercise);
  /// Writes progress.json. What other commands have written since it was read stays: exercises that
  /// `of` was not asked for are as they are there, and of the others nothing gets less. Throws
  /// `std::runtime_error`.
  void save() const;

 private:
  using Exercises = std::map<std::string, Progress>;
  struct Written {
    std::string current;
    Exercises exercises;
  };
  /// What progress.json says; nothing when there is none. Throws `BadInput` when it is broken.
  [[nodiscard]] static Written read(const std::filesystem::path& folder);

  std::filesystem::path folder_;
  std::string current_;
  Exercises progress_;
  std::set<std::string> changed_;
};

/// `given`, or what the current folder lies in: a folder with a student's progress, whatever it is
/// called, or one whose folder homework has some; the nearest one counts.
[[nodiscard]] Homework homework_at(const std::string& given);

}  // namespace watchlab::course
