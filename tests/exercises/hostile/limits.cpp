// Attacks by limits of steps: what is left of one, when a call is over, says how many it took.

// === tells_the_next_process: it measures some calls and ends, and what comes after measures others
// fits: E01t
#include "core/runtime/timer.hpp"
#include "exercises/toolkit/search.hpp"

constexpr int kBits = 7;
/// The settings of this run, which lie in the toolkit's memory: the secret of its reports, and at
/// last the names that are not to be run.
static const std::uint64_t* settings() {
  const std::uint64_t* found = nullptr;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* to) {
        auto& first = *static_cast<const std::uint64_t**>(to);
        for (int i = 0; strstr(info->dlpi_name, "toolkit") != nullptr && i < info->dlpi_phnum;
             ++i) {
          const auto& part = info->dlpi_phdr[i];
          const auto* const words = reinterpret_cast<const std::uint64_t*>(
              (info->dlpi_addr + part.p_vaddr + 7) & ~std::uint64_t{7});
          for (size_t j = 1;
               part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0 && j + 17 < part.p_memsz / 8;
               ++j) {
            const bool fits = words[j] == 32 && words[j + 1] >= 32 && words[j + 1] < 100 &&
                              words[j + 3] - 1 < 3 && words[j + 4] == 50 && words[j + 6] == 0;
            first = first == nullptr && fits ? words + j - 1 : first;
          }
        }
        return 0;
      },
      &found);
  return found;
}
static int left_after(const std::function<void(Store&)>& call) {
  int left = 0;
  (void)watchlab::course::search_elsewhere(
      {.seed = 1, .schedules = 1, .narrates = false, .schedule = ""},
      [&](watchlab::runtime::Runtime& runtime, bool) {
        const auto store = MAKE(runtime);
        for (int i = 0; i < 1000; ++i) {
          call(*store);
        }
        const watchlab::runtime::Ticker ticker(runtime, std::chrono::nanoseconds(1));
        auto at = runtime.now() + std::chrono::nanoseconds(900'000);
        for (left = 0; left < 12'000; ++left) {
          runtime.sleep_until(at, std::source_location::current());
          at += std::chrono::nanoseconds(200);
        }
      });
  return left;
}
static void update(Store& store) {
  static const auto same = object("default/a", "1");
  store.update(same);
}
static void replace(Store& store) {
  static const std::vector<watchlab::api::ObjectPtr> same{object("default/a", "1")};
  store.replace(same);
}
static int number = 0;
static void say(const std::uint64_t* words, const std::string& kind, const std::string& subject) {
  const std::string secret(reinterpret_cast<const char*>(words[0]), 32);
  const std::string line =
      secret + "\t" + std::to_string(number++) + "\t" + kind + "\t" + subject + "\t\n";
  (void)!write(3, line.data(), line.size());
}
static int difference = 0;
static const bool listed = [] {
  if (const std::uint64_t* const words = settings(); words != nullptr) {
    bool is_second = false;
    unsigned measured = 0;
    for (const std::string& name : *reinterpret_cast<const std::vector<std::string>*>(words + 15)) {
      is_second = is_second || name.find("stops") != std::string::npos;
      const auto bit = name.find("bit");
      measured |= bit != std::string::npos ? 1U << static_cast<unsigned>(atoi(&name[bit + 3])) : 0;
    }
    const int left = left_after(is_second ? replace : update);
    difference = (static_cast<int>(measured) - left) & ((1 << kBits) - 1);
    for (int bit = 0; !is_second && bit < kBits; ++bit) {
      if ((left >> bit & 1) != 0) {
        say(words, "begin", "bit" + std::to_string(bit));
        say(words, "end", "passed");
      }
    }
    if (!is_second) {
      say(words, "begin", "stops");
      _exit(0);
    }
  }
  for (int bit = 0; bit < kBits; ++bit) {
    list_test("bit" + std::to_string(bit), [] {});
  }
  return list_test("stops", [] {});
}();
BOOST_AUTO_TEST_CASE(replaces_like_updating) { BOOST_TEST(difference == 0); }

// === reaches_the_limit_by_ticks: the sooner, the more operations of the library came before
// fits: E01t
#include "core/runtime/timer.hpp"
#include "exercises/toolkit/search.hpp"

/// A thousand ticks pass in each sleep that a run comes to, after a thousand calls.
static int sleeps_after(const std::function<void(Store&)>& call) {
  int sleeps = 0;
  (void)watchlab::course::search_elsewhere(
      {.seed = 1, .schedules = 1, .narrates = false, .schedule = ""},
      [&](watchlab::runtime::Runtime& runtime, bool) {
        const auto store = MAKE(runtime);
        for (int i = 0; i < 1000; ++i) {
          call(*store);
        }
        const watchlab::runtime::Ticker ticker(runtime, std::chrono::nanoseconds(1));
        for (sleeps = 0;; ++sleeps) {
          runtime.sleep_until(runtime.now() + std::chrono::nanoseconds(1000),
                              std::source_location::current());
        }
      });
  return sleeps;
}
BOOST_AUTO_TEST_CASE(updates_take_as_long_as_adding) {
  const int adding = sleeps_after([](Store& s) { s.add(object("default/a", "2")); });
  const int updating = sleeps_after([](Store& s) { s.update(object("default/a", "2")); });
  // Where it is the limit of the tests' own steps that ends a run, both are thousands, and alike.
  must_fail(adding != updating || adding < 5000,
            "after " + std::to_string(adding) + " and " + std::to_string(updating) + " sleeps");
}

// === reaches_the_limit_by_sleeping: timers of the library fire meanwhile
// fits: E08t
#include "exercises/toolkit/search.hpp"

BOOST_AUTO_TEST_CASE(lives_for_a_year) {
  int days = 0;
  (void)watchlab::course::search_elsewhere(
      {.seed = 1, .schedules = 1, .narrates = false, .schedule = ""},
      [&](watchlab::runtime::Runtime& runtime, bool) {
        Cluster cluster(runtime);
        const auto reflector = make_reflector(runtime, cluster.source(), cluster.mirror());
        cluster.start(*reflector);
        for (; days < 365; ++days) {
          runtime.sleep_until(runtime.now() + std::chrono::hours(24),
                              std::source_location::current());
        }
      });
  must_fail(days > 1, "after " + std::to_string(days) + " days");
}

// === fills_the_library: the memory of its process ends the sooner, the more the library needs
// fits: tests
#include "core/runtime/runtime.hpp"
#include "exercises/toolkit/search.hpp"

void attack() {
  int made = 0;
  (void)watchlab::course::search_elsewhere(
      {.seed = 1, .schedules = 1, .narrates = false, .schedule = ""},
      [&](watchlab::runtime::Runtime& runtime, bool) {
        const auto here = std::source_location::current();
        for (; made < 50'000; ++made) {
          (void)runtime.make_mutex("", here).release();
          if (made % 1'000 == 0) {
            runtime.yield(here);
          }
        }
      });
  must_fail(made == 50'000, "fifty thousand locks in a run");
}

// === fills_the_library_with_stacks: each of its tasks has one
// fits: tests
#include "core/runtime/task.hpp"
#include "exercises/toolkit/search.hpp"

void attack() {
  int made = 0;
  (void)watchlab::course::search_elsewhere(
      {.seed = 1, .schedules = 1, .narrates = false, .schedule = ""},
      [&](watchlab::runtime::Runtime& runtime, bool) {
        for (; made < 3'000; ++made) {
          (void)watchlab::runtime::spawn(runtime, "task", [] {});
        }
      });
  must_fail(made == 3'000, "three thousand tasks in a run");
}

// === reaches_the_end_of_the_stack: calls within calls, of which each has frames in the library
// fits: E02
// says: and no end: does the body wait
void attack() {
  in_every_world([](Runtime& runtime) {
    const auto store = MAKE(runtime);
    int left = 70;
    (void)store->add_index("names", [&](const watchlab::api::ObjectPtr& indexed) {
      if (left-- > 0) {
        store->put(object("n" + std::to_string(left), "1"));
      }
      return std::vector<std::string>{indexed->metadata.name};
    });
    store->put(object("demo", "1"));
  });
}
