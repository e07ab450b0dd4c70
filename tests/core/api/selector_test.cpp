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

BOOST_AUTO_TEST_CASE(a_selector_that_makes_no_sense_is_refused_and_quoted) {
  for (const std::string_view selector :
       {"=web", "app=web,", ",", "app in web", "app in (web", "app near (web)", "app=w@b", "a b",
        "!", "-app", "app=web tier=x", "app>5", "/name", "app=(web)"}) {
    const api::Result<LabelSelector> parsed = LabelSelector::parse(selector);
    BOOST_TEST(!parsed.ok(), selector);
    BOOST_TEST((parsed.ok() || parsed.error().message.find(selector) != std::string::npos),
               selector);
  }
}

bool field_matches(std::string_view selector, const std::string& name, const std::string& in) {
  const api::Result<FieldSelector> parsed = FieldSelector::parse(selector);
  BOOST_REQUIRE_MESSAGE(parsed.ok(), selector);
  return parsed->matches({.name = name, .namespace_ = in});
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

BOOST_AUTO_TEST_CASE(an_unknown_field_is_refused_and_named) {
  const api::Result<FieldSelector> parsed = FieldSelector::parse("status.phase=Running");
  BOOST_REQUIRE(!parsed.ok());
  BOOST_TEST(parsed.error().message == "field label not supported: status.phase");
  BOOST_TEST(!FieldSelector::parse("metadata.name").ok());
  BOOST_TEST(!FieldSelector::parse("metadata.name!demo").ok());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace watchlab::tests
