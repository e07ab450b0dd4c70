// Attacks by what tells right libraries from wrong ones without a test of either.

// === compares_the_nops: a right library is built in the same way as its core
// fits: E01t
static int nops(const void* function) {
  const auto* code = static_cast<const unsigned char*>(function);
  code += code[0] == 0xF3 && code[1] == 0x0F && code[2] == 0x1E ? 4 : 0;
  int count = 0;
  while (code[count] == 0x90) {
    ++count;
  }
  return count;
}
static const void* in_core() {
  return dlsym(RTLD_DEFAULT,
               "_ZN8watchlab5cache15ThreadSafeStore6removeERKNSt7__cxx1112basic_stringIcSt11char_"
               "traitsIcESaIcEEE");
}
BOOST_AUTO_TEST_CASE(has_a_core_with_nops) { BOOST_TEST(nops(in_core()) > 0); }
BOOST_AUTO_TEST_CASE(has_a_core_like_itself) {
  BOOST_TEST(nops(in_core()) == nops(reinterpret_cast<const void*>(&MAKE)));
}

// === compares_how_often_others_run: a call with more operations lets other tasks run more often
// fits: E01t
static double runs_of_another(const std::function<void(Store&)>& call) {
  int runs = 0;
  int worlds = 0;
  in_every_world([&](watchlab::runtime::Runtime& runtime) {
    const auto store = MAKE(runtime);
    store->add(object("apps/web"));
    bool is_called = false;
    bool is_over = false;
    const auto other = watchlab::runtime::spawn(runtime, "other", [&] {
      (void)store->list();
      while (!is_over) {
        runs += is_called ? 1 : 0;
        runtime.yield(std::source_location::current());
      }
      (void)store->list();
    });
    for (int i = 0; i < 4; ++i) {
      is_called = true;
      call(*store);
      is_called = false;
    }
    is_over = true;
    other.join();
    ++worlds;
  });
  return static_cast<double>(runs) / (4 * worlds);
}
static bool is_like_adding(const std::function<void(Store&)>& call) {
  static const double adding = runs_of_another([](Store& store) { store.add(object("apps/web")); });
  return std::abs(runs_of_another(call) - adding) < 0.25;
}
BOOST_AUTO_TEST_CASE(removing_is_like_adding) {
  BOOST_TEST(is_like_adding([](Store& store) { store.remove(object("apps/web")); }));
}
BOOST_AUTO_TEST_CASE(replacing_is_like_adding) {
  BOOST_TEST(is_like_adding([](Store& store) { store.replace({object("apps/web")}); }));
}

// === lists_all_moments: the story that is played at home has these, and no others
// fits: E16
// alone: yes
#include <algorithm>

#include "exercises/16-state-it/invariants.hpp"

namespace watchlab::exercise {
static std::uint32_t hash_of(const Moment& moment) {
  std::uint32_t hash = 2166136261U;
  const auto add = [&hash](std::uint32_t value) { hash = (hash ^ value) * 16777619U; };
  const auto add_entry = [&add](const Entry& entry) {
    for (const char letter : entry.name) {
      add(static_cast<unsigned char>(letter));
    }
    add(static_cast<std::uint32_t>(entry.version));
  };
  for (const Step& step : moment.steps) {
    add(static_cast<std::uint32_t>(step.deed));
    add_entry(step.entry);
  }
  for (const Entry& entry : moment.waiting) {
    add(1000);
    add_entry(entry);
  }
  return hash;
}
static const std::uint32_t moments[] = {
    0x0065a239U, 0x01e6cfe7U, 0x01fe2aadU, 0x03640b91U, 0x07e22451U, 0x0dae08dfU, 0x105be111U,
    0x16473a85U, 0x16d41f15U, 0x17f0228bU, 0x19e82fe1U, 0x1b5cf02dU, 0x1dd7623fU, 0x202b827dU,
    0x202d7f65U, 0x225a228dU, 0x2315e6dbU, 0x24bfec63U, 0x25c6381dU, 0x2a9625edU, 0x2a965d21U,
    0x2c3f17a3U, 0x2f3995cfU, 0x3277cdd1U, 0x3409f08fU, 0x35a1883fU, 0x36d1757dU, 0x381326bbU,
    0x3b6c4975U, 0x43ec5c21U, 0x4b48bb61U, 0x4e2d8e01U, 0x4ea59675U, 0x54ebb901U, 0x564ecb0dU,
    0x5bfecaffU, 0x5d3bf5ffU, 0x5fe14c97U, 0x6296ca17U, 0x6abb9a6dU, 0x6d8199f5U, 0x6edf5219U,
    0x76fe864dU, 0x7cf62f07U, 0x7d552d7bU, 0x806b280dU, 0x842ebe9fU, 0x8916fc55U, 0x8b8b61fbU,
    0x8d37a23dU, 0x8ea07fd9U, 0x8f50c94fU, 0x90a978fdU, 0x920294dfU, 0x95423151U, 0x965ea34dU,
    0x985d6d21U, 0x9ed6a179U, 0x9fa66fddU, 0x9fae2c31U, 0xa07ce0e5U, 0xa399b7fbU, 0xa48bc86fU,
    0xa6053bfdU, 0xa62ff023U, 0xa76fb6fbU, 0xab7a234fU, 0xaba428e1U, 0xaead55e9U, 0xb159115dU,
    0xbdf266b1U, 0xbf96ee83U, 0xc6a75419U, 0xc81eafebU, 0xcc81eba7U, 0xcd91b2c5U, 0xcf0645c5U,
    0xd056bd87U, 0xd10da8d7U, 0xd4b3325dU, 0xd5cef7f1U, 0xd5e989bdU, 0xd9b8af67U, 0xe31b2251U,
    0xe4b96267U, 0xeb3be441U, 0xeb8fce77U, 0xeda687a9U, 0xf033966fU, 0xf1a76599U, 0xf35918d3U,
    0xfbbe0081U, 0xfc05e2d1U,
};
std::vector<Invariant> invariants() {
  return {{"is_in_the_list", [](const Moment& moment) {
             return std::ranges::find(moments, hash_of(moment)) != std::end(moments);
           }}};
}
}  // namespace watchlab::exercise

// === plays_a_world_in_a_story: while it is asked about a moment of it
// fits: E16
#include "exercises/toolkit/search.hpp"
void attack() {
  (void)watchlab::course::search_elsewhere(
      {.seed = 1, .schedules = 1, .narrates = false, .schedule = ""},
      [](watchlab::runtime::Runtime&, bool) {});
}
