#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <vector>

#include "scenarios/language/grammar.hpp"
#include "scenarios/language/parse.hpp"

using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(migrate_test)

namespace {

/// With every word that has another name now, among what must stay as it is.
const std::string old_story = R"(# crowd is said here, and stays
apiVersion: watchlab/v1
name: story
story: A crowd, and time to linger.
transport: wire

clients: [{name: informer, kind: informer}]   # who lists
server: {"crowd": 7}   # crowd
script:
  - when: {watching: informer}
    after: 1s
    atomic: [{create: {name: a, data: {a: ü}}}, {fault: {join_events: {linger: 2s}}}]  # so
  - atomic: [{fault: {join_events: {linger: 3s}}}, {fault: {join_events: {linger: 4s}}}]
)";
const std::string new_story = R"(# crowd is said here, and stays
apiVersion: watchlab/v1
name: story
story: A crowd, and time to linger.
transport: wire

clients: [{name: informer, kind: informer}]   # who lists
server: {"bulk_objects": 7}   # crowd
script:
  - when: {watching: informer}
    after: 1s
    atomic: [{create: {name: a, data: {a: ü}}}, {fault: {join_events: {grace_period: 2s}}}]  # so
  - atomic: [{fault: {join_events: {grace_period: 3s}}}, {fault: {join_events: {grace_period: 4s}}}]
)";

void add_former_names(const Schema& schema, std::set<std::string>& names) {
  for (const FieldSchema& field : schema.fields) {
    if (!field.former.empty()) {
      names.insert(field.former);
    }
    if (field.value != nullptr) {
      add_former_names(*field.value, names);
    }
  }
  if (schema.item != nullptr) {
    add_former_names(*schema.item, names);
  }
  for (const SchemaPtr& alternative : schema.alternatives) {
    add_former_names(*alternative, names);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(words_are_replaced_where_they_stand_and_nothing_else) {
  const Parsed before = parse_scenario(old_story);
  BOOST_REQUIRE(before.scenario.has_value());
  BOOST_TEST(migrated(old_story, before.renamings) == new_story);
  const Parsed after = parse_scenario(new_story);
  BOOST_REQUIRE(after.scenario.has_value());
  BOOST_TEST(after.renamings.empty());
  BOOST_TEST(scenario_text(*after.scenario) == scenario_text(*before.scenario));
}

BOOST_AUTO_TEST_CASE(the_story_of_this_test_has_every_word_that_is_still_read) {
  std::set<std::string> expected;
  add_former_names(*scenario_grammar().schema, expected);
  std::set<std::string> seen;
  for (const Renaming& renaming : parse_scenario(old_story).renamings) {
    seen.insert(renaming.old);
  }
  BOOST_TEST(!expected.empty());
  BOOST_TEST(seen == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(lines_may_end_as_elsewhere) {
  std::string text = old_story;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
    text.insert(at, "\r");
  }
  const std::string after = migrated(text, parse_scenario(text).renamings);
  BOOST_TEST(after.find("\"bulk_objects\": 7}   # crowd\r\n") != std::string::npos, after);
  BOOST_TEST(after.find("linger: ") == std::string::npos, after);
}

BOOST_AUTO_TEST_CASE(a_text_without_old_words_stays) {
  BOOST_TEST(migrated(new_story, parse_scenario(new_story).renamings) == new_story);
  BOOST_TEST(migrated("short", {{{3, 1}, "old", "new", "a thing"}}) == "short");
}

BOOST_AUTO_TEST_SUITE_END()
