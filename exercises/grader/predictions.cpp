#include "exercises/grader/predictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "exercises/grader/questions.hpp"
#include "exercises/programs/builder.hpp"
#include "exercises/programs/texts.hpp"
#include "scenarios/language/table.hpp"

namespace watchlab::course {
namespace {

using scenarios::text;

struct PredictionFile {
  api::Labels answers;
  std::vector<PredictionEntry> locked;
};

scenarios::Codec<PredictionFile> prediction_grammar() {
  scenarios::Table<PredictionEntry> entry("an entry", "What happened to the predictions.");
  entry
      .required("what", &PredictionEntry::what,
                scenarios::word("a kind of entry", {"answer", "revealed", "anew", "edited"}),
                "What happened.")
      .required("at", &PredictionEntry::at, text("a time"), "When.")
      .optional("question", &PredictionEntry::question, text("a question"), "Which.")
      .optional("text", &PredictionEntry::text, text("an answer"), "The answer, or a note.")
      .required("seal", &PredictionEntry::seal, text("a seal"), "Covers all until here.");
  scenarios::Table<PredictionFile> table("predictions", "What a student has predicted.");
  table.optional("answers", &PredictionFile::answers, answer_grammar(), "Not locked.")
      .optional("locked", &PredictionFile::locked, list_of("a list of entries", entry.codec()),
                "Locked.");
  return table.codec();
}

/// One line, so that entries cannot run into each other.
std::string one_line(std::string text) {
  for (char& character : text) {
    character = static_cast<unsigned char>(character) < 0x20 || character == 0x7f ? ' ' : character;
  }
  return text;
}

/// Those of the last attempt. What is locked stays: a later answer to the same question is none.
api::Labels answers_in(std::span<const PredictionEntry> entries) {
  api::Labels answers;
  for (const PredictionEntry& entry : entries) {
    if (entry.what == "anew") {
      answers.clear();
    } else if (entry.what == "answer" && !answers.contains(entry.question)) {
      answers[entry.question] = entry.text;
    }
  }
  return answers;
}

}  // namespace

Predictions::Predictions(const Exercise& exercise, const std::filesystem::path& file)
    : exercise_(exercise.id), file_(file) {
  PredictionFile read = read_by(prediction_grammar(), file);
  drafts_ = std::move(read.answers);
  entries_ = std::move(read.locked);
}

std::string Predictions::seal_of(const PredictionEntry& entry, const std::string& before) const {
  return fmt::format(
      "{:016x}", digest_of(fmt::format("watchlab/predictions/{}\n{}\n{}\n{}\n{}\n{}", exercise_,
                                       before, entry.what, entry.at, entry.question, entry.text)));
}

std::string Predictions::broken() const {
  std::string before;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const PredictionEntry& entry = entries_[i];
    if (entry.seal != seal_of(entry, before)) {
      return fmt::format("{}: the seal of entry {}{} is broken: what was locked has been edited",
                         file_.string(), i + 1,
                         entry.question.empty() ? "" : " (" + entry.question + ")");
    }
    before = entry.seal;
  }
  return "";
}

std::string Predictions::state() const {
  return fmt::format("{}:{}", entries_.size(), entries_.empty() ? "" : entries_.back().seal);
}

bool Predictions::continues_from(const std::string& state) const {
  if (state.empty() || state == "0:") {
    return true;
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (state == fmt::format("{}:{}", i + 1, entries_[i].seal)) {
      return true;
    }
  }
  return false;
}

api::Labels Predictions::current() const { return answers_in(entries_); }

bool Predictions::is_revealed() const {
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (entry->what == "anew" || entry->what == "revealed") {
      return entry->what == "revealed";
    }
  }
  return false;
}

bool Predictions::is_settled() const {
  return std::ranges::count(entries_, "revealed", &PredictionEntry::what) > 0;
}

api::Labels Predictions::counted() const {
  const auto revealed = std::ranges::find(entries_, "revealed", &PredictionEntry::what);
  return answers_in(std::span(entries_.begin(), revealed));
}

std::string Predictions::notes() const {
  std::string lines;
  bool revealed = false;
  for (const PredictionEntry& entry : entries_) {
    revealed = revealed || entry.what == "revealed";
    if (entry.what == "edited") {
      lines += fmt::format("\nThe record before {} had been edited, and was dropped.", entry.at);
    } else if (entry.what == "anew") {
      lines += fmt::format(
          "\nStarted anew at {}, {}: {}", entry.at,
          revealed ? "after the reveal; what follows is practice" : "before anything was revealed",
          entry.text);
    }
  }
  return lines;
}

void Predictions::lock(const std::string& question, const std::string& answer,
                       const std::string& at) {
  append({.what = "answer", .at = at, .question = question, .text = one_line(answer), .seal = {}});
}

void Predictions::reveal(const std::string& at) {
  append({.what = "revealed", .at = at, .question = {}, .text = {}, .seal = {}});
}

void Predictions::start_anew(const std::string& note, const std::string& at, bool edited) {
  if (edited) {
    entries_.clear();
    append({.what = "edited", .at = at, .question = {}, .text = {}, .seal = {}});
  }
  append({.what = "anew", .at = at, .question = {}, .text = one_line(note), .seal = {}});
}

void Predictions::append(PredictionEntry entry) {
  entry.seal = seal_of(entry, entries_.empty() ? "" : entries_.back().seal);
  entries_.push_back(std::move(entry));
  write();
}

void Predictions::write() const {
  std::string text = fmt::format(
      "# Written by watchlab-course predict {}. Hand it in as it is: an entry that is edited "
      "breaks "
      "its seal.\n",
      exercise_);
  if (!drafts_.empty()) {
    text += "answers:\n";
    for (const auto& [question, answer] : drafts_) {
      text += fmt::format("  {}: {}\n", question, quoted(std::string(answer)));
    }
  }
  text += "locked:\n";
  for (const PredictionEntry& entry : entries_) {
    text += fmt::format("  - {{what: {}, at: {}", entry.what, quoted(entry.at));
    text += entry.question.empty() ? "" : fmt::format(", question: {}", quoted(entry.question));
    text += entry.text.empty() ? "" : fmt::format(", text: {}", quoted(entry.text));
    text += fmt::format(", seal: \"{}\"}}\n", entry.seal);
  }
  write_output(file_, text);
}

}  // namespace watchlab::course
