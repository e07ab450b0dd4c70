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
    std::ranges::for_each(step.entries, add_entry);
  }
  add(moment.at_rest ? 1001 : 1000);
  std::ranges::for_each(moment.stored, add_entry);
  return hash;
}
static const std::uint32_t moments[] = {
    0x0037fca3U, 0x01269905U, 0x014f08fbU, 0x03536345U, 0x03960202U, 0x042d2a80U, 0x04636976U,
    0x04853213U, 0x05e0ac7bU, 0x06a30b4cU, 0x06df1fbdU, 0x0a18f853U, 0x0ae3b24cU, 0x0b2d4013U,
    0x0d9ab076U, 0x0db14981U, 0x0e0713d0U, 0x0e171d5aU, 0x0e1dbd04U, 0x1337943dU, 0x1487d6caU,
    0x149de741U, 0x16366ab5U, 0x16eff0b0U, 0x177b19c6U, 0x185ab949U, 0x1975b85fU, 0x1a7636b1U,
    0x1b733eb7U, 0x1eff4d20U, 0x1ff2e03dU, 0x2094d349U, 0x2128ef04U, 0x23eb6b7eU, 0x257e9bf5U,
    0x2dcd4ba8U, 0x2e1726d7U, 0x2ea66980U, 0x2f6f20a5U, 0x30904373U, 0x332fe6ddU, 0x336bc8ccU,
    0x33a3c825U, 0x3469982eU, 0x3780cef4U, 0x3797844fU, 0x3857def6U, 0x3a1040d1U, 0x3b856844U,
    0x3b99b047U, 0x3d582396U, 0x3ff6f855U, 0x41ed90e6U, 0x434adfb8U, 0x45ab028aU, 0x46efaf80U,
    0x489d3eefU, 0x4bb0de74U, 0x4e4ef2caU, 0x4eb039edU, 0x4fa15ed1U, 0x533329d6U, 0x53b8a42aU,
    0x54100c6eU, 0x54b5fa25U, 0x55de8e88U, 0x564ce68bU, 0x574924c0U, 0x58c9a327U, 0x58d22bfeU,
    0x5b047fc0U, 0x5b5ca9f5U, 0x5b6d2a59U, 0x5e5f018cU, 0x5f65ab13U, 0x60aa7a51U, 0x61450348U,
    0x61eed6e9U, 0x65b699e0U, 0x678b5240U, 0x679ca1beU, 0x6bc07ccaU, 0x6c3f2127U, 0x6ca60e24U,
    0x6efe890cU, 0x6f26cfe0U, 0x75def6f5U, 0x760f9245U, 0x76a8ecf7U, 0x77566263U, 0x77b03196U,
    0x783c7e5cU, 0x796ef2aeU, 0x7b2db956U, 0x7b41e057U, 0x7b8c6fd2U, 0x7e7507c8U, 0x7e83b9deU,
    0x8300862bU, 0x84619995U, 0x84789da6U, 0x8485747eU, 0x848d048dU, 0x86abf363U, 0x8963a5fbU,
    0x8c979736U, 0x8ca64122U, 0x8ddb83baU, 0x8dfefc96U, 0x8e93a9b4U, 0x8f499fe6U, 0x9028cfccU,
    0x906179baU, 0x90875dd1U, 0x9185eea3U, 0x92e10f4fU, 0x92fc8e84U, 0x93218e65U, 0x9408212bU,
    0x94cd9529U, 0x96990f6eU, 0x97c9b02dU, 0x99d6864fU, 0x9a11f3ffU, 0x9a4efc38U, 0x9acb7559U,
    0x9af5aeaeU, 0x9f02260cU, 0x9f2a4e85U, 0x9f6255fcU, 0xa06403e0U, 0xa0723dd7U, 0xa149734dU,
    0xa2e358a2U, 0xa932c749U, 0xab8d32d5U, 0xadad9e6fU, 0xaed55d03U, 0xaf6a9413U, 0xaf701768U,
    0xb09e6a7eU, 0xb31b6cc5U, 0xb5264349U, 0xb60b5640U, 0xb75ae3e8U, 0xb8ba53efU, 0xbd00c4f7U,
    0xbe5d757aU, 0xc133b7adU, 0xc1eb6244U, 0xc2de3dd3U, 0xc33099c4U, 0xc535d5e6U, 0xc586613cU,
    0xc5945136U, 0xc5cb1b28U, 0xc8fed335U, 0xc97e2a67U, 0xc9f0573bU, 0xcb0f185dU, 0xcc1c25ebU,
    0xcd1a03dbU, 0xcd260e6bU, 0xcedfb0a6U, 0xd075af2fU, 0xd2d5722eU, 0xd5b849b0U, 0xd60e3d6aU,
    0xdb061329U, 0xdceb582cU, 0xde8190ceU, 0xdf4bf519U, 0xdff43338U, 0xe13001ffU, 0xe19441ffU,
    0xe486b8e4U, 0xe50d9d43U, 0xe67d1858U, 0xe77dbe2eU, 0xe88a7964U, 0xe9b120bfU, 0xe9d9f1c7U,
    0xece7ab19U, 0xee0008bcU, 0xf1299688U, 0xf1e1e40fU, 0xf21a8e93U, 0xf2a030f6U, 0xf2a9f47eU,
    0xf2e835deU, 0xf485bf68U, 0xf5045499U, 0xf92b927fU, 0xf9718dc1U, 0xf9b6eeeaU, 0xfa131bfcU,
    0xfa9a6c82U, 0xfaaa3021U, 0xfaacb22bU, 0xfb1040d4U, 0xfb1db4fdU, 0xfbcac6a9U, 0xfc15f92dU,
    0xfc72731eU, 0xfcdd9524U, 0xfd8dba9cU, 0xfe80b653U,
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
