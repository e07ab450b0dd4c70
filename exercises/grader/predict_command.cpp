#include <fmt/chrono.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "exercises/grader/commands.hpp"
#include "exercises/grader/predictions.hpp"
#include "exercises/grader/questions.hpp"
#include "scenarios/command_line/interrupt.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

struct PredictOptions {
  std::string id;
  std::string homework;
  std::string answers;
  bool anew = false;
  std::string note;
};

std::string now() {
  const auto time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time));
}

/// A signal asked for the end.
struct Interrupted {};

/// Lines of standard input, until a signal comes.
class InputLines {
 public:
  /// Nothing at the end of the input. Throws `Interrupted`.
  std::optional<std::string> next() {
    for (;;) {
      if (const std::size_t end = rest_.find('\n'); end != std::string::npos) {
        std::string line = rest_.substr(0, end);
        rest_.erase(0, end + 1);
        return line;
      }
      if (!fill()) {
        return rest_.empty() ? std::nullopt : std::optional(std::exchange(rest_, ""));
      }
    }
  }

 private:
  /// False at the end.
  bool fill() {
    constexpr int kMillisecondsBetweenLooks = 100;
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    while (::poll(&input, 1, kMillisecondsBetweenLooks) <= 0) {
      if (scenarios::Interrupt::requested()) {
        throw Interrupted();
      }
    }
    std::array<char, 4096> bytes{};
    const ssize_t size = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    rest_.append(bytes.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    return size > 0;
  }

  const scenarios::Interrupt interrupt_;
  std::string rest_;
};

/// One run of the command: a student, an exercise, a record.
class Predicting {
 public:
  Predicting(const Toolchain& toolchain, Homework& homework, const Exercise& exercise)
      : toolchain_(toolchain),
        homework_(homework),
        exercise_(exercise),
        file_(homework.folder_of(exercise) / "answers.yaml"),
        questions_(read_questions(exercise)),
        record_(exercise, file_) {}

  /// Throws `BadInput` when what was locked is not there as it was.
  void require_intact() const {
    const std::string wrong = trouble();
    if (!wrong.empty()) {
      throw BadInput(fmt::format(
          "{}\nPut back what was there, or begin again, which is noted: watchlab-course predict {} "
          "--anew --note \"why\"",
          wrong, exercise_.id));
    }
  }

  void start_anew(const std::string& note) {
    if (note.find_first_not_of(" \t") == std::string::npos) {
      throw BadInput("--anew wants --note \"why\": it stands in the record that you hand in");
    }
    if (record_.is_revealed()) {
      console_.line("The answers from before the reveal are graded; this is practice.");
    }
    record_.start_anew(note, now(), !trouble().empty());
    save();
  }

  /// Locks what the file says to all questions that are open; or nothing, when it lacks one.
  void take_from(const std::string& file) {
    if (!fs::is_regular_file(file)) {
      throw BadInput(fmt::format("{} is not a file with answers; nothing is locked", file));
    }
    const Answers given = read_answers(file);
    const api::Labels unwritten = read_answers_of_starter();
    std::string wrong;
    for (const Question& question : open_questions()) {
      const auto answer = given.answers.find(question.id);
      const std::string text = answer == given.answers.end() ? "" : answer->second;
      const auto placeholder = unwritten.find(question.id);
      if (!text.empty() && placeholder != unwritten.end() && placeholder->second == text) {
        wrong +=
            fmt::format("{}: {} still has the starter's answer '{}'\n", file, question.id, text);
      } else if (const std::string why = reason_against(question, text); !why.empty()) {
        wrong += fmt::format("{}: {}: {}: {}\n", file, question.id, why, question.ask);
      }
    }
    if (!wrong.empty()) {
      throw BadInput(wrong + "nothing is locked");
    }
    for (const Question& question : open_questions()) {
      lock(question, given.answers.at(question.id));
    }
  }

  /// Asks on standard input, one question after the other, and locks each answer as it comes.
  void ask_all() {
    const std::vector<Question> open = open_questions();
    if (!open.empty()) {
      if (!record_.drafts().empty()) {
        console_.line(
            fmt::format("{0} has answers that are not locked; to lock them all: "
                        "watchlab-course predict {1} --answers {0}",
                        file_.string(), exercise_.id));
      }
      console_.line(
          "Each answer is locked when you press Enter. What came of them is shown after "
          "the last one; Ctrl-C keeps what is locked.");
    }
    InputLines lines;
    for (const Question& question : open) {
      lock(question, ask(question, lines));
    }
  }

  void say_how_far() {
    console_.line("");
    console_.line(fmt::format("{} of {} answers are locked; watchlab-course predict {} continues.",
                              record_.current().size(), questions_.size(), exercise_.id));
  }

  /// Shows what came of the answers of this attempt, and what the ones that count are worth.
  void reveal() {
    if (!record_.is_revealed()) {
      record_.reveal(now());  // before anything is shown
      save();
    }
    const std::optional<Answers> right = right_answers(exercise_, "");
    Grade shown;
    put_answers(shown, exercise_, {.answers = record_.current(), .because = {}}, right);
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      show(questions_[i], record_.current().at(questions_[i].id), shown.cases[i].outcome == "pass",
           right);
    }
    console_.line(shown.summary);
    note_grade();
    console_.line(read_hints(exercise_).after);
  }

 private:
  [[nodiscard]] std::string trouble() const {
    const std::string broken = record_.broken();
    const Progress* const progress = homework_.find(exercise_.id);
    if (!broken.empty() || progress == nullptr || record_.continues_from(progress->checked)) {
      return broken;
    }
    return fmt::format("{}: answers that were locked have been taken away", file_.string());
  }

  [[nodiscard]] api::Labels read_answers_of_starter() const {
    const fs::path starter = exercise_.folder / "starter/answers.yaml";
    return fs::exists(starter) ? Predictions(exercise_, starter).drafts() : api::Labels();
  }

  [[nodiscard]] std::vector<Question> open_questions() const {
    std::vector<Question> open;
    const api::Labels locked = record_.current();
    std::ranges::copy_if(questions_, std::back_inserter(open),
                         [&](const Question& question) { return !locked.contains(question.id); });
    return open;
  }

  void lock(const Question& question, const std::string& answer) {
    record_.lock(question.id, answer, now());
    save();
  }

  /// Remembers how far the record goes, so that its end cannot get lost unnoticed.
  void save() {
    homework_.of(exercise_.id).checked = record_.state();
    homework_.save();
  }

  std::string ask(const Question& question, InputLines& lines) {
    console_.line(
        fmt::format("{} of {}  {}", record_.current().size() + 1, questions_.size(), question.ask));
    for (const auto& [letter, choice] : question.choices) {
      console_.line(fmt::format("    {}: {}", letter, choice));
    }
    for (;;) {
      fmt::print("  > ");
      std::fflush(stdout);
      const std::optional<std::string> line = lines.next();
      if (!line) {
        console_.line("");
        throw BadInput(fmt::format(
            "the input ended before an answer to {}; {} of {} answers are locked\n"
            "watchlab-course predict {} continues from there; without a terminal, give it a line a "
            "question, or --answers FILE",
            question.id, record_.current().size(), questions_.size(), exercise_.id));
      }
      const std::string& answer = *line;
      if (::isatty(STDIN_FILENO) == 0) {
        console_.line(answer);  // a terminal shows what is typed
      }
      const std::string why = reason_against(question, answer);
      if (why.empty()) {
        return answer.substr(0, answer.find('\r'));
      }
      console_.line("    " + why);
    }
  }

  /// "b, one event" for the letter of a choice; other answers as they are.
  static std::string in_words(const Question& question, const std::string& answer) {
    const auto choice = question.choices.find(answer);
    return choice == question.choices.end() ? answer
                                            : fmt::format("{}, {}", answer, choice->second);
  }

  void show(const Question& question, const std::string& given, bool is_right,
            const std::optional<Answers>& right) {
    if (!question.measured && !right) {
      console_.line(fmt::format("  ? {}\n      shown when it is graded", question.ask));
      return;
    }
    console_.verdict(is_right, question.ask);
    const std::string truth =
        question.measured ? measured_answer(exercise_, question) : right->answers.at(question.id);
    console_.line("      " + (is_right
                                  ? fmt::format("it was {}", in_words(question, truth))
                                  : fmt::format("you said {}; it was {}", in_words(question, given),
                                                in_words(question, truth))));
    if (right && right->because.contains(question.id)) {
      console_.line("      " + right->because.at(question.id));
    }
  }

  void note_grade() {
    const Grade grade = grade_of_predictions(toolchain_, exercise_, file_.parent_path());
    Progress& progress = homework_.of(exercise_.id);
    progress.attempts = std::max<std::size_t>(progress.attempts, 1);
    progress.best = std::max(progress.best, grade.points());
    progress.done = true;
    progress.holds = true;
    homework_.save();
    console_.line(fmt::format("{}: {:.0f} of {:.0f} points. Hand in {}.", exercise_.id,
                              grade.points(), grade.points_max, file_.string()));
    if (grade.points_open > 0) {
      console_.line(
          fmt::format("{:.0f} more points are open until it is graded.", grade.points_open));
    }
  }

  const Toolchain& toolchain_;
  Homework& homework_;
  const Exercise& exercise_;
  fs::path file_;
  std::vector<Question> questions_;
  Predictions record_;
  StudentConsole console_;
};

int predict(const PredictOptions& options) {
  const Toolchain toolchain = own_toolchain();
  Homework homework = homework_at(options.homework);
  const Exercise exercise = chosen_exercise(toolchain, homework, options.id);
  if (exercise.task != Task::Predict) {
    throw BadInput(
        fmt::format("{} is not an exercise with predictions; use watchlab-course "
                    "check {}",
                    exercise.id, exercise.id));
  }
  if (!fs::exists(homework.folder_of(exercise) / "answers.yaml")) {
    throw BadInput(
        fmt::format("{} is not started: watchlab-course start {}", exercise.id, exercise.id));
  }
  Predicting predicting(toolchain, homework, exercise);
  if (options.anew) {
    predicting.start_anew(options.note);
  } else {
    predicting.require_intact();
  }
  try {
    options.answers.empty() ? predicting.ask_all() : predicting.take_from(options.answers);
  } catch (const Interrupted&) {
    predicting.say_how_far();
    return scenarios::kExitInterrupted;
  }
  predicting.reveal();
  return scenarios::kExitHeld;
}

}  // namespace

scenarios::Command predict_command() {
  const auto options = std::make_shared<PredictOptions>();
  return {
      .name = "predict",
      .summary =
          "asks for your predictions, locks them, then plays the stories and shows what happened",
      .footer =
          "Asks one question at a time. A locked answer is final; answers given before the "
          "reveal are graded. Without a terminal, give one line per question on standard input, "
          "or --answers FILE.\n"
          "Examples:\n"
          "  watchlab-course predict E07\n"
          "  watchlab-course predict E07 --answers mine.yaml\n"
          "  watchlab-course predict E07 --anew --note \"mistyped the third\"",
      .arguments = {exercise_argument(options->id, false),
                    homework_argument(options->homework),
                    {.name = "--answers",
                     .target = &options->answers,
                     .help = "Takes all answers from a YAML file (answers: {question: answer})",
                     .type_name = "FILE"},
                    {.name = "--anew",
                     .target = &options->anew,
                     .help = "Starts another attempt; the record keeps the first one and the "
                             "reason"},
                    {.name = "--note",
                     .target = &options->note,
                     .help = "The reason, with --anew",
                     .type_name = "TEXT"}},
      .run = [options] { return guarded([&] { return predict(*options); }); }};
}

}  // namespace watchlab::course
