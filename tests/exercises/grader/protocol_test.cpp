#include "exercises/toolkit/protocol.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(protocol_test)

BOOST_AUTO_TEST_CASE(settings_come_back_as_they_were) {
  const RunSettings settings{.nonce = "secret",
                             .seed = 7,
                             .schedules = 12,
                             .shuffled = true,
                             .narrates = false,
                             .schedule = "w1:0:1:::8ee82fa5",
                             .cases = {"suite/one", "a\ttab"},
                             .left_out = {"a\nline", "a\\backslash"}};
  BOOST_TEST((parse_settings(to_string(settings)) == settings));
}

BOOST_AUTO_TEST_CASE(messages_come_back_as_they_were) {
  const Message first{"end", "failed", "two\nlines and a\ttab"};
  const Message second{"done", "", ""};
  MessageReader reader("secret");
  const auto read = reader.take(line_of(first, "secret", 0) + line_of(second, "secret", 1));
  BOOST_TEST_REQUIRE(read.size() == 2);
  BOOST_TEST((read[0] == first));
  BOOST_TEST((read[1] == second));
  BOOST_TEST(!reader.saw_forgery());
}

BOOST_AUTO_TEST_CASE(a_message_may_come_in_pieces) {
  const std::string line = line_of({"begin", "one", ""}, "secret", 0);
  MessageReader reader("secret");
  BOOST_TEST(reader.take(line.substr(0, 5)).empty());
  BOOST_TEST(reader.take(line.substr(5)).size() == 1);
}

BOOST_AUTO_TEST_CASE(a_message_without_the_secret_counts_for_nothing) {
  MessageReader reader("secret");
  BOOST_TEST(reader.take(line_of({"end", "passed", ""}, "guess", 0)).empty());
  BOOST_TEST(reader.saw_forgery());
  BOOST_TEST(reader.take(line_of({"begin", "one", ""}, "secret", 0)).size() == 1);
}

BOOST_AUTO_TEST_CASE(a_message_that_is_said_twice_counts_once) {
  const std::string line = line_of({"end", "passed", ""}, "secret", 0);
  MessageReader reader("secret");
  BOOST_TEST(reader.take(line + line).size() == 1);
  BOOST_TEST(reader.saw_forgery());
}

BOOST_AUTO_TEST_CASE(a_line_that_is_too_long_is_no_message_and_the_next_one_is) {
  MessageReader reader("secret");
  const std::string line = line_of({"begin", "one", ""}, "secret", 0);
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(reader.take(std::string(kReportBytesMax, 'x')).empty());
  }
  BOOST_TEST(reader.take("\n" + line).size() == 1);
  BOOST_TEST(reader.saw_forgery());
}

BOOST_AUTO_TEST_CASE(a_report_is_read_up_to_its_limit_and_not_beyond) {
  for (const std::size_t beyond : {0, 1}) {
    std::string line = "secret\t0\tend\tfailed\t";
    line.resize(kReportBytesMax + beyond, 'x');
    MessageReader reader("secret");
    BOOST_TEST(reader.take(line + "\n").size() == 1 - beyond);
    BOOST_TEST(reader.saw_forgery() == (beyond == 1));
  }
}

BOOST_AUTO_TEST_CASE(a_long_text_is_cut_and_a_message_still) {
  const std::string line =
      line_of({"end", "failed", std::string(2 * kReportBytesMax, '\t')}, "secret", 0);
  BOOST_TEST(line.size() <= kReportBytesMax);
  MessageReader reader("secret");
  BOOST_TEST(reader.take(line).size() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
