#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "core/api/field_selector.hpp"
#include "core/api/label_selector.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(selector_test)

namespace {

using api::FieldSelector;
using api::Labels;
using api::LabelSelector;

bool matches(std::string_view selector, const Labels& labels) {
  const api::Result<LabelSelector> parsed = LabelSelector::parse(selector);
  BOOST_REQUIRE_MESSAGE(parsed.ok(), selector);
  return parsed->matches(labels);
}

bool field_matches(std::string_view selector, const std::string& name, const std::string& in) {
  const api::Result<FieldSelector> parsed = FieldSelector::parse(selector);
  BOOST_REQUIRE_MESSAGE(parsed.ok(), selector);
  return parsed->matches({.name = name, .namespace_ = in});
}

}  // namespace

BOOST_AUTO_TEST_CASE(equality_needs_the_label_and_its_value) {
  for (const std::string_view selector : {"app=web", "app==web", " app = web "}) {
    BOOST_TEST(matches(selector, {{"app", "web"}}));
    BOOST_TEST(!matches(selector, {{"app", "db"}}));
    BOOST_TEST(!matches(selector, {}));
  }
  BOOST_TEST(matches("app=", {{"app", ""}}));
}

BOOST_AUTO_TEST_CASE(inequality_also_matches_what_lacks_the_label) {
  BOOST_TEST(matches("app!=web", {{"app", "db"}}));
  BOOST_TEST(matches("app!=web", {}));
  BOOST_TEST(!matches("app!=web", {{"app", "web"}}));
}

BOOST_AUTO_TEST_CASE(a_set_names_the_values_that_are_in_or_out) {
  BOOST_TEST(matches("app in (web, db)", {{"app", "db"}}));
  BOOST_TEST(!matches("app in (web,db)", {{"app", "cache"}}));
  BOOST_TEST(!matches("app in (web,db)", {}));
  BOOST_TEST(!matches("app notin (web,db)", {{"app", "web"}}));
  BOOST_TEST(matches("app notin (web,db)", {{"app", "cache"}}));
  BOOST_TEST(matches("app notin (web,db)", {}));
}

BOOST_AUTO_TEST_CASE(existence_looks_at_the_key_only) {
  BOOST_TEST(matches("app", {{"app", ""}}));
  BOOST_TEST(!matches("app", {{"tier", "x"}}));
  BOOST_TEST(matches("!app", {{"tier", "x"}}));
  BOOST_TEST(!matches("!app", {{"app", "web"}}));
}

BOOST_AUTO_TEST_CASE(all_requirements_must_hold) {
  const std::string_view selector = "app=web,tier in (front,edge),!legacy,example.com/team";
  const Labels labels{{"app", "web"}, {"tier", "edge"}, {"example.com/team", "a"}};
  BOOST_TEST(matches(selector, labels));
  for (const auto& [key, value] : labels) {
    Labels fewer = labels;
    fewer.erase(key);
    BOOST_TEST(!matches(selector, fewer), key);
  }
}

BOOST_AUTO_TEST_CASE(the_empty_selector_matches_everything_and_nothing_matches_nothing) {
  BOOST_TEST(matches("", {{"a", "b"}}));
  BOOST_TEST(LabelSelector::parse("  ")->is_everything());
  BOOST_TEST(!LabelSelector::nothing().matches({}));
  BOOST_TEST(!LabelSelector::nothing().is_everything());
  BOOST_TEST(LabelSelector::from({{"a", "b"}}).matches({{"a", "b"}, {"c", "d"}}));
}

// Mirrors TestMatchesNothing: what can match nothing is not what says so.
BOOST_AUTO_TEST_CASE(only_the_selector_of_nothing_says_that_it_is_one) {
  BOOST_TEST(LabelSelector::nothing().is_nothing());
  BOOST_TEST(!LabelSelector().is_nothing());
  BOOST_TEST(!LabelSelector::from({}).is_nothing());
  BOOST_TEST(!LabelSelector::from({{"key", "value"}}).is_nothing());
  for (const char* text : {"", "a", "!a", "a=b", "a!=b", "a in (b)", "a notin (b)", "a,!a",
                           "a=b,a!=b", "a in (b),a notin (b)"}) {
    BOOST_TEST(!LabelSelector::parse(text)->is_nothing(), text);
  }
}

BOOST_AUTO_TEST_CASE(a_selector_that_makes_no_sense_is_refused_and_quoted) {
  for (const std::string_view selector :
       {"=web", "app=web,", ",", "app in web", "app in (web", "app near (web)", "app=w@b", "a b",
        "!", "-app", "app=web tier=x", "app>five", "/name", "app=(web)"}) {
    const api::Result<LabelSelector> parsed = LabelSelector::parse(selector);
    BOOST_TEST(!parsed.ok(), selector);
    BOOST_TEST((parsed.ok() || parsed.error().message.find(selector) != std::string::npos),
               selector);
  }
}

/// What labels.Parse of apimachinery 0.37 takes and refuses; 60,000 generated selectors were held
/// against it.
BOOST_AUTO_TEST_CASE(keys_and_values_are_validated_as_upstream_does) {
  const std::string name63(63, 'a');
  const std::string prefix253 = std::string(251, 'a') + ".b";
  for (const std::string& key :
       {std::string("a"), std::string("Z-z"), std::string("A_b.c-D"), std::string("in"),
        std::string("notin"), name63, std::string("a.b/c"), std::string("a-b.c0/X_y"),
        std::string("0/1"), name63 + "/" + name63,
        // As upstream: a prefix is limited as a whole, not each label in it.
        std::string(64, 'a') + ".io/x", prefix253 + "/x"}) {
    BOOST_TEST(LabelSelector::parse(key).ok(), key);
    BOOST_TEST(LabelSelector::parse("!" + key).ok(), key);
    BOOST_TEST(LabelSelector::parse(key + "=v").ok(), key);
    BOOST_TEST(LabelSelector::parse(key + " in (v)").ok(), key);
  }
  for (const std::string& key :
       {std::string("A.b/c"), std::string("a..b/c"), std::string("-a/b"),
        std::string("a-/b"),  std::string("a.-b/c"), std::string("a-.b/c"),
        std::string(".a/b"),  std::string("a./b"),   std::string("a_b/c"),
        std::string("../IN"), std::string("Z.io/x"), std::string("ABC.io/x"),
        std::string("/x"),    std::string("a/"),     std::string("a/b/c"),
        std::string("-a"),    std::string("a-"),     std::string("_a"),
        std::string("a."),    std::string("a@b"),    std::string("\xc3\xa9"),
        name63 + "a",         "a/" + name63 + "a",   "a" + prefix253 + "/x"}) {
    BOOST_TEST(!LabelSelector::parse(key).ok(), key);
    BOOST_TEST(!LabelSelector::parse("!" + key).ok(), key);
    BOOST_TEST(!LabelSelector::parse("app," + key + "=v").ok(), key);
    BOOST_TEST(!LabelSelector::parse(key + " in (v)").ok(), key);
  }
  for (const std::string& value : {std::string(), std::string("in"), std::string("notin"), name63,
                                   std::string("A_b.c-D"), std::string("0")}) {
    BOOST_TEST(LabelSelector::parse("app=" + value).ok(), value);
    BOOST_TEST(LabelSelector::parse("app notin (" + value + ")").ok(), value);
  }
  for (const std::string& value : {name63 + "a", std::string("-a"), std::string("a-"),
                                   std::string("a/b"), std::string("\xc3\xa9")}) {
    BOOST_TEST(!LabelSelector::parse("app=" + value).ok(), value);
    BOOST_TEST(!LabelSelector::parse("app notin (b," + value + ")").ok(), value);
  }
}

BOOST_AUTO_TEST_CASE(every_blank_of_upstream_is_one) {
  for (const std::string_view selector :
       {"\napp\r=\tweb\n", "app\nin\r(\tweb\n,\rdb\t)\r", "\r\n!tier\n,\rapp\t"}) {
    BOOST_TEST(matches(selector, {{"app", "web"}}), selector);
  }
  BOOST_TEST(!LabelSelector::parse("app=web\vx").ok());
}

// Mirrors Lex of pkg/labels: a word or sign takes the NUL behind it along.
BOOST_AUTO_TEST_CASE(a_nul_ends_a_selector_where_a_token_would_begin) {
  const auto with_nuls = [](std::string text) {
    std::ranges::replace(text, '0', '\0');
    return text;
  };
  BOOST_TEST(LabelSelector::parse(with_nuls("0a b"))->is_everything());
  for (const char* const text : {"app0=web", "app=0web", "app=web0", "app=web00,x", "app=web 0x"}) {
    const std::string selector = with_nuls(text);
    BOOST_TEST(matches(selector, {{"app", "web"}}), text);
    BOOST_TEST(!matches(selector, {{"app", "shop"}}), text);
  }
  BOOST_TEST(!LabelSelector::parse(with_nuls("app=web0x")).ok());
  BOOST_TEST(!LabelSelector::parse(with_nuls("app=web,00x")).ok());
}

BOOST_AUTO_TEST_CASE(empty_values_stand_where_upstream_sees_them) {
  for (const std::string_view selector :
       {"app in ()", "app in (,)", "app in (a,)", "app in (,a)", "app in (a,,b)", "app in (,,)",
        "app in (,,,)", "app in (a,,)", "app in (,,a,,)"}) {
    BOOST_TEST(matches(selector, {{"app", ""}}), selector);
  }
  for (const std::string_view selector :
       {"app in (a b)", "app in ((a))", "app in (a", "app in (a,,", "app in a)", "app in (a))",
        "app in (=)", "app in (,", "app in ("}) {
    BOOST_TEST(!LabelSelector::parse(selector).ok(), selector);
  }
  BOOST_TEST(!matches("app in (a,b)", {{"app", ""}}));
}

BOOST_AUTO_TEST_CASE(operators_are_those_of_upstream) {
  for (const std::string_view selector :
       {"a===b", "a=!b", "a=>5", "a!b", "a!", "!!a", "!a=b", "!a in (b)", "a=in(b)", "a in(b",
        "a In (b)", "a notin b", "a,,b", ",a", "a,", "a=b,,", "a<5<6", "a=b=c"}) {
    BOOST_TEST(!LabelSelector::parse(selector).ok(), selector);
  }
  for (const std::string_view selector :
       {"a!=,b", "a==,b", "a in(b)", "a notin(b),in,notin", "in in (in)", "notin notin (notin)"}) {
    BOOST_TEST(LabelSelector::parse(selector).ok(), selector);
  }
}

BOOST_AUTO_TEST_CASE(numbers_are_compared_where_both_are_whole_numbers) {
  BOOST_TEST(matches("size>5", {{"size", "6"}}));
  BOOST_TEST(!matches("size>5", {{"size", "5"}}));
  BOOST_TEST(!matches("size > 5", {{"size", "06x"}}));
  BOOST_TEST(!matches("size>5", {}));
  BOOST_TEST(matches("size<5", {{"size", "-6"}}));
  BOOST_TEST(matches("size<10", {{"size", "9"}}));
  BOOST_TEST(!matches("size<5", {{"size", "5"}}));
  BOOST_TEST(!matches("size<5", {}));
  BOOST_TEST(matches("size<9223372036854775807", {{"size", "0"}}));
  BOOST_TEST(matches("size>4", {{"size", "+5"}}));  // as Go reads a number
  for (const char* const none : {"+-5", "++5", "+", "-", "", " 5", "5 "}) {
    BOOST_TEST(!matches("size<9", {{"size", none}}), none);
    BOOST_TEST(!matches("size>0", {{"size", none}}), none);
  }
  for (const std::string_view selector :
       {"a>", "a<", "a>b", "a>1.5", "a>-5", "a>+5", "a>0x5", "a>5x", "a>9223372036854775808"}) {
    BOOST_TEST(!LabelSelector::parse(selector).ok(), selector);
  }
}

// Mirrors TestRequirementConstructor, TestValidatedSelectorFromSet and TestParseOperator.
BOOST_AUTO_TEST_CASE(a_refusal_says_which_key_or_value_and_why) {
  const auto refusal = [](const std::string& selector) {
    const api::Result<LabelSelector> parsed = LabelSelector::parse(selector);
    return parsed.ok() ? "" : parsed.error().message;
  };
  const auto says = [&](const std::string& selector, const std::string& words) {
    const std::string text = refusal(selector);
    BOOST_TEST(text.find(words) != std::string::npos, selector + ": " + text);
  };
  says("A.b/c", "the label key \"A.b/c\" is invalid: its prefix must be a lowercase RFC 1123");
  says("/c", "its prefix must not be empty");
  says(std::string(254, 'a') + "/c", "its prefix must be no more than 253 characters");
  says("a/", "its name must not be empty");
  says(std::string(254, 'a'), "the label key \"" + std::string(254, 'a') +
                                  "\" is invalid: its name must be no more than 63 characters");
  says("a/b/c", "with at most one prefix");
  says("a=b_", "the label value \"b_\" is invalid: it must consist of letters, digits");
  says("a=" + std::string(64, 'a'), "the label value \"" + std::string(64, 'a') +
                                        "\" is invalid: it must be no more than 63 characters");
  says("a>b", "the value \"b\" is compared as a number");
  says("a<b", "the value \"b\" is compared as a number");
  says("a in (b,=)", "expected a comma or a label value, found \"=\"");
  for (const std::string found : {"b", "!", "exists", "("}) {
    says("a " + found, "expected an operator behind the key a, found \"" + found + "\"");
  }
  says("a=b,", "expected a label key, found the end");
}

BOOST_AUTO_TEST_CASE(fields_are_compared_for_equality_and_inequality) {
  BOOST_TEST(field_matches("metadata.name=demo", "demo", "x"));
  BOOST_TEST(field_matches("metadata.name==demo", "demo", "x"));
  BOOST_TEST(!field_matches("metadata.name=demo", "other", "x"));
  BOOST_TEST(!field_matches("metadata.name!=demo", "demo", "x"));
  BOOST_TEST(field_matches("metadata.name=demo,metadata.namespace!=x", "demo", "y"));
  BOOST_TEST(!field_matches("metadata.name=demo,metadata.namespace!=x", "demo", "x"));
  BOOST_TEST(field_matches("", "demo", "x"));
}

BOOST_AUTO_TEST_CASE(a_backslash_takes_the_meaning_from_a_sign) {
  BOOST_TEST(field_matches(R"(metadata.name=a\,b\=c\\d)", R"(a,b=c\d)", ""));
  BOOST_TEST(!FieldSelector::parse(R"(metadata.name=a\x)").ok());
  BOOST_TEST(!FieldSelector::parse("metadata.name=a=b").ok());
}

BOOST_AUTO_TEST_CASE(terms_of_nothing_are_no_terms) {
  for (const std::string_view selector :
       {"", ",", ",,", "=", "==", "!=", ",=,", "metadata.name=a,"}) {
    BOOST_TEST(field_matches(selector, "a", ""), selector);
  }
  for (const std::string_view selector :
       {"!", "=a", "!=a", "a=", "\\", "metadata.name=\\", "metadata.name===a", "metadata.name=!=a",
        "metadata.name =a", "metadata.name!demo=a"}) {
    BOOST_TEST(!FieldSelector::parse(selector).ok(), selector);
  }
  BOOST_TEST(field_matches("metadata.name=!a", "!a", ""));
  BOOST_TEST(field_matches("metadata.name= a ", " a ", ""));
}

BOOST_AUTO_TEST_CASE(an_unknown_field_is_refused_and_named) {
  const api::Result<FieldSelector> parsed = FieldSelector::parse("status.phase=Running");
  BOOST_REQUIRE(!parsed.ok());
  BOOST_TEST(parsed.error().message == "field label not supported: status.phase");
  BOOST_TEST(!FieldSelector::parse("metadata.name").ok());
  BOOST_TEST(!FieldSelector::parse("metadata.name!demo").ok());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
