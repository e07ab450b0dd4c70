// What the tests of apimachinery's pkg/labels say of selectors, row by row.
#include "core/api/label_selector.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(label_selector_test)

namespace {

using api::LabelOperator;
using api::LabelRequirement;
using api::Labels;
using api::LabelSelector;
using Requirements = std::vector<LabelRequirement>;
using Values = std::vector<std::string>;

LabelRequirement in(std::string key, Values values) {
  return {.key = std::move(key), .relation = LabelOperator::In, .values = std::move(values)};
}
LabelRequirement not_in(std::string key, Values values) {
  return {.key = std::move(key), .relation = LabelOperator::NotIn, .values = std::move(values)};
}
LabelRequirement greater(std::string key, std::string than) {
  return {
      .key = std::move(key), .relation = LabelOperator::GreaterThan, .values = {std::move(than)}};
}
LabelRequirement less(std::string key, std::string than) {
  return {.key = std::move(key), .relation = LabelOperator::LessThan, .values = {std::move(than)}};
}
LabelRequirement exists(std::string key) {
  return {.key = std::move(key), .relation = LabelOperator::Exists, .values = {}};
}
LabelRequirement does_not_exist(std::string key) {
  return {.key = std::move(key), .relation = LabelOperator::DoesNotExist, .values = {}};
}

bool matches(std::string_view text, const Labels& labels) {
  const api::Result<LabelSelector> parsed = LabelSelector::parse(text);
  BOOST_REQUIRE_MESSAGE(parsed.ok(), text);
  return parsed->matches(labels);
}

}  // namespace

// Mirrors TestSetSelectorParser and the good texts of TestSelectorParse. Values are sorted.
BOOST_AUTO_TEST_CASE(a_text_is_read_as_these_requirements) {
  struct Row {
    std::string_view text;
    Requirements requirements;
  };
  const std::vector<Row> rows{
      {"", {}},
      {"x", {exists("x")}},
      {"a ", {exists("a")}},
      {"!x", {does_not_exist("x")}},
      {"x=", {in("x", {""})}},
      {"x= ", {in("x", {""})}},
      {"x=,z= ", {in("x", {""}), in("z", {""})}},
      {"x= ,z= ", {in("x", {""}), in("z", {""})}},
      {"x=a", {in("x", {"a"})}},
      {"x==a", {in("x", {"a"})}},
      {"x=a,y=b,z=c", {in("x", {"a"}), in("y", {"b"}), in("z", {"c"})}},
      {" x = a , y = b , z = c ", {in("x", {"a"}), in("y", {"b"}), in("z", {"c"})}},
      {"color=green, env=test, service=front",
       {in("color", {"green"}), in("env", {"test"}), in("service", {"front"})}},
      {"x!=a,y=b", {not_in("x", {"a"}), in("y", {"b"})}},
      {"x=a,y!=b,z in (h,i,j)", {in("x", {"a"}), not_in("y", {"b"}), in("z", {"h", "i", "j"})}},
      {"x>1", {greater("x", "1")}},
      {"x<7", {less("x", "7")}},
      {"x>1,z<5", {greater("x", "1"), less("z", "5")}},
      {"notin=in", {in("notin", {"in"})}},
      {"this-is-a-dns.domain.com/key-with-dash",
       {exists("this-is-a-dns.domain.com/key-with-dash")}},
      {"this-is-another-dns.domain.com/key-with-dash in (so,what)",
       {in("this-is-another-dns.domain.com/key-with-dash", {"so", "what"})}},
      {"0.1.2.domain/99 notin (10.10.100.1, tick.tack.clock)",
       {not_in("0.1.2.domain/99", {"10.10.100.1", "tick.tack.clock"})}},
      {"foo  in\t (abc)", {in("foo", {"abc"})}},
      {"x  notin\t\t(abc,def)", {not_in("x", {"abc", "def"})}},
      {"x in (abc,def)", {in("x", {"abc", "def"})}},
      {"x in (def,abc)", {in("x", {"abc", "def"})}},
      {"x in (abc,)", {in("x", {"", "abc"})}},
      {"x in (abc,abc)", {in("x", {"abc"})}},
      {"x in ()", {in("x", {""})}},
      {"x in (),y", {in("x", {""}), exists("y")}},
      {"x in (a,,)", {in("x", {"", "a"})}},
      {"x in (a,,,)", {in("x", {"", "a"})}},
      {"x in (a,,,,,,)", {in("x", {"", "a"})}},
      {"x in (a,,a,,a,,a,,)", {in("x", {"", "a"})}},
      {"x notin ( )", {not_in("x", {""})}},
      {"x notin (, a)", {not_in("x", {"", "a"})}},
      {"x notin (abc,,def),bar,z in (),w",
       {not_in("x", {"", "abc", "def"}), exists("bar"), in("z", {""}), exists("w")}},
      {"x,y in (a)", {exists("x"), in("y", {"a"})}},
      {"\rx", {exists("x")}},
      {"x notin\n (abc)", {not_in("x", {"abc"})}},
      {"a in (x,y,notin, z,in)", {in("a", {"in", "notin", "x", "y", "z"})}},
  };
  for (const Row& row : rows) {
    const api::Result<LabelSelector> parsed = LabelSelector::parse(row.text);
    BOOST_REQUIRE_MESSAGE(parsed.ok(), row.text);
    // The original sorts by key; a selector means the same in any order.
    BOOST_TEST((std::ranges::is_permutation(parsed->requirements(), row.requirements)), row.text);
    BOOST_TEST(parsed->is_everything() == row.requirements.empty(), row.text);
  }
}

// Mirrors the bad texts of TestSetSelectorParser, TestSelectorParse and TestParseOperator.
BOOST_AUTO_TEST_CASE(these_texts_are_refused) {
  for (const std::string_view text : {"x=a||y=b",
                                      "x==a==b",
                                      "!x=a",
                                      "x<a",
                                      "x,,y",
                                      ",x,y",
                                      "x nott in (y)",
                                      "a in (xyz),",
                                      "a in (xyz)b notin ()",
                                      "a in (xyz abc)",
                                      "a notin(",
                                      "a (",
                                      "(",
                                      "()",
                                      ",",
                                      "!",
                                      "== != (), = notin",
                                      "x exists",
                                      "x ! a",
                                      "x (a)",
                                      "x=$y",
                                      "x y"}) {
    BOOST_TEST(!LabelSelector::parse(text).ok(), text);
  }
}

// Mirrors TestRequirementConstructor and TestValidatedSelectorFromSet, as far as a text can say it.
BOOST_AUTO_TEST_CASE(keys_and_values_have_a_length_and_an_alphabet) {
  const std::string longest(63, 'a');
  const std::string too_long(64, 'a');
  BOOST_TEST(LabelSelector::parse(longest).ok());
  BOOST_TEST(LabelSelector::parse(longest + "=" + longest).ok());
  BOOST_TEST(LabelSelector::parse("x in (b," + longest + ")").ok());
  for (const std::string& text :
       {too_long, std::string(254, 'a'), "x=" + too_long, "x=" + std::string(254, 'a'),
        "x in (b," + too_long + ")", "x!=" + too_long, std::string("x=a b"),
        std::string("x in (a b)"), std::string("x=-a"), std::string("x=a-"), std::string("-x"),
        std::string("x@y"), std::string("x=a@b")}) {
    BOOST_TEST(!LabelSelector::parse(text).ok(), text);
  }
}

// Mirrors TestSelectorMatches.
BOOST_AUTO_TEST_CASE(these_labels_are_matched) {
  BOOST_TEST(matches("", {{"x", "y"}}));
  BOOST_TEST(matches("x=y", {{"x", "y"}}));
  BOOST_TEST(matches("x=y,z=w", {{"x", "y"}, {"z", "w"}}));
  BOOST_TEST(matches("x!=y,z!=w", {{"x", "z"}, {"z", "a"}}));
  BOOST_TEST(matches("notin=in", {{"notin", "in"}}));
  BOOST_TEST(matches("x", {{"x", "z"}}));
  BOOST_TEST(matches("!x", {{"y", "z"}}));
  BOOST_TEST(matches("x>1", {{"x", "2"}}));
  BOOST_TEST(matches("x<1", {{"x", "0"}}));
  const Labels two{{"foo", "bar"}, {"baz", "blah"}};
  for (const std::string_view text : {"foo=bar", "baz=blah", "foo=bar,baz=blah"}) {
    BOOST_TEST(matches(text, two), text);
  }
}

// Mirrors TestSelectorMatches.
BOOST_AUTO_TEST_CASE(these_labels_are_not_matched) {
  BOOST_TEST(!matches("x=z", {}));
  BOOST_TEST(!matches("x=y", {{"x", "z"}}));
  BOOST_TEST(!matches("x=y,z=w", {{"x", "w"}, {"z", "w"}}));
  BOOST_TEST(!matches("x!=y,z!=w", {{"x", "z"}, {"z", "w"}}));
  BOOST_TEST(!matches("x", {{"y", "z"}}));
  BOOST_TEST(!matches("!x", {{"x", "z"}}));
  BOOST_TEST(!matches("x>1", {{"x", "0"}}));
  BOOST_TEST(!matches("x<1", {{"x", "2"}}));
  const Labels two{{"foo", "bar"}, {"baz", "blah"}};
  for (const std::string_view text : {"foo=blah", "baz=bar", "foo=bar,foobar=bar,baz=blah"}) {
    BOOST_TEST(!matches(text, two), text);
  }
}

// Mirrors TestRequirementSelectorMatching. An absent label is in no set, and in no set it is not.
BOOST_AUTO_TEST_CASE(the_empty_value_is_a_value_and_no_label_is_none) {
  const Labels both{{"x", "foo"}, {"y", "baz"}};
  BOOST_TEST(matches("x in (foo),y notin (alpha)", both));
  BOOST_TEST(!matches("x in (foo),y in (alpha)", both));
  const Labels empty{{"y", ""}};
  BOOST_TEST(matches("x notin (),y", empty));
  BOOST_TEST(matches("!x,y", empty));
  BOOST_TEST(!matches("x notin (),!y", empty));
  BOOST_TEST(!matches("x in ()", {{"y", "baz"}}));
  BOOST_TEST(matches("z>1", {{"z", "2"}}));
  BOOST_TEST(!matches("z>1", {{"z", "v2"}}));
  BOOST_TEST(matches("y in ()", empty));
  BOOST_TEST(!matches("y notin ()", empty));
  BOOST_TEST(!matches("y in (a)", empty));
  BOOST_TEST(matches("y notin (a)", empty));
  BOOST_TEST(matches("y=", empty));
  BOOST_TEST(!matches("y!=", empty));
}

// Mirrors TestEverything, TestSetMatches, TestNilMapIsValid, TestSetIsEmpty.
BOOST_AUTO_TEST_CASE(a_selector_of_labels_matches_what_has_them_all) {
  BOOST_TEST(LabelSelector().matches({{"x", "y"}}));
  BOOST_TEST(LabelSelector().is_everything());
  BOOST_TEST(LabelSelector::from({}).is_everything());
  const Labels two{{"foo", "bar"}, {"baz", "blah"}};
  for (const Labels& chosen : {Labels{}, Labels{{"foo", "bar"}}, Labels{{"baz", "blah"}}, two}) {
    BOOST_TEST(LabelSelector::from(chosen).matches(two));
  }
  BOOST_TEST(!LabelSelector::from({{"foo", "blah"}}).matches(two));
  BOOST_TEST(!LabelSelector::from(two).matches({{"foo", "bar"}}));
  const Requirements expected{in("key", {"val"})};
  BOOST_TEST((LabelSelector::from({{"key", "val"}}).requirements() == expected));
}

// Mirrors TestRequirementEqual.
BOOST_AUTO_TEST_CASE(requirements_are_equal_in_key_relation_and_values) {
  BOOST_TEST((in("key", {"bar", "foo"}) == in("key", {"bar", "foo"})));
  BOOST_TEST((in("key", {"bar", "foo"}) != in("key2", {"bar", "foo"})));
  BOOST_TEST((greater("key", "1") != in("key", {"1"})));
  BOOST_TEST((in("key", {"bar", "foo"}) != not_in("key", {"bar", "foo"})));
  BOOST_TEST((in("key", {"bar", "foo"}) != in("key", {"foobar"})));
}

// Mirrors TestLabelHas and TestLabelGet.
BOOST_AUTO_TEST_CASE(a_label_with_an_empty_value_is_there) {
  BOOST_TEST((Labels{{"x", "y"}}.contains("x")));
  BOOST_TEST((Labels{{"x", ""}}.contains("x")));
  BOOST_TEST(!(Labels{{"x", "y"}}.contains("foo")));
  BOOST_TEST((Labels{{"x", "y"}}.at("x") == "y"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
