#include <optional>
#include <stdexcept>

#include "core/runtime/ensure.hpp"
#include "core/runtime/order.hpp"
#include "core/runtime/select.hpp"
#include "sim/kernel/scheduler.hpp"
#include "tests/sim/explore/oracle/observations.hpp"
#include "tests/sim/explore/oracle/stage.hpp"
#include "tests/sim/explore/oracle/words.hpp"

// Words of core's runtime. Only brute force judges them: the state machine for these primitives is
// that of listings, see model.hpp, where time does not pass early and no run fails.

namespace watchlab::sim::oracle {
namespace {

using Cell = runtime::Atomic<int>;
using Channel = runtime::Channel<int>;
using runtime::Mutex;
using runtime::SharedMutex;

constexpr int kMost = 2;      ///< objects of a kind
constexpr int kChannels = 4;  ///< the third one is nil
constexpr int kArms = 8;      ///< to send to each channel or to receive from it
constexpr int kTries = 2;

runtime::Location here() { return runtime::Location::current(); }

void lock(Player& p, const Op& op) {
  if (p.held(op) == 0) {
    p.at<Mutex>(op.object).lock();
    p.held(op) = 1;
  }
}
void try_lock(Player& p, const Op& op) {
  if (p.held(op) == 0) {
    const bool locked = p.at<Mutex>(op.object).try_lock();
    p.held(op) = locked ? 1 : 0;
    p.saw(locked ? 1 : 0);
  }
}
/// A loop with an end.
void try_often(Player& p, const Op& op) {
  for (int i = 0; i < kTries && p.held(op) == 0; ++i) {
    try_lock(p, op);
  }
}
void unlock(Player& p, const Op& op) {
  if (p.held(op) > 0) {
    p.held(op) = 0;
    p.at<Mutex>(op.object).unlock();
  }
}
/// With the first mutex, if it is held.
void wait(Player& p, const Op& op, std::optional<runtime::TimePoint> deadline) {
  if (p.held(Kind::Lock, 0) > 0) {
    const bool notified =
        p.at<Signal>(op.object).backend->wait(p.at<Mutex>(0).backend(), deadline, here());
    p.saw(notified ? 1 : 0);
  }
}
template <typename Do>
void with_panics(Player& p, Do action) {
  try {
    action();
  } catch (const runtime::Panic&) {
    p.saw(kPanic);
  }
}
void try_receive(Player& p, const Channel& channel) {
  std::optional<int> value;
  const bool got = channel.try_receive(value);
  p.saw(got ? value.value_or(kClosed) : kDefault);
}
void tick(Player& p, const runtime::Channel<runtime::TimePoint>& channel) {
  std::optional<runtime::TimePoint> moment;
  p.saw(channel.try_receive(moment) ? 1 : 0);
}
/// Two arms; see `arms_of` in author.cpp.
void select(Player& p, const Op& op, bool polls) {
  std::optional<int> received;
  runtime::Select select(p.runtime());
  for (const int arm : {op.number % kArms, op.number / kArms}) {
    Channel& channel = p.at<Channel>(arm % kChannels);
    if (arm < kChannels) {
      select.receive(channel, received);
    } else {
      select.send(channel, p.value());
    }
  }
  with_panics(p, [&] {
    const std::optional<std::size_t> arm = polls ? select.poll() : std::optional(select.wait());
    p.saw(arm ? static_cast<int>(*arm) : kDefault);
    const int which = arm.value_or(0) == 0 ? op.number % kArms : op.number / kArms;
    if (arm && which < kChannels) {
      p.saw(received.value_or(kClosed));
    }
  });
}
/// Receives from the first channel, or from that timer, whichever comes first.
void select_or_timer(Player& p, const Op& op) {
  std::optional<int> received;
  runtime::Select select(p.runtime());
  select.receive(p.at<Channel>(op.number), received);
  select.receive(p.at<runtime::Timer>(op.object).channel());
  const std::size_t arm = select.wait();
  p.saw(arm == 0 ? received.value_or(kClosed) : kDefault);
}

}  // namespace

WordGroup cell_words() {
  constexpr Kind kind = Kind::Cell;
  return {
      {"a{o}.load()", kind, kMost, 1,
       [](Player& p, const Op& op) { p.saw(p.at<Cell>(op.object).load()); }},
      {"a{o}.load()", kind, kMost, 1,
       [](Player& p, const Op& op) { p.saw(p.at<Cell>(op.object).load()); }},
      {"a{o}.store({v})", kind, kMost, 1,
       [](Player& p, const Op& op) { p.at<Cell>(op.object).store(p.value()); }},
      {"a{o}.exchange({v})", kind, kMost, 1,
       [](Player& p, const Op& op) { p.saw(p.at<Cell>(op.object).exchange(p.value())); }},
      {"choose({n} + 2)", Kind::None, 1, 2,
       [](Player& p, const Op& op) {
         p.saw(static_cast<int>(
             p.runtime().choose(static_cast<std::size_t>(op.number) + 2, "a value")));
       }},
      {"order(2)", Kind::None, 1, 1,
       [](Player& p, const Op&) { p.saw(static_cast<int>(p.runtime().order(2, "an order")[0])); }},
      {"yield()", Kind::None, 1, 1, [](Player& p, const Op&) { p.runtime().yield(here()); }},
  };
}

WordGroup lock_words() {
  constexpr Kind kind = Kind::Lock;
  return {
      {"m{o}.lock()", kind, kMost, 1, lock, nullptr, "m{o}.unlock()"},
      {"m{o}.try_lock()", kind, kMost, 1, try_lock, nullptr, "m{o}.unlock()"},
      {"m{o}.try_lock() up to twice", kind, kMost, 1, try_often, nullptr, "m{o}.unlock()"},
      {"m{o}.unlock()", kind, kMost, 1, unlock},
  };
}

WordGroup table_words() {
  constexpr Kind kind = Kind::Table;
  return {
      {"rw{o}.lock()", kind, kMost, 1,
       [](Player& p, const Op& op) {
         if (p.held(op) == 0 && p.held(op, true) == 0) {
           p.at<SharedMutex>(op.object).lock();
           p.held(op) = 1;
         }
       },
       nullptr, "rw{o}.unlock()"},
      {"rw{o}.lock_shared()", kind, kMost, 1,
       [](Player& p, const Op& op) {
         if (p.held(op) == 0 && p.held(op, true) == 0) {
           p.at<SharedMutex>(op.object).lock_shared();
           p.held(op, true) = 1;
         }
       },
       nullptr, "rw{o}.unlock_shared()"},
      {"rw{o}.unlock()", kind, kMost, 1,
       [](Player& p, const Op& op) {
         if (p.held(op) > 0) {
           p.held(op) = 0;
           p.at<SharedMutex>(op.object).unlock();
         }
       }},
      {"rw{o}.unlock_shared()", kind, kMost, 1,
       [](Player& p, const Op& op) {
         if (p.held(op, true) > 0) {
           p.held(op, true) = 0;
           p.at<SharedMutex>(op.object).unlock_shared();
         }
       }},
      {"upgrade rw{o}: unlock_shared(), lock()", kind, kMost, 1,
       [](Player& p, const Op& op) {
         if (p.held(op, true) > 0) {
           p.held(op, true) = 0;
           p.at<SharedMutex>(op.object).unlock_shared();
           p.at<SharedMutex>(op.object).lock();
           p.held(op) = 1;
         }
       },
       nullptr, "rw{o}.unlock()"},
  };
}

WordGroup signal_words() {
  return {
      {"m0.lock()", Kind::Lock, 1, 1, lock, nullptr, "m{o}.unlock()"},
      {"m0.lock()", Kind::Lock, 1, 1, lock, nullptr, "m{o}.unlock()"},
      {"m{o}.unlock()", Kind::Lock, 1, 1, unlock},
      {"c{o}.wait(m0)", Kind::Signal, kMost, 1,
       [](Player& p, const Op& op) { wait(p, op, std::nullopt); }},
      {"c{o}.wait_until(m0, now + {n}ms)", Kind::Signal, kMost, 3,
       [](Player& p, const Op& op) { wait(p, op, p.runtime().now() + op.number * 1ms); }},
      {"c{o}.notify_one()", Kind::Signal, kMost, 1,
       [](Player& p, const Op& op) { p.at<Signal>(op.object).backend->notify_one(here()); }},
      {"c{o}.notify_all()", Kind::Signal, kMost, 1,
       [](Player& p, const Op& op) { p.at<Signal>(op.object).backend->notify_all(here()); }},
      {"sleep({n}ms)", Kind::None, 1, 3,
       [](Player& p, const Op& op) { runtime::sleep_for(p.runtime(), op.number * 1ms); }},
  };
}

WordGroup channel_words() {
  constexpr Kind kind = Kind::Channel;
  return {
      {"ch{o}.send({v})", kind, kMost, 1,
       [](Player& p, const Op& op) {
         with_panics(p, [&] { p.at<Channel>(op.object).send(p.value()); });
       }},
      {"ch{o}.receive()", kind, kMost, 1,
       [](Player& p, const Op& op) {
         p.saw(p.at<Channel>(op.object).receive().value_or(kClosed));
       }},
      {"ch{o}.try_send({v})", kind, kMost, 1,
       [](Player& p, const Op& op) {
         with_panics(p, [&] { p.saw(p.at<Channel>(op.object).try_send(p.value()) ? 1 : 0); });
       }},
      {"ch{o}.try_receive()", kind, kChannels, 1,
       [](Player& p, const Op& op) { try_receive(p, p.at<Channel>(op.object)); }},
      {"ch{o}.close()", kind, kMost, 1,
       [](Player& p, const Op& op) { with_panics(p, [&] { p.at<Channel>(op.object).close(); }); }},
  };
}

WordGroup select_words() {
  WordGroup words = channel_words();
  for (int i = 0; i < 2; ++i) {
    words.push_back({"select {arms}", Kind::Channel, 1, kArms * kArms,
                     [](Player& p, const Op& op) { select(p, op, false); }});
  }
  words.push_back({"poll {arms}", Kind::Channel, 1, kArms * kArms,
                   [](Player& p, const Op& op) { select(p, op, true); }});
  return words;
}

WordGroup timer_words() {
  constexpr Kind kind = Kind::Timer;
  return {
      {"t{o}.stop()", kind, kMost, 1,
       [](Player& p, const Op& op) { p.saw(p.at<runtime::Timer>(op.object).stop() ? 1 : 0); }},
      {"t{o}.reset({n}ms)", kind, kMost, 3,
       [](Player& p, const Op& op) {
         p.saw(p.at<runtime::Timer>(op.object).reset(op.number * 1ms) ? 1 : 0);
       }},
      {"t{o}.try_receive()", kind, kMost, 1,
       [](Player& p, const Op& op) { tick(p, p.at<runtime::Timer>(op.object).channel()); }},
      {"select t{o} or ch{n}", kind, kMost, 2, select_or_timer},
      {"ch{o}.send({v})", Kind::Channel, kMost, 1,
       [](Player& p, const Op& op) {
         with_panics(p, [&] { p.at<Channel>(op.object).send(p.value()); });
       }},
      {"ch{o}.try_receive()", Kind::Channel, kMost, 1,
       [](Player& p, const Op& op) { try_receive(p, p.at<Channel>(op.object)); }},
      {"sleep({n}ms)", Kind::None, 1, 3,
       [](Player& p, const Op& op) { runtime::sleep_for(p.runtime(), op.number * 1ms); }},
      {"now()", Kind::None, 1, 1,
       [](Player& p, const Op&) {
         p.saw(static_cast<int>((p.runtime().now() - Scheduler::start_time()) / 1ms));
       }},
      {"a ticker of 1ms: receive, stop", Kind::None, 1, 1,
       [](Player& p, const Op&) {
         runtime::Ticker ticker(p.runtime(), 1ms);
         (void)ticker.channel().receive();
         ticker.stop();
       }},
  };
}

WordGroup group_words() {
  constexpr Kind kind = Kind::Group;
  using Group = runtime::WaitGroup;
  return {
      {"g{o}.done()", kind, 1, 1, [](Player& p, const Op& op) { p.at<Group>(op.object).done(); }},
      {"g{o}.wait()", kind, 1, 1, [](Player& p, const Op& op) { p.at<Group>(op.object).wait(); }},
  };
}

WordGroup task_words() {
  WordGroup words = cell_words();
  for (int i = 0; i < 3; ++i) {
    words.push_back(
        {"task {o} starts", Kind::Task, 1, 1, [](Player& p, const Op& op) { p.spawn(op.object); }});
  }
  words.push_back(
      {"task {o}.join()", Kind::Task, 1, 1, [](Player& p, const Op& op) { p.join(op.object); }});
  return words;
}

WordGroup failing_words() {
  return {
      {"ensure(what was seen last < 100)", Kind::None, 1, 1,
       [](Player& p, const Op&) { runtime::ensure(p.last() < 100, "less than 100"); }},
      {"throw if what was seen last is 0", Kind::None, 1, 1,
       [](Player& p, const Op&) {
         if (p.last() == 0) {
           throw std::runtime_error("nothing was seen");
         }
       }},
      {"ch{o}.close() unguarded", Kind::Channel, kMost, 1,
       [](Player& p, const Op& op) { p.at<Channel>(op.object).close(); }},
      {"m{o}.unlock() unasked", Kind::Lock, 1, 1,
       [](Player& p, const Op& op) { p.at<Mutex>(op.object).unlock(); }},
  };
}

}  // namespace watchlab::sim::oracle
