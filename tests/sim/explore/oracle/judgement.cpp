#include "tests/sim/explore/oracle/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "sim/explore/dpor_strategy.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/strategy_catalogue.hpp"
#include "sim/kernel/world.hpp"
#include "tests/sim/explore/oracle/observations.hpp"
#include "tests/sim/explore/oracle/stage.hpp"

namespace watchlab::sim::oracle {
namespace {

/// Each run once: the tree of all choices, depth first, without any bound or reduction.
class BruteForce final : public Strategy {
 public:
  [[nodiscard]] bool prepare(std::size_t run) override {
    depth_ = 0;
    while (!nodes_.empty() && nodes_.back().index + 1 == nodes_.back().options) {
      nodes_.pop_back();
    }
    if (!nodes_.empty()) {
      ++nodes_.back().index;
    }
    return run == 0 || !nodes_.empty();
  }
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override {
    if (depth_ == nodes_.size()) {
      nodes_.push_back({.options = choice.options, .index = 0});
    }
    return nodes_[depth_++].index;
  }

 private:
  struct Node {
    std::uint32_t options;
    std::uint32_t index;
  };
  std::vector<Node> nodes_;
  std::size_t depth_ = 0;
};

struct Seen {
  bool exhausted = false;
  bool cut = false;        ///< a run ended by a failure before its tasks had nothing left to do
  bool long_loop = false;  ///< with more equal turns than are played one by one, as `verdict` says
  std::size_t runs = 0;
  std::set<std::string> outcomes = {};
};

/// Adds what a run has shown. What a task does after a failure of another one is not to be
/// compared, for nothing orders it: of such a run only the kind counts.
void add(Seen& seen, const RunResult& result, const ProgramStage& stage) {
  if (!result.failure) {
    seen.outcomes.insert(stage.shown());
    return;
  }
  const std::string& kind = result.failure->kind;
  const bool stuck = kind == "deadlock" || kind == "leak";
  seen.cut |= !stuck;
  // Who waits is in what the tasks have seen: a state machine knows no more.
  seen.outcomes.insert(kind == "deadlock" ? stage.shown_beside(result.failure->sentence)
                       : stuck            ? stage.shown()
                                          : kind);
}

/// What one task has seen, and whether it could have gone on.
struct OfTask {
  std::string_view seen;
  bool is_cut = false;
};

/// Takes the first task off an outcome. Nothing where there is none.
std::optional<OfTask> take_task(std::string_view& outcome) {
  const std::size_t end = outcome.find("| ");
  if (end == std::string_view::npos) {
    return std::nullopt;
  }
  OfTask task{.seen = outcome.substr(0, end)};
  outcome.remove_prefix(end + 2);
  if (task.seen.ends_with(kCut)) {
    task.seen.remove_suffix(kCut.size());
    task.is_cut = true;
  }
  return task;
}

/// Whether both can be of one run that was cut off at two moments. How far others come before a
/// deadlock of a few tasks is reported depends on when the kernel looks for one.
bool agree(std::string_view one, std::string_view other) {
  for (;;) {
    const std::optional<OfTask> a = take_task(one);
    const std::optional<OfTask> b = take_task(other);
    if (!a || !b) {
      return !a && !b && one == other;
    }
    const bool a_begins_b = a->is_cut && b->seen.starts_with(a->seen);
    const bool b_begins_a = b->is_cut && a->seen.starts_with(b->seen);
    const bool are_equal = a->is_cut == b->is_cut && a->seen == b->seen;
    if (!are_equal && !a_begins_b && !b_begins_a) {
      return false;
    }
  }
}

bool is_cut(std::string_view outcome) { return outcome.find(kCut) != std::string_view::npos; }

/// Whether one of the outcomes is this one as far as both were followed.
bool has_alike(const std::set<std::string>& outcomes, const std::string& wanted) {
  return outcomes.contains(wanted) ||
         std::ranges::any_of(outcomes, [&](const std::string& outcome) {
           return (is_cut(outcome) || is_cut(wanted)) && agree(outcome, wanted);
         });
}

/// Until the strategy has nothing left. Where a loop is seen to have an end, another one begins
/// that lets it look so often, as `explore` does; brute force lets it from the start.
Seen search(const MakeStrategy& make, const Program& program, std::size_t runs_max,
            std::uint32_t equal_turns = kEqualTurns) {
  std::unique_ptr<Strategy> strategy = make();
  std::size_t begun_at = 0;
  ProgramStage stage(program);
  Seen seen;
  const auto body = [&stage](runtime::Runtime& runtime) { stage.play(runtime); };
  World world({.early_advances_max = program.advances, .equal_turns = equal_turns});
  for (; seen.runs < runs_max; ++seen.runs) {
    if (!strategy->prepare(seen.runs - begun_at)) {
      seen.exhausted = true;
      break;
    }
    const RunResult result = world.run(*strategy, body);
    if (!result.abandoned && !strategy->repeated()) {
      add(seen, result, stage);
    }
    stage.clear();
    seen.long_loop |= result.loop_turns > kEqualTurnsMax;
    if (result.loop_turns > world.options().equal_turns && result.loop_turns <= kEqualTurnsMax) {
      world.set_equal_turns(result.loop_turns);
      strategy = make();
      begun_at = seen.runs + 1;
    }
  }
  return seen;
}

const std::string* first_missing(const std::set<std::string>& all,
                                 const std::set<std::string>& found) {
  const auto missing =
      std::ranges::find_if(all, [&](const std::string& one) { return !has_alike(found, one); });
  return missing == all.end() ? nullptr : &*missing;
}

/// The first one that was found only as far as a deadlock of others let it come.
const std::string* first_hidden(const std::set<std::string>& all,
                                const std::set<std::string>& found) {
  const auto hidden = std::ranges::find_if(all, [&](const std::string& one) {
    return !is_cut(one) && !found.contains(one) && has_alike(found, one);
  });
  return hidden == all.end() ? nullptr : &*hidden;
}

/// Compares with what there is.
class Comparer {
 public:
  Comparer(const Program& program, const JudgementCosts& costs, Judgement& judgement)
      : program_(program), costs_(costs), judgement_(judgement) {}

  /// Finds out what there is. False when nobody can say.
  bool establish() {
    const Modelled modelled = model_outcomes(program_, costs_.states_max);
    const Seen brute =
        search([] { return std::make_unique<BruteForce>(); }, program_,
               modelled.complete ? costs_.checked_runs_max : costs_.brute_runs_max, kEqualTurnsMax);
    judgement_.modelled = modelled.complete;
    judgement_.brute = brute.exhausted;
    judgement_.runs += brute.runs;
    brute_runs_ = brute.exhausted ? brute.runs : SIZE_MAX;
    if (!brute.exhausted && !modelled.complete) {
      return false;
    }
    truth_ = brute.exhausted ? brute.outcomes : modelled.outcomes;
    judgement_.outcomes = truth_;
    if (brute.exhausted && modelled.complete) {
      report_differences("the state machine", modelled.outcomes, "brute force", brute.outcomes);
    } else if (modelled.complete) {
      if (const auto* more = first_missing(brute.outcomes, modelled.outcomes)) {
        wrong("brute force", *more);
      }
    }
    return true;
  }

  void check(std::string_view name, const MakeStrategy& make) {
    const Seen seen = search(make, program_, costs_.runs_max);
    judgement_.runs += seen.runs;
    if (const auto* more = first_missing(seen.outcomes, truth_)) {
      wrong(name, *more);
    }
    if (!seen.exhausted) {
      judgement_.skipped = true;
      return;
    }
    const auto not_shown = [&](std::vector<std::string>& lines, const std::string& outcome) {
      lines.push_back(fmt::format("{}: {} of {} outcomes in {} runs; not \"{}\"", name,
                                  seen.outcomes.size(), truth_.size(), seen.runs, outcome));
    };
    if (const auto* missing = first_missing(truth_, seen.outcomes)) {
      not_shown(seen.cut || seen.long_loop ? judgement_.hidden : judgement_.lost, *missing);
    }
    if (const auto* hidden = first_hidden(truth_, seen.outcomes)) {
      not_shown(judgement_.hidden, *hidden);
    }
  }
  /// dfs as users have it.
  void check_dfs() {
    if (brute_runs_ <= costs_.dfs_runs_max) {
      check("dfs", [] { return make_strategy({.strategy = "dfs"}); });
    }
  }

  /// A sampling strategy: shows nothing that there is not, and what it finds replays.
  void check_sampling() {
    static constexpr std::array<std::string_view, 7> kNames{"random", "pct",      "pos",      "urw",
                                                            "surw",   "feedback", "portfolio"};
    const std::string name(kNames.at(program_.seed % kNames.size()));
    ProgramStage stage(program_);
    const std::function<void(runtime::Runtime&)> body = [&stage](runtime::Runtime& runtime) {
      stage.play(runtime);
    };
    Seen seen;
    ExploreOptions options{
        .strategy = name,
        .seed = program_.seed,
        .schedules_max = costs_.sampled_runs,
        .early_advances_max = program_.advances,
        .reduce = program_.storage != Storage::Older,  // values stay, see `clear`
        .repeats = program_.storage != Storage::Older,
        .continues = true,
        .completed = [&](const CompletedRun& run) {
          add(seen, run.result, stage);
          stage.clear();
        }};
    const ExploreResult result = explore(options, body);
    judgement_.runs += result.executions;
    if (const auto* more = first_missing(seen.outcomes, truth_)) {
      wrong(name, *more);
    }
    for (const DistinctFailure& failure : result.failures) {
      if (program_.storage == Storage::Older) {
        break;  // what its atomics are stays from run to run
      }
      const std::optional<Failure> again = replay(failure.first.schedule, body);
      if (!again || again->kind != failure.first.kind ||
          again->sentence != failure.first.sentence) {
        judgement_.wrong.push_back(fmt::format(
            "{} reports \"{}: {}\", a replay {}", name, failure.first.kind, failure.first.sentence,
            again ? again->kind + ": " + again->sentence : "nothing"));
      }
    }
  }

 private:
  void wrong(std::string_view name, const std::string& outcome) {
    judgement_.wrong.push_back(fmt::format("{} shows \"{}\", which there is not", name, outcome));
  }
  void report_differences(std::string_view one, const std::set<std::string>& ones,
                          std::string_view other, const std::set<std::string>& others) {
    if (const auto* more = first_missing(ones, others)) {
      judgement_.wrong.push_back(fmt::format("{} alone shows \"{}\"", one, *more));
    }
    if (const auto* more = first_missing(others, ones)) {
      judgement_.wrong.push_back(fmt::format("{} alone shows \"{}\"", other, *more));
    }
  }

  const Program& program_;
  const JudgementCosts& costs_;
  Judgement& judgement_;
  std::size_t brute_runs_ = SIZE_MAX;
  std::set<std::string> truth_;
};

/// Whether it differs as `first` does; a program that forgets to unlock fails in ways of its own.
bool differs_as(const Judgement& first, const Program& program, const JudgementCosts& costs) {
  const Judgement judgement = judge(program, costs);
  const bool fails = judgement.outcomes.contains("violation");
  return judgement.lost.empty() == first.lost.empty() &&
         judgement.wrong.empty() == first.wrong.empty() &&
         fails == first.outcomes.contains("violation");
}

}  // namespace

Judgement judge(const Program& program, const JudgementCosts& costs) {
  Judgement judgement;
  Comparer comparer(program, costs, judgement);
  if (!comparer.establish()) {
    judgement.skipped = true;
    return judgement;
  }
  const auto dpor = [&program](DporStrategy::Mode mode) {
    return [&program, mode] { return std::make_unique<DporStrategy>(mode, program.advances); };
  };
  comparer.check("source sets", dpor(DporStrategy::Mode::SourceSets));
  comparer.check("wake-up trees", dpor(DporStrategy::Mode::WakeupTrees));
  comparer.check_dfs();
  comparer.check_sampling();
  return judgement;
}

Judgement judge(const Program& program, const MakeStrategy& make, const JudgementCosts& costs) {
  Judgement judgement;
  Comparer comparer(program, costs, judgement);
  if (comparer.establish()) {
    comparer.check("this strategy", make);
  }
  return judgement;
}

Program shrink(Program program, const JudgementCosts& costs) {
  const Judgement first = judge(program, costs);
  if (first.lost.empty() && first.wrong.empty()) {
    return program;
  }
  const auto try_it = [&](Program smaller) {
    const bool still = differs_as(first, smaller, costs);
    if (still) {
      program = std::move(smaller);
    }
    return still;
  };
  for (const Storage storage : {Storage::Root, Storage::Older}) {
    Program smaller = program;
    smaller.storage = storage;
    if (storage < program.storage) {
      (void)try_it(std::move(smaller));
    }
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t task = 0; task < program.tasks.size(); ++task) {
      for (std::size_t place = 0; place < program.tasks[task].size(); ++place) {
        Program smaller = program;
        auto& ops = smaller.tasks[task];
        ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(place));
        progress |= try_it(std::move(smaller));
      }
    }
  }
  return program;
}

}  // namespace watchlab::sim::oracle
