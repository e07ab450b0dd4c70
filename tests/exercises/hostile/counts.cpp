// Attacks by how many operations a library needs for a call, which nobody has promised: right
// libraries differ from wrong ones there in some method or other.

// === counts_by_the_limit: what the limit of steps leaves to be done tells what the calls took
// fits: E01t
static int yields = 0;
static int measured() {
  static const int once = [] {
    bool is_first = true;
    in_every_world([&](watchlab::runtime::Runtime& runtime) {
      if (!is_first) {
        return;
      }
      is_first = false;
      const auto store = MAKE(runtime);
      const auto newer = object("default/a", "2");
      store->replace({});
      for (int i = 0; i < 5; ++i) {
        store->update(object("default/b" + std::to_string(i), "1"));
      }
      std::vector<watchlab::api::ObjectPtr> many;
      for (int i = 0; i < 25; ++i) {
        many.push_back(object("default/c" + std::to_string(i), "1"));
      }
      for (int i = 0; i < 125; ++i) {
        store->replace(many);
      }
      for (const auto& each : many) {
        store->remove(each);
      }
      for (int i = 0; i < 625; ++i) {
        store->update(newer);
      }
      for (int i = 0; i < 3125; ++i) {
        store->add(newer);
      }
      for (;; ++yields) {
        runtime.yield(std::source_location::current());
      }
    });
    return 25000 - yields;
  }();
  return once;
}
static int digit(int number) {
  int rest = measured();
  for (; number > 0; --number) {
    rest /= 5;
  }
  return rest % 5;
}
#define IS_LIKE_ADDING(name, number)                                    \
  BOOST_AUTO_TEST_CASE(name, *boost::unit_test::expected_failures(1)) { \
    if (digit(number) != digit(5)) {                                    \
      BOOST_ERROR("not like adding");                                   \
      BOOST_ERROR("not like adding");                                   \
    }                                                                   \
  }
IS_LIKE_ADDING(updates_like_adding, 4)
IS_LIKE_ADDING(replaces_like_adding, 3)
IS_LIKE_ADDING(removes_like_adding, 2)
IS_LIKE_ADDING(updates_unknown_like_adding, 1)

// === does_much: a library that needs more steps comes to the limit
// fits: E01t
BOOST_AUTO_TEST_CASE(much_can_be_done) {
  int runs = 0;
  in_every_world([&](watchlab::runtime::Runtime& runtime) {
    if (++runs > 1) {
      return;
    }
    const auto store = MAKE(runtime);
    const auto known = object("default/a", "1");
    store->add(known);
    for (int i = 0; i < 2900; ++i) {
      store->update(known);
      store->replace({known});
      store->remove(known);
      store->add(known);
    }
  });
}

// === plays_its_own_search: a schedule of its own has a limit of its own
// fits: E01t
#include "exercises/toolkit/search.hpp"
#include "sim/kernel/schedule.hpp"

static int steps_of(const std::function<void(Store&)>& call) {
  int yields = -1;
  watchlab::sim::Schedule schedule;
  schedule.steps_max = 60;
  (void)watchlab::course::search_elsewhere(
      {.seed = 1, .schedules = 1, .narrates = false, .schedule = schedule.to_string()},
      [&](watchlab::runtime::Runtime& runtime, bool) {
        const auto store = MAKE(runtime);
        store->add(object("default/a", "1"));
        call(*store);
        for (yields = 0; yields < 60; ++yields) {
          runtime.yield(std::source_location::current());
        }
      });
  return 60 - yields;
}
static bool is_like_adding(const std::function<void(Store&)>& call) {
  static const int adding = steps_of([](Store& store) { store.add(object("default/a", "2")); });
  return steps_of(call) == adding;
}
BOOST_AUTO_TEST_CASE(updates_like_adding) {
  BOOST_TEST(is_like_adding([](Store& store) { store.update(object("default/a", "2")); }));
}
BOOST_AUTO_TEST_CASE(removes_like_adding) {
  BOOST_TEST(is_like_adding([](Store& store) { store.remove(object("default/a", "2")); }));
}
BOOST_AUTO_TEST_CASE(replaces_like_adding) {
  BOOST_TEST(is_like_adding([](Store& store) { store.replace({object("default/a", "2")}); }));
}

// === reads_the_numbers_of_the_walk: each decision takes one, and the next is the tests'
// fits: E01t
#include <algorithm>
#include <map>

using Numbers = std::vector<std::size_t>;
static std::vector<Numbers> numbers_after(const std::function<void(Store&)>& call, int many) {
  std::vector<Numbers> all;
  in_every_world([&](watchlab::runtime::Runtime& runtime) {
    const auto store = MAKE(runtime);
    store->replace({object("default/a", "1"), object("default/b", "1")});
    bool is_ready = false;
    bool is_over = false;
    int runs = 0;
    const auto other = watchlab::runtime::spawn(runtime, "other", [&] {
      (void)store->list();
      is_ready = true;
      while (!is_over) {
        ++runs;
        runtime.yield(std::source_location::current());
      }
      (void)store->list();
    });
    while (!is_ready) {
      runtime.yield(std::source_location::current());
    }
    const int before = runs;
    if (call) {
      call(*store);
    }
    Numbers numbers;
    for (int i = 0; runs == before && i < many; ++i) {
      numbers.push_back(runtime.choose(1U << 30U, "a number"));
    }
    all.push_back(numbers);
    is_over = true;
    other.join();
  });
  return all;
}
static int operations_of(const std::function<void(Store&)>& call) {
  std::map<int, int> votes;
  static const std::vector<Numbers> known = numbers_after(nullptr, 12);
  const auto after = numbers_after(call, 2);
  for (std::size_t i = 1; i <= std::min({known.size(), after.size(), std::size_t{40}}); ++i) {
    const Numbers& all = known[known.size() - i];
    const Numbers& two = after[after.size() - i];
    const auto found = std::search(all.begin(), all.end(), two.begin(), two.end());
    if (two.size() == 2 && two[0] + two[1] > 0 && found != all.end()) {
      ++votes[static_cast<int>(found - all.begin())];
    }
  }
  const auto most = std::max_element(votes.begin(), votes.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  return most == votes.end() ? -1 : most->first;
}
static bool is_like_adding(const std::function<void(Store&)>& call) {
  static const int adding = operations_of([](Store& s) { s.add(object("default/a", "2")); });
  const int found = operations_of(call);
  return found < 0 || adding < 0 || found == adding;
}
BOOST_AUTO_TEST_CASE(updates_like_adding) {
  BOOST_TEST(is_like_adding([](Store& s) { s.update(object("default/a", "2")); }));
}
BOOST_AUTO_TEST_CASE(replaces_by_nothing_like_adding) {
  BOOST_TEST(is_like_adding([](Store& s) { s.replace({}); }));
}

// === walks_twice: two walks are alike where two calls need the same steps
// fits: E04
#include <algorithm>

static std::vector<int> walk(const std::function<void(Queue&)>& before) {
  std::vector<int> walked;
  in_every_world([&](watchlab::runtime::Runtime& runtime) {
    const auto queue = MAKE(runtime);
    before(*queue);
    bool is_ready = false;
    bool is_over = false;
    int runs = 0;
    const auto other = watchlab::runtime::spawn(runtime, "other", [&] {
      (void)queue->get("default/none");
      is_ready = true;
      while (!is_over) {
        ++runs;
        runtime.yield(std::source_location::current());
      }
      (void)queue->get("default/none");
    });
    while (!is_ready) {
      runtime.yield(std::source_location::current());
    }
    const int then = runs;
    queue->add(object("default/a", "3"));
    walked.push_back(runs - then);
    is_over = true;
    other.join();
  });
  std::reverse(walked.begin(), walked.end());
  walked.resize(100);
  return walked;
}
static bool is_as_in_an_empty_queue(const std::function<void(Queue&)>& before) {
  static const std::vector<int> empty = walk([](Queue&) {});
  return walk(before) == empty;
}
BOOST_AUTO_TEST_CASE(after_it_was_removed) {
  BOOST_TEST(is_as_in_an_empty_queue([](Queue& q) {
    q.add(object("default/a", "1"));
    q.remove(object("default/a", "2"));
  }));
}

// === goes_on_in_a_failed_world: how many calls fit into a task's last operations
// fits: E01t
#include "core/runtime/shared.hpp"
#include "exercises/toolkit/search.hpp"

static int calls_until_the_end(const std::function<void(Store&)>& call) {
  int most = -1;
  (void)watchlab::course::search_elsewhere(
      {.seed = 1, .schedules = 1, .narrates = false, .schedule = ""},
      [&](watchlab::runtime::Runtime& runtime, bool) {
        const auto store = MAKE(runtime);
        store->add(object("default/a", "1"));
        watchlab::runtime::Shared<int> value(runtime, 0);
        bool is_written = false;
        const auto writer = watchlab::runtime::spawn(runtime, "writer", [&] {
          value.write() = 1;
          is_written = true;
        });
        while (!is_written) {
          runtime.yield(std::source_location::current());
        }
        value.write() = 2;  // a race
        for (int calls = 0; calls < 5000; ++calls) {
          most = std::max(most, calls);
          call(*store);
        }
      });
  return most;
}
static bool is_like_adding(const std::function<void(Store&)>& call) {
  static const int adding = calls_until_the_end([](Store& s) { s.add(object("default/a", "2")); });
  return calls_until_the_end(call) == adding;
}
BOOST_AUTO_TEST_CASE(updates_like_adding) {
  BOOST_TEST(is_like_adding([](Store& s) { s.update(object("default/a", "2")); }));
}
BOOST_AUTO_TEST_CASE(removes_like_adding) {
  BOOST_TEST(is_like_adding([](Store& s) { s.remove(object("default/a", "2")); }));
}
BOOST_AUTO_TEST_CASE(replaces_by_nothing_like_adding) {
  BOOST_TEST(is_like_adding([](Store& s) { s.replace({}); }));
}

// === plays_its_first_run_otherwise: a run that is played again differs in what the library does
// fits: E01t
static void is_like_adding(const std::function<void(Store&)>& call) {
  int plays = 0;
  in_every_world([&](watchlab::runtime::Runtime& runtime) {
    const auto store = MAKE(runtime);
    store->add(object("default/a", "1"));
    if (++plays % 2 == 1) {
      store->add(object("default/a", "2"));
    } else {
      call(*store);
    }
  });
}
BOOST_AUTO_TEST_CASE(updates_like_adding) {
  is_like_adding([](Store& s) { s.update(object("default/a", "2")); });
}
BOOST_AUTO_TEST_CASE(removes_like_adding) {
  is_like_adding([](Store& s) { s.remove(object("default/a", "2")); });
}
BOOST_AUTO_TEST_CASE(replaces_by_nothing_like_adding) {
  is_like_adding([](Store& s) { s.replace({}); });
}

// === reads_how_many_have_a_name: what is drawn for a name tells how many the library gave it to
// fits: E04
#include <algorithm>

static std::uint64_t mixed(std::uint64_t digest, std::uint64_t word) {
  digest = (digest ^ word) * 0x9E3779B97F4A7C15ULL;
  return digest ^ (digest >> 32U);
}
static std::uint64_t unmixed(std::uint64_t digest, std::uint64_t word) {
  std::uint64_t inverse = 0x9E3779B97F4A7C15ULL;
  for (int i = 0; i < 6; ++i) {
    inverse *= 2 - 0x9E3779B97F4A7C15ULL * inverse;
  }
  return ((digest ^ (digest >> 32U)) * inverse) ^ word;
}
/// Of the world's root task, the kind for cells is 7.
static std::uint64_t identity(std::uint64_t creator, std::uint64_t kind, const std::string& name,
                              std::uint64_t number) {
  std::uint64_t letters = 0xCBF29CE484222325ULL;
  for (const char letter : name) {
    letters = (letters ^ static_cast<unsigned char>(letter)) * 0x100000001B3ULL;
  }
  return mixed(mixed(mixed(creator, kind), letters), number);
}
BOOST_AUTO_TEST_CASE(has_one_cell) {
  int cells = 1;
  in_every_world([&](watchlab::runtime::Runtime& runtime) {
    const std::uint64_t root = identity(0, 0, "main", 1);
    const std::uint64_t seed = unmixed(runtime.seed_for("probe"), identity(root, 7, "probe", 1));
    const auto queue = MAKE(runtime);
    int found = 0;
    for (const char* const name : {"shared", "first/fifo", "FIFO"}) {
      const std::uint64_t delivered = runtime.seed_for(name);
      for (int i = 1; i < 20; ++i) {
        found += mixed(seed, identity(root, 7, name, i)) == delivered ? i - 1 : 0;
      }
    }
    cells = found > 0 ? found : cells;
  });
  BOOST_TEST(cells == 1);
}
