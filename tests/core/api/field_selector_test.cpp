// What the tests of apimachinery's pkg/fields say of selectors, with the two fields that are known.
#include "core/api/field_selector.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(field_selector_test)

namespace {

using api::FieldRequirement;
using api::FieldSelector;
using Requirements = std::vector<FieldRequirement>;

FieldRequirement name_is(std::string value, bool equal = true) {
  return {.field = "metadata.name", .value = std::move(value), .equal = equal};
}
FieldRequirement namespace_is(std::string value, bool equal = true) {
  return {.field = "metadata.namespace", .value = std::move(value), .equal = equal};
}

bool matches(std::string_view text, const std::string& name, const std::string& in) {
  const api::Result<FieldSelector> parsed = FieldSelector::parse(text);
  BOOST_REQUIRE_MESSAGE(parsed.ok(), text);
  return parsed->matches({.name = name, .namespace_ = in});
}

}  // namespace

// Mirrors TestSplitTerms, TestSplitTerm, TestEscapeValue and the good texts of TestSelectorParse.
BOOST_AUTO_TEST_CASE(a_text_is_read_as_these_requirements) {
  struct Row {
    std::string_view text;
    Requirements requirements;
  };
  const std::vector<Row> rows{
      {"", {}},
      {"metadata.name=a", {name_is("a")}},
      {"metadata.name==a", {name_is("a")}},
      {"metadata.name!=a", {name_is("a", false)}},
      {"metadata.name=", {name_is("")}},
      {"metadata.name=a,metadata.namespace==b", {name_is("a"), namespace_is("b")}},
      {"metadata.namespace!=b,metadata.name=a", {namespace_is("b", false), name_is("a")}},
      {"metadata.name=a,", {name_is("a")}},
      {",metadata.name=a", {name_is("a")}},
      {R"(metadata.name=\,,metadata.namespace=b)", {name_is(","), namespace_is("b")}},
      {R"(metadata.name=\\,metadata.namespace=b)", {name_is("\\"), namespace_is("b")}},
      {R"(metadata.name=\\\,,metadata.namespace=b)", {name_is("\\,"), namespace_is("b")}},
      {R"(metadata.name=\=)", {name_is("=")}},
      {R"(metadata.name=\\\=\\\,\\)", {name_is(R"(\=\,\)")}},
      {R"(metadata.name=a||y\=b)", {name_is("a||y=b")}},
      {R"(metadata.name=a\=\=b)", {name_is("a==b")}},
      {"metadata.name=\xec\x88\x98,metadata.namespace=\xeb\xa1\x9d",
       {name_is("\xec\x88\x98"), namespace_is("\xeb\xa1\x9d")}},
  };
  for (const Row& row : rows) {
    const api::Result<FieldSelector> parsed = FieldSelector::parse(row.text);
    BOOST_REQUIRE_MESSAGE(parsed.ok(), row.text);
    BOOST_TEST((parsed->requirements() == row.requirements), row.text);
    BOOST_TEST(parsed->is_everything() == row.requirements.empty(), row.text);
  }
}

// Mirrors TestSplitTerms, TestSplitTerm and TestSelectorParse, with fields as they are there.
BOOST_AUTO_TEST_CASE(terms_of_any_field_are_read_in_their_order) {
  struct Row {
    std::string_view text;
    Requirements requirements;
  };
  const auto is = [](std::string field, std::string value, bool equal = true) {
    return FieldRequirement{.field = std::move(field), .value = std::move(value), .equal = equal};
  };
  const std::vector<Row> rows{
      {"", {}},
      {"a=avalue", {is("a", "avalue")}},
      {"a=avalue,b==bvalue,c!=cvalue",
       {is("a", "avalue"), is("b", "bvalue"), is("c", "cvalue", false)}},
      {"x=a,y=b,z=c", {is("x", "a"), is("y", "b"), is("z", "c")}},
      {R"(x=a||y\=b)", {is("x", "a||y=b")}},
      {R"(k=\,,k2=v2)", {is("k", ","), is("k2", "v2")}},
      {R"(k=\\\,,k2=v2)", {is("k", R"(\,)"), is("k2", "v2")}},
      {"\xed\x95\xa8=\xec\x88\x98,\xeb\xaa\xa9=\xeb\xa1\x9d",
       {is("\xed\x95\xa8", "\xec\x88\x98"), is("\xeb\xaa\xa9", "\xeb\xa1\x9d")}},
  };
  for (const Row& row : rows) {
    const auto parsed = api::parse_field_requirements(row.text);
    BOOST_REQUIRE_MESSAGE(parsed.ok(), row.text);
    BOOST_TEST((*parsed == row.requirements), row.text);
  }
  for (const std::string_view text : {"x=a||y=b", "x==a==b", "x=a,b", "x in (a)", "x in (a,b,c)",
                                      "x", R"(k=\a\b\)", R"(k=\)", R"(k=\\\a\b\=\,\)"}) {
    BOOST_TEST(!api::parse_field_requirements(text).ok(), text);
  }
}

// Mirrors the bad texts of TestSelectorParse and TestEscapeValue.
BOOST_AUTO_TEST_CASE(these_texts_are_refused) {
  for (const std::string_view text :
       {"metadata.name=a||y=b", "metadata.name==a==b", "metadata.name=a,b", "metadata.name in (a)",
        "metadata.name in (a,b,c)", "metadata.name", R"(metadata.name=\)", R"(metadata.name=\\\)",
        R"(metadata.name=\a)", R"(metadata.name=\a\b\)"}) {
    const api::Result<FieldSelector> parsed = FieldSelector::parse(text);
    BOOST_TEST(!parsed.ok(), text);
    BOOST_TEST((parsed.ok() || parsed.error().message.find(text) != std::string::npos), text);
  }
}

// Mirrors TestSelectorMatches, TestEverything, TestSetMatches, TestOneTermEqualSelector.
BOOST_AUTO_TEST_CASE(all_terms_must_hold) {
  BOOST_TEST(matches("", "bar", "blah"));
  BOOST_TEST(matches("metadata.name=bar", "bar", "blah"));
  BOOST_TEST(matches("metadata.namespace=blah", "bar", "blah"));
  BOOST_TEST(matches("metadata.name=bar,metadata.namespace=blah", "bar", "blah"));
  BOOST_TEST(matches("metadata.name!=x,metadata.namespace!=y", "bar", "blah"));
  BOOST_TEST(
      matches(R"(metadata.namespace=blah,metadata.name=\=value\\\,\\)", R"(=value\,\)", "blah"));
  BOOST_TEST(!matches("metadata.name=blah", "bar", "blah"));
  BOOST_TEST(!matches("metadata.namespace=bar", "bar", "blah"));
  BOOST_TEST(!matches("metadata.name=x,metadata.namespace=blah", "bar", "blah"));
  BOOST_TEST(!matches("metadata.name!=x,metadata.namespace!=blah", "bar", "blah"));
  BOOST_TEST(!matches(R"(metadata.name=\=bar)", "bar", "blah"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
