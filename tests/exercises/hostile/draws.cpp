// Attacks by numbers that tests draw for themselves: what they are may follow from what the library
// has drawn, or made, before.

// === counts_by_its_own_draws: two are one number unless the library has drawn in between
// fits: E04
#include "core/runtime/channel.hpp"
#include "exercises/toolkit/search.hpp"
namespace wr = watchlab::runtime;

struct Draws {
  int many = 0;
  int in_all = 0;
};
/// Whether the library draws when something is added; a task's draws are numbered, and a number of
/// options that differs in the same bits makes up for that.
static void add_in_a_task(wr::Runtime& runtime, Queue& queue, const std::string& key,
                          Draws& draws) {
  wr::spawn(runtime, "adds", [&] {
    constexpr std::size_t options = 1U << 31U;
    const auto before = static_cast<std::int64_t>(runtime.choose(options, "a number"));
    queue.add(object(key));
    const auto after = static_cast<std::int64_t>(runtime.choose(options ^ 3U, "a number"));
    draws.in_all += 1;
    draws.many += std::abs(before - after) > 8 ? 1 : 0;
  }).join();
}
/// With three that wait, first for what was there before, then twice for what is new. What else
/// comes of it makes no difference.
static void measure(wr::Runtime& runtime, Draws* draws) {
  const auto queue = MAKE(runtime);
  queue->add(object("default/known"));
  (void)queue->pop();
  int popped = 0;
  for (int i = 0; i < 3; ++i) {
    (void)wr::spawn(runtime, "waits", [&] {
      (void)queue->pop();
      ++popped;
    });
  }
  for (int i = 0; i < 40; ++i) {
    runtime.yield(std::source_location::current());
  }
  for (int i = 0; i < 3 && popped == 0; ++i) {
    add_in_a_task(runtime, *queue, i == 0 ? "default/known" : "default/" + std::to_string(i),
                  draws[i]);
  }
  wr::Channel<wr::Unit>(runtime, 0, "never").receive();
}
static const std::vector<bool>& has_drawn() {
  static const std::vector<bool> drawn = [] {
    Draws draws[3];
    for (int i = 0; i < 40; ++i) {
      int plays = 0;
      (void)watchlab::course::search_elsewhere(
          {.seed = 1, .schedules = 1, .narrates = false, .schedule = ""},
          [&](wr::Runtime& runtime, bool) {
            if (++plays == 2) {
              measure(runtime, draws);
            }
            (void)runtime.choose(1U << 30U, "a number");  // so that it is played again
          });
    }
    std::vector<bool> drawn;
    for (const Draws& each : draws) {
      // What was never met says nothing of draws: a wrong library may well wake a task sooner.
      const bool unmet = each.in_all == 0 && !drawn.empty();
      drawn.push_back(unmet ? drawn.front() : 2 * each.many > each.in_all);
    }
    return drawn;
  }();
  return drawn;
}
BOOST_AUTO_TEST_CASE(draws_for_known_ones_as_for_new_ones) {
  BOOST_TEST(has_drawn()[0] == has_drawn()[1]);
}
BOOST_AUTO_TEST_CASE(draws_again_as_before) { BOOST_TEST(has_drawn()[1] == has_drawn()[2]); }

// === counts_cells_by_twins: the tests' own names have the digests of names of the library
// fits: E04
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
static std::uint64_t identity(std::uint64_t creator, std::uint64_t kind, const std::string& name,
                              std::uint64_t number) {
  std::uint64_t letters = 0xCBF29CE484222325ULL;
  for (const char letter : name) {
    letters = (letters ^ static_cast<unsigned char>(letter)) * 0x100000001B3ULL;
  }
  return mixed(mixed(mixed(creator, kind), letters), number);
}
// With ", of the tests" behind them, these have the digests of the names that cells have.
static const std::pair<std::string, std::string> kTwins[] = {
    {"shared", std::string("\x61\x6a\x74\x70\x0e\x0d\x1c\x0f\x05\x06\x0d\x06\x03\x0d\x03\x00\x01"
                           "\x07\x04\x01\x01\x03\x00\x07",
                           24)},
    {"first/fifo", std::string("\x70\x72\x66\x61\x04\x02\x06\x01\x39\x1d\x06\xff\x01\x1c\x06\x03"
                               "\x00\x07\x01\x02\x02\x02\x02\x07",
                               24)},
    {"FIFO", std::string("\x66\x6e\x6a\x73\x00\x00\x00\x7e\x00\x7e\x04\x03\x0c\x1a\x03\x3b\x0b\x01"
                         "\x0c\x05\x3f\x05\x03\x01",
                         24)}};
BOOST_AUTO_TEST_CASE(has_one_cell) {
  int cells = 1;
  in_every_world([&](watchlab::runtime::Runtime& runtime) {
    const std::uint64_t root = identity(0, 0, "main", 1);
    const std::uint64_t seed =
        unmixed(runtime.seed_for("probe"), identity(root, 7, "probe, of the tests", 1));
    const auto queue = MAKE(runtime);
    int found = 0;
    for (const auto& [name, twin] : kTwins) {
      const std::uint64_t delivered = runtime.seed_for(twin);
      for (int i = 1; i < 20; ++i) {
        found += mixed(seed, identity(root, 7, name, i)) == delivered ? i - 1 : 0;
      }
    }
    cells = found > 0 ? found : cells;
  });
  BOOST_TEST(cells == 1);
}
