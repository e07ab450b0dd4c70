#include "exercises/toolkit/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "core/runtime/recover.hpp"
#include "exercises/toolkit/cluster_server.hpp"
#include "exercises/toolkit/remote_code.hpp"
#include "exercises/toolkit/remote_codec.hpp"
#include "exercises/toolkit/remote_host.hpp"
#include "exercises/toolkit/session.hpp"
#include "exercises/toolkit/worlds.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/shrink.hpp"

namespace watchlab::course {

namespace {

constexpr std::size_t kShrinkRunsMax = 500;
constexpr std::size_t kSeedsOfSingleOrder = 3;
/// Of all schedules with few preemptions.
constexpr std::size_t kEachScheduleMax = 2000;
/// Each step of a run without an end may be a message to another process.
constexpr std::size_t kStepsMax = 25'000;
/// What the process that has the library does for tests beside that, under number 1.
using WorldFunctions = Methods<&search_worlds, &exercise::serve_cluster>;
constexpr std::uint64_t kWorldsObject = 1;

bool is_endless(const sim::Failure& failure) {
  return failure.kind == "livelock" || failure.kind == "no end";
}

std::string_view ending_of(const sim::Failure& failure) {
  if (failure.kind == "deadlock" || is_endless(failure) || failure.kind == "leak") {
    return "hang";
  }
  return failure.kind == "exception" ? "exception" : "assert";
}

/// The text without the numbers of steps, which stand nowhere but in the world.
std::string without_steps(std::string text) {
  for (const std::string_view words : {" at step ", " since step "}) {
    for (std::size_t at = text.find(words); at != text.npos; at = text.find(words, at)) {
      text.erase(at, text.find_first_not_of("0123456789", at + words.size()) - at);
    }
  }
  return text;
}

/// Whether a source, called without its folder, is none of the tests', where these are in another
/// process. Of all places only their own come from there.
bool is_not_of_tests(const std::string& source) {
  return RemoteCode::of_program().serves() &&
         std::ranges::none_of(sources_read(), [&](std::string_view path) {
           return path.substr(path.rfind('/') + 1) == source && !is_foreign(path);
         });
}

std::string headline(const sim::Failure& failure) {
  if (is_endless(failure)) {
    return fmt::format("{} steps, and no end: does the body wait for something in a loop?",
                       failure.steps);
  }
  std::string words = without_steps(without_foreign_places(without_guesses(failure.sentence)));
  if (failure.kind == "exception") {
    constexpr std::string_view died = "died of an exception: ";
    const std::size_t end = words.find(died);
    const std::string own = end == std::string::npos ? words : words.substr(end + died.size());
    if (own.find(kUsedWrongly) == 0 || own.find(kLeftRunning) != std::string::npos) {
      return own;
    }
    if (own.starts_with("check ") || own.starts_with("critical check ")) {
      return "violation: " + own;  // of Boost.Test
    }
  } else {
    words = without_places(words, is_not_of_tests);  // an exception's words are the tests' own
  }
  return words.starts_with(failure.kind) ? words : fmt::format("{}: {}", failure.kind, words);
}

/// Takes the default alternative of each decision, and notes whether there was one.
class DefaultRun final : public sim::Strategy {
 public:
  explicit DefaultRun(bool& has_choices) : has_choices_(has_choices) {}

  [[nodiscard]] std::uint32_t choose(const sim::Choice& /*choice*/) override {
    has_choices_ = true;
    return 0;
  }

 private:
  bool& has_choices_;
};

/// Plays one body.
class Searcher {
 public:
  Searcher(const Search& search, const NarratedBody& body) : search_(search), body_(body) {}

  /// Where nothing can be chosen, runs differ in nothing but the seed: then there are few to play.
  [[nodiscard]] Findings explore() const {
    if (search_.preemptions_max >= 0) {
      sim::ExploreOptions options = options_for("dfs", kEachScheduleMax);
      options.preemptions_max = search_.preemptions_max;
      return played_with(options);
    }
    bool has_choices = false;
    sim::ExploreOptions first = options_for("fifo", 1);
    first.instead = [&] { return std::make_unique<DefaultRun>(has_choices); };
    Findings found = played_with(first);
    return !found.empty()
               ? found
               : played_with(options_for(
                     "random", has_choices ? search_.schedules
                                           : std::min(search_.schedules, kSeedsOfSingleOrder)));
  }

  [[nodiscard]] Findings replay() const {
    const auto failure = sim::replay(search_.schedule, played(false));
    return failure && failure->kind != "divergence"
               ? Findings{finding(*failure, exercise::narrate(*failure, played(true)))}
               : Findings();
  }

 private:
  using Played = std::function<void(runtime::Runtime&)>;

  [[nodiscard]] Played played(bool is_narrated) const {
    return [this, is_narrated](runtime::Runtime& runtime) {
      RemoteCode::of_program().begin_run();
      body_(runtime, is_narrated);
    };
  }

  [[nodiscard]] sim::ExploreOptions options_for(const char* strategy, std::size_t schedules) const {
    return {.strategy = strategy,
            .seed = search_.seed,
            .schedules_max = schedules,
            .steps_max = kStepsMax,
            .early_advances_max = 0,
            .repeats = !RemoteCode::of_program().serves()};  // a test may remember the last world
  }

  /// A run that is broken off neither holds nor fails, and must not pass for one that holds.
  [[nodiscard]] Findings played_with(const sim::ExploreOptions& options) const {
    const sim::ExploreResult result = sim::explore(options, played(false));
    runtime::ensure(result.blocked == 0, "every run is played to its end");
    return result.failure ? Findings{shown(*result.failure)} : Findings();
  }

  [[nodiscard]] Finding shown(const sim::Failure& failure) const {
    if (!search_.narrates || failure.kind == "divergence") {
      return finding(failure, "");
    }
    if (is_endless(failure)) {
      return finding(failure, "");  // too long to be narrated
    }
    const sim::Failure shortest =
        sim::shrink(failure, {.search_runs_max = kShrinkRunsMax}, played(false)).failure;
    return finding(shortest, exercise::narrate(shortest, played(true)));
  }

  static Finding finding(const sim::Failure& failure, const std::string& story) {
    return {.ending = std::string(ending_of(failure)),
            .text = headline(failure) + "\n" + story,
            .schedule = failure.schedule};
  }

  const Search& search_;
  const NarratedBody& body_;
};

}  // namespace

namespace {

/// What is played is the grader's to say: a suite could look for schedules that distinguish
/// libraries apart.
Search wanted_by_the_grader(const Search& asked) {
  const Session& session = Session::of_program();
  if (!RemoteCode::of_program().serves() || !session.is_graded()) {
    return asked;
  }
  const RunSettings& settings = session.settings();
  return {.seed = settings.seed,
          .schedules = settings.schedules,
          .narrates = settings.narrates,
          .schedule = settings.schedule};
}

}  // namespace

Findings search_worlds(const Search& search, const NarratedBody& body) {
  if (RemoteCode::of_program().serves() && RemoteCode::of_program().is_in_world()) {
    throw runtime::Panic("no world is played in another one");
  }
  const Search wanted = wanted_by_the_grader(search);
  const Searcher searcher(wanted, body);
  return for_the_tests(wanted.schedule.empty() ? searcher.explore() : searcher.replay());
}

Findings for_the_tests(Findings found) {
  static std::size_t shown = 0;
  if (!RemoteCode::of_program().serves() || !Session::of_program().is_graded()) {
    return found;
  }
  for (Finding& each : found) {
    Session::of_program().report({"finding", std::to_string(shown), each.text});
    Session::of_program().report({"schedule", std::to_string(shown), each.schedule});
    each.text = fmt::format("#{}", shown++);
    each.schedule.clear();
  }
  return found;
}

std::uint64_t library_seed() {
  const Session& session = Session::of_program();
  return RemoteCode::of_program().serves() && session.is_graded() ? session.settings().seed : 0;
}

Findings search_elsewhere(const Search& search, const NarratedBody& body) {
  return WorldFunctions::call<&search_worlds>(Host::of_suite(), kWorldsObject, search, body);
}

void serve_tests(const Peer::Dispatch& library) {
  RemoteCode& tests = RemoteCode::of_program();
  tests.publish(library);
  tests.publish(dispatch_of<WorldFunctions>(tests));
  tests.serve();
}

}  // namespace watchlab::course

namespace watchlab::exercise {

std::unique_ptr<ClusterServer> cluster_elsewhere(runtime::Runtime& runtime) {
  return course::WorldFunctions::call<&serve_cluster>(course::Host::of_suite(),
                                                      course::kWorldsObject, runtime);
}

}  // namespace watchlab::exercise
