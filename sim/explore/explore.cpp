#include "sim/explore/explore.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "core/runtime/fibers/stack_memory.hpp"
#include "sim/explore/child_process.hpp"
#include "sim/explore/dfs_strategy.hpp"
#include "sim/explore/feedback_strategy.hpp"
#include "sim/explore/private_objects.hpp"
#include "sim/explore/replay_strategy.hpp"
#include "sim/explore/requested_replay.hpp"
#include "sim/explore/strategy_catalogue.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
namespace {

using Body = std::function<void(runtime::Runtime&)>;

constexpr std::size_t kCheckEvery = 1000;
/// How often what takes more than a few instructions is looked at.
constexpr std::size_t kLookEvery = 64;
/// What any run of a search has left out, see `RunResult`.
struct LeftOut {
  void add(const RunResult& played) {
    time_passing = time_passing || played.time_held_back;
    spinning = spinning || played.spun;
    unfairness = unfairness || played.made_fair;
  }

  bool time_passing = false;
  bool spinning = false;
  bool unfairness = false;
  std::uint32_t turns = kEqualTurns;  ///< of a loop, before it let others go
};

/// Zero where there is no /proc: what leaks is not noticed there.
std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t pages = 0;
  statm >> pages >> pages;
  return pages * runtime::page_size();
}

/// What a child tells this process, as bytes. A list of values writes them in the child, and reads
/// them here; both are of the same build.
class Message {
 public:
  Message() = default;
  explicit Message(std::string bytes) : bytes_(std::move(bytes)), reads_(true) {}

  template <typename Value>
  void operator()(Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    if (reads_) {
      std::memcpy(&value, bytes_.data() + std::exchange(at_, at_ + sizeof(Value)), sizeof(Value));
    } else {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof(Value));
    }
  }
  void operator()(std::string& text) {
    std::size_t size = text.size();
    (*this)(size);
    if (reads_) {
      text = bytes_.substr(std::exchange(at_, at_ + size), size);
    } else {
      bytes_ += text;
    }
  }
  [[nodiscard]] bool reads() const { return reads_; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  bool reads_ = false;
  std::size_t at_ = 0;
};

/// All but the steps of a data race.
void list(Message& message, DistinctFailure& failure) {
  message(failure.first.kind);
  message(failure.first.sentence);
  message(failure.first.schedule);
  message(failure.first.steps);
  message(failure.first.slow);
  message(failure.first_run);
  message(failure.count);
}

/// One exploration: a strategy with what is put around it, and a world.
class Exploration {
 public:
  Exploration(const ExploreOptions& options, const Body& body);

  ExploreResult result();

 private:
  /// A new strategy, with what is put around it.
  void begin_search();
  /// A search that compares objects begins anew where what it knows calls one by another name, see
  /// `Guest`.
  void begin_again_if_renamed();
  /// Lets loops that come to an end take all their turns one by one from now on.
  void follow_loops(const RunResult& played);
  [[nodiscard]] std::size_t after(std::size_t run) const;
  [[nodiscard]] bool is_mine(std::size_t run) const;
  void play_from(std::size_t run);
  [[nodiscard]] bool leaks_too_much();
  void count_leaks_anew();
  void stop_leaking();
  [[nodiscard]] bool may_play_in_children() const;
  void play_in_children();
  [[nodiscard]] bool play_in_child();
  /// What a child of this process has come to.
  void list_all(Message& message);
  [[nodiscard]] bool may_continue();
  /// Nothing when there is nothing left to explore.
  [[nodiscard]] std::optional<RunResult> play(std::size_t run);
  void count(std::size_t run, const RunResult& played);
  void note_failure(std::size_t run, const RunResult& played);
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] bool is_saturated() const;
  void look();
  void note_relative_to();
  void note_memory(std::size_t places);

  const ExploreOptions& options_;
  const Body& body_;
  Sampling sampling_;
  std::size_t calibration_;
  std::uint64_t taken_over_ = Guests::taken_over();
  std::unique_ptr<Strategy> strategy_;
  TreeSearch* tree_ = nullptr;               ///< the strategy, if it is one
  std::unique_ptr<PrivateObjects> reduced_;  ///< around the strategy, or null
  std::unique_ptr<OrderObserver> observed_;  ///< around all that, or null
  Strategy* outer_ = nullptr;                ///< the outermost of these
  World world_;
  bool diverged_ = false;
  LeftOut left_out_;
  std::size_t look_at_lost_ = 1;  ///< how many tasks are lost when memory is looked at next
  std::size_t resident_before_ = 0;
  std::function<bool()> goes_on_;  ///< in a child: whether its parent wants it to
  bool child_died_ = false;        ///< one of this process
  ExploreResult result_;
};

Exploration::Exploration(const ExploreOptions& options, const Body& body)
    : options_(options),
      body_(body),
      sampling_(strategy_named(options.strategy).sampling),
      calibration_(calibration_runs(strategy_named(options.strategy))),
      world_({.seed = options.seed,
              .steps_max = options.steps_max,
              .early_advances_max = early_advances_of(options),
              .memory = options.memory,
              .scenario = options.scenario}) {
  result_.next_run = options.first_run;
  if (options.shards == 0 || options.shard >= options.shards) {
    throw std::invalid_argument("a shard is one of so many, counted from 0");
  }
  begin_search();
}

void Exploration::begin_search() {
  strategy_ = make_strategy(options_);
  tree_ = dynamic_cast<TreeSearch*>(strategy_.get());
  outer_ = strategy_.get();
  if (tree_ != nullptr && (options_.shards > 1 || options_.first_run > 0)) {
    throw std::invalid_argument(
        "a search by dfs or dpor cannot be split or continued, because what one part has to "
        "explore is found in another; the sampling strategies can");
  }
  if (options_.reduce && sampling_ != Sampling::No) {
    reduced_ = std::make_unique<PrivateObjects>(*outer_);
    outer_ = reduced_.get();
  }
  if (options_.coverage || options_.unseen_below > 0) {
    observed_ = std::make_unique<OrderObserver>(*outer_);
    outer_ = observed_.get();
  }
}

void Exploration::begin_again_if_renamed() {
  const std::uint64_t before = std::exchange(taken_over_, Guests::taken_over());
  if (taken_over_ != before && tree_ != nullptr && tree_->compares_objects()) {
    begin_search();
    ++result_.restarts;
  }
}

void Exploration::follow_loops(const RunResult& played) {
  if (options_.shards > 1 || played.loop_turns <= world_.options().equal_turns ||
      played.loop_turns > kEqualTurnsMax) {
    return;
  }
  left_out_.turns = played.loop_turns;
  left_out_.spinning = false;
  world_.set_equal_turns(left_out_.turns);
  if (tree_ != nullptr) {
    begin_search();
    ++result_.restarts;
  }
}

ExploreResult Exploration::result() {
  play_from(calibration_ > 0 && options_.first_run > 0 ? 0 : options_.first_run);
  look();
  return std::move(result_);
}

void Exploration::play_from(std::size_t run) {
  for (; run < options_.schedules_max; run = after(run)) {
    // Children know what the first runs have taught.
    if (is_mine(run) && run >= calibration_ && leaks_too_much()) {
      stop_leaking();
      return;
    }
    if (is_mine(run) && !may_continue()) {
      return;
    }
    const std::optional<RunResult> played = play(run);
    if (!played) {
      result_.exhausted = true;
      return;
    }
    if (is_mine(run)) {
      result_.next_run = run + 1;
      count(run, *played);
      begin_again_if_renamed();
      follow_loops(*played);
      if (is_over()) {
        return;
      }
    }
  }
}

/// The next run to play, which is one of this part, or one that the strategy learns from.
std::size_t Exploration::after(std::size_t run) const {
  ++run;
  while (run >= calibration_ && !is_mine(run)) {
    run = run < options_.first_run ? options_.first_run : run + 1;
  }
  return run;
}

bool Exploration::is_mine(std::size_t run) const {
  return run >= options_.first_run && run % options_.shards == options_.shard;
}

/// Tasks that could not be unwound leak what their frames owned, for as long as the process lives.
bool Exploration::leaks_too_much() {
  if (result_.lost_tasks < look_at_lost_) {
    return false;
  }
  if (look_at_lost_ == 1) {
    resident_before_ = resident_bytes();
  }
  look_at_lost_ = result_.lost_tasks + kLookEvery;
  return resident_bytes() >= resident_before_ + options_.leak_bytes_max;
}

void Exploration::count_leaks_anew() {
  resident_before_ = resident_bytes();
  look_at_lost_ = result_.lost_tasks + kLookEvery;
}

/// A child gives back to its parent; others find another process for the rest, or stop.
void Exploration::stop_leaking() {
  if (goes_on_) {
    return;
  }
  if (may_play_in_children()) {
    play_in_children();
    return;
  }
  result_.interrupted = true;
  result_.stopped = fmt::format(
      "stopped: {} tasks of failed runs could not be unwound, and about {} MiB are leaked{}",
      result_.lost_tasks, (resident_bytes() - std::min(resident_bytes(), resident_before_)) >> 20,
      tree_ == nullptr ? "; the rest is for another process" : "");
}

/// Their runs are the same in any process.
bool Exploration::may_play_in_children() const {
  return sampling_ == Sampling::Independent && !options_.completed && !child_died_ && may_fork();
}

/// One after the other, each of which begins as this process stands now. Where one dies, this
/// process plays on itself for once, so that whatever it died of comes to light.
void Exploration::play_in_children() {
  while (after(result_.next_run - 1) < options_.schedules_max && !is_over() &&
         !result_.interrupted && may_continue()) {
    if (!play_in_child()) {
      child_died_ = true;
      count_leaks_anew();
      play_from(after(result_.next_run - 1));
      return;
    }
  }
}

bool Exploration::play_in_child() {
  const auto asks = [this] { return !options_.keep_going || options_.keep_going(result_); };
  std::optional<std::string> bytes = in_child(
      [this](const std::function<bool()>& goes_on) {
        goes_on_ = goes_on;
        count_leaks_anew();
        play_from(after(result_.next_run - 1));
        Message message;
        list_all(message);
        return message.bytes();
      },
      asks);
  if (!bytes) {
    return false;
  }
  Message message(*std::move(bytes));
  list_all(message);
  if (result_.interrupted) {
    (void)asks();  // whoever counts on being asked knows what the child was told
  }
  return true;
}

void Exploration::list_all(Message& message) {
  message(result_.next_run);
  message(result_.executions);
  message(result_.digest);
  message(result_.decisions);
  message(result_.restarts);
  message(result_.lost_tasks);
  message(result_.interrupted);
  message(result_.saturated);
  message(diverged_);
  message(left_out_);
  std::string orders = result_.coverage.to_sketch();
  message(orders);
  std::size_t failures = result_.failures.size();
  message(failures);
  result_.failures.resize(failures);
  for (DistinctFailure& failure : result_.failures) {
    list(message, failure);
  }
  if (message.reads()) {
    world_.set_equal_turns(std::clamp(left_out_.turns, kEqualTurns, kEqualTurnsMax));
    result_.coverage = Coverage::from_sketch(orders);
    result_.failure = failures > 0 ? std::optional(result_.failures.front().first) : std::nullopt;
  }
}

bool Exploration::may_continue() {
  if (goes_on_ && !goes_on_()) {
    result_.interrupted = true;
    return false;
  }
  if (!options_.keep_going) {
    return true;
  }
  if (tree_ != nullptr && result_.next_run % kLookEvery == 0 && result_.executions > 0) {
    result_.explored = tree_->explored();
  }
  result_.interrupted = !options_.keep_going(result_);
  return !result_.interrupted;
}

std::optional<RunResult> Exploration::play(std::size_t run) {
  const bool own_seed = run > 0 && strategy_->varies_seed();
  world_.set_seed(own_seed ? seed_of_run(options_.seed, run) : options_.seed);
  if (reduced_) {
    reduced_->learn(sampling_ == Sampling::Growing || run < calibration_);
  }
  for (;;) {
    if (!outer_->prepare(run)) {
      return std::nullopt;
    }
    RunResult played = world_.run(*outer_, body_);
    left_out_.add(played);
    if (!reduced_ || !reduced_->must_restart()) {
      return played;
    }
    ++result_.restarts;
  }
}

void Exploration::count(std::size_t run, const RunResult& played) {
  result_.lost_tasks += played.lost_tasks;
  if (strategy_->repeated()) {
    return;
  }
  if (played.abandoned) {
    ++result_.blocked;
    return;
  }
  ++result_.executions;
  result_.digest ^= mix(run, played.digest);
  result_.decisions += played.decisions - (reduced_ ? reduced_->spared() : 0);
  if (observed_) {
    result_.coverage.add(observed_->order());
  }
  result_.saturated = is_saturated();
  note_failure(run, played);
  if (options_.completed) {
    options_.completed({.number = run, .result = played});
  }
}

void Exploration::note_failure(std::size_t run, const RunResult& played) {
  std::optional<Failure> failure = played.failure;
  const bool is_new = failure && find_failure(result_.failures, *failure) == nullptr;
  if (options_.repeats && (run % kCheckEvery == 0 || is_new)) {
    const std::optional<Failure> divergence =
        check_determinism(world_, played, world_.schedule(), body_);
    diverged_ = divergence.has_value();
    failure = divergence ? divergence : failure;
  }
  if (failure) {
    add_failure(result_.failures, {.first = *failure, .first_run = run});
    result_.failure = result_.failures.front().first;
  }
}

bool Exploration::is_over() const {
  const bool failed = result_.failure && (!options_.continues || diverged_);
  return failed || result_.saturated;
}

bool Exploration::is_saturated() const {
  if (options_.unseen_below <= 0 || result_.executions % kLookEvery != 0) {
    return false;
  }
  return result_.coverage.unseen_at_most() < options_.unseen_below;
}

void Exploration::note_relative_to() {
  if (left_out_.time_passing || (tree_ != nullptr && tree_->holds_time_back())) {
    const int times = world_.options().early_advances_max;
    result_.relative_to.push_back(
        times == 0 ? "time does not pass while a task can run"
                   : fmt::format("time passes at most {} while a task can run",
                                 times == 1 ? "once" : fmt::format("{} times", times)));
  }
  if (left_out_.spinning) {
    result_.relative_to.push_back(fmt::format(
        "a loop that changes nothing lets others go after {} turns", world_.options().equal_turns));
  }
  if (left_out_.unfairness) {
    result_.relative_to.push_back(
        fmt::format("in runs of more than {} steps every task gets a turn",
                    steps_before_fairness(options_.steps_max)));
  }
  if (tree_ != nullptr && !tree_->bound_that_cut().empty()) {
    result_.relative_to.push_back(tree_->bound_that_cut());
  }
  if (const std::size_t places = world_.scheduler().weaker_accesses(); places > 0) {
    note_memory(places);
  }
}

/// That many places of the program make accesses weaker than seq_cst.
void Exploration::note_memory(std::size_t places) {
  if (options_.memory == Memory::SequentiallyConsistent) {
    result_.relative_to.emplace_back("sequentially consistent interleavings only");
    result_.relative_to.push_back(
        fmt::format("{} weaker access{}", places, places == 1 ? "" : "es"));
  } else {
    result_.relative_to.emplace_back("no load buffering");
    result_.relative_to.push_back(
        fmt::format("at most {} reads of one old value", WeakMemory::kStaleReads));
  }
}

/// At the end.
void Exploration::look() {
  note_relative_to();
  if (tree_ != nullptr) {
    result_.explored = result_.exhausted ? 1 : tree_->explored();
  }
}

}  // namespace

int early_advances_of(const ExploreOptions& options) {
  constexpr int kEnough = 2;
  if (options.early_advances_max >= 0) {
    return options.early_advances_max;
  }
  return options.strategy == "dfs" || options.strategy == "dpor" ? kEnough : 0;
}

std::string verdict(const ExploreResult& result) {
  if (!result.exhausted) {
    return "not exhausted";
  }
  return result.relative_to.empty()
             ? "exhausted"
             : fmt::format("exhausted ({})", fmt::join(result.relative_to, "; "));
}

void add_clause(std::vector<std::string>& clauses, const std::string& clause) {
  if (std::find(clauses.begin(), clauses.end(), clause) == clauses.end()) {
    clauses.push_back(clause);
  }
}

ExploreResult explore(const ExploreOptions& options, const Body& body) {
  const bool is_scenario = options.scenario != 0;  // those have a command of their own for that
  if (const auto requested = is_scenario ? std::nullopt : requested_replay()) {
    ExploreResult result;
    result.failure = replay(*requested, body);
    if (result.failure) {
      result.failures.push_back({.first = *result.failure});
    }
    result.executions = 1;
    return result;
  }
  return Exploration(options, body).result();
}

std::optional<Failure> replay(std::string_view schedule, const Body& body) {
  return replay(RequestedReplay{.schedule = std::string(schedule)}, body);
}

namespace {

using Body = std::function<void(runtime::Runtime&)>;

std::string describe_step(const std::vector<StepRecord>& steps, std::size_t index) {
  return index < steps.size() ? steps[index].to_string() : "nothing: the run had ended";
}

/// Plays the schedule twice, recording, and names the first step that differs.
std::string first_difference(World& world, const Schedule& schedule, const Body& body) {
  const bool recorded = world.options().record;
  world.set_record(true);
  ReplayStrategy strategy(schedule, ReplayStrategy::Mode::Guided);
  const RunResult one = world.run(strategy, body);
  const RunResult two = world.run(strategy, body);
  world.set_record(recorded);
  const std::size_t length = std::max(one.steps_taken.size(), two.steps_taken.size());
  for (std::size_t i = 0; i < length; ++i) {
    const std::string first = describe_step(one.steps_taken, i);
    const std::string second = describe_step(two.steps_taken, i);
    if (first != second) {
      return fmt::format("the first difference is step {}: once {}, once {}", i + 1, first, second);
    }
  }
  return "the same steps with other names, times or choices";
}

}  // namespace

std::optional<Failure> check_determinism(World& world, const RunResult& first,
                                         const Schedule& schedule, const Body& body) {
  ReplayStrategy strategy(schedule, ReplayStrategy::Mode::Strict);
  const RunResult second = world.run(strategy, body);
  if (second.digest == first.digest && !strategy.divergence()) {
    return std::nullopt;
  }
  const std::string cause = strategy.divergence().value_or("the digests differ");
  return Failure{
      .kind = "divergence",
      .sentence = fmt::format(
          "the same schedule gave two different runs, so the body is not deterministic: {}; {}. "
          "Look for addresses used as order or hash, state kept between runs, real time, or "
          "uninitialised memory",
          cause, first_difference(world, schedule, body)),
      .schedule = schedule.to_string(),
      .steps = second.steps};
}

}  // namespace watchlab::sim
