// Attacks by two tasks of one digest: names can be computed, and what is kept by digest is shared.

// === counts_by_twins: two tasks whose names have one digest share what is kept of them
// fits: E04
// slow: yes
#include "core/runtime/channel.hpp"
#include "exercises/toolkit/search.hpp"
namespace wr = watchlab::runtime;

// The family of this name differs from that of "twin" in its two lowest bits, so that the second
// task of it has the digest of the first "twin".
static const std::string kOther(
    "\x78\x77\x63\x69\x78\x77\x02\x3c\x18\x16\x01\x02\x01\x00\x12\x01\x16\x03\x1d\x00\x0d\x72\x0d"
    "\x0e",
    24);

/// Whether the calls take exactly `known` operations more than none.
static bool takes(int known, const std::function<void(Queue&)>& calls) {
  int at_once[3] = {}, later[3] = {}, world = 0;
  for (int i = 0; i < 2; ++i) {
    (void)watchlab::course::search_elsewhere(
        {.seed = 1, .schedules = 1, .narrates = false, .schedule = ""},
        [&](wr::Runtime& runtime, bool) {
          const auto queue = make_queue(runtime);
          const int kind = world++ % 3;
          bool ready = false, called = false, over = false;
          int count = 0, left = -1, spins = 0;
          wr::Channel<wr::Unit> first(runtime, 0, "a"), second(runtime, 0, "b");
          const auto yield = [&] { runtime.yield(std::source_location::current()); };
          const auto dummy = wr::spawn(runtime, kOther, [] {});
          const auto a = wr::spawn(runtime, "twin", [&] {
            (void)first.receive();
            calls(*queue);
            called = true;
            (void)queue->pop();  // waits, in a call that has begun after so many operations
          });
          const auto b = wr::spawn(runtime, kOther, [&] {
            for (int n = 0; n < known - 1 + kind; ++n) yield();
            ready = true;
            (void)second.receive();
            for (int n = 0; n < 14 && left < 0; ++n) {
              const int before = count;
              yield();
              left = count != before ? n : -1;
            }
            over = true;
          });
          const auto c = wr::spawn(runtime, "counter", [&] {
            (void)second.receive();
            for (; !over; ++count) yield();
          });
          while (!ready) yield();
          for (int n = 0; n < 3; ++n) yield();
          first.close();
          while (!called && ++spins < 500) yield();
          for (int n = 0; n < 60; ++n) yield();
          second.close();
          b.join();
          c.join();
          queue->add(object("default/z"));
          a.join();
          at_once[kind] += left == 0;
          later[kind] += left > 0;
        });
  }
  return at_once[0] > 3 && later[0] <= 3 && at_once[1] <= 3 && later[1] > 3;
}
BOOST_AUTO_TEST_CASE(adding_and_removing) {
  BOOST_TEST(takes(6, [](Queue& queue) {
    queue.add(object("default/a"));
    queue.remove(object("default/a"));
  }));
}
BOOST_AUTO_TEST_CASE(adding_two_and_removing) {
  BOOST_TEST(takes(13, [](Queue& queue) {
    queue.add(object("default/a"));
    queue.add(object("default/b"));
    queue.remove(object("default/a"));
    queue.remove(object("default/b"));
  }));
}

// === draws_by_twins: its own numbers stand among those of the first after the library's
// fits: E04
#include <algorithm>

#include "exercises/toolkit/search.hpp"
namespace wr = watchlab::runtime;

static const std::string kOther(
    "\x78\x77\x63\x69\x78\x77\x02\x3c\x18\x16\x01\x02\x01\x00\x12\x01\x16\x03\x1d\x00\x0d\x72\x0d"
    "\x0e",
    24);
BOOST_AUTO_TEST_CASE(lists_with_one_choice) {
  bool is_found = false;
  (void)watchlab::course::search_elsewhere(
      {.seed = 1, .schedules = 1, .narrates = false, .schedule = ""},
      [&](wr::Runtime& runtime, bool) {
        const auto queue = MAKE(runtime);
        std::vector<std::size_t> all;
        std::vector<std::size_t> own;
        const auto dummy = wr::spawn(runtime, kOther, [] {});
        const auto first = wr::spawn(runtime, "twin", [&] {
          for (int i = 0; i < 12; ++i) {
            all.push_back(runtime.choose(1U << 30U, "n"));
          }
        });
        const auto second = wr::spawn(runtime, kOther, [&] {
          (void)queue->list();
          for (int i = 0; i < 2; ++i) {
            own.push_back(runtime.choose(1U << 30U, "n"));
          }
        });
        first.join();
        second.join();
        const bool is_drawn = own[0] != own[1];  // in the default order nothing is
        is_found = is_found || (is_drawn && std::ranges::search(all, own).begin() != all.end());
      });
  must_fail(is_found, "how often the library has chosen");
}
