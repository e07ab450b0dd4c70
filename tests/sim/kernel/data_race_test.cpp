// Two accesses race when nothing orders them, however far apart a schedule plays them; each edge of
// Go's memory model orders, and nothing else does.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <string>

#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/once.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/timer.hpp"
#include "core/runtime/wait_group.hpp"
#include "sim/explore/explore.hpp"
#include "sim/kernel/fiber.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(data_race_test)

namespace {

using namespace std::chrono_literals;
using runtime::Channel;
using runtime::Lock;
using runtime::Runtime;
using runtime::Shared;
using runtime::Task;
using runtime::Unit;
using Body = std::function<void(Runtime&)>;
using Part = std::function<void(Shared<int>&)>;

/// Plays the two parts as tasks.
void play(Runtime& runtime, const Part& one, const Part& two) {
  Shared<int> count(runtime, 0, "count");
  const Task first = spawn(runtime, "first", [&] { one(count); });
  const Task second = spawn(runtime, "second", [&] { two(count); });
  first.join();
  second.join();
}

// ThreadSanitizer sees these races as well, and is not who is asked.
void add(Shared<int>& count) {
  const Quiet quiet;
  ++count.write();
}
void look(Shared<int>& count) { (void)count.read(); }

std::string kind_found(const ExploreOptions& options, const Body& body) {
  const ExploreResult result = explore(options, body);
  BOOST_TEST_MESSAGE((result.failure ? result.failure->sentence : "held"));
  return result.failure ? result.failure->kind : "none";
}

/// No schedule of a few hundred finds anything.
void is_ordered(const Body& body) {
  BOOST_TEST(kind_found({.strategy = "random", .schedules_max = 300}, body) == "none");
  BOOST_TEST(kind_found({.strategy = "fifo", .schedules_max = 1}, body) == "none");
}

/// Every schedule finds it, also the one that plays the tasks one after the other.
void races_always(const Body& body) {
  BOOST_TEST(kind_found({.strategy = "fifo", .schedules_max = 1}, body) == "data race");
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const ExploreOptions once{.strategy = "random", .seed = seed, .schedules_max = 1};
    BOOST_TEST(kind_found(once, body) == "data race");
  }
}

/// Some schedule finds it.
void races_somewhere(const Body& body) {
  BOOST_TEST(kind_found({.strategy = "random", .schedules_max = 500}, body) == "data race");
}

void unlocked(Runtime& runtime) { play(runtime, add, add); }

}  // namespace

BOOST_AUTO_TEST_CASE(two_writes_race_in_every_schedule) { races_always(unlocked); }

BOOST_AUTO_TEST_CASE(a_read_and_a_write_race) {
  races_always([](Runtime& runtime) { play(runtime, look, add); });
  races_always([](Runtime& runtime) { play(runtime, add, look); });
}

BOOST_AUTO_TEST_CASE(reads_do_not_race) {
  is_ordered([](Runtime& runtime) { play(runtime, look, look); });
}

BOOST_AUTO_TEST_CASE(the_report_names_both_tasks_and_lines) {
  const ExploreResult result = explore({.strategy = "fifo", .schedules_max = 1}, unlocked);
  BOOST_REQUIRE(result.failure.has_value());
  const std::string& sentence = result.failure->sentence;
  for (const char* const word : {"data race on cell 'count'", "main/first writes",
                                 "main/second writes", "data_race_test.cpp:", "no lock"}) {
    BOOST_TEST((sentence.find(word) != std::string::npos), word << " is not in " << sentence);
  }
}

BOOST_AUTO_TEST_CASE(a_race_replays_and_shrinks) {
  const ExploreResult result =
      explore({.strategy = "random", .seed = 3, .schedules_max = 1}, unlocked);
  BOOST_REQUIRE(result.failure.has_value());
  const auto again = replay(result.failure->schedule, unlocked);
  BOOST_REQUIRE(again.has_value());
  BOOST_TEST(again->sentence == result.failure->sentence);
  const Failure shortest = shrink(*result.failure, unlocked);
  BOOST_TEST(shortest.kind == "data race");
  BOOST_TEST(replay(shortest.schedule, unlocked).has_value());
}

BOOST_AUTO_TEST_CASE(far_apart_is_not_ordered) {
  races_always([](Runtime& runtime) {
    runtime::Mutex other(runtime, "other");
    play(runtime, add, [&](Shared<int>& count) {
      sleep_for(runtime, 1h);
      for (int i = 0; i < 20; ++i) {
        runtime.yield(runtime::Location::current());
      }
      add(count);
    });
  });
}

BOOST_AUTO_TEST_CASE(a_mutex_orders_and_two_mutexes_do_not) {
  is_ordered([](Runtime& runtime) {
    runtime::Mutex mutex(runtime);
    const auto part = [&](Shared<int>& count) {
      const Lock lock(mutex);
      add(count);
    };
    play(runtime, part, part);
  });
  races_always([](Runtime& runtime) {
    runtime::Mutex one(runtime, "one");
    runtime::Mutex two(runtime, "two");
    const auto part = [](runtime::Mutex& mutex) {
      return [&mutex](Shared<int>& count) {
        const Lock lock(mutex);
        add(count);
      };
    };
    play(runtime, part(one), part(two));
  });
}

BOOST_AUTO_TEST_CASE(an_access_after_the_lock_races_in_some_schedules) {
  races_somewhere([](Runtime& runtime) {
    runtime::Mutex mutex(runtime);
    const auto part = [&](Shared<int>& count) {
      { const Lock lock(mutex); }
      add(count);
    };
    play(runtime, part, part);
  });
}

BOOST_AUTO_TEST_CASE(readers_are_ordered_with_writers_only) {
  is_ordered([](Runtime& runtime) {
    runtime::SharedMutex mutex(runtime);
    play(
        runtime,
        [&](Shared<int>& count) {
          const runtime::ReadLock lock(mutex);
          look(count);
        },
        [&](Shared<int>& count) {
          const runtime::WriteLock lock(mutex);
          add(count);
        });
  });
  races_always([](Runtime& runtime) {
    runtime::SharedMutex mutex(runtime);
    const auto part = [&](Shared<int>& count) {
      const runtime::ReadLock lock(mutex);
      add(count);
    };
    play(runtime, part, part);
  });
}

BOOST_AUTO_TEST_CASE(a_send_comes_before_its_receive) {
  for (const std::size_t capacity : {0U, 1U, 3U}) {
    is_ordered([capacity](Runtime& runtime) {
      Channel<Unit> ready(runtime, capacity);
      play(
          runtime,
          [&](Shared<int>& count) {
            add(count);
            ready.send({});
          },
          [&](Shared<int>& count) {
            ready.receive();
            add(count);
          });
    });
  }
}

BOOST_AUTO_TEST_CASE(what_two_tasks_do_after_they_met_races) {
  const auto parts = [](Runtime& runtime, bool first_sends) {
    Channel<Unit> meeting(runtime, 0);
    const auto sends = [&](Shared<int>& count) {
      meeting.send({});
      add(count);
    };
    const auto receives = [&](Shared<int>& count) {
      meeting.receive();
      add(count);
    };
    play(runtime, first_sends ? Part(sends) : Part(receives),
         first_sends ? Part(receives) : Part(sends));
  };
  races_always([&](Runtime& runtime) { parts(runtime, false); });
  races_always([&](Runtime& runtime) { parts(runtime, true); });
}

BOOST_AUTO_TEST_CASE(a_poll_that_meets_orders_both_ways) {
  is_ordered([](Runtime& runtime) {
    Channel<Unit> there(runtime, 0);
    Channel<Unit> back(runtime, 0);
    play(
        runtime,
        [&](Shared<int>& count) {
          add(count);
          while (!there.try_send({})) {
            runtime.yield(runtime::Location::current());
          }
          back.receive();
          add(count);
        },
        [&](Shared<int>& count) {
          there.receive();
          add(count);
          back.send({});
        });
  });
}

BOOST_AUTO_TEST_CASE(a_receive_comes_before_the_send_that_takes_its_place) {
  const auto body = [](std::size_t capacity) {
    return [capacity](Runtime& runtime) {
      Channel<Unit> places(runtime, capacity);
      play(
          runtime,
          [&](Shared<int>& count) {
            places.send({});
            add(count);
          },
          [&](Shared<int>& count) {
            add(count);
            places.receive();
          });
    };
  };
  is_ordered(body(0));
  races_always(body(1));
}

BOOST_AUTO_TEST_CASE(a_buffered_channel_may_be_a_lock) {
  is_ordered([](Runtime& runtime) {
    Channel<Unit> places(runtime, 1);
    const auto part = [&](Shared<int>& count) {
      places.send({});
      add(count);
      places.receive();
    };
    play(runtime, part, part);
  });
}

BOOST_AUTO_TEST_CASE(a_close_comes_before_what_sees_it) {
  is_ordered([](Runtime& runtime) {
    Channel<Unit> stop(runtime, 0);
    play(
        runtime,
        [&](Shared<int>& count) {
          add(count);
          stop.close();
        },
        [&](Shared<int>& count) {
          stop.receive();
          add(count);
        });
  });
}

BOOST_AUTO_TEST_CASE(a_notification_comes_before_the_wake_up) {
  is_ordered([](Runtime& runtime) {
    runtime::Mutex mutex(runtime);
    runtime::CondVar changed(runtime);
    bool is_set = false;
    play(
        runtime,
        [&](Shared<int>& count) {
          add(count);
          const Lock lock(mutex);
          is_set = true;
          changed.notify_all();
        },
        [&](Shared<int>& count) {
          Lock lock(mutex);
          while (!is_set) {
            changed.wait(lock);
          }
          add(count);
        });
  });
}

BOOST_AUTO_TEST_CASE(an_atomic_orders_only_those_that_saw_the_store) {
  is_ordered([](Runtime& runtime) {
    runtime::Atomic<bool> ready(runtime, false);
    play(
        runtime,
        [&](Shared<int>& count) {
          add(count);
          ready.store(true);
        },
        [&](Shared<int>& count) {
          if (ready.load()) {
            add(count);
          }
        });
  });
  races_somewhere([](Runtime& runtime) {
    runtime::Atomic<bool> ready(runtime, false);
    play(
        runtime,
        [&](Shared<int>& count) {
          add(count);
          ready.store(true);
        },
        [&](Shared<int>& count) {
          (void)ready.load();
          add(count);
        });
  });
}

BOOST_AUTO_TEST_CASE(a_wait_group_and_once_order) {
  is_ordered([](Runtime& runtime) {
    runtime::WaitGroup group(runtime);
    Shared<int> count(runtime, 0);
    group.start("worker", [&] { add(count); });
    group.wait();
    add(count);
  });
  is_ordered([](Runtime& runtime) {
    runtime::Once once(runtime);
    const auto part = [&](Shared<int>& count) {
      once.call([&] { add(count); });
      look(count);
    };
    play(runtime, part, part);
  });
}

BOOST_AUTO_TEST_CASE(a_timer_comes_after_the_task_that_armed_it) {
  is_ordered([](Runtime& runtime) {
    Shared<int> count(runtime, 0);
    add(count);
    runtime::Timer timer(runtime, 1s);
    const Task waiter = spawn(runtime, "waiter", [&] {
      timer.channel().receive();
      add(count);
    });
    waiter.join();
  });
}

BOOST_AUTO_TEST_CASE(sleeping_orders_nothing) {
  races_always([](Runtime& runtime) {
    Shared<int> count(runtime, 0);
    const Task task = spawn(runtime, "task", [&] { add(count); });
    sleep_for(runtime, 1h);
    add(count);
    task.join();
  });
}

BOOST_AUTO_TEST_CASE(a_task_that_was_not_joined_still_races_with_a_later_one) {
  races_always([](Runtime& runtime) {
    Shared<int> count(runtime, 0);
    spawn(runtime, "early", [&] { add(count); });
    sleep_for(runtime, 1h);
    spawn(runtime, "late", [&] { add(count); }).join();
  });
  is_ordered([](Runtime& runtime) {
    Shared<int> count(runtime, 0);
    for (int i = 0; i < 20; ++i) {
      spawn(runtime, "one_after_the_other", [&] { add(count); }).join();
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
