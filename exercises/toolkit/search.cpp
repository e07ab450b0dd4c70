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
#include "exercises/toolkit/uneven_walk.hpp"
#include "exercises/toolkit/worlds.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/shrink.hpp"
#include "sim/kernel/mix.hpp"

namespace watchlab::course {

namespace {

constexpr std::size_t kShrinkRunsMax = 500;
constexpr std::size_t kSeedsOfSingleOrder = 3;
/// Of all schedules with few preemptions.
constexpr std::size_t kEachScheduleMax = 2000;
/// Each step of a run without an end may be a message to another process.
constexpr std::size_t kStepsMax = 25'000;
/// Where the library's own steps are none of the tests' business, they have a limit of their own,
/// so high that no sum of calls reaches it, and not known.
constexpr std::size_t kLibraryStepsMax = 2'000'000;

/// What the process that has the library does for tests beside that, under number 1.
using WorldFunctions = Methods<&search_worlds, &exercise::serve_cluster>;
constexpr std::uint64_t kWorldsObject = 1;

/// Whether it is the tests that did not come to an end, of which their world knows nothing.
bool is_too_long(const sim::Failure& failure) {
  return failure.sentence.find(RemoteCode::kTooLong) != std::string::npos;
}

bool waits_too_long(const sim::Failure& failure) {
  return failure.sentence.find(kWaitsTooLong) != std::string::npos;
}

bool is_endless(const sim::Failure& failure) {
  return failure.kind == "livelock" || failure.kind == "no end";
}

std::string_view ending_of(const sim::Failure& failure) {
  if (failure.kind == "deadlock" || is_endless(failure) || failure.kind == "leak" ||
      is_too_long(failure) || waits_too_long(failure)) {
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
  if (waits_too_long(failure)) {
    return std::string(kWaitsTooLong);
  }
  if (is_endless(failure) || is_too_long(failure)) {
    return fmt::format("{} steps, and no end: does the body wait for something in a loop?",
                       is_endless(failure) ? failure.steps : kStepsMax);
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
  /// Of a library that is not the tests' to know it is not said whether it chooses.
  [[nodiscard]] Findings explore() const {
    if (search_.preemptions_max >= 0) {
      sim::ExploreOptions options = options_for("dfs", kEachScheduleMax);
      options.preemptions_max = search_.preemptions_max;
      const sim::ExploreResult result = explored(options, played(false));
      return result.failure ? Findings{shown(*result.failure)} : Findings();
    }
    const bool is_hidden = lot_of_library() != 0;
    bool has_choices = is_hidden;
    Dialogue first_run;
    RemoteCode::of_program().set_dialogue(is_hidden ? &first_run : nullptr);
    const sim::ExploreResult first =
        explored(options_for("fifo", 1, [&] { return std::make_unique<DefaultRun>(has_choices); }),
                 played(false));
    RemoteCode::of_program().set_dialogue(nullptr);
    if (first.failure) {
      return {shown(*first.failure)};
    }
    const sim::ExploreResult random =
        is_hidden ? walked(first_run)
                  : explored(options_for("random", has_choices ? search_.schedules
                                                               : std::min(search_.schedules,
                                                                          kSeedsOfSingleOrder)),
                             played(false));
    return random.failure ? Findings{shown(*random.failure)} : Findings();
  }

  [[nodiscard]] Findings replay() const {
    const auto failure = sim::replay(search_.schedule, played(false));
    return failure && failure->kind != "divergence"
               ? Findings{finding(*failure, exercise::narrate(*failure, played(true)))}
               : Findings();
  }

 private:
  /// Of the library it is drawn anew for each search: timers of the tests could use all of it up
  /// but for a few steps, and then count what is left.
  [[nodiscard]] std::size_t limit_of_steps() const {
    static std::uint64_t searches = 0;
    const std::uint64_t lot = lot_of_library();
    constexpr std::size_t half = kLibraryStepsMax / 2;
    return lot == 0 ? kStepsMax : half + sim::mix(sim::mix(~lot, search_.seed), searches++) % half;
  }
  [[nodiscard]] std::function<void(runtime::Runtime&)> played(bool is_narrated) const {
    return [this, is_narrated](runtime::Runtime& runtime) {
      const RemoteCode::Run run(RemoteCode::of_program(), runtime);
      body_(runtime, is_narrated);
    };
  }

  using Made = std::function<std::unique_ptr<sim::Strategy>()>;

  using Played = std::function<void(runtime::Runtime&)>;

  /// A run that is broken off neither holds nor fails, and must not pass for one that holds.
  [[nodiscard]] static sim::ExploreResult explored(const sim::ExploreOptions& options,
                                                   const Played& body) {
    sim::ExploreResult result = sim::explore(options, body);
    runtime::ensure(result.blocked == 0, "every run is played to its end");
    return result;
  }

  [[nodiscard]] sim::ExploreOptions options_for(const char* strategy, std::size_t schedules,
                                                Made instead = nullptr) const {
    // A run that is played once more, of which the tests make another one, shows what the library
    // did in the first.
    const bool is_hidden = lot_of_library() != 0;
    return {.strategy = strategy,
            .instead = std::move(instead),
            .seed = search_.seed,
            .schedules_max = schedules,
            .steps_max = limit_of_steps(),
            .early_advances_max = 0,
            .reduce = !is_hidden,
            .repeats = !is_hidden};
  }

  /// At random, where the library is hidden. A body that asks for the same in each run, from one
  /// task, does the same as long as it is answered in the same way: so the runs are first played
  /// with what it asked for in the first one, and then, if there is another answer in any of them,
  /// with the body. It learns from that no more than it would be answered.
  [[nodiscard]] sim::ExploreResult walked(const Dialogue& first_run) const {
    static std::uint64_t walks = 0;  // no two of a process are alike: they could be compared
    RemoteCode& tests = RemoteCode::of_program();
    const std::uint64_t secret = sim::mix(sim::mix(lot_of_library(), search_.seed), walks++);
    const sim::ExploreOptions options = options_for("random", search_.schedules, [&] {
      auto walk = std::make_unique<UnevenWalk>(secret);
      tests.set_listener(walk.get());
      return walk;
    });
    const bool holds = first_run.is_whole() && tests.holds_in_rehearsal([&] {
      return !explored(options, [&](runtime::Runtime& runtime) {
                const RemoteCode::Run run(tests, runtime);
                tests.rehearse(first_run, runtime);
              }).failure;
    });
    const sim::ExploreResult result =
        holds ? sim::ExploreResult() : explored(options, played(false));
    tests.set_listener(nullptr);
    return result;
  }

  [[nodiscard]] Finding shown(const sim::Failure& failure) const {
    if (!search_.narrates || failure.kind == "divergence") {
      return finding(failure, "");
    }
    if (is_endless(failure) || is_too_long(failure)) {
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

std::uint64_t lot_of_library() {
  const Session& session = Session::of_program();
  return RemoteCode::of_program().serves() && session.is_graded() ? session.settings().lot : 0;
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
