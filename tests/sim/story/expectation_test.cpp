#include "sim/story/expectation.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(expectation_test)

namespace {

Record with_deltas(const std::vector<std::string>& types) {
  Record record;
  for (const std::string& type : types) {
    record.deltas.push_back({.client = "one", .type = type, .key = "default/demo"});
  }
  return record;
}

std::vector<DeltaPattern> patterns(const std::vector<std::string>& types) {
  std::vector<DeltaPattern> all;
  for (const std::string& type : types) {
    all.push_back({.type = type, .object = {.name = "demo"}});
  }
  return all;
}

/// The sentence, up to what was seen; "" when it holds.
std::string sentence(Mode mode, const std::vector<std::string>& wanted,
                     const std::vector<std::string>& seen) {
  Expectation expectation;
  expectation.layer = Expected<DeltaPattern>{mode, patterns(wanted)};
  const std::string text = broken_by(expectation, with_deltas(seen), {}).value_or("");
  return text.substr(0, text.find("; seen"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(exactly_means_these_and_no_others_in_this_order) {
  BOOST_TEST(sentence(Mode::Exactly, {"Added", "Deleted"}, {"Added", "Deleted"}) == "");
  BOOST_TEST(sentence(Mode::Exactly, {}, {}) == "");
  BOOST_TEST(sentence(Mode::Exactly, {"Added", "Deleted"}, {"Added"}) ==
             "deltas: number 2 should be 'Deleted: demo', but there are only 1");
  BOOST_TEST(sentence(Mode::Exactly, {"Added"}, {"Added", "Sync"}) ==
             "deltas: after the 1 expected ones came 'Sync: demo without an object'");
  BOOST_TEST(sentence(Mode::Exactly, {"Added", "Sync"}, {"Sync", "Added"}) ==
             "deltas: number 1 should be 'Added: demo', but is 'Sync: demo without an object'");
}

BOOST_AUTO_TEST_CASE(in_order_allows_others_between) {
  BOOST_TEST(sentence(Mode::InOrder, {"Added", "Deleted"}, {"Sync", "Added", "Sync", "Deleted"}) ==
             "");
  BOOST_TEST(sentence(Mode::InOrder, {"Added", "Deleted"}, {"Deleted", "Added"}) ==
             "deltas: 'Deleted: demo' should come after 'Added: demo', but does not");
}

BOOST_AUTO_TEST_CASE(in_any_order_allows_no_others) {
  BOOST_TEST(sentence(Mode::InAnyOrder, {"Added", "Sync"}, {"Sync", "Added"}) == "");
  BOOST_TEST(sentence(Mode::InAnyOrder, {"Added"}, {"Sync", "Added"}) ==
             "deltas: 'Sync: demo without an object' was not expected");
  BOOST_TEST(sentence(Mode::InAnyOrder, {"Sync", "Sync"}, {"Sync"}) ==
             "deltas: 'Sync: demo' is missing");
}

BOOST_AUTO_TEST_CASE(at_least_allows_others_but_counts) {
  BOOST_TEST(sentence(Mode::AtLeast, {"Sync", "Added"}, {"Added", "Sync", "Deleted"}) == "");
  BOOST_TEST(sentence(Mode::AtLeast, {"Sync", "Sync"}, {"Added", "Sync"}) ==
             "deltas: 'Sync: demo' is missing");
}

BOOST_AUTO_TEST_CASE(never_names_the_first_that_came) {
  BOOST_TEST(sentence(Mode::Never, {"Deleted"}, {"Added"}) == "");
  BOOST_TEST(sentence(Mode::Never, {"Deleted"}, {"Added", "Deleted"}) ==
             "deltas: 'Deleted: demo' should never come, but number 2 is 'Deleted: demo without an "
             "object'");
}

BOOST_AUTO_TEST_CASE(loose_patterns_leave_the_strict_ones_their_match) {
  Record record = with_deltas({"Sync", "Sync"});
  record.deltas[0].initial = true;
  Expected<DeltaPattern> expected{Mode::AtLeast, patterns({"Sync", "Sync"})};
  expected.entries[1].initial = true;  // only the first record fits; the loose pattern must yield
  Expectation expectation;
  expectation.layer = expected;
  BOOST_TEST(!broken_by(expectation, record, {}).has_value());
}

BOOST_AUTO_TEST_CASE(times_stands_for_as_many_entries) {
  Expected<DeltaPattern> expected{Mode::Exactly, patterns({"Sync"})};
  expected.entries[0].times = 3;
  Expectation expectation;
  expectation.layer = expected;
  BOOST_TEST(!broken_by(expectation, with_deltas({"Sync", "Sync", "Sync"}), {}).has_value());
  BOOST_TEST(broken_by(expectation, with_deltas({"Sync", "Sync"}), {}).has_value());
}

BOOST_AUTO_TEST_CASE(an_expectation_is_about_one_client) {
  Record record = with_deltas({"Added"});
  record.deltas[0].client = "two";
  Expectation expectation{.of = "one"};
  expectation.layer = Expected<DeltaPattern>{Mode::Exactly, {}};
  BOOST_TEST(!broken_by(expectation, record, {}).has_value());
  expectation.of = "two";
  BOOST_TEST(broken_by(expectation, record, {}).has_value());
}

BOOST_AUTO_TEST_CASE(a_store_has_no_order) {
  Record record;
  for (const char* name : {"b", "a"}) {
    api::Object object;
    object.metadata.name = name;
    object.metadata.namespace_ = "default";
    record.stores["one"].push_back(std::make_shared<const api::Object>(object));
  }
  Expectation expectation;
  expectation.layer = ExpectedStore{Mode::Exactly, {{.name = "a"}, {.name = "b"}}};
  BOOST_TEST(!broken_by(expectation, record, {}).has_value());
  expectation.layer = ExpectedStore{Mode::Exactly, {{.name = "a"}}};
  BOOST_TEST(broken_by(expectation, record, {}).has_value());
}

BOOST_AUTO_TEST_CASE(a_client_that_has_not_ended_is_running) {
  Expectation expectation;
  expectation.layer = ExpectedEnd{"key_error"};
  BOOST_TEST(broken_by(expectation, {}, {}).value_or("") ==
             "end should be 'key_error', but is 'running'");
  Record record;
  record.ends.push_back({.client = "one", .cause = "key_error"});
  BOOST_TEST(!broken_by(expectation, record, {}).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
