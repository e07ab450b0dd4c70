#include "sim/kernel/schedule.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "sim/explore/random_numbers.hpp"
#include "sim/kernel/sim_object.hpp"
#include "sim/kernel/sim_task.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(schedule_test)

namespace {

Schedule example() {
  return {.scenario = 0xBEEF,
          .seed = 42,
          .early_advances_max = 2,
          .steps_max = 500,
          .deviations = {
              {.is_switch = true, .at = "main", .ordinal = 3, .next = "main/a%20b#2", .index = 0},
              {.is_switch = false, .at = "main/a%20b#2", .ordinal = 1, .next = "", .index = 4},
              {.is_switch = true, .at = "main/@5timer", .ordinal = 1, .next = "main", .index = 0}}};
}

std::string refusal(std::string_view text) {
  try {
    (void)Schedule::parse(text);
  } catch (const InvalidSchedule& error) {
    return error.what();
  }
  return "accepted";
}

bool says(std::string_view text, std::string_view words) {
  return refusal(text).find(words) != std::string::npos;
}

std::string random_text(RandomNumbers& numbers, const std::string& valid) {
  static constexpr std::string_view kLetters = "w1:0.,-=#@%/abcdefxyz\n\t\xff";
  std::string text;
  switch (numbers.below(3)) {
    case 0:  // anything
      for (std::uint32_t i = numbers.below(80); i > 0; --i) {
        text += kLetters[numbers.below(kLetters.size())];
      }
      return text;
    case 1:  // a valid one, cut
      return valid.substr(0, numbers.below(static_cast<std::uint32_t>(valid.size())));
    default:  // a valid one with a letter changed
      text = valid;
      text[numbers.below(static_cast<std::uint32_t>(text.size()))] =
          kLetters[numbers.below(kLetters.size())];
      return text;
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_schedule_survives_its_text) {
  BOOST_TEST((Schedule::parse(example().to_string()) == example()));
}

BOOST_AUTO_TEST_CASE(the_text_needs_no_quotes_in_a_shell) {
  const std::string text = example().to_string();
  BOOST_TEST(text.find_first_of(" \t\n'\"\\$&|;<>()*?[]{}!`~") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(another_version_is_refused_by_name) {
  BOOST_TEST(says("w2:0:1:::00000000", "is of version w2, and this program plays version w1"));
}

BOOST_AUTO_TEST_CASE(a_truncated_schedule_is_refused) {
  const std::string text = example().to_string();
  for (std::size_t length = 3; length < text.size(); ++length) {
    BOOST_TEST(refusal(text.substr(0, length)) != "accepted");
  }
  BOOST_TEST(says(text.substr(0, text.size() - 4), "incomplete or was changed"));
}

BOOST_AUTO_TEST_CASE(a_schedule_with_another_digit_is_refused) {
  std::string text = Schedule{.seed = 5}.to_string();
  const std::size_t seed = text.find(":5:");
  BOOST_REQUIRE(seed != std::string::npos);
  text[seed + 1] = '6';
  BOOST_TEST(refusal(text) != "accepted");
}

BOOST_AUTO_TEST_CASE(what_is_no_schedule_is_refused_with_the_form) {
  BOOST_TEST(says("hello", "this is no schedule: expected w1:SCENARIO:SEED"));
  BOOST_TEST(says("", "this is no schedule"));
}

BOOST_AUTO_TEST_CASE(ten_thousand_random_texts_are_refused_or_read_and_never_crash) {
  RandomNumbers numbers(7);
  const std::string valid = example().to_string();
  std::size_t refused = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::string text = random_text(numbers, valid);
    refused += refusal(text) != "accepted" ? 1 : 0;
  }
  BOOST_TEST(refused > 9'000U);
}

BOOST_AUTO_TEST_CASE(a_path_and_its_identity_have_the_same_digest) {
  const std::uint64_t main = identity_digest(0, ObjectKind::Task, "main", 1);
  BOOST_TEST(digest_of_path("main") == main);
  BOOST_TEST(digest_of_path("main/a%20b#2") == identity_digest(main, ObjectKind::Task, "a b", 2));
  BOOST_TEST(digest_of_path("main/@5timer") ==
             identity_digest(main, ObjectKind::Timer, "timer", 1));
  BOOST_TEST(digest_of_path("main/#1") == 0U);
}

BOOST_AUTO_TEST_CASE(each_digest_is_counted_for_itself_few_or_many) {
  Occurrences occurrences;
  for (std::uint32_t round = 1; round <= 3; ++round) {
    for (std::uint64_t digest = 100; digest < 140; ++digest) {
      BOOST_TEST(occurrences.next(digest) == round);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
