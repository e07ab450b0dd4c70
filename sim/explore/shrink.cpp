#include "sim/explore/shrink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "sim/explore/dfs_strategy.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/random_numbers.hpp"
#include "sim/explore/random_strategy.hpp"
#include "sim/explore/replay_strategy.hpp"
#include "sim/explore/segments.hpp"
#include "sim/explore/signature.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
namespace {

using Body = std::function<void(runtime::Runtime&)>;
using Deviations = std::vector<ScheduledDeviation>;

/// Visible operations that the searches at random may take without any success; a second has
/// millions of them.
constexpr std::size_t kRearrangedSteps = 500'000;
constexpr std::size_t kSampledSteps = 300'000;

/// `ShrinkOptions::keep_going` has said no.
struct Interrupted {};

/// The shortest failing run so far, and the search for a shorter one.
class Shrinker {
 public:
  Shrinker(const Schedule& schedule, const ShrinkOptions& options, const Body& body)
      : world_(options_of(schedule)), options_(options), body_(body), schedule_(schedule) {}

  /// Plays the schedule as it is and takes its failure as the one to keep.
  void take_first() {
    ReplayStrategy strategy(schedule_, ReplayStrategy::Mode::Guided);
    RunResult played = play_on(strategy);
    if (!played.failure) {
      throw std::invalid_argument("the schedule does not fail, so there is nothing to shrink");
    }
    signature_ = signature_of(*played.failure);
    keep(std::move(played));
  }

  /// Batches of halving size, and again from the start as long as that helps. A deviation that
  /// leads away from a task and the one that leads back belong together: batches of two find that.
  void remove_deviations() {
    bool removed = true;
    while (removed) {
      removed = false;
      std::size_t batch = std::max<std::size_t>(1, schedule_.deviations.size() / 2);
      for (; batch > 0; batch /= 2) {
        removed = remove_batches(batch) || removed;
      }
    }
  }

  void lower_alternatives() {
    for (std::size_t i = 0; i < schedule_.deviations.size(); ++i) {
      while (!schedule_.deviations[i].is_switch && schedule_.deviations[i].index > 1) {
        Deviations fewer = schedule_.deviations;
        --fewer[i].index;
        if (!try_deviations(fewer)) {
          break;
        }
      }
    }
  }

  /// Plays the segments of the run in other orders, without some, and joined with later ones of the
  /// same actor, and keeps what has fewer preemptions or deviations (after Jalbert and Sen 2010).
  /// To take deviations away is not enough for that: who is not interrupted any more acts earlier,
  /// and so the failure goes away.
  void rearrange_segments() {
    RandomNumbers numbers(schedule_.seed);
    Played now{.result = best_, .segments = segments()};
    std::size_t since = 0;
    while (best_.preemptions > 0 && since < attempts(now.segments.size())) {
      ++since;
      std::optional<Played> next = play_segments(changed(now.segments, numbers));
      if (!next || cost_of(next->result) > cost_of(now.result)) {
        continue;
      }
      // What costs as much is kept too: the next step may lead on from there.
      now = std::move(*next);
      if (cost_of(now.result) < cost_of(best_)) {
        since = 0;
        keep(now.result);
      }
    }
  }

  /// Looks for another way to the failure that has fewer preemptions, at random. True when there
  /// is one.
  bool sample_fewer_preemptions() {
    for (std::size_t bound = 0; bound < best_.preemptions; ++bound) {
      BoundedRandomStrategy strategy(schedule_.seed, bound);
      if (search(strategy, affordable_runs(kSampledSteps)).value_or(false)) {
        return true;
      }
    }
    return false;
  }

  /// Looks for the fewest preemptions first, so that what is found is known to be minimal. True
  /// when it is certain that no run with fewer preemptions fails this way.
  bool search_fewer_preemptions() {
    const std::size_t runs_before = runs_;
    for (std::size_t bound = 0; bound < best_.preemptions; ++bound) {
      const std::size_t spent = runs_ - runs_before;
      const std::size_t left =
          options_.prove ? SIZE_MAX
                         : options_.search_runs_max - std::min(options_.search_runs_max, spent);
      const std::optional<bool> found =
          search_within({.preemptions_max = static_cast<int>(bound), .iterative = false}, left);
      if (!found) {
        return false;
      }
      if (*found) {
        remove_deviations();
      }
    }
    return true;
  }

  /// The result must replay strictly, and always in the same way.
  void verify() {
    for (int i = 0; i < 2; ++i) {
      ReplayStrategy strategy(schedule_, ReplayStrategy::Mode::Strict);
      const RunResult played = play_on(strategy);
      runtime::ensure(!strategy.divergence() && played.digest == best_.digest,
                      "a shrunk schedule does not replay");
    }
  }

  [[nodiscard]] const RunResult& best() const { return best_; }
  [[nodiscard]] std::size_t runs() const { return runs_; }

 private:
  RunResult play(Strategy& strategy) {
    if (options_.keep_going && !options_.keep_going()) {
      throw Interrupted();
    }
    return play_on(strategy);
  }

  /// Also when the searches are over.
  RunResult play_on(Strategy& strategy) {
    ++runs_;
    return world_.run(strategy, body_);
  }

  void keep(RunResult played) {
    schedule_ = world_.schedule();
    best_ = std::move(played);
  }

  [[nodiscard]] bool is_it(const RunResult& played) const {
    return played.failure && signature_of(*played.failure) == signature_;
  }

  bool try_deviations(const Deviations& deviations) {
    Schedule candidate = schedule_;
    candidate.deviations = deviations;
    ReplayStrategy strategy(candidate, ReplayStrategy::Mode::Guided);
    RunResult played = play(strategy);
    if (!is_it(played) || played.preemptions > best_.preemptions) {
      return false;
    }
    keep(std::move(played));
    return true;
  }

  struct Played {
    RunResult result;
    Segments segments;
  };

  /// Those of the best run.
  Segments segments() {
    ReplayStrategy replayed(schedule_, ReplayStrategy::Mode::Guided);
    SegmentRecorder recorder(replayed);
    (void)play(recorder);
    return recorder.segments();
  }

  /// The run, if it fails in the same way.
  std::optional<Played> play_segments(Segments candidate) {
    Schedule alternatives = schedule_;
    std::erase_if(alternatives.deviations, [](const auto& each) { return each.is_switch; });
    ReplayStrategy others(alternatives, ReplayStrategy::Mode::Guided);
    SegmentStrategy strategy(std::move(candidate), others);
    SegmentRecorder recorder(strategy);
    RunResult played = play(recorder);
    if (!is_it(played)) {
      return std::nullopt;
    }
    return Played{.result = std::move(played), .segments = recorder.segments()};
  }

  /// What is made less, the more important first.
  [[nodiscard]] static std::pair<std::size_t, std::size_t> cost_of(const RunResult& played) {
    return {played.preemptions, played.deviations};
  }

  /// How many runs as long as the best one take about so many steps.
  [[nodiscard]] std::size_t affordable_runs(std::size_t steps) const {
    return std::clamp<std::size_t>(steps / (best_.steps + 1), 300, 8'000);
  }

  /// How many changes to so many segments may come to nothing before no more are tried.
  [[nodiscard]] std::size_t attempts(std::size_t segments) const {
    return std::min(30 * segments * segments, affordable_runs(kRearrangedSteps));
  }

  /// One pass from the start to the end.
  bool remove_batches(std::size_t batch) {
    bool removed = false;
    std::size_t begin = 0;
    while (begin < schedule_.deviations.size()) {
      const std::size_t end = std::min(begin + batch, schedule_.deviations.size());
      if (try_without(begin, end)) {
        removed = true;
      } else {
        begin += batch > 2 ? batch : 1;
      }
    }
    return removed;
  }

  bool try_without(std::size_t begin, std::size_t end) {
    Deviations fewer = schedule_.deviations;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(begin),
                fewer.begin() + static_cast<std::ptrdiff_t>(end));
    return try_deviations(fewer);
  }

  /// Looks through all runs within these bounds. Nothing when it had to give up.
  std::optional<bool> search_within(const DfsBounds& bounds, std::size_t runs_max) {
    DfsStrategy strategy(bounds);
    return search(strategy, runs_max);
  }

  std::optional<bool> search(Strategy& strategy, std::size_t runs_max) {
    for (std::size_t run = 0; run < runs_max; ++run) {
      if (!strategy.prepare(run)) {
        return false;
      }
      RunResult played = play(strategy);
      if (is_it(played)) {
        keep(std::move(played));
        return true;
      }
    }
    return std::nullopt;
  }

  World world_;
  const ShrinkOptions& options_;
  const Body& body_;
  Schedule schedule_;
  std::string signature_;
  RunResult best_;
  std::size_t runs_ = 0;
};

}  // namespace

ShrinkResult shrink(const Failure& failure, const ShrinkOptions& options, const Body& body) {
  const Schedule schedule = Schedule::parse(failure.schedule);
  Shrinker shrinker(schedule, options, body);
  shrinker.take_first();
  bool proven = false;
  bool interrupted = false;
  try {
    do {
      shrinker.remove_deviations();
      shrinker.rearrange_segments();
      shrinker.remove_deviations();
    } while (shrinker.sample_fewer_preemptions());
    proven = shrinker.search_fewer_preemptions();
    shrinker.lower_alternatives();
  } catch (const Interrupted&) {
    interrupted = true;
  }
  shrinker.verify();
  const RunResult& best = shrinker.best();
  return {.failure = *best.failure,
          .deviations_before = schedule.deviations.size(),
          .deviations = best.deviations,
          .preemptions = best.preemptions,
          .proven = proven,
          .interrupted = interrupted,
          .runs = shrinker.runs()};
}

Failure shrink(const Failure& failure, const Body& body) {
  if (failure.kind == "divergence") {
    return failure;
  }
  return shrink(failure, ShrinkOptions{}, body).failure;
}

}  // namespace watchlab::sim
