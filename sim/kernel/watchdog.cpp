#include "sim/kernel/watchdog.hpp"

#if defined(__linux__)

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {
namespace {

constexpr std::size_t kWatchedMax = 32;
constexpr int kLooks = 12;  // within the limit
/// What waits gets as many times the limit, of real time: on a busy machine others are slow.
constexpr int kPatience = 10;
/// A thread that has had less than this part of a look waits. One that computes gets more on the
/// busiest machine, and its time is that of the processor.
constexpr int kWaitingShare = 100;
constexpr int kStandstillStatus = 1;
constexpr auto kDefaultLimit = std::chrono::minutes(1);

constexpr int kNew = -1;  // no look has seen it

/// A run that is watched, and what the last look has seen of it.
struct Place {
  std::atomic<bool> is_taken = false;
  std::atomic<const Scheduler*> scheduler = nullptr;  ///< set last
  clockid_t clock = {};                               ///< of its thread's processor time
  std::size_t steps = 0;
  std::uint64_t digest = 0;
  const void* thread = nullptr;
  std::int64_t used = 0;         ///< by its thread, in nanoseconds
  std::int64_t used_before = 0;  ///< when it last moved
  int waits = 0;                 ///< looks that have seen the same, and a thread that waits
  bool moved = true;
};

// A signal handler is handed nothing, so what it looks at has to be here.
std::array<Place, kWatchedMax> places;
std::atomic<bool> ticking = false;
std::atomic<std::int64_t> limit_ms = -1;  // not known yet
std::int64_t tick_nanoseconds = 0;
timer_t timer = {};
std::atomic<bool> timer_exists = false;

/// Writes a message from within a signal handler, where nothing may allocate.
class Message {
 public:
  Message& operator<<(std::string_view text) {
    const std::size_t size = std::min(text.size(), text_.size() - size_);
    std::memcpy(text_.data() + size_, text.data(), size);
    size_ += size;
    return *this;
  }
  Message& operator<<(std::uint64_t number) {
    const auto [end, error] =
        std::to_chars(text_.data() + size_, text_.data() + text_.size(), number);
    size_ = error == std::errc() ? static_cast<std::size_t>(end - text_.data()) : size_;
    return *this;
  }
  void path(const SimTask& task) {
    if (task.identity().creator) {
      path(*task.identity().creator);
      *this << "/";
    }
    *this << task.identity().name;
    if (task.identity().occurrence > 1) {
      *this << "#" << std::uint64_t{task.identity().occurrence};
    }
  }
  void write() const {
    std::size_t written = 0;
    while (written < size_) {
      const ssize_t count = ::write(STDERR_FILENO, text_.data() + written, size_ - written);
      if (count <= 0) {
        return;
      }
      written += static_cast<std::size_t>(count);
    }
  }

 private:
  std::array<char, 2048> text_{};
  std::size_t size_ = 0;
};

[[noreturn]] void end_process(const Scheduler& scheduler, bool computes) {
  Message message;
  message << "watchlab: task ";
  if (const SimTask* const task = scheduler.running_or_none()) {
    message.path(*task);
    const runtime::Location& here = task->pending().here;
    message << " has done no operation for "
            << static_cast<std::uint64_t>((computes ? 1 : kPatience) * limit_ms)
            << (computes ? " ms of processor time" : " ms of real time") << ", after step "
            << std::uint64_t{scheduler.steps()};
    if (here.line() != 0) {
      message << " (" << here.file_name() << ":" << std::uint64_t{here.line()} << ")";
    }
  } else {
    message << "main has not started";
  }
  message << (computes ? ". It loops without an operation of the runtime. "
                       : ". It waits for something outside of the simulated world, such as a "
                         "std::mutex that another task holds or a thread of the system; "
                         "watchlab/std has what a world knows of (docs/library.md), in every "
                         "source file of a class. ")
          << "WATCHLAB_STANDSTILL=SECONDS sets the limit of processor time, and ten times that of "
             "real time for what waits; 0 is none.\n";
  message.write();
  ::_exit(kStandstillStatus);
}

std::int64_t processor_time_of(clockid_t clock) {
  timespec used = {};
  return clock_gettime(clock, &used) == 0
             ? std::int64_t{used.tv_sec} * 1'000'000'000 + std::int64_t{used.tv_nsec}
             : 0;
}

bool has_moved(Place& place, const Scheduler& scheduler) {
  const bool moved = place.steps != scheduler.steps() || place.digest != scheduler.digest();
  place.steps = scheduler.steps();
  place.digest = scheduler.digest();
  place.thread = scheduler.thread();
  return moved;
}

/// A run within a task of another run stands for both.
bool moves_elsewhere(const void* thread) {
  return std::any_of(places.begin(), places.end(), [&](const Place& other) {
    return other.scheduler.load() != nullptr && other.thread == thread && other.moved;
  });
}

void look(int /*signal*/) {
  const int error = errno;
  bool any = false;
  for (Place& place : places) {
    if (const Scheduler* const scheduler = place.scheduler.load()) {
      any = true;
      place.moved = has_moved(place, *scheduler);
    }
  }
  for (Place& place : places) {
    const Scheduler* const scheduler = place.scheduler.load();
    if (scheduler == nullptr) {
      continue;
    }
    const std::int64_t now = processor_time_of(place.clock);
    const bool waits = now - place.used < tick_nanoseconds / kWaitingShare;
    place.used = now;
    if (moves_elsewhere(place.thread) || place.waits == kNew) {
      place.used_before = now;
      place.waits = 0;
      continue;
    }
    place.waits += waits ? 1 : 0;
    const bool computes = now - place.used_before >= limit_ms * 1'000'000;
    if (computes || place.waits >= kPatience * kLooks) {
      end_process(*scheduler, computes);
    }
  }
  if (!any) {  // the next run begins anew
    const itimerspec never = {};
    timer_settime(timer, 0, &never, nullptr);
    ticking = false;
  }
  errno = error;
}

std::int64_t limit_of_environment() {
  const char* const text = std::getenv("WATCHLAB_STANDSTILL");
  std::int64_t seconds = 0;
  if (text == nullptr ||
      std::from_chars(text, text + std::strlen(text), seconds).ec != std::errc() || seconds < 0) {
    return std::chrono::milliseconds(kDefaultLimit).count();
  }
  return seconds * 1000;
}

/// A child has none of its parent's timers.
void forget_timer() {
  timer_exists = false;
  ticking = false;
}

bool make_timer() {
  struct sigaction before = {};
  sigaction(SIGURG, nullptr, &before);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN && before.sa_handler != look) {
    return false;
  }
  struct sigaction action = {};
  action.sa_handler = look;
  action.sa_flags = SA_RESTART;
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGURG;
  static const int kForks = pthread_atfork(nullptr, nullptr, forget_timer);
  return kForks == 0 && sigaction(SIGURG, &action, nullptr) == 0 &&
         timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
}

void start_ticking() {
  if (limit_ms < 0) {
    limit_ms = limit_of_environment();
  }
  if (limit_ms == 0 || ticking.exchange(true)) {
    return;
  }
  if (!timer_exists) {
    timer_exists = make_timer();
  }
  if (timer_exists) {
    tick_nanoseconds = std::max<std::int64_t>(limit_ms * 1'000'000 / kLooks, 1);
    const timespec tick = {.tv_sec = tick_nanoseconds / 1'000'000'000,
                           .tv_nsec = tick_nanoseconds % 1'000'000'000};
    const itimerspec each = {.it_interval = tick, .it_value = tick};
    timer_settime(timer, 0, &each, nullptr);
  }
}

}  // namespace

Watch::Watch(const Scheduler& scheduler) : place_(0) {
  for (; place_ < places.size(); ++place_) {
    Place& place = places[place_];
    if (!place.is_taken.load(std::memory_order_relaxed) && !place.is_taken.exchange(true)) {
      if (pthread_getcpuclockid(pthread_self(), &place.clock) != 0) {
        place.clock = CLOCK_PROCESS_CPUTIME_ID;
      }
      place.waits = kNew;
      place.scheduler.store(&scheduler, std::memory_order_release);
      break;
    }
  }
  if (!ticking.load(std::memory_order_relaxed)) {
    start_ticking();
  }
}

Watch::~Watch() {
  if (place_ < places.size()) {
    places[place_].scheduler.store(nullptr, std::memory_order_release);
    places[place_].is_taken.store(false, std::memory_order_release);
  }
}

void Watch::set_limit(std::chrono::milliseconds limit) {
  limit_ms = limit.count();
  ticking = false;  // so that the next run sets it
}

}  // namespace watchlab::sim

#else

namespace watchlab::sim {

Watch::Watch(const Scheduler& /*scheduler*/) : place_(0) {}
Watch::~Watch() { (void)place_; }
void Watch::set_limit(std::chrono::milliseconds /*limit*/) {}

}  // namespace watchlab::sim

#endif
