#include "tests/sim/explore/oracle/stage.hpp"

#include <algorithm>

#include "sim/kernel/world.hpp"
#include "tests/sim/explore/oracle/observations.hpp"

namespace watchlab::sim::oracle {
namespace {

/// Of channel 0, 1, …; channel 2 is the nil one.
constexpr std::array<std::size_t, kObjectsMax> kRoom{0, 1, 0, 2};
constexpr int kNil = 2;

}  // namespace

runtime::Runtime& Player::runtime() const { return *stage_.runtime_; }

void Player::saw(int value) {
  World* const world = World::here();
  if (world != nullptr && !world->scheduler().stopping()) {
    stage_.seen_[task_].push_back(value);
  }
}

int Player::last() const {
  const std::vector<int>& seen = stage_.seen_[task_];
  return seen.empty() ? 0 : seen.back();
}

void Player::spawn(int task) { stage_.start(static_cast<std::size_t>(task)); }

void Player::join(int task) { stage_.join(static_cast<std::size_t>(task)); }

void Player::play() {
  stage_.paths_[task_] = World::here()->scheduler().running().identity().readable_path();
  const std::vector<Op>& ops = stage_.program_.tasks[task_];
  for (place_ = 0; place_ < ops.size(); ++place_) {
    const Op& op = ops[place_];
    if (op.when == When::Always || (last() != 0) == (op.when == When::Seen)) {
      op.word->play(*this, op);
    }
  }
  saw(kEnd);
}

ProgramStage::ProgramStage(const Program& program) : program_(program) {
  if (program.storage == Storage::Older) {
    older_ = std::make_unique<Objects>();
    make(*older_);
  }
}

template <typename T, typename Make>
void ProgramStage::make_pool(Objects& objects, Kind kind, Make make) {
  Pool<T>& pool = objects.of<T>();
  const int count = program_.count(kind);
  pool.make = [make](int number) { return std::unique_ptr<T>(make(number)); };
  pool.objects.resize(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    if (program_.storage == Storage::Once) {
      pool.once.push_back(std::make_unique<stdx::once_flag>());
    } else {
      pool.objects[static_cast<std::size_t>(i)] = pool.make(i);
    }
  }
}

void ProgramStage::make(Objects& all) {
  const auto first = [this](Kind kind, int i) { return program_.initial(kind, i); };
  make_pool<stdx::atomic<int>>(all, Kind::Atomic, [](int) { return new stdx::atomic<int>(0); });
  make_pool<stdx::atomic_flag>(all, Kind::Flag, [](int) { return new stdx::atomic_flag(); });
  make_pool<stdx::mutex>(all, Kind::Mutex, [](int) { return new stdx::mutex(); });
  make_pool<stdx::timed_mutex>(all, Kind::TimedMutex, [](int) { return new stdx::timed_mutex(); });
  make_pool<stdx::recursive_mutex>(all, Kind::RecursiveMutex,
                                   [](int) { return new stdx::recursive_mutex(); });
  make_pool<stdx::recursive_timed_mutex>(all, Kind::RecursiveTimedMutex,
                                         [](int) { return new stdx::recursive_timed_mutex(); });
  make_pool<stdx::shared_timed_mutex>(all, Kind::SharedMutex,
                                      [](int) { return new stdx::shared_timed_mutex(); });
  make_pool<stdx::counting_semaphore<64>>(all, Kind::Semaphore, [first](int i) {
    return new stdx::counting_semaphore<64>(first(Kind::Semaphore, i));
  });
  make_pool<stdx::latch>(all, Kind::Latch,
                         [first](int i) { return new stdx::latch(first(Kind::Latch, i)); });
  make_pool<stdx::barrier<>>(
      all, Kind::Barrier, [first](int i) { return new stdx::barrier<>(first(Kind::Barrier, i)); });
  make_pool<stdx::condition_variable>(all, Kind::Condition,
                                      [](int) { return new stdx::condition_variable(); });
  make_pool<stdx::condition_variable_any>(all, Kind::ConditionAny,
                                          [](int) { return new stdx::condition_variable_any(); });
  make_pool<stdx::once_flag>(all, Kind::Once, [](int) { return new stdx::once_flag(); });
  make_pool<Promised>(all, Kind::Promise, [](int) { return new Promised(); });
  make_pool<Called>(all, Kind::Call, [](int) { return new Called(1); });
  make_pool<Source>(all, Kind::Source, [](int) { return new Source(); });
  make_pool<stdx::watched<int>>(all, Kind::Watched, [](int) { return new stdx::watched<int>(0); });
  if (program_.theme->is_core) {
    make_of_core(all);
  }
}

void ProgramStage::make_of_core(Objects& all) {
  const auto first = [this](Kind kind, int i) { return program_.initial(kind, i); };
  runtime::Runtime& on = *runtime_;
  make_pool<runtime::Atomic<int>>(all, Kind::Cell,
                                  [&on](int) { return new runtime::Atomic<int>(on, 0); });
  make_pool<runtime::Mutex>(all, Kind::Lock, [&on](int) { return new runtime::Mutex(on); });
  make_pool<runtime::SharedMutex>(all, Kind::Table,
                                  [&on](int) { return new runtime::SharedMutex(on); });
  make_pool<Signal>(all, Kind::Signal, [&on](int) { return new Signal(on); });
  make_pool<runtime::Channel<int>>(all, Kind::Channel, [&on](int i) {
    return new runtime::Channel<int>(
        i == kNil ? runtime::Channel<int>::nil(on)
                  : runtime::Channel<int>(on, kRoom.at(static_cast<std::size_t>(i))));
  });
  make_pool<runtime::Timer>(all, Kind::Timer,
                            [&on](int i) { return new runtime::Timer(on, (1 + i) * 1ms); });
  make_pool<runtime::WaitGroup>(all, Kind::Group, [&on, first](int i) {
    auto* const group = new runtime::WaitGroup(on);
    group->add(first(Kind::Group, i));
    return group;
  });
}

void ProgramStage::play(runtime::Runtime& runtime) {
  runtime_ = &runtime;
  const std::size_t tasks = program_.tasks.size();
  seen_.assign(tasks, {});
  paths_.assign(tasks, "");
  const auto mine = std::make_shared<Run>();
  run_ = mine;
  mine->started.resize(tasks);
  for (std::size_t task = 0; task < tasks; ++task) {
    mine->players.emplace_back(*this, task);
  }
  if (older_ == nullptr) {
    make(mine->objects);
  }
  for (std::size_t task = 0; task < tasks; ++task) {
    if (!program_.is_spawned(task)) {
      start(task);
    }
  }
  if (program_.joins) {
    for (std::size_t task = 0; task < tasks; ++task) {
      join(task);  // who was started by another task comes behind it
    }
  }
}

void ProgramStage::start(std::size_t task) {
  std::shared_ptr<Run> run = run_.lock();
  Started& started = run->started[task];
  if (started.task.valid() || started.thread.joinable() || !started.is_joined) {
    return;
  }
  started.is_joined = false;
  const auto body = [task, run = std::move(run)]() mutable {
    const std::shared_ptr<Run> mine = std::move(run);  // goes with the task, not with its record
    mine->players[task].play();
  };
  if (program_.theme->is_core) {
    started.task = runtime::spawn(*runtime_, "t" + std::to_string(task), body);
  } else {
    started.thread = stdx::thread(body);
    if (!program_.joins) {
      started.thread.detach();
    }
  }
}

/// A thread may be joined once only.
void ProgramStage::join(std::size_t task) {
  Started& started = run_.lock()->started[task];  // who calls holds it
  if (started.is_joined) {
    return;
  }
  if (program_.theme->is_core) {
    started.is_joined = true;
    started.task.join();
  } else if (started.thread.joinable()) {
    started.is_joined = true;
    started.thread.join();
  }
}

void ProgramStage::clear() {
  if (older_ != nullptr) {  // the value of an atomic stays otherwise
    for (auto& object : older_->of<stdx::atomic<int>>().objects) {
      object->store(0);
    }
    for (auto& object : older_->of<stdx::atomic_flag>().objects) {
      object->clear();
    }
  }
}

std::string ProgramStage::shown() const {
  std::string text;
  for (const std::vector<int>& seen : seen_) {
    text += describe(seen) + "| ";
  }
  return text;
}

std::string ProgramStage::shown_beside(const std::string& deadlock) const {
  std::vector<bool> is_cut(seen_.size());
  for (std::size_t task = 0; task < seen_.size(); ++task) {
    const bool is_over = !seen_[task].empty() && seen_[task].back() == kEnd;
    const bool is_stuck = deadlock.find("\n  " + paths_[task] + " ") != std::string::npos;
    is_cut[task] = !paths_[task].empty() && !is_over && !is_stuck;
  }
  const bool goes_on = std::ranges::find(is_cut, true) != is_cut.end();
  std::string text;
  for (std::size_t task = 0; task < seen_.size(); ++task) {
    const bool may_begin = goes_on && paths_[task].empty();
    text += describe(seen_[task]) + std::string(is_cut[task] || may_begin ? kCut : "") + "| ";
  }
  return text;
}

}  // namespace watchlab::sim::oracle
