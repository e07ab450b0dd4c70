#include <optional>

#include "tests/sim/explore/oracle/observations.hpp"
#include "tests/sim/explore/oracle/stage.hpp"
#include "tests/sim/explore/oracle/words.hpp"

// Words of watchlab/std. What a task does not hold it does not unlock, and what it holds it does
// not lock again, unless that is allowed: such a word is passed over.

namespace watchlab::sim::oracle {
namespace {

using Int = stdx::atomic<int>;
using Flag = stdx::atomic_flag;
using Semaphore = stdx::counting_semaphore<64>;
using Table = stdx::shared_timed_mutex;

// How they are played.

/// How a task takes a lock.
struct Taking {
  bool shared = false;
  bool again = false;  ///< also what it holds
  bool tells = false;  ///< writes down whether it did
};
template <typename Mutex, typename Take>
void take(Player& p, const Op& op, const Taking& way, Take take) {
  if ((p.held(op) > 0 || p.held(op, true) > 0) && !way.again) {
    return;
  }
  const bool taken = take(p.at<Mutex>(op.object));
  p.held(op, way.shared) = static_cast<std::int8_t>(p.held(op, way.shared) + (taken ? 1 : 0));
  if (way.tells) {
    p.saw(taken ? 1 : 0);
  }
}
template <typename Mutex, bool kAgain = false>
void lock(Player& p, const Op& op) {
  take<Mutex>(p, op, {.again = kAgain}, [](Mutex& mutex) { return mutex.lock(), true; });
}
template <typename Mutex, bool kAgain = false>
void try_lock(Player& p, const Op& op) {
  take<Mutex>(p, op, {.again = kAgain, .tells = true},
              [](Mutex& mutex) { return mutex.try_lock(); });
}
template <typename Mutex, bool kAgain = false>
void try_lock_for(Player& p, const Op& op) {
  take<Mutex>(p, op, {.again = kAgain, .tells = true},
              [&](Mutex& mutex) { return mutex.try_lock_for(op.number * 1ms); });
}
template <typename Mutex>
void unlock(Player& p, const Op& op) {
  if (p.held(op) > 0) {
    --p.held(op);
    p.at<Mutex>(op.object).unlock();
  }
}
void unlock_shared(Player& p, const Op& op) {
  if (p.held(op, true) > 0) {
    --p.held(op, true);
    p.at<Table>(op.object).unlock_shared();
  }
}
/// Locks for the time of `inside` by a guard of the library.
template <typename Guard, typename Mutex>
void guarded(Player& p, const Op& op) {
  if (p.held(op) == 0 && p.held(op, true) == 0) {
    const Guard guard(p.at<Mutex>(op.object));
    p.saw(guard.owns_lock() ? 1 : 0);
  }
}

/// Waits by `wait` with a lock that is held already, and keeps it.
template <typename Mutex, typename Wait>
void wait_holding(Player& p, Kind kind, Wait wait) {
  if (p.held(kind, 0) > 0) {
    stdx::unique_lock<Mutex> lock(p.at<Mutex>(0), stdx::adopt_lock);
    wait(lock);
    lock.release();
  }
}
int as_number(stdx::cv_status status) { return status == stdx::cv_status::no_timeout ? 1 : 0; }
int as_number(stdx::future_status status) { return status == stdx::future_status::ready ? 1 : 0; }

template <typename Do>
void with_errors(Player& p, Do action) {
  try {
    action();
  } catch (const stdx::future_error&) {
    p.saw(kPanic);
  }
}

// What they are as steps.

bool m_lock(ModelTask& t, const Op& op) {
  if (t.held(op) > 0 || t.held(op, true) > 0) {
    return true;
  }
  if (t.at(op) != 0) {
    return false;
  }
  t.at(op) = -1;
  t.held(op) = 1;
  return true;
}
bool m_try_lock(ModelTask& t, const Op& op) {
  if (t.held(op) > 0 || t.held(op, true) > 0) {
    return true;
  }
  return t.saw(t.at(op) == 0 && m_lock(t, op) ? 1 : 0);
}
bool m_lock_again(ModelTask& t, const Op& op) {
  return t.held(op) > 0 ? ++t.held(op) > 0 : m_lock(t, op);
}
bool m_try_lock_again(ModelTask& t, const Op& op) {
  return t.saw(t.held(op) > 0 || t.at(op) == 0 ? (m_lock_again(t, op) ? 1 : 0) : 0);
}
bool m_unlock(ModelTask& t, const Op& op) {
  if (t.held(op) > 0 && --t.held(op) == 0) {
    t.at(op) = 0;
  }
  return true;
}
bool m_lock_shared(ModelTask& t, const Op& op) {
  if (t.held(op) > 0 || t.held(op, true) > 0) {
    return true;
  }
  if (t.at(op) < 0) {
    return false;
  }
  ++t.at(op);
  t.held(op, true) = 1;
  return true;
}
bool m_try_lock_shared(ModelTask& t, const Op& op) {
  if (t.held(op) > 0 || t.held(op, true) > 0) {
    return true;
  }
  return t.saw(t.at(op) >= 0 && m_lock_shared(t, op) ? 1 : 0);
}
bool m_unlock_shared(ModelTask& t, const Op& op) {
  if (t.held(op, true) > 0) {
    t.held(op, true) = 0;
    --t.at(op);
  }
  return true;
}
bool m_load(ModelTask& t, const Op& op) { return t.saw(t.at(op)); }
bool m_store(ModelTask& t, const Op& op) { return t.at(op) = t.value(), true; }
bool m_exchange(ModelTask& t, const Op& op) { return t.saw(std::exchange(t.at(op), t.value())); }
bool m_add(ModelTask& t, const Op& op) { return t.saw(t.at(op)++); }
bool m_set(ModelTask& t, const Op& op) { return t.saw(std::exchange(t.at(op), 1)); }
bool m_clear(ModelTask& t, const Op& op) { return t.at(op) = 0, true; }
bool m_cas(ModelTask& t, const Op& op) {
  const int before = t.at(op);
  t.at(op) = before == op.number ? t.value() : before;
  return t.saw(before);
}
bool m_acquire(ModelTask& t, const Op& op) { return t.at(op) > 0 && t.at(op)-- > 0; }
bool m_try_acquire(ModelTask& t, const Op& op) { return t.saw(m_acquire(t, op) ? 1 : 0); }
bool m_release(ModelTask& t, const Op& op) { return ++t.at(op), true; }
bool m_count_down(ModelTask& t, const Op& op) { return --t.at(op), true; }
bool m_wait_zero(ModelTask& t, const Op& op) { return t.at(op) == 0; }
bool m_is_zero(ModelTask& t, const Op& op) { return t.saw(t.at(op) == 0 ? 1 : 0); }
bool m_once(ModelTask& t, const Op& op) { return std::exchange(t.at(op), 1) != 0 || t.saw(1); }
bool m_set_value(ModelTask& t, const Op& op) {
  if (t.at(op) != 0) {
    return t.saw(kPanic);
  }
  t.at(op) = t.value();
  return true;
}
bool m_call(ModelTask& t, const Op& op) {
  return t.at(op) != 0 ? t.saw(kPanic) : (t.at(op) = 1) != 0;
}
bool m_get(ModelTask& t, const Op& op) { return t.at(op) != 0 && t.saw(t.at(op)); }
bool m_yield(ModelTask& /*task*/, const Op& /*op*/) { return true; }

constexpr int kMost = 2;  ///< objects of a kind

}  // namespace

WordGroup atomic_words() {
  constexpr Kind kind = Kind::Atomic;
  return {
      {"a{o}.load()", kind, kMost, 1,
       [](Player& p, const Op& op) { p.saw(p.at<Int>(op.object).load()); }, m_load},
      {"a{o}.store({v})", kind, kMost, 1,
       [](Player& p, const Op& op) { p.at<Int>(op.object).store(p.value()); }, m_store},
      {"a{o}.exchange({v})", kind, kMost, 1,
       [](Player& p, const Op& op) { p.saw(p.at<Int>(op.object).exchange(p.value())); },
       m_exchange},
      {"a{o}.fetch_add(1)", kind, kMost, 1,
       [](Player& p, const Op& op) { p.saw(p.at<Int>(op.object).fetch_add(1)); }, m_add},
      {"a{o}.compare_exchange({n}, {v})", kind, kMost, 2,
       [](Player& p, const Op& op) {
         int expected = op.number;
         p.at<Int>(op.object).compare_exchange_strong(expected, p.value());
         p.saw(expected);
       },
       m_cas},
      {"f{o}.test_and_set()", Kind::Flag, 1, 1,
       [](Player& p, const Op& op) { p.saw(p.at<Flag>(op.object).test_and_set() ? 1 : 0); }, m_set},
      {"f{o}.clear()", Kind::Flag, 1, 1,
       [](Player& p, const Op& op) { p.at<Flag>(op.object).clear(); }, m_clear},
      {"yield()", Kind::None, 1, 1, [](Player&, const Op&) { stdx::this_thread::yield(); },
       m_yield},
  };
}

/// A few of each kind, so that tasks meet at several objects.
WordGroup mixed_words() {
  WordGroup words;
  for (const WordGroup& of :
       {atomic_words(), atomic_words(), mutex_words(), shared_mutex_words(), semaphore_words()}) {
    for (const Word& word : of) {
      const bool takes = !word.undo.empty() || word.kind == Kind::Semaphore;
      if (takes || word.text == "a{o}.load()" || word.text == "a{o}.store({v})") {
        words.push_back(word);
      }
    }
  }
  return words;
}

WordGroup notified_words() {
  constexpr Kind kind = Kind::Atomic;
  return {
      {"a{o}.wait(0)", kind, 1, 1,
       [](Player& p, const Op& op) {
         p.at<Int>(op.object).wait(0);
         p.saw(p.at<Int>(op.object).load());
       }},
      {"a{o}.notify_one()", kind, 1, 1,
       [](Player& p, const Op& op) { p.at<Int>(op.object).notify_one(); }},
      {"a{o}.notify_all()", kind, 1, 1,
       [](Player& p, const Op& op) { p.at<Int>(op.object).notify_all(); }},
      {"a{o}.store({v})", kind, 1, 1,
       [](Player& p, const Op& op) { p.at<Int>(op.object).store(p.value()); }, m_store},
      {"a{o}.load()", kind, 1, 1,
       [](Player& p, const Op& op) { p.saw(p.at<Int>(op.object).load()); }, m_load},
  };
}

WordGroup mutex_words() {
  using M = stdx::mutex;
  constexpr Kind kind = Kind::Mutex;
  return {
      {"m{o}.lock()", kind, kMost, 1, lock<M>, m_lock, "m{o}.unlock()"},
      {"m{o}.lock()", kind, kMost, 1, lock<M>, m_lock, "m{o}.unlock()"},
      {"m{o}.unlock()", kind, kMost, 1, unlock<M>, m_unlock},
      {"m{o}.try_lock()", kind, kMost, 1, try_lock<M>, m_try_lock, "m{o}.unlock()"},
      {"call_once(o{o}, saw 1)", Kind::Once, 1, 1,
       [](Player& p, const Op& op) {
         stdx::call_once(p.at<stdx::once_flag>(op.object), [&p] { p.saw(1); });
       },
       m_once},
  };
}

WordGroup timed_mutex_words() {
  using M = stdx::timed_mutex;
  constexpr Kind kind = Kind::TimedMutex;
  return {
      {"tm{o}.lock()", kind, kMost, 1, lock<M>, m_lock, "tm{o}.unlock()"},
      {"tm{o}.unlock()", kind, kMost, 1, unlock<M>, m_unlock},
      {"tm{o}.try_lock()", kind, kMost, 1, try_lock<M>, m_try_lock, "tm{o}.unlock()"},
      {"tm{o}.try_lock_for({n}ms)", kind, kMost, 3, try_lock_for<M>, nullptr, "tm{o}.unlock()"},
      {"sleep_for({n}ms)", Kind::None, 1, 3,
       [](Player&, const Op& op) { stdx::this_thread::sleep_for(op.number * 1ms); }},
  };
}

WordGroup recursive_words() {
  using M = stdx::recursive_mutex;
  using T = stdx::recursive_timed_mutex;
  return {
      {"rm{o}.lock()", Kind::RecursiveMutex, 1, 1, lock<M, true>, m_lock_again, "rm{o}.unlock()"},
      {"rm{o}.try_lock()", Kind::RecursiveMutex, 1, 1, try_lock<M, true>, m_try_lock_again,
       "rm{o}.unlock()"},
      {"rm{o}.unlock()", Kind::RecursiveMutex, 1, 1, unlock<M>, m_unlock},
      {"rt{o}.lock()", Kind::RecursiveTimedMutex, 1, 1, lock<T, true>, m_lock_again,
       "rt{o}.unlock()"},
      {"rt{o}.try_lock_for({n}ms)", Kind::RecursiveTimedMutex, 1, 2, try_lock_for<T, true>, nullptr,
       "rt{o}.unlock()"},
      {"rt{o}.unlock()", Kind::RecursiveTimedMutex, 1, 1, unlock<T>, m_unlock},
  };
}

WordGroup shared_mutex_words() {
  constexpr Kind kind = Kind::SharedMutex;
  return {
      {"s{o}.lock()", kind, kMost, 1, lock<Table>, m_lock, "s{o}.unlock()"},
      {"s{o}.unlock()", kind, kMost, 1, unlock<Table>, m_unlock},
      {"s{o}.try_lock()", kind, kMost, 1, try_lock<Table>, m_try_lock, "s{o}.unlock()"},
      {"s{o}.lock_shared()", kind, kMost, 1,
       [](Player& p, const Op& op) {
         take<Table>(p, op, {.shared = true}, [](Table& t) { return t.lock_shared(), true; });
       },
       m_lock_shared, "s{o}.unlock_shared()"},
      {"s{o}.unlock_shared()", kind, kMost, 1, unlock_shared, m_unlock_shared},
      {"s{o}.try_lock_shared()", kind, kMost, 1,
       [](Player& p, const Op& op) {
         take<Table>(p, op, {.shared = true, .tells = true},
                     [](Table& t) { return t.try_lock_shared(); });
       },
       m_try_lock_shared, "s{o}.unlock_shared()"},
  };
}

WordGroup guard_words() {
  WordGroup words = shared_mutex_words();
  const WordGroup more{
      {"lock_guard(m{o})", Kind::Mutex, 1, 1,
       [](Player& p, const Op& op) {
         if (p.held(op) == 0) {
           const stdx::lock_guard<stdx::mutex> guard(p.at<stdx::mutex>(op.object));
         }
       }},
      {"unique_lock(m{o}, try_to_lock)", Kind::Mutex, kMost, 1,
       [](Player& p, const Op& op) {
         if (p.held(op) == 0) {
           const stdx::unique_lock<stdx::mutex> guard(p.at<stdx::mutex>(op.object),
                                                      stdx::try_to_lock);
           p.saw(guard.owns_lock() ? 1 : 0);
         }
       }},
      {"s{o}.try_lock_shared_for({n}ms)", Kind::SharedMutex, kMost, 2,
       [](Player& p, const Op& op) {
         take<Table>(p, op, {.shared = true, .tells = true},
                     [&](Table& t) { return t.try_lock_shared_for(op.number * 1ms); });
       },
       nullptr, "s{o}.unlock_shared()"},
      {"shared_lock(s{o}, 1ms)", Kind::SharedMutex, kMost, 1,
       [](Player& p, const Op& op) {
         if (p.held(op) == 0 && p.held(op, true) == 0) {
           const stdx::shared_lock<Table> guard(p.at<Table>(op.object), 1ms);
           p.saw(guard.owns_lock() ? 1 : 0);
         }
       }},
      {"unique_lock(s{o})", Kind::SharedMutex, kMost, 1, guarded<stdx::unique_lock<Table>, Table>},
  };
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

WordGroup semaphore_words() {
  constexpr Kind kind = Kind::Semaphore;
  return {
      {"sem{o}.acquire()", kind, kMost, 1,
       [](Player& p, const Op& op) { p.at<Semaphore>(op.object).acquire(); }, m_acquire},
      {"sem{o}.try_acquire()", kind, kMost, 1,
       [](Player& p, const Op& op) { p.saw(p.at<Semaphore>(op.object).try_acquire() ? 1 : 0); },
       m_try_acquire},
      {"sem{o}.release()", kind, kMost, 1,
       [](Player& p, const Op& op) { p.at<Semaphore>(op.object).release(); }, m_release},
  };
}

WordGroup timed_semaphore_words() {
  WordGroup words = semaphore_words();
  words.push_back(
      {"sem{o}.try_acquire_for({n}ms)", Kind::Semaphore, kMost, 3, [](Player& p, const Op& op) {
         p.saw(p.at<Semaphore>(op.object).try_acquire_for(op.number * 1ms) ? 1 : 0);
       }});
  words.push_back({"sleep_for({n}ms)", Kind::None, 1, 3,
                   [](Player&, const Op& op) { stdx::this_thread::sleep_for(op.number * 1ms); }});
  return words;
}

WordGroup latch_words() {
  constexpr Kind kind = Kind::Latch;
  return {
      {"l{o}.count_down()", kind, kMost, 1,
       [](Player& p, const Op& op) { p.at<stdx::latch>(op.object).count_down(); }, m_count_down},
      {"l{o}.wait()", kind, kMost, 1,
       [](Player& p, const Op& op) { p.at<stdx::latch>(op.object).wait(); }, m_wait_zero},
      {"l{o}.try_wait()", kind, kMost, 1,
       [](Player& p, const Op& op) { p.saw(p.at<stdx::latch>(op.object).try_wait() ? 1 : 0); },
       m_is_zero},
  };
}

WordGroup barrier_words() {
  using Barrier = stdx::barrier<>;
  return {
      {"b{o}.arrive_and_wait()", Kind::Barrier, 1, 1,
       [](Player& p, const Op& op) { p.at<Barrier>(op.object).arrive_and_wait(); }},
      {"b{o}.arrive_and_drop()", Kind::Barrier, 1, 1,
       [](Player& p, const Op& op) { p.at<Barrier>(op.object).arrive_and_drop(); }},
      {"a{o}.fetch_add(1)", Kind::Atomic, 1, 1,
       [](Player& p, const Op& op) { p.saw(p.at<Int>(op.object).fetch_add(1)); }, m_add},
      {"a{o}.load()", Kind::Atomic, 1, 1,
       [](Player& p, const Op& op) { p.saw(p.at<Int>(op.object).load()); }, m_load},
  };
}

WordGroup condition_words() {
  using One = stdx::condition_variable;
  using Any = stdx::condition_variable_any;
  using M = stdx::mutex;
  return {
      {"m0.lock()", Kind::Mutex, 1, 1, lock<M>, m_lock, "m{o}.unlock()"},
      {"m0.lock()", Kind::Mutex, 1, 1, lock<M>, m_lock, "m{o}.unlock()"},
      {"m{o}.unlock()", Kind::Mutex, 1, 1, unlock<M>, m_unlock},
      {"c{o}.wait(m0)", Kind::Condition, kMost, 1,
       [](Player& p, const Op& op) {
         wait_holding<M>(p, Kind::Mutex, [&](auto& lock) { p.at<One>(op.object).wait(lock); });
       }},
      {"c{o}.wait_for(m0, {n}ms)", Kind::Condition, kMost, 3,
       [](Player& p, const Op& op) {
         wait_holding<M>(p, Kind::Mutex, [&](auto& lock) {
           p.saw(as_number(p.at<One>(op.object).wait_for(lock, op.number * 1ms)));
         });
       }},
      {"c{o}.notify_one()", Kind::Condition, kMost, 1,
       [](Player& p, const Op& op) { p.at<One>(op.object).notify_one(); }},
      {"c{o}.notify_all()", Kind::Condition, kMost, 1,
       [](Player& p, const Op& op) { p.at<One>(op.object).notify_all(); }},
      {"ca{o}.wait(m0)", Kind::ConditionAny, 1, 1,
       [](Player& p, const Op& op) {
         wait_holding<M>(p, Kind::Mutex, [&](auto& lock) { p.at<Any>(op.object).wait(lock); });
       }},
      {"ca{o}.wait_for(m0, 1ms)", Kind::ConditionAny, 1, 1,
       [](Player& p, const Op& op) {
         wait_holding<M>(p, Kind::Mutex, [&](auto& lock) {
           p.saw(as_number(p.at<Any>(op.object).wait_for(lock, 1ms)));
         });
       }},
      {"ca{o}.notify_one()", Kind::ConditionAny, 1, 1,
       [](Player& p, const Op& op) { p.at<Any>(op.object).notify_one(); }},
      {"a{o}.fetch_add(1)", Kind::Atomic, 1, 1,
       [](Player& p, const Op& op) { p.saw(p.at<Int>(op.object).fetch_add(1)); }, m_add},
  };
}

WordGroup future_words() {
  return {
      {"p{o}.set_value({v})", Kind::Promise, kMost, 1,
       [](Player& p, const Op& op) {
         with_errors(p, [&] { p.at<Promised>(op.object).promise.set_value(p.value()); });
       },
       m_set_value},
      {"f{o}.get()", Kind::Promise, kMost, 1,
       [](Player& p, const Op& op) { p.saw(p.at<Promised>(op.object).future.get()); }, m_get},
      {"f{o}.wait_for({n}ms)", Kind::Promise, kMost, 2,
       [](Player& p, const Op& op) {
         p.saw(as_number(p.at<Promised>(op.object).future.wait_for(op.number * 1ms)));
       }},
      {"task{o}()", Kind::Call, 1, 1,
       [](Player& p, const Op& op) { with_errors(p, [&] { p.at<Called>(op.object).call(); }); },
       m_call},
      {"future of task{o}.get()", Kind::Call, 1, 1,
       [](Player& p, const Op& op) { p.saw(p.at<Called>(op.object).future.get()); }, m_get},
      {"async(++a{o}).get()", Kind::Atomic, 1, 1,
       [](Player& p, const Op& op) {
         Int& cell = p.at<Int>(op.object);
         p.saw(stdx::async(stdx::launch::async, [&cell] { return cell.fetch_add(1); }).get());
       }},
      {"a{o}.load()", Kind::Atomic, 1, 1,
       [](Player& p, const Op& op) { p.saw(p.at<Int>(op.object).load()); }, m_load},
  };
}

WordGroup stop_words() {
  return {
      {"source{o}.request_stop()", Kind::Source, 1, 1,
       [](Player& p, const Op& op) {
         p.saw(p.at<Source>(op.object).source.request_stop() ? 1 : 0);
       }},
      {"token{o}.stop_requested()", Kind::Source, 1, 1,
       [](Player& p, const Op& op) {
         p.saw(p.at<Source>(op.object).source.get_token().stop_requested() ? 1 : 0);
       }},
      {"stop_callback(token{o}, ++calls{o})", Kind::Source, 1, 1,
       [](Player& p, const Op& op) {
         Source& source = p.at<Source>(op.object);
         const stdx::stop_callback callback(source.source.get_token(),
                                            [&source] { source.calls.fetch_add(1); });
       }},
      {"calls{o}.load()", Kind::Source, 1, 1,
       [](Player& p, const Op& op) { p.saw(p.at<Source>(op.object).calls.load()); }},
      {"jthread(calls{o} = token.stop_requested() ? 2 : 3)", Kind::Source, 1, 1,
       [](Player& p, const Op& op) {
         Source& source = p.at<Source>(op.object);
         const stdx::jthread thread([&source](const stdx::stop_token& token) {
           source.calls.store(token.stop_requested() ? 2 : 3);
         });
       }},
  };
}

WordGroup thread_words() {
  WordGroup words = atomic_words();
  for (int i = 0; i < 4; ++i) {
    words.push_back({"thread {o} starts", Kind::Task, 1, 1,
                     [](Player& p, const Op& op) { p.spawn(op.object); }});
  }
  words.push_back(
      {"thread {o}.join()", Kind::Task, 1, 1, [](Player& p, const Op& op) { p.join(op.object); }});
  return words;
}

WordGroup misuse_words() {
  return {
      {"m{o}.unlock() unasked", Kind::Mutex, 1, 1,
       [](Player& p, const Op& op) { p.at<stdx::mutex>(op.object).unlock(); }},
      {"sem{o}.release(65)", Kind::Semaphore, 1, 1,
       [](Player& p, const Op& op) { p.at<Semaphore>(op.object).release(65); }},
      {"w{o}.set({v})", Kind::Watched, 1, 1,
       [](Player& p, const Op& op) { p.at<stdx::watched<int>>(op.object).set(p.value()); }},
      {"w{o}.get()", Kind::Watched, 1, 1,
       [](Player& p, const Op& op) { p.saw(p.at<stdx::watched<int>>(op.object).get()); }},
  };
}

}  // namespace watchlab::sim::oracle
