#include "exercises/grader/test_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <tuple>
#include <utility>

#include "exercises/programs/builder.hpp"

namespace watchlab::course {
namespace {

/// After so many deaths the program is given up.
constexpr std::size_t kProcessesMax = 12;
/// And after so many that the watchdog had to end, which take their whole time each.
constexpr std::size_t kHangsMax = 2;

/// So many programs wait for their next run at a time, each with the first process of its
/// numbering, and their copies may have so many processes.
constexpr std::size_t kLibrariesMax = 32;
constexpr std::size_t kLoadedMax = 2 * (kLibrariesMax + 1);
constexpr std::size_t kProcessesOfCopies = 16;

std::string fresh_nonce() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

using Paths = std::vector<std::filesystem::path>;

Command command_for(const std::string& library_path, std::vector<std::string> words,
                    const char* when) {
  const std::filesystem::path program = words.front();
  return {.words = std::move(words),
          .environment = {"LD_LIBRARY_PATH=" + library_path,
                          fmt::format("{}={}", kSettingsVariable, when), "LC_ALL=C"},
          .folder = program.parent_path()};
}

Confinement confinement_for(const CommandContext& context, Paths readable) {
  return {.readable = std::move(readable),
          .writable = {},
          .silence = std::chrono::seconds(context.exercise.wall_seconds),
          .processes = kProcessesOfCopies + kLoadedMax,
          .until = context.until};
}

/// The program that runs a student's suite. It can reach nothing of the libraries under test.
LoadedProgram suite_of(const CommandContext& context, const Stage& stage) {
  return {context.sandbox,
          command_for(stage.base().string(),
                      {stage.judge() / kSuiteProgram, stage.judge() / kSubjectLibrary,
                       stage.work() / kSuiteLibrary},
                      kSettingsLater),
          confinement_for(context, {stage.judge(), stage.work(), stage.base()}),
          LoadedProgram::Files()};
}

/// The program that has a library under test for a suite.
LoadedProgram server_of(const CommandContext& context, Stage& stage,
                        const std::filesystem::path& built) {
  return {
      context.sandbox,
      command_for(stage.library_path(),
                  {stage.server() / kSuiteProgram, stage.server() / kHostLibrary}, kSettingsLater),
      confinement_for(context, {stage.server(), stage.subject(), stage.base()}),
      {.show = [&stage, built] { stage.set_subject(built); },
       .hide = [&stage] { stage.hide_subject(); }}};
}

/// The program that tests a student's library.
LoadedProgram judge_of(const CommandContext& context, const Stage& stage) {
  return {context.sandbox,
          command_for(stage.library_path(), {stage.judge() / kTestProgram}, kSettingsAtOnce),
          confinement_for(context, {stage.judge(), stage.base()}), LoadedProgram::Files()};
}

/// The program that runs a student's library for it.
LoadedProgram host_of(const CommandContext& context, const Stage& stage) {
  return {context.sandbox,
          command_for(stage.library_path(),
                      {stage.work() / kSuiteProgram, stage.work() / kHostLibrary}, kSettingsAtOnce),
          confinement_for(context, {stage.work(), stage.subject(), stage.base()}),
          LoadedProgram::Files()};
}

}  // namespace

/// Listens to one process after the other and knows what came of each case.
class TestProgram::Protocol {
  using Clock = std::chrono::steady_clock;

 public:
  void receive(const Message& message) {
    const bool names_a_case = message.kind == "found" || message.kind == "begin";
    if (names_a_case && cases_.size() >= kTestsMax && !cases_.contains(message.subject)) {
      trouble_ = fmt::format("it reports more than {} tests", kTestsMax);  // the toolkit does not
    } else if (message.kind == "found") {
      cases_.emplace(message.subject, CaseRun{.name = message.subject});
    } else if (message.kind == "begin") {
      current_ = message.subject;
      cases_[current_] = CaseRun{.name = current_};
      began_ = Clock::now();
    } else if (message.kind == "too many") {
      trouble_ = fmt::format("it has {} tests; at most {} are run", message.subject, kTestsMax);
    } else if (message.kind == "too long") {
      trouble_ = fmt::format("a name of its tests has {} letters; at most {} are read",
                             message.subject, kSubjectBytesMax);
    } else if (message.kind == "done") {
      is_done_ = true;
    } else if (!current_.empty()) {
      receive_of_case(cases_[current_], message);
    }
  }

  /// A process has ended; false when it has brought nothing new.
  bool close(const Ended& ended) {
    if (current_.empty()) {
      return is_done_;
    }
    CaseRun& run = cases_[std::exchange(current_, "")];
    run.seconds = seconds_since_begin();
    run.by_watchdog = ended.how == Ended::How::TimedOut;
    run.by_limit = run.by_watchdog || ended.how == Ended::How::OverLimit;
    run.outcome = run.by_watchdog ? CaseRun::Outcome::Hung : CaseRun::Outcome::Crashed;
    run.text = (ended.how == Ended::How::Exited ? "it ended the program: " : "") + describe(ended) +
               (run.text.empty() ? "" : "\n" + run.text);
    return true;
  }

  /// What the process of the library reports of the failures that the suite knows by numbers.
  void receive_from_library(const Message& message) {
    if (message.kind == "finding") {
      found_["#" + message.subject].first = message.text.substr(0, kCaseTextBytesMax);
    } else if (message.kind == "schedule") {
      found_["#" + message.subject].second = message.text.substr(0, kCaseTextBytesMax);
    }
  }
  /// From here on numbers are those of another process.
  void resolve() {
    for (auto& [name, run] : cases_) {
      if (const auto found = found_.find(run.text); found != found_.end()) {
        std::tie(run.text, run.schedule) = found->second;
      }
    }
    found_.clear();
  }

  [[nodiscard]] bool is_done() const { return is_done_; }
  /// Why there is no use in going on; "" while there is.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
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
  void receive_of_case(CaseRun& run, const Message& message) {
    if (message.kind == "asked") {
      const bool has_room = run.asked.size() < kCaseTextBytesMax;
      run.asked += has_room ? (run.asked.empty() ? "" : ", ") + message.subject : "";
    } else if (message.kind == "failure" && run.text.empty()) {
      run.text = message.text.substr(0, kCaseTextBytesMax);
      ending_ = message.subject;
    } else if (message.kind == "schedule" && run.schedule.empty()) {
      run.schedule = message.text.substr(0, kCaseTextBytesMax);
    } else if (message.kind == "end") {
      // A case that has reported a failure has failed, even if it expects to.
      const std::string ending = std::exchange(ending_, "");
      const bool passed = message.subject == "passed" && ending.empty();
      run.outcome = passed             ? CaseRun::Outcome::Passed
                    : ending == "hang" ? CaseRun::Outcome::Hung
                                       : CaseRun::Outcome::Failed;
      run.text = run.outcome == CaseRun::Outcome::Passed ? ""
                 : run.text.empty()                      ? message.text.substr(0, kCaseTextBytesMax)
                                                         : run.text;
      run.seconds = seconds_since_begin();
      current_.clear();
    }
  }
  [[nodiscard]] double seconds_since_begin() const {
    return std::chrono::duration<double>(Clock::now() - began_).count();
  }

  std::map<std::string, CaseRun> cases_;
  std::map<std::string, std::pair<std::string, std::string>> found_;  ///< texts and schedules
  std::string current_;
  Clock::time_point began_;
  std::string ending_;
  std::string trouble_;
  bool is_done_ = false;
};

std::string to_string(CaseRun::Outcome outcome) {
  constexpr std::array words{"not run", "passed", "failed", "hung", "crashed"};
  return words.at(static_cast<std::size_t>(outcome));
}

TestProgram::TestProgram(const CommandContext& context, Stage& stage, Tests tests)
    : context_(context),
      stage_(stage),
      tests_(tests),
      program_(tests == Tests::OfStudent ? suite_of(context, stage) : judge_of(context, stage)) {
  if (tests == Tests::OfCourse) {
    run_against({});
  }
}

void TestProgram::run_against(const std::filesystem::path& built) {
  if (libraries_.size() == kLibrariesMax && !libraries_.contains(built)) {
    libraries_.clear();
  }
  std::unique_ptr<LoadedProgram>& library = libraries_[built];
  if (!library) {
    library.reset(new LoadedProgram(tests_ == Tests::OfStudent ? server_of(context_, stage_, built)
                                                               : host_of(context_, stage_)));
  }
  library_ = library.get();
}

/// A library of the course reports by itself what it finds; one of a student reports nothing.
LoadedProgram::Library TestProgram::library_for(Protocol& protocol, RunSettings settings) const {
  if (tests_ == Tests::OfCourse) {
    return {.program = library_, .settings = to_string(RunSettings{}), .listener = {}};
  }
  settings.nonce = fresh_nonce();
  settings.judges = true;
  settings.cases.clear();
  settings.left_out.clear();
  const auto reader = std::make_shared<MessageReader>(settings.nonce);
  return {.program = library_,
          .settings = to_string(settings),
          .listener = [reader, &protocol](std::string_view bytes) {
            for (const Message& message : reader->take(bytes)) {
              protocol.receive_from_library(message);
            }
          }};
}

TestRun TestProgram::run(RunSettings settings) {
  const std::vector<std::string> left_out = settings.left_out;
  settings.judges = tests_ == Tests::OfCourse;
  Protocol protocol;
  TestRun run;
  std::size_t hangs = 0;
  for (std::size_t i = 0;
       i < kProcessesMax && hangs < kHangsMax && !protocol.is_done() && run.trouble.empty(); ++i) {
    settings.nonce = fresh_nonce();
    MessageReader reader(settings.nonce);
    const Sandbox::Listener listener = [&](std::string_view bytes) {
      for (const Message& message : reader.take(bytes)) {
        protocol.receive(message);
      }
    };
    RunSettings own = settings;
    if (tests_ == Tests::OfStudent) {
      own.seed = one_way_digest_of(std::to_string(own.seed));  // tells nothing about the library's
    }
    const std::string text = to_string(own);
    if (text.size() > kSettingsBytesMax) {
      run.trouble = "the names of its tests are too long";
      break;
    }
    const Ended ended = program_.run(text, listener, library_for(protocol, settings));
    hangs += ended.how == Ended::How::TimedOut ? 1 : 0;
    run.forged = run.forged || reader.saw_forgery();
    run.output = i == 0 ? ended.output : run.output;
    const bool has_gone_on = protocol.close(ended);
    protocol.resolve();
    if (std::chrono::steady_clock::now() >= context_.until) {
      run.trouble = "the time for the whole grade was over";
    } else if (!protocol.trouble().empty()) {
      run.trouble = protocol.trouble();
    } else if (!has_gone_on) {
      run.hung_outside = ended.how == Ended::How::TimedOut;
      run.trouble = "the program ended outside any test: " + describe(ended) +
                    (ended.output.empty() ? "" : "\n" + ended.output.substr(0, 500));
    }
    settings.left_out = protocol.decided();
    settings.left_out.insert(settings.left_out.end(), left_out.begin(), left_out.end());
  }
  run.cases = protocol.take();
  if (!protocol.is_done() && run.trouble.empty()) {
    run.trouble = hangs == kHangsMax ? fmt::format("the program hung {} times", kHangsMax)
                                     : fmt::format("the program died {} times", kProcessesMax);
  }
  return run;
}

}  // namespace watchlab::course
