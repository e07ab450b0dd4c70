#include "sim/kernel/world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "core/runtime/ensure.hpp"
#include "core/runtime/order.hpp"
#include "core/runtime/recover.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/path_text.hpp"
#include "sim/kernel/plain_text.hpp"
#include "sim/kernel/primitives/sim_cell.hpp"
#include "sim/kernel/primitives/sim_channel.hpp"
#include "sim/kernel/primitives/sim_cond_var.hpp"
#include "sim/kernel/primitives/sim_mutex.hpp"
#include "sim/kernel/primitives/sim_shared_mutex.hpp"
#include "sim/kernel/primitives/sim_timer.hpp"
#include "sim/kernel/primitives/sim_wait_group.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/kernel/termination.hpp"

namespace watchlab::sim {

std::string StepRecord::to_string() const {
  return fmt::format("{}: {}{}{} ({})", with_readable_tasks(task), verb_for(kind),
                     object.empty() ? "" : " ", object, place_text(here));
}

namespace {

/// A shuffle of 0 … size-1 that depends on nothing but the seed (Fisher and Yates).
std::vector<std::size_t> shuffled(std::size_t size, std::uint64_t seed) {
  std::vector<std::size_t> indices(size);
  std::iota(indices.begin(), indices.end(), 0);
  for (std::size_t i = indices.size(); i > 1; --i) {
    seed = mix(seed, i);
    std::swap(indices[i - 1], indices[seed % i]);
  }
  return indices;
}

/// What its pending operation is done to, for records.
std::string object_of(const Actor& actor) {
  const Operation& operation = actor.pending();
  if (operation.kind == OperationKind::Continue) {
    return static_cast<const SimTask&>(actor).met_at;
  }
  return operation.object != nullptr ? operation.object->describe() : "";
}

thread_local World* of_this_thread = nullptr;

template <typename Object, typename Backend>
runtime::Owned<Backend> make(Scheduler& scheduler, ObjectKind kind, std::string_view name,
                             runtime::Location here) {
  const Quiet quiet;
  return runtime::Owned<Backend>(new Object(scheduler, scheduler.identify(kind, name), here));
}

/// Says, while it lives, that this OS thread plays a run of that world. Guests leave at the end,
/// when the world is stopping and lets go of them without a word.
class Playing {
 public:
  explicit Playing(World& world) : world_(world), before_(std::exchange(of_this_thread, &world)) {}
  Playing(const Playing&) = delete;
  Playing& operator=(const Playing&) = delete;
  ~Playing() {
    world_.guests().end_run();
    of_this_thread = before_;
  }

 private:
  World& world_;
  World* const before_;
};

}  // namespace

World* World::here() { return of_this_thread; }

World::World(const WorldOptions& options) : options_(options) {}

World::~World() = default;

RunResult World::run(Strategy& strategy, const std::function<void(runtime::Runtime&)>& body) {
  const Quiet quiet;
  const runtime::Running running(*this);
  const Playing playing(*this);
  catch_terminations();
  notes_.clear();
  steps_taken_.clear();
  scheduler_.listen(options_.record ? this : nullptr);
  const SchedulerLimits limits{.steps_max = options_.steps_max,
                               .early_advances_max = options_.early_advances_max,
                               .memory = options_.memory,
                               .equal_turns = options_.equal_turns,
                               .is_story = options_.scenario != 0};
  scheduler_.run(strategy, limits, [this, &body] { body(*this); });
  RunResult result;
  result.failure = scheduler_.failure();
  result.abandoned = scheduler_.abandoned();
  result.spun = scheduler_.has_spun();
  result.loop_turns = scheduler_.loop_turns();
  result.made_fair = scheduler_.was_made_fair();
  result.digest = scheduler_.digest();
  result.steps = scheduler_.steps();
  result.decisions = scheduler_.so_far().decisions();
  result.deviations = scheduler_.choices().deviations().size();
  result.lost_tasks = scheduler_.lost_tasks();
  result.preemptions = scheduler_.choices().preemptions();
  result.time_held_back = scheduler_.clock().was_held_back();
  result.started = Scheduler::start_time();
  result.ended = scheduler_.now();
  if (result.failure || options_.record) {
    result.schedule = schedule().to_string();
  }
  if (result.failure) {
    result.failure->schedule = result.schedule;
  }
  result.notes = std::move(notes_);
  result.steps_taken = std::move(steps_taken_);
  strategy.end(result);
  return result;
}

Schedule World::schedule() const {
  return {.scenario = options_.scenario,
          .seed = options_.seed,
          .early_advances_max = scheduler_.clock().was_asked() ? options_.early_advances_max : 0,
          .memory = options_.memory,
          .equal_turns = options_.equal_turns,
          .steps_max = options_.steps_max,
          .deviations = portable(scheduler_.choices().deviations())};
}

std::shared_ptr<runtime::TaskBackend> World::spawn(std::string_view name,
                                                   std::function<void()> body,
                                                   runtime::Location here) {
  const Quiet quiet;
  return scheduler_.spawn(name, std::move(body), here);
}

void World::yield(runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    scheduler_.end_wait();
    return;
  }
  if (scheduler_.passes_over(OperationKind::Yield, nullptr, here)) {
    return;
  }
  scheduler_.step(OperationKind::Yield, nullptr, here);
  scheduler_.looked(OperationKind::Yield, nullptr, here);
}

void World::sleep_until(runtime::TimePoint deadline, runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    scheduler_.end_wait();
    return;
  }
  SimTask& me = scheduler_.current();
  scheduler_.publish(OperationKind::Sleep, nullptr, here);
  scheduler_.see_time();
  if (deadline > scheduler_.now()) {
    scheduler_.arm(me.deadline, deadline);
    scheduler_.disable(me);
  }
  scheduler_.decide();
  if (scheduler_.stopping()) {
    scheduler_.end_wait();
    return;
  }
  runtime::ensure(deadline <= scheduler_.now(), "a sleep is over before its time");
}

runtime::Owned<runtime::MutexBackend> World::make_mutex(std::string_view name,
                                                        runtime::Location here) {
  return make<SimMutex, runtime::MutexBackend>(scheduler_, ObjectKind::Mutex, name, here);
}

runtime::Owned<runtime::SharedMutexBackend> World::make_shared_mutex(std::string_view name,
                                                                     runtime::Location here) {
  return make<SimSharedMutex, runtime::SharedMutexBackend>(scheduler_, ObjectKind::SharedMutex,
                                                           name, here);
}

runtime::Owned<runtime::CondVarBackend> World::make_cond_var(std::string_view name,
                                                             runtime::Location here) {
  return make<SimCondVar, runtime::CondVarBackend>(scheduler_, ObjectKind::CondVar, name, here);
}

runtime::Owned<runtime::WaitGroupBackend> World::make_wait_group(std::string_view name,
                                                                 runtime::Location here) {
  return make<SimWaitGroup, runtime::WaitGroupBackend>(scheduler_, ObjectKind::WaitGroup, name,
                                                       here);
}

runtime::Owned<runtime::CellBackend> World::make_cell(std::string_view name,
                                                      runtime::Location here) {
  return make<SimCell, runtime::CellBackend>(scheduler_, ObjectKind::Cell, name, here);
}

std::shared_ptr<runtime::ChannelBackend> World::make_channel(std::size_t capacity,
                                                             std::string_view name,
                                                             runtime::Location here) {
  const Quiet quiet;
  auto* const channel =
      new SimChannel(scheduler_, scheduler_.identify(ObjectKind::Channel, name), here, capacity);
  return channel->share();
}

runtime::Owned<runtime::TimerBackend> World::make_timer(
    std::shared_ptr<runtime::ChannelBackend> channel, std::optional<runtime::Duration> delay,
    std::optional<runtime::Duration> period, runtime::Location here) {
  const Quiet quiet;
  auto* const timer = new SimTimer(scheduler_, scheduler_.identify(ObjectKind::Timer, "timer"),
                                   here, std::static_pointer_cast<SimChannel>(std::move(channel)));
  runtime::Owned<runtime::TimerBackend> owned(timer);
  if (delay && !scheduler_.stopping()) {
    timer->arm(*delay, period);
  }
  return owned;
}

std::optional<std::size_t> World::select(std::span<runtime::SelectCase> cases, bool blocking,
                                         runtime::Location here) {
  const std::size_t arm = SelectOperation(scheduler_, cases).run(blocking, here);
  return arm != PendingSelect::kNone ? std::optional(arm) : std::nullopt;
}

std::uint64_t World::seed_for(std::string_view purpose) {
  const Quiet quiet;
  return mix(options_.seed, scheduler_.identify(ObjectKind::Cell, purpose).digest);
}

std::size_t World::choose(std::size_t options, std::string_view what) {
  const Quiet quiet;
  // The scheduler counts them in 32 bits. Of none it would break the run off, which so held.
  runtime::ensure(options <= UINT32_MAX, "a choice has fewer than 2^32 alternatives");
  return scheduler_.choose(ChoiceKind::Value, options, what);
}

runtime::Order World::order(std::size_t size, std::string_view what) {
  const Quiet quiet;
  if (size < 2) {
    return runtime::Order(size);
  }
  const std::uint32_t choice = scheduler_.choose(ChoiceKind::Order, size == 2 ? 2 : 3, what);
  if (choice == 1) {
    return runtime::Order::reversed(size);
  }
  return choice == 2 ? runtime::Order::of(shuffled(size, seed_for(what))) : runtime::Order(size);
}

void World::label(std::string_view text) {
  const Quiet quiet;
  if (!scheduler_.stopping()) {
    scheduler_.current().label = text;
  }
}

void World::note(const runtime::Note& note) {
  const Quiet quiet;
  if (scheduler_.stopping()) {
    return;
  }
  scheduler_.check_caller();
  scheduler_.feed_digest(digest_of(note.kind));
  scheduler_.feed_digest(digest_of(note.subject));
  scheduler_.feed_digest(digest_of(note.text));
  if (options_.record) {
    const SimTask& task = scheduler_.current();
    notes_.push_back({.at = scheduler_.now(),
                      .step = scheduler_.steps(),
                      .task = task.identity().path(),
                      .label = task.label,
                      .kind = std::string(note.kind),
                      .subject = visible_line(note.subject),
                      .text = visible_line(note.text),
                      .by = visible_line(note.by)});
  }
}

void World::log(runtime::LogLevel level, std::string_view text) {
  const Quiet quiet;
  static constexpr std::array<std::string_view, 4> kLevels{"debug", "info", "warning", "error"};
  note({.kind = "log", .subject = kLevels.at(static_cast<std::size_t>(level)), .text = text});
}

void World::stepped(const Actor& actor, std::size_t step) {
  const Operation& operation = actor.pending();
  steps_taken_.push_back({.step = step,
                          .at = scheduler_.now(),
                          .task = actor.identity().path(),
                          .label = actor.is_task() ? static_cast<const SimTask&>(actor).label : "",
                          .kind = operation.kind,
                          .object = object_of(actor),
                          .here = operation.here});
}

}  // namespace watchlab::sim
