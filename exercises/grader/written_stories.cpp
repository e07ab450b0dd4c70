#include "exercises/grader/written_stories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/erase.hpp>
#include <cstdint>
#include <exception>
#include <string_view>
#include <utility>
#include <vector>

#include "exercises/programs/builder.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/sandbox.hpp"
#include "scenarios/language/parse.hpp"
#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/kernel/schedule.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

constexpr int kExitHeld = 0;
constexpr int kExitFailed = 1;
/// What holds under the default order alone is no expectation that a client can be held to.
constexpr const char* kSchedules = "40";
constexpr std::array kMachines{"classic", "modern"};
/// A controller that does not do the same twice in one of them cannot be evaluated here and now.
constexpr int kPlaysMax = 6;
constexpr std::size_t kSaidBytesMax = 2 * 1024;
/// Of the player and the program of a controller; the limit on processes counts them.
constexpr std::size_t kThreadsMax = 64;

/// The player, with the library at hand in place of the correct one, around a story of a student.
class ContainedPlayer {
 public:
  explicit ContainedPlayer(const CommandContext& context)
      : context_(context), stage_(context.toolchain, context.sandbox) {
    stage_.set_judge(context.toolchain.player());
  }

  void bring(const fs::path& story) { stage_.bring({story}); }
  /// In place of what was brought under that name.
  void bring(const std::string& name, const std::string& text) {
    fs::remove(stage_.work() / name);
    write_output(stage_.work() / name, text);
    context_.sandbox.admit(stage_.work());
  }
  /// The libraries of that folder are met from here on; "" for the correct ones.
  void run_against(const fs::path& built) {
    if (built.empty()) {
      stage_.hide_subject();
    } else {
      stage_.set_subject(built);
    }
  }

  /// The story's program is that controller from here on, whatever the story says.
  void use_controller(const fs::path& built) {
    controller_ = stage_.server() / built.filename();
    if (!fs::exists(controller_)) {
      std::error_code elsewhere;
      fs::create_hard_link(fs::canonical(built), controller_, elsewhere);
      if (elsewhere) {
        fs::copy_file(fs::canonical(built), controller_);
      }
    }
  }

  Ended play(std::vector<std::string> words) {
    words.insert(words.begin(), (stage_.judge() / context_.toolchain.player().filename()).string());
    Command command{
        .words = std::move(words),
        .environment = {"LD_LIBRARY_PATH=" + stage_.library_path(), "LC_ALL=C", "NO_COLOR=1"},
        .folder = stage_.work()};
    Confinement confinement{
        .readable = {stage_.judge(), stage_.subject(), stage_.base(), stage_.work()},
        .writable = {},
        .silence = std::chrono::seconds(context_.exercise.wall_seconds),
        .until = context_.until};
    if (!controller_.empty()) {
      command.environment.push_back("WATCHLAB_GO_PROGRAM=" + controller_.string());
      confinement.readable.push_back(stage_.server());
      // The player starts and ends the controller, as a compiler does its parts; with what is
      // written comes the filter of system calls that allows it.
      confinement.writable.push_back(stage_.work());
      confinement.processes = kThreadsMax;
    }
    Ended ended = context_.sandbox.run(command, confinement);
    boost::erase_all(ended.output, stage_.work().string() + "/");
    return ended;
  }

 private:
  const CommandContext& context_;
  Stage stage_;
  fs::path controller_;  ///< "" where there is none
};

bool ended_with(const Ended& ended, int status) {
  return ended.how == Ended::How::Exited && ended.status == status;
}

/// What the player says that it found; the first line with one of these words in front.
enum class Finding : std::uint8_t { None, Violation, Deadlock, Divergence };

Finding finding_of(const Ended& ended) {
  for (const std::string_view line : lines_in(ended.output)) {
    for (const auto& [word, finding] :
         {std::pair{"violation: ", Finding::Violation}, std::pair{"deadlock: ", Finding::Deadlock},
          std::pair{"divergence: ", Finding::Divergence}}) {
      if (line.starts_with(word)) {
        return finding;
      }
    }
  }
  return Finding::None;
}

/// Whether the story was played and broken: by a violation or a deadlock.
bool is_finding(const Ended& ended) {
  const Finding finding = finding_of(ended);
  return finding == Finding::Violation || finding == Finding::Deadlock;
}

/// What was said, or how it was ended; the beginning of it.
std::string words_of(const Ended& ended) {
  const std::string said = ended.how == Ended::How::Exited ? ended.output : describe(ended);
  return said.substr(0, kSaidBytesMax);
}

/// Why a story is none of this task; "" when it is one. Programs of the catalogue and of the
/// student's machine could say whatever they like.
std::string reason_against(const scenarios::Scenario& story, bool has_controller) {
  if (!story.program.empty()) {
    return "a program of the catalogue is played; the story has to have clients of its own";
  }
  const bool names_controller = std::ranges::any_of(
      story.clients, [](const auto& client) { return client.kind == sim::ClientKind::Go; });
  if (has_controller && !names_controller) {
    return "no client is of the kind go, which the controller is";
  }
  for (const sim::StoryClientOptions& client : story.clients) {
    if (client.kind == sim::ClientKind::External ||
        (client.kind == sim::ClientKind::Go && !has_controller)) {
      return fmt::format("the client {} is a program outside of the world", client.name);
    }
    if (!client.run.empty()) {
      return fmt::format(
          "the client {} names a program; leave out run: the controller is the grader's choice",
          client.name);
    }
    if (client.machine != kMachines.front()) {
      return fmt::format("the client {} names a machine; leave it out", client.name);
    }
  }
  return "";
}

/// What is wrong with a story where the library is right; "" when it holds.
std::string reason_of_correct(ContainedPlayer& player, const std::string& story) {
  for (const char* const machine : kMachines) {
    const Ended run = player.play({"run", story, "--machine", machine});
    if (!ended_with(run, kExitHeld)) {
      return fmt::format("it fails with a correct client ({}):\n{}", machine, words_of(run));
    }
    const Ended explored =
        player.play({"explore", story, "--machine", machine, "--strategy", "random", "--schedules",
                     kSchedules, "--seed", "1", "--jobs", "1"});
    if (!ended_with(explored, kExitHeld)) {
      return fmt::format("it fails with a correct client ({}) under another schedule:\n{}", machine,
                         words_of(explored));
    }
  }
  return "";
}

/// The story with nothing to break but what it says itself: without the invariants that every run
/// is checked for.
std::string expectations_alone(scenarios::Scenario story) {
  story.waived.clear();
  for (const sim::Invariant& invariant : sim::invariant_catalogue()) {
    story.waived.push_back({std::string(invariant.name), "every story has it"});
  }
  const scenarios::Parsed written = scenarios::parse_scenario(scenarios::scenario_text(story));
  if (written.scenario && !story.schedule.empty()) {
    sim::Schedule schedule = sim::Schedule::parse(story.schedule);
    schedule.scenario = written.scenario->hash;  // it depends on how a story is written
    story.schedule = schedule.to_string();
  }
  return scenarios::scenario_text(story);
}

/// What is wrong with it as a story that shows the bug; "" when it shows it.
std::string reason_of_broken(ContainedPlayer& player, const fs::path& broken,
                             const std::string& story, const fs::path& source) {
  player.run_against(broken);
  // How long it takes is no part of what it says.
  const std::vector<std::string> words{"run", story, "--machine", kMachines.front(), "--quiet"};
  const Ended first = player.play(words);
  if (ended_with(first, kExitHeld)) {
    return "it passes with the broken client too";
  }
  if (!ended_with(first, kExitFailed) || !is_finding(first)) {
    return fmt::format("with the broken client it ends without a violation or a deadlock:\n{}",
                       words_of(first));
  }
  for (int i = 0; i < 2; ++i) {
    if (player.play(words).output != first.output) {
      return "it does not fail the same way each time";
    }
  }
  const scenarios::Scenario own = read_story(source);
  player.bring(story, expectations_alone(own));
  return !own.expectations.empty() && is_finding(player.play(words))
             ? ""
             : "with the broken client it breaks nothing that it expects itself, only what holds "
               "in "
               "every story; write below expect what the client has to do";
}

std::string reason_against(const CommandContext& context, ContainedPlayer& player,
                           const DiagnosedCase& broken, const fs::path& story) {
  const std::string name = story.filename().string();
  player.bring(story);
  player.run_against({});
  // What the parser cannot bear, it meets contained.
  const Ended valid = player.play({"validate", name});
  if (!ended_with(valid, kExitHeld)) {
    return fmt::format("it is no story:\n{}", words_of(valid));
  }
  std::string reason = reason_against(read_story(story), false);
  reason = reason.empty() ? reason_of_correct(player, name) : reason;
  return reason.empty() ? reason_of_broken(player, broken_build(context, broken), name, story)
                        : reason;
}

}  // namespace

void put_stories(Grade& grade, const CommandContext& context, const fs::path& submission) {
  const std::vector<DiagnosedCase> cases = read_cases(context.exercise);
  double all = 0;
  for (const DiagnosedCase& broken : cases) {
    all += static_cast<double>(broken.points);
  }
  std::size_t shown = 0;
  ContainedPlayer player(context);
  for (const DiagnosedCase& broken : cases) {
    GradeCase line{.id = broken.id, .kind = "write-scenario"};
    line.points_max = grade.points_max * static_cast<double>(broken.points) / all;
    const std::string reason =
        reason_against(context, player, broken, submission / broken.scenario);
    line.outcome = reason.empty() ? "pass" : "fail";
    line.points = reason.empty() ? line.points_max : 0;
    line.message = reason.substr(0, reason.find('\n'));
    line.narration = reason.substr(std::min(reason.size(), line.message.size() + 1));
    shown += reason.empty() ? 1 : 0;
    grade.cases.push_back(std::move(line));
  }
  grade.summary = fmt::format("{} of {} broken clients are shown.", shown, cases.size());
}

namespace {

/// A controller did something else each time that a story was played: nothing is known of either.
class NotSteady : public std::exception {};

/// Stories that meet controllers.
class StoryRunner {
 public:
  StoryRunner(const CommandContext& context, const std::vector<Variant>& controllers,
              std::size_t schedules)
      : player_(context), controllers_(controllers), schedules_(std::to_string(schedules)) {}

  /// What is wrong with a story where the controller is right; "" when it counts.
  std::string reason_against_story(const fs::path& story) {
    const std::string name = story.filename().string();
    player_.bring(story);
    player_.use_controller(controllers_.front().built);
    const Ended valid = play({"validate", name});
    if (!ended_with(valid, kExitHeld)) {
      return fmt::format("it is no story:\n{}", words_of(valid));
    }
    std::string reason = reason_against(read_story(story), true);
    for (std::size_t i = 0; i < controllers_.size() && reason.empty(); ++i) {
      if (controllers_[i].pool == Pool::Correct) {
        player_.use_controller(controllers_[i].built);
        reason = reason_of_correct(name);
      }
    }
    return reason;
  }

  /// From here on only what the story itself expects can be broken. False when it expects nothing.
  bool leaves_expectations_alone(const fs::path& story) {
    const scenarios::Scenario own = read_story(story);
    player_.bring(story.filename().string(), expectations_alone(own));
    return !own.expectations.empty();
  }

  /// Whether a story that counts notices a wrong controller.
  bool notices(const fs::path& story, const Variant& controller) {
    player_.use_controller(controller.built);
    return fails(story.filename().string()) && fails(story.filename().string());
  }

 private:
  /// Plays until the controller does the same twice. One that Go has interrupted, where the machine
  /// has more to do than it can, differs from itself, which says nothing of story and controller.
  Ended play(const std::vector<std::string>& words) {
    for (int i = 0; i < kPlaysMax; ++i) {
      Ended ended = player_.play(words);
      if (!ended_with(ended, kExitFailed) || finding_of(ended) != Finding::Divergence) {
        return ended;
      }
    }
    throw NotSteady();
  }

  std::string reason_of_correct(const std::string& name) {
    const Ended run = play({"run", name});
    if (!ended_with(run, kExitHeld)) {
      return fmt::format("it fails with a correct controller:\n{}", words_of(run));
    }
    const Ended explored = play({"explore", name, "--strategy", "random", "--schedules", schedules_,
                                 "--seed", "1", "--jobs", "1"});
    return ended_with(explored, kExitHeld)
               ? ""
               : fmt::format("it fails with a correct controller under another schedule:\n{}",
                             words_of(explored));
  }

  bool fails(const std::string& name) {
    const Ended run = play({"run", name, "--quiet"});
    return ended_with(run, kExitFailed) && is_finding(run);
  }

  ContainedPlayer player_;
  const std::vector<Variant>& controllers_;
  std::string schedules_;
};

/// What one story did with all of them.
void put_story(SuiteRuns& runs, StoryRunner& runner, const fs::path& story) {
  const std::string reason = runner.reason_against_story(story);
  SuiteRuns::Test test;
  test.name = story.stem().string();
  test.valid = reason.empty();
  test.fails = !test.valid;
  test.reason = reason.substr(0, reason.find('\n'));
  test.run.text = reason.substr(std::min(reason.size(), test.reason.size() + 1));
  const bool can_notice = test.valid && runner.leaves_expectations_alone(story);
  for (SuiteRuns::Defect& defect : runs.defects) {
    if (can_notice && runner.notices(story, defect.variant)) {
      CaseRun& kill = defect.kills.emplace_back();
      kill.name = test.name;
      kill.outcome = CaseRun::Outcome::Failed;
      test.fails = true;
    }
  }
  runs.tests.push_back(std::move(test));
}

}  // namespace

SuiteRuns run_stories(const CommandContext& context, const std::vector<Variant>& controllers,
                      const fs::path& submission, std::size_t schedules) {
  SuiteRuns runs;
  for (const Variant& controller : controllers) {
    if (controller.pool != Pool::Correct) {
      runs.defects.push_back({.variant = controller});
    }
  }
  StoryRunner runner(context, controllers, schedules);
  for (const std::string& file : context.exercise.files) {
    try {
      put_story(runs, runner, submission / file);
    } catch (const NotSteady&) {
      runs.given_up =
          fmt::format("{}: a controller did something else each time that it was played", file);
      return runs;
    }
  }
  return runs;
}

void put_story_runs(Grade& grade, const SuiteRuns& runs) { put_suite(grade, runs); }

}  // namespace watchlab::course
