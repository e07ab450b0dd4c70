#include "sim/story/expectation.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(expectation_test)

namespace {

using enum DeltaType;

Record with_deltas(const std::vector<DeltaType>& types) {
  Record record;
  for (const DeltaType type : types) {
    record.deltas.push_back({.client = "one", .type = type, .key = "default/demo"});
  }
  return record;
}

std::vector<DeltaPattern> patterns(const std::vector<DeltaType>& types) {
  std::vector<DeltaPattern> all;
  for (const DeltaType type : types) {
    all.push_back({.type = type, .object = {.name = "demo"}});
  }
  return all;
}

/// The sentence, up to what was seen; "" when it holds.
std::string sentence(Mode mode, const std::vector<DeltaType>& wanted,
                     const std::vector<DeltaType>& seen) {
  Expectation expectation;
  expectation.layer = Expected<DeltaPattern>{mode, patterns(wanted)};
  const std::string text = broken_by(expectation, with_deltas(seen), {}).value_or("");
  return text.substr(0, text.find("; seen"));
}

/// How a list of wanted things, a letter each, compares with a list of things that were seen.
struct Comparison {
  Mode mode;
  std::string wanted;
  std::string seen;
  bool holds;
  bool is_about_order = false;
};

const std::vector<Comparison> comparisons{
    {Mode::Exactly, "", "", true},
    {Mode::Exactly, "", "a", false},
    {Mode::Exactly, "a", "", false},
    {Mode::Exactly, "a", "a", true},
    {Mode::Exactly, "a", "b", false},
    {Mode::Exactly, "ab", "ab", true},
    {Mode::Exactly, "ab", "ba", false, true},
    {Mode::Exactly, "ab", "a", false},
    {Mode::Exactly, "ab", "abb", false},
    {Mode::Exactly, "aa", "a", false},
    {Mode::Exactly, "a", "aa", false},
    {Mode::Exactly, "abc", "abd", false},
    {Mode::InAnyOrder, "", "", true},
    {Mode::InAnyOrder, "", "a", false},
    {Mode::InAnyOrder, "ab", "ba", true},
    {Mode::InAnyOrder, "ab", "b", false},
    {Mode::InAnyOrder, "a", "ba", false},
    {Mode::InAnyOrder, "a", "ab", false},
    {Mode::InAnyOrder, "aa", "a", false},
    {Mode::InAnyOrder, "a", "aa", false},
    {Mode::InAnyOrder, "aab", "aba", true},
    {Mode::InAnyOrder, "aab", "abb", false},
    {Mode::InOrder, "", "", true},
    {Mode::InOrder, "", "a", true},
    {Mode::InOrder, "a", "", false},
    {Mode::InOrder, "a", "bac", true},
    {Mode::InOrder, "ab", "cacbc", true},
    {Mode::InOrder, "ab", "ba", false, true},
    {Mode::InOrder, "ab", "bba", false, true},
    {Mode::InOrder, "ab", "ac", false},
    {Mode::InOrder, "aa", "ab", false},
    {Mode::InOrder, "aa", "aba", true},
    {Mode::InOrder, "aba", "aab", false, true},
    {Mode::AtLeast, "", "", true},
    {Mode::AtLeast, "", "a", true},
    {Mode::AtLeast, "a", "", false},
    {Mode::AtLeast, "ab", "cbda", true},
    {Mode::AtLeast, "ab", "acd", false},
    {Mode::AtLeast, "aa", "ab", false},
    {Mode::AtLeast, "aa", "aba", true},
    {Mode::Never, "", "", true},
    {Mode::Never, "", "a", true},
    {Mode::Never, "a", "", true},
    {Mode::Never, "a", "b", true},
    {Mode::Never, "a", "a", false},
    {Mode::Never, "a", "bca", false},
    {Mode::Never, "ab", "cb", false},
    {Mode::Never, "ab", "ac", false},
    {Mode::Never, "aa", "a", false},
    {Mode::Never, "ab", "cd", true},
};

Expectation about_requests(const Comparison& comparison, Record& record) {
  Expected<RequestPattern> expected{comparison.mode, {}};
  for (const char letter : comparison.wanted) {
    expected.entries.push_back({.verb = Verb::List, .rv = std::string(1, letter)});
  }
  for (const char letter : comparison.seen) {
    RequestRecord request{.client = "one", .verb = Verb::List};
    request.options.resource_version = std::string(1, letter);
    record.requests.push_back(request);
  }
  return {.layer = expected};
}

Expectation about_deltas(const Comparison& comparison, Record& record) {
  Expected<DeltaPattern> expected{comparison.mode, {}};
  for (const char letter : comparison.wanted) {
    expected.entries.push_back(
        {.type = DeltaType::Sync, .object = {.name = std::string(1, letter)}});
  }
  for (const char letter : comparison.seen) {
    record.deltas.push_back(
        {.client = "one", .type = DeltaType::Sync, .key = "default/" + std::string(1, letter)});
  }
  return {.layer = expected};
}

Expectation about_calls(const Comparison& comparison, Record& record) {
  Expected<CallPattern> expected{comparison.mode, {}};
  for (const char letter : comparison.wanted) {
    expected.entries.push_back({.type = CallType::Add, .object = {.name = std::string(1, letter)}});
  }
  for (const char letter : comparison.seen) {
    record.calls.push_back(
        {.client = "one", .type = CallType::Add, .key = "default/" + std::string(1, letter)});
  }
  return {.layer = expected};
}

Expectation about_the_store(const Comparison& comparison, Record& record) {
  ExpectedStore expected{comparison.mode, {}};
  for (const char letter : comparison.wanted) {
    expected.entries.push_back({.name = std::string(1, letter)});
  }
  for (const char letter : comparison.seen) {
    api::Object object;
    object.metadata.name = std::string(1, letter);
    object.metadata.namespace_ = "default";
    record.stores["one"].push_back(std::make_shared<const api::Object>(object));
  }
  return {.layer = expected};
}

}  // namespace

BOOST_AUTO_TEST_CASE(exactly_means_these_and_no_others_in_this_order) {
  BOOST_TEST(sentence(Mode::Exactly, {Added, Deleted}, {Added, Deleted}) == "");
  BOOST_TEST(sentence(Mode::Exactly, {}, {}) == "");
  BOOST_TEST(sentence(Mode::Exactly, {Added, Deleted}, {Added}) ==
             "deltas: number 2 should be 'Deleted: demo', but there are only 1");
  BOOST_TEST(sentence(Mode::Exactly, {Added}, {Added, Sync}) ==
             "deltas: after the 1 expected ones came 'Sync: demo without an object'");
  BOOST_TEST(sentence(Mode::Exactly, {Added, Sync}, {Sync, Added}) ==
             "deltas: number 1 should be 'Added: demo', but is 'Sync: demo without an object'");
}

BOOST_AUTO_TEST_CASE(in_order_allows_others_between) {
  BOOST_TEST(sentence(Mode::InOrder, {Added, Deleted}, {Sync, Added, Sync, Deleted}) == "");
  BOOST_TEST(sentence(Mode::InOrder, {Added, Deleted}, {Deleted, Added}) ==
             "deltas: 'Deleted: demo' should come after 'Added: demo', but does not");
}

BOOST_AUTO_TEST_CASE(in_any_order_allows_no_others) {
  BOOST_TEST(sentence(Mode::InAnyOrder, {Added, Sync}, {Sync, Added}) == "");
  BOOST_TEST(sentence(Mode::InAnyOrder, {Added}, {Sync, Added}) ==
             "deltas: 'Sync: demo without an object' was not expected");
  BOOST_TEST(sentence(Mode::InAnyOrder, {Sync, Sync}, {Sync}) == "deltas: 'Sync: demo' is missing");
}

BOOST_AUTO_TEST_CASE(at_least_allows_others_but_counts) {
  BOOST_TEST(sentence(Mode::AtLeast, {Sync, Added}, {Added, Sync, Deleted}) == "");
  BOOST_TEST(sentence(Mode::AtLeast, {Sync, Sync}, {Added, Sync}) ==
             "deltas: 'Sync: demo' is missing");
}

BOOST_AUTO_TEST_CASE(never_names_the_first_that_came) {
  BOOST_TEST(sentence(Mode::Never, {Deleted}, {Added}) == "");
  BOOST_TEST(sentence(Mode::Never, {Deleted}, {Added, Deleted}) ==
             "deltas: 'Deleted: demo' should never come, but number 2 is 'Deleted: demo without an "
             "object'");
}

BOOST_AUTO_TEST_CASE(never_with_times_allows_fewer_in_a_row) {
  Expected<DeltaPattern> expected{Mode::Never, patterns({Sync})};
  expected.entries[0].times = 3;
  Expectation expectation;
  expectation.layer = expected;
  BOOST_TEST(
      !broken_by(expectation, with_deltas({Sync, Sync, Deleted, Sync, Sync}), {}).has_value());
  BOOST_TEST(broken_by(expectation, with_deltas({Deleted, Sync, Sync, Sync}), {}).value() ==
             "deltas: 'Sync: demo' should never come 3 times in a row, but does up to number 4");
}

BOOST_AUTO_TEST_CASE(loose_patterns_leave_the_strict_ones_their_match) {
  Record record = with_deltas({Sync, Sync});
  record.deltas[0].initial = true;
  Expected<DeltaPattern> expected{Mode::AtLeast, patterns({Sync, Sync})};
  expected.entries[1].initial = true;  // only the first record fits; the loose pattern must yield
  Expectation expectation;
  expectation.layer = expected;
  BOOST_TEST(!broken_by(expectation, record, {}).has_value());
}

BOOST_AUTO_TEST_CASE(times_stands_for_as_many_entries) {
  Expected<DeltaPattern> expected{Mode::Exactly, patterns({Sync})};
  expected.entries[0].times = 3;
  Expectation expectation;
  expectation.layer = expected;
  BOOST_TEST(!broken_by(expectation, with_deltas({Sync, Sync, Sync}), {}).has_value());
  BOOST_TEST(broken_by(expectation, with_deltas({Sync, Sync}), {}).has_value());
}

BOOST_AUTO_TEST_CASE(an_expectation_is_about_one_client) {
  Record record = with_deltas({Added});
  record.deltas[0].client = "two";
  Expectation expectation{.of = "one"};
  expectation.layer = Expected<DeltaPattern>{Mode::Exactly, {}};
  BOOST_TEST(!broken_by(expectation, record, {}).has_value());
  expectation.of = "two";
  BOOST_TEST(broken_by(expectation, record, {}).has_value());
}

BOOST_AUTO_TEST_CASE(each_way_of_comparing_fails_where_it_should_in_each_layer) {
  int layer = 0;
  for (const auto about : {about_requests, about_deltas, about_calls, about_the_store}) {
    ++layer;
    for (const Comparison& comparison : comparisons) {
      Record record;
      Expectation expectation = about(comparison, record);
      // Exactly has no order in a store; that things come in one order has no meaning there.
      const bool is_unordered =
          about == about_the_store && comparison.is_about_order && comparison.mode == Mode::Exactly;
      const std::string words = "layer " + std::to_string(layer) + ", mode " +
                                std::to_string(static_cast<int>(comparison.mode)) + ": " +
                                comparison.wanted + " against " + comparison.seen;
      const bool should_hold = comparison.holds || is_unordered;
      BOOST_TEST(!broken_by(expectation, record, {}).has_value() == should_hold, words);
      expectation.of = "one";
      BOOST_TEST(!broken_by(expectation, record, {}).has_value() == should_hold, words);
      // Of another client nothing was seen at all.
      expectation.of = "two";
      Record none;
      (void)about({comparison.mode, "", "", true}, none);
      BOOST_TEST(broken_by(expectation, record, {}).has_value() ==
                     broken_by(expectation, none, {}).has_value(),
                 words);
    }
  }
}

BOOST_AUTO_TEST_CASE(each_entry_gets_a_record_of_its_own_through_a_chain_of_exchanges) {
  // The first two wanted fit both of the first two seen, the third only the first: both must move.
  Record record = with_deltas({Sync, Sync, Sync});
  record.deltas[0].initial = true;
  record.deltas[0].tombstone = true;
  record.deltas[1].tombstone = true;
  for (const Mode mode : {Mode::AtLeast, Mode::InAnyOrder}) {
    Expected<DeltaPattern> expected{mode, patterns({Sync, Sync, Sync})};
    expected.entries[1].tombstone = true;
    expected.entries[2].initial = true;
    Expectation expectation{.layer = expected};
    BOOST_TEST(!broken_by(expectation, record, {}).has_value());
    expected.entries[0].initial = true;  // two want the one that is initial
    expectation.layer = expected;
    BOOST_TEST(broken_by(expectation, record, {}).has_value());
  }
}

BOOST_AUTO_TEST_CASE(calls_are_those_of_one_client_and_of_one_handler) {
  Record record;
  record.calls.push_back(
      {.client = "one", .handler = "first", .type = CallType::Add, .key = "default/a"});
  record.calls.push_back(
      {.client = "two", .handler = "one", .type = CallType::Add, .key = "default/b"});
  const auto seen_by = [&](const std::string& of, const std::string& to) {
    std::string names;
    for (const std::string name : {"a", "b"}) {
      Expectation expectation{.of = of, .to = to};
      expectation.layer =
          Expected<CallPattern>{Mode::AtLeast, {{.type = CallType::Add, .object = {.name = name}}}};
      names += broken_by(expectation, record, {}).has_value() ? "" : name;
    }
    return names;
  };
  BOOST_TEST(seen_by("", "") == "ab");
  BOOST_TEST(seen_by("one", "") == "a");
  BOOST_TEST(seen_by("two", "") == "b");
  BOOST_TEST(seen_by("", "first") == "a");
  BOOST_TEST(seen_by("", "one") == "b");
  BOOST_TEST(seen_by("one", "first") == "a");
  BOOST_TEST(seen_by("one", "one") == "");
  BOOST_TEST(seen_by("three", "") == "");
  BOOST_TEST(seen_by("", "third") == "");
}

BOOST_AUTO_TEST_CASE(a_message_names_whose_calls_it_is_about_and_lists_them_all) {
  Record record;
  for (const std::string name : {"a", "b"}) {
    record.calls.push_back({.client = "one", .handler = "first", .key = "default/" + name});
  }
  Expectation expectation{.of = "one"};
  expectation.layer =
      Expected<CallPattern>{Mode::Exactly, {{.object = {.name = "a"}}, {.object = {.name = "c"}}}};
  const auto words = [&] { return broken_by(expectation, record, {}).value_or(""); };
  BOOST_TEST(words().starts_with("handler calls of one: number 2 should be"), words());
  BOOST_TEST(words().find("'add: c', but is 'add: b without") != std::string::npos, words());
  BOOST_TEST(words().find("\n    1. add: a without an object") != std::string::npos, words());
  BOOST_TEST(words().find("\n    2. add: b without") != std::string::npos, words());
  expectation.to = "first";
  BOOST_TEST(words().starts_with("handler calls of first: number 2 should be"), words());
}

/// Of what is missing no entry is to blame.
BOOST_AUTO_TEST_CASE(the_entry_that_breaks_an_expectation_is_named) {
  Record record;
  record.notes = {{.client = "other", .text = "x"},
                  {.client = "one", .text = "a"},
                  {.client = "one", .text = "b"},
                  {.client = "one", .text = "b"}};
  const auto at = [](std::size_t second) {
    return runtime::TimePoint() + std::chrono::seconds(second);
  };
  for (std::size_t i = 0; i < record.notes.size(); ++i) {
    record.notes[i].at = at(i);
  }
  using Notes = Expected<NotePattern>;
  const auto blamed = [&](Mode mode, const std::vector<std::string>& wanted) {
    Notes notes{.mode = mode};
    for (const std::string& text : wanted) {
      notes.entries.push_back({.text = text});
    }
    const auto entry = breaking_entry({.of = "one", .layer = notes}, record, {});
    return entry ? std::chrono::round<std::chrono::seconds>(entry->at - at(0)).count() : -1;
  };
  BOOST_TEST(blamed(Mode::Exactly, {"a", "b", "b"}) == -1);
  BOOST_TEST(blamed(Mode::Exactly, {"b"}) == 1);
  BOOST_TEST(blamed(Mode::Exactly, {"a", "b"}) == 3);
  BOOST_TEST(blamed(Mode::Exactly, {"a", "b", "b", "c"}) == -1);
  BOOST_TEST(blamed(Mode::InAnyOrder, {"b", "b"}) == 1);
  BOOST_TEST(blamed(Mode::InAnyOrder, {"b", "b", "a", "c"}) == -1);
  BOOST_TEST(blamed(Mode::InOrder, {"b", "a"}) == -1);
  BOOST_TEST(blamed(Mode::AtLeast, {"c"}) == -1);
  BOOST_TEST(blamed(Mode::Never, {"b"}) == 2);
  Notes often{.mode = Mode::Never, .entries = {{.text = "b", .times = 2}}};
  BOOST_TEST(
      (breaking_entry({.of = "one", .layer = often}, record, {}) ==
       NamedEntry{
           .kind = EntryKind::Note, .at = at(3), .client = "one", .words = "b", .trace = "b"}));
  record.requests = {{.client = "one", .verb = Verb::List}};
  record.asked = {{.client = "one", .verb = Verb::Create, .key = "default/demo"}};
  const Expected<RequestPattern> none{.mode = Mode::Never, .entries = {{.verb = Verb::Create}}};
  BOOST_TEST((breaking_entry({.of = "one", .layer = none}, record, {}) ==
              NamedEntry{.kind = EntryKind::Request,
                         .client = "one",
                         .key = "default/demo",
                         .words = "CREATE demo at once answered pending",
                         .trace = "CREATE default/demo",
                         .sent = runtime::TimePoint()}));
  BOOST_TEST(!breaking_entry({.layer = ExpectedEnd{EndCause::Done}}, record, {}).has_value());
}

BOOST_AUTO_TEST_CASE(each_entry_of_a_message_is_one_line) {
  Record record;
  record.notes = {{.client = "one", .text = "said\nforged\r\033[31m"}};
  Expectation expectation;
  expectation.layer = Expected<NotePattern>{.mode = Mode::Exactly, .entries = {{.text = "a\nb"}}};
  BOOST_TEST(broken_by(expectation, record, {}).value_or("") ==
             "notes: number 1 should be 'a\\nb', but is 'said\\nforged\\r\\u001b[31m'; seen:\n"
             "    1. said\\nforged\\r\\u001b[31m");
}

BOOST_AUTO_TEST_CASE(a_store_is_that_of_one_client) {
  Record record;
  (void)about_the_store({Mode::Exactly, "", "a", true}, record);
  record.stores["two"];
  Expectation expectation{.of = "two", .layer = ExpectedStore{Mode::Exactly, {}}};
  BOOST_TEST(!broken_by(expectation, record, {}).has_value());
  expectation.of = "one";
  BOOST_TEST(broken_by(expectation, record, {}).has_value());
  expectation.of = "";
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
  expectation.layer = ExpectedEnd{EndCause::KeyError};
  BOOST_TEST(broken_by(expectation, {}, {}).value_or("") ==
             "end should be 'key_error', but is 'running'");
  Record record;
  record.ends.push_back({.client = "one", .cause = EndCause::KeyError});
  BOOST_TEST(!broken_by(expectation, record, {}).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
