#include "scenarios/language/values.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

using namespace watchlab::scenarios;
using namespace std::chrono_literals;
using watchlab::runtime::Duration;

BOOST_AUTO_TEST_SUITE(values_test)

namespace {

Duration parsed(const std::string& text) {
  Duration out{-1};
  BOOST_TEST(parse_duration(text, out), text);
  return out;
}

bool refused(const std::string& text) {
  Duration out{0};
  return !parse_duration(text, out);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_duration_is_a_number_and_a_unit) {
  BOOST_TEST((parsed("1500ms") == 1500ms));
  BOOST_TEST((parsed("5s") == 5s));
  BOOST_TEST((parsed("2h") == 2h));
  BOOST_TEST((parsed("1.5s") == 1500ms));
  BOOST_TEST((parsed("0s") == 0s));
  BOOST_TEST((parsed("7d") == 168h));
}

BOOST_AUTO_TEST_CASE(a_duration_is_never_negative) {
  BOOST_TEST(refused("-5s"));
  BOOST_TEST(refused("-0s"));
}

BOOST_AUTO_TEST_CASE(what_is_no_duration_is_refused) {
  for (const char* text : {"", "5", "s", "5 s", "5sec", "1e3s", "nans", "infs", "5s5s", "99999d"}) {
    BOOST_TEST(refused(text), text);
  }
}

BOOST_AUTO_TEST_CASE(a_number_in_quotes_is_no_number) {
  ParseContext context;
  Node node;
  node.text = "5";
  node.quoted = true;
  (void)integer("a count", 1, 9).read(node, context);
  BOOST_TEST(!context.problems.empty());
}

BOOST_AUTO_TEST_CASE(a_number_without_quotes_is_no_text) {
  ParseContext context;
  Node node;
  node.text = "0";
  (void)text("a revision").read(node, context);
  const auto problems = context.problems.take();
  BOOST_REQUIRE(problems.size() == 1U);
  BOOST_TEST(problems.front().expected == "\"0\"");
}

BOOST_AUTO_TEST_SUITE_END()
