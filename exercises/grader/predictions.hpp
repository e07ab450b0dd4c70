#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "exercises/programs/exercise.hpp"

namespace watchlab::course {

/// One thing that happened to a student's predictions, with the seal that it was written under.
struct PredictionEntry {
  std::string what;      ///< answer, revealed, anew or edited
  std::string at;        ///< UTC: "2026-11-22T13:01:02Z"
  std::string question;  ///< of an answer: its id
  std::string text;      ///< the answer, or the note of anew
  std::string seal;
};

/// The record of a predict exercise, in the student's answers.yaml: what was locked, and when.
/// Entries are only ever appended. The seal of each covers the exercise, everything before it and
/// itself, so that an entry that was edited, moved or taken out of the middle is noticed. It is a
/// fingerprint, not a signature: it does not stop a student who computes seals.
class Predictions {
 public:
  /// Throws `BadInput` when the file cannot be read or is no such record.
  Predictions(const Exercise& exercise, const std::filesystem::path& file);

  /// What is wrong with the seals; "" when nothing is.
  [[nodiscard]] std::string broken() const;
  /// "3:0123456789abcdef": so many entries and the last one's seal. Kept elsewhere, it shows later
  /// whether the end of the record was taken away.
  [[nodiscard]] std::string state() const;
  /// Whether everything is still there that was there at `state`.
  [[nodiscard]] bool continues_from(const std::string& state) const;

  /// The answers of the running attempt, by question.
  [[nodiscard]] api::Labels current() const;
  /// Whether the running attempt was revealed: nothing is added to it any more.
  [[nodiscard]] bool is_revealed() const;
  /// Whether any attempt was revealed: the grade is settled, and may be shown.
  [[nodiscard]] bool is_settled() const;
  /// The answers that are graded: those of the first attempt that was revealed; before one was, the
  /// running one. What is answered after a reveal is practice.
  [[nodiscard]] api::Labels counted() const;
  /// What a grader should know about how the answers were made, one line each; "" for nothing.
  [[nodiscard]] std::string notes() const;
  /// The answers of the file that are not locked.
  [[nodiscard]] const api::Labels& drafts() const { return drafts_; }

  // Each appends, and writes the file before it returns. `at` is the time of now in UTC.
  // Throws `std::runtime_error` when the file cannot be written.
  void lock(const std::string& question, const std::string& answer, const std::string& at);
  void reveal(const std::string& at);
  /// Begins another attempt. A record with broken seals, or one that does not go on from what is
  /// known of it, is `edited`: it is dropped, and that is noted.
  void start_anew(const std::string& note, const std::string& at, bool edited);

 private:
  void append(PredictionEntry entry);
  void write() const;
  [[nodiscard]] std::string seal_of(const PredictionEntry& entry, const std::string& before) const;

  std::string exercise_;
  std::filesystem::path file_;
  api::Labels drafts_;
  std::vector<PredictionEntry> entries_;
};

}  // namespace watchlab::course
