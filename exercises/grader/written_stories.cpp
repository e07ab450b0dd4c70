#include "exercises/grader/written_stories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/erase.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "exercises/programs/builder.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/sandbox.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

constexpr int kExitHeld = 0;
constexpr int kExitFailed = 1;
/// What holds under the default order alone is no expectation that a client can be held to.
constexpr const char* kSchedules = "40";
constexpr std::array kMachines{"classic", "modern"};
constexpr std::size_t kSaidBytesMax = 2 * 1024;

/// The player, with the library at hand in place of the correct one, around a story of a student.
class ContainedPlayer {
 public:
  explicit ContainedPlayer(const CommandContext& place)
      : place_(place), stage_(place.toolchain, place.sandbox) {
    stage_.set_judge(place.toolchain.player());
  }

  void bring(const fs::path& story) { stage_.bring({story}); }
  /// The libraries of that folder are met from here on; "" for the correct ones.
  void meet(const fs::path& built) {
    if (built.empty()) {
      stage_.hide_subject();
    } else {
      stage_.set_subject(built);
    }
  }

  Ended play(std::vector<std::string> words) {
    words.insert(words.begin(), (stage_.judge() / place_.toolchain.player().filename()).string());
    Ended ended = place_.sandbox.run(
        {.words = std::move(words),
         .environment = {"LD_LIBRARY_PATH=" + stage_.library_path(), "LC_ALL=C", "NO_COLOR=1"},
         .folder = stage_.work()},
        {.readable = {stage_.judge(), stage_.subject(), stage_.base(), stage_.work()},
         .writable = {},
         .silence = std::chrono::seconds(place_.exercise.wall_seconds),
         .until = place_.until});
    boost::erase_all(ended.output, stage_.work().string() + "/");
    return ended;
  }

 private:
  const CommandContext& place_;
  Stage stage_;
};

bool ended_with(const Ended& ended, int status) {
  return ended.how == Ended::How::Exited && ended.status == status;
}

/// What was said, or how it was ended; the beginning of it.
std::string words_of(const Ended& ended) {
  const std::string said = ended.how == Ended::How::Exited ? ended.output : describe(ended);
  return said.substr(0, kSaidBytesMax);
}

/// Why a story is none of this task; "" when it is one. Programs of the catalogue and of the
/// student's machine could say whatever they like.
std::string reason_against(const scenarios::Scenario& story) {
  if (!story.program.empty()) {
    return "a program of the catalogue is played; the story has to have clients of its own";
  }
  for (const sim::StoryClientOptions& client : story.clients) {
    if (client.kind == sim::ClientKind::External || client.kind == sim::ClientKind::Go) {
      return fmt::format("the client {} is a program outside of the world", client.name);
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

/// What is wrong with it as a story that shows the bug; "" when it shows it.
std::string reason_of_broken(ContainedPlayer& player, const fs::path& broken,
                             const std::string& story) {
  player.meet(broken);
  // How long it takes is no part of what it says.
  const std::vector<std::string> words{"run", story, "--machine", kMachines.front(), "--quiet"};
  const Ended first = player.play(words);
  if (ended_with(first, kExitHeld)) {
    return "it holds with the broken client, too";
  }
  if (!ended_with(first, kExitFailed) || (first.output.find("\nviolation: ") == std::string::npos &&
                                          first.output.find("\ndeadlock: ") == std::string::npos)) {
    return fmt::format("with the broken client it ends without a violation or a deadlock:\n{}",
                       words_of(first));
  }
  for (int i = 0; i < 2; ++i) {
    if (player.play(words).output != first.output) {
      return "it does not fail the same way each time";
    }
  }
  return "";
}

std::string reason_against(const CommandContext& place, ContainedPlayer& player,
                           const DiagnosedCase& broken, const fs::path& story) {
  const std::string name = story.filename().string();
  player.bring(story);
  player.meet({});
  // What the parser cannot bear, it meets contained.
  const Ended valid = player.play({"validate", name});
  if (!ended_with(valid, kExitHeld)) {
    return fmt::format("it is no story:\n{}", words_of(valid));
  }
  std::string reason = reason_against(read_story(story));
  reason = reason.empty() ? reason_of_correct(player, name) : reason;
  return reason.empty() ? reason_of_broken(player, broken_build(place, broken), name) : reason;
}

}  // namespace

void put_stories(Grade& grade, const CommandContext& place, const fs::path& submission) {
  const std::vector<DiagnosedCase> cases = read_cases(place.exercise);
  double all = 0;
  for (const DiagnosedCase& broken : cases) {
    all += static_cast<double>(broken.points);
  }
  std::size_t shown = 0;
  ContainedPlayer player(place);
  for (const DiagnosedCase& broken : cases) {
    GradeCase line{.id = broken.id, .kind = "write-scenario"};
    line.points_max = grade.points_max * static_cast<double>(broken.points) / all;
    const std::string reason = reason_against(place, player, broken, submission / broken.scenario);
    line.outcome = reason.empty() ? "pass" : "fail";
    line.points = reason.empty() ? line.points_max : 0;
    line.message = reason.substr(0, reason.find('\n'));
    line.narration = reason.substr(std::min(reason.size(), line.message.size() + 1));
    shown += reason.empty() ? 1 : 0;
    grade.cases.push_back(std::move(line));
  }
  grade.summary = fmt::format("{} of {} broken clients are shown.", shown, cases.size());
}

}  // namespace watchlab::course
