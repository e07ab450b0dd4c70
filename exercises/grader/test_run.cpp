#include "exercises/grader/test_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>
#include <utility>

#include "exercises/grader/builder.hpp"

namespace watchlab::course {
namespace {

/// After so many deaths the program is given up.
constexpr std::size_t processes_max = 12;

std::string text_of_message(const RunSettings& settings) {
  std::string text = to_text(settings);
  if (text.size() > settings_bytes_max) {
    throw std::runtime_error("the settings of a program are too long");
  }
  return text;
}

std::string fresh_nonce() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

/// Listens to one process after the other and knows what came of each case.
class Protocol {
 public:
  void hear(const Message& message) {
    if (message.kind == "found") {
      cases_.emplace(message.subject, CaseRun{.name = message.subject});
    } else if (message.kind == "begin") {
      current_ = message.subject;
      cases_[current_] = CaseRun{.name = current_};
    } else if (message.kind == "done") {
      is_done_ = true;
    } else if (!current_.empty()) {
      hear_of_case(cases_[current_], message);
    }
  }

  /// A process has ended; false when it has brought nothing new.
  bool close(const Ended& ended) {
    if (current_.empty()) {
      return is_done_;
    }
    CaseRun& run = cases_[std::exchange(current_, "")];
    run.by_watchdog = ended.how == Ended::How::TimedOut;
    run.outcome = run.by_watchdog ? CaseRun::Outcome::Hung : CaseRun::Outcome::Crashed;
    run.text = (ended.how == Ended::How::Exited ? "it ended the program: " : "") +
               words_for(ended) + (run.text.empty() ? "" : "\n" + run.text);
    return true;
  }

  [[nodiscard]] bool is_done() const { return is_done_; }
  [[nodiscard]] std::vector<std::string> decided() const {
    std::vector<std::string> names;
    for (const auto& [name, run] : cases_) {
      if (run.outcome != CaseRun::Outcome::NotRun) {
        names.push_back(name);
      }
    }
    return names;
  }
  [[nodiscard]] std::vector<CaseRun> take() const {
    std::vector<CaseRun> runs;
    for (const auto& [name, run] : cases_) {
      runs.push_back(run);
    }
    return runs;
  }

 private:
  void hear_of_case(CaseRun& run, const Message& message) {
    if (message.kind == "asked") {
      run.asked += (run.asked.empty() ? "" : ", ") + message.subject;
    } else if (message.kind == "failure" && run.text.empty()) {
      run.text = message.text;
      ending_ = message.subject;
    } else if (message.kind == "schedule" && run.schedule.empty()) {
      run.schedule = message.text;
    } else if (message.kind == "end") {
      const bool hung = std::exchange(ending_, "") == "hang";
      run.outcome = message.subject == "passed" ? CaseRun::Outcome::Passed
                    : hung                      ? CaseRun::Outcome::Hung
                                                : CaseRun::Outcome::Failed;
      run.text = run.outcome == CaseRun::Outcome::Passed ? ""
                 : run.text.empty()                      ? message.text
                                                         : run.text;
      current_.clear();
    }
  }

  std::map<std::string, CaseRun> cases_;
  std::string current_;
  std::string ending_;
  bool is_done_ = false;
};

}  // namespace

std::string word_for(CaseRun::Outcome outcome) {
  switch (outcome) {
    case CaseRun::Outcome::Passed:
      return "passed";
    case CaseRun::Outcome::Failed:
      return "failed";
    case CaseRun::Outcome::Hung:
      return "hung";
    case CaseRun::Outcome::Crashed:
      return "crashed";
    case CaseRun::Outcome::NotRun:
      break;
  }
  return "not run";
}

TestProgram::TestProgram(Sandbox& sandbox, const Stage& stage, const Exercise& exercise)
    : program_(sandbox,
               {.words = {(stage.work() / test_program).string()},
                .environment = {"LD_LIBRARY_PATH=" + stage.library_path(),
                                fmt::format("{}=1", settings_variable), "LC_ALL=C"},
                .folder = stage.work()},
               {.readable = {stage.work(), stage.subject(), stage.base()},
                .writable = {},
                .silence = std::chrono::seconds(exercise.wall_seconds)}) {}

TestRun TestProgram::run(RunSettings settings) {
  const std::vector<std::string> left_out = settings.left_out;
  Protocol protocol;
  TestRun run;
  for (std::size_t i = 0; i < processes_max && !protocol.is_done() && run.trouble.empty(); ++i) {
    settings.nonce = fresh_nonce();
    MessageReader reader(settings.nonce);
    const Ended ended = program_.run(text_of_message(settings), [&](std::string_view bytes) {
      for (const Message& message : reader.take(bytes)) {
        protocol.hear(message);
      }
    });
    run.forged = run.forged || reader.saw_forgery();
    run.output = i == 0 ? ended.output : run.output;
    if (!protocol.close(ended)) {
      run.trouble = "the program ended outside of any case: " + words_for(ended) +
                    (ended.output.empty() ? "" : "\n" + ended.output.substr(0, 500));
    }
    settings.left_out = protocol.decided();
    settings.left_out.insert(settings.left_out.end(), left_out.begin(), left_out.end());
  }
  run.cases = protocol.take();
  if (!protocol.is_done() && run.trouble.empty()) {
    run.trouble = fmt::format("the program died {} times", processes_max);
  }
  return run;
}

}  // namespace watchlab::course
