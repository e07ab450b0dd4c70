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
constexpr int kLooks = 12;  // a run stands still when so many have seen the same
constexpr int kStandstillStatus = 1;
constexpr auto kDefaultLimit = std::chrono::minutes(1);

/// A run that is watched, and what the last look has seen of it.
struct Place {
  std::atomic<const Scheduler*> scheduler = nullptr;
  std::size_t steps = 0;
  std::uint64_t digest = 0;
  const void* thread = nullptr;
  int same = 0;  ///< looks
  bool moved = true;
};

// A signal handler is handed nothing, so what it looks at has to be here.
std::array<Place, kWatchedMax> places;
std::atomic<bool> ticking = false;
std::atomic<std::int64_t> limit_ms = -1;  // not known yet
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

[[noreturn]] void end_process(const Scheduler& scheduler) {
  Message message;
  message << "watchlab: task ";
  if (const SimTask* const task = scheduler.running_or_none()) {
    message.path(*task);
    const runtime::Location& here = task->pending().here;
    message << " has done no operation for " << static_cast<std::uint64_t>(limit_ms)
            << " ms of real time, after step " << std::uint64_t{scheduler.steps()};
    if (here.line() != 0) {
      message << " (" << here.file_name() << ":" << std::uint64_t{here.line()} << ")";
    }
  } else {
    message << "main has not started";
  }
  message << ". It loops without an operation of the runtime, or it waits for something outside of "
             "the simulated world, such as a std::mutex that another task holds or a thread of the "
             "system; watchlab/std has what a world knows of (docs/library.md), in every source "
             "file of "
             "a class. "
             "WATCHLAB_STANDSTILL=SECONDS sets the limit, 0 is none.\n";
  message.write();
  ::_exit(kStandstillStatus);
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
    place.same = moves_elsewhere(place.thread) ? 0 : place.same + 1;
    if (place.same >= kLooks) {
      end_process(*scheduler);
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
    const std::int64_t nanoseconds = std::max<std::int64_t>(limit_ms * 1'000'000 / kLooks, 1);
    const timespec tick = {.tv_sec = nanoseconds / 1'000'000'000,
                           .tv_nsec = nanoseconds % 1'000'000'000};
    const itimerspec each = {.it_interval = tick, .it_value = tick};
    timer_settime(timer, 0, &each, nullptr);
  }
}

}  // namespace

Watch::Watch(const Scheduler& scheduler) : place_(0) {
  for (; place_ < places.size(); ++place_) {
    const Scheduler* none = nullptr;
    Place& place = places[place_];
    if (place.scheduler.load(std::memory_order_relaxed) == nullptr &&
        place.scheduler.compare_exchange_strong(none, &scheduler)) {
      place.same = 0;
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
