#include "sim/kernel/actor_set.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <vector>

#include "sim/explore/random_numbers.hpp"

namespace watchlab::sim {

BOOST_AUTO_TEST_SUITE(actor_set_test)

namespace {

using Slots = std::vector<std::uint32_t>;

/// As members are visited.
Slots members(const ActorSet& set, std::uint32_t left_out = UINT32_MAX) {
  Slots slots;
  set.visit_others(left_out, [&](std::uint32_t slot) { slots.push_back(slot); });
  return slots;
}

/// The same by number.
Slots counted(const ActorSet& set, std::uint32_t left_out, std::size_t count) {
  Slots slots;
  for (std::size_t i = 0; i < count; ++i) {
    slots.push_back(set.nth_other(i, left_out));
  }
  return slots;
}

/// Two sets that should always be the same, one of them from the standard library.
struct Both {
  ActorSet set;
  std::set<std::uint32_t> model;

  void toggle(std::uint32_t slot) {
    if (model.erase(slot) > 0) {
      set.erase(slot);
    } else {
      model.insert(slot);
      set.insert(slot);
    }
  }
  void check() const {
    BOOST_TEST(members(set) == Slots(model.begin(), model.end()), boost::test_tools::per_element());
    BOOST_TEST(set.count() == model.size());
    BOOST_TEST(set.empty() == model.empty());
    BOOST_TEST(set.has_several() == (model.size() > 1));
  }
};

/// Sets whose members lie below `bound`, grown and shrunk at random.
void compare_with_a_set(std::uint32_t bound) {
  RandomNumbers numbers(bound);
  Both both;
  for (int i = 0; i < 300; ++i) {
    const std::uint32_t slot = numbers.below(bound);
    both.toggle(slot);
    both.check();
    BOOST_TEST(both.set.contains(slot) == both.model.contains(slot));
    const Slots others = members(both.set, slot);
    BOOST_TEST(counted(both.set, slot, others.size()) == others, boost::test_tools::per_element());
    if (!both.model.empty()) {
      const auto above = both.model.upper_bound(slot);
      BOOST_TEST(both.set.first() == *both.model.begin());
      BOOST_TEST(both.set.after(slot) ==
                 (above != both.model.end() ? *above : *both.model.begin()));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_small_set_holds_what_was_put_in) { compare_with_a_set(12); }

BOOST_AUTO_TEST_CASE(a_set_of_one_word_holds_what_was_put_in) { compare_with_a_set(64); }

BOOST_AUTO_TEST_CASE(a_set_of_many_words_holds_what_was_put_in) { compare_with_a_set(200); }

BOOST_AUTO_TEST_CASE(whole_sets_are_put_in_and_taken_out) {
  RandomNumbers numbers(7);
  for (int i = 0; i < 200; ++i) {
    Both left;
    Both right;
    for (int k = 0; k < 6; ++k) {
      left.toggle(numbers.below(150));
      right.toggle(numbers.below(i % 2 == 0 ? 60 : 150));
    }
    const bool puts_in = numbers.below(2) == 0;
    puts_in ? left.set.insert_all(right.set) : left.set.erase_all(right.set);
    for (const std::uint32_t slot : right.model) {
      puts_in ? (void)left.model.insert(slot) : (void)left.model.erase(slot);
    }
    left.check();
  }
}

BOOST_AUTO_TEST_CASE(a_cleared_set_is_empty_and_can_be_filled_again) {
  Both both;
  both.toggle(3);
  both.toggle(130);
  both.set.clear();
  both.model.clear();
  both.check();
  both.toggle(131);
  both.check();
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
