// Every key of an expectation has values that do not hold: the rows below are held against the
// language's own catalogue of keys, so that a key which is added without a row fails here.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "scenarios/language/parse.hpp"
#include "sim/story/options.hpp"
#include "tests/scenarios/language/expectation_values.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;
using namespace watchlab::scenarios::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(expectation_keys_test)

namespace {

using sim::Record;

const sim::Symbols symbols{{"seven", "7"}, {"six", "6"},    {"mine", "u7"},
                           {"his", "u6"},  {"other", "70"}, {"born", "1"}};

const std::string head = R"(apiVersion: watchlab/v1
name: story
story: One. Two.
server:
  namespaces: [prod]
  objects:
    - {name: demo, rv_as: seven, uid_as: mine}
    - {name: other, rv_as: six, uid_as: his}
    - {name: demo, namespace: prod, rv_as: other, uid_as: born}
    - {name: other, namespace: prod}
    - {name: demo, namespace: ''}
)";

api::ObjectPtr object(const std::string& rv, const std::string& uid, const std::string& app,
                      const std::string& color) {
  api::Object made = sim::config_map_from({.name = "demo",
                                           .labels = {{"app", app}, {"empty", ""}},
                                           .data = {{"color", color}, {"empty", ""}}});
  made.metadata.resource_version = rv;
  made.metadata.uid = uid;
  return std::make_shared<const api::Object>(std::move(made));
}

api::ObjectPtr bare_object() {
  return std::make_shared<const api::Object>(sim::config_map_from({.name = "demo"}));
}

sim::DeltaType delta_type(const std::string& name) {
  using enum sim::DeltaType;
  const std::array types{Added, Updated, Deleted, Replaced, Sync};
  return *std::ranges::find(types, name, [](sim::DeltaType type) { return to_string(type); });
}

/// The client was served the object in a list, or by an event.
void serve(Record& record, sim::ServedType type, const api::ObjectPtr& object) {
  using enum watch::EventType;
  const std::array events{Bookmark, Added, Modified, Deleted};
  record.requests.push_back({.client = "one"});
  sim::AnswerRecord& answer = record.answers.emplace_back();
  if (type == sim::ServedType::Listed) {
    answer.list.items.push_back(object);
  } else {
    watch::Event event;
    event.type = events.at(static_cast<std::size_t>(type));
    event.object = object;
    answer.frames.push_back({.at = {}, .event = event});
  }
}

/// One thing happened in that layer, of that type.
Record record_of(const std::string& layer, const std::string& type, bool full) {
  const api::ObjectPtr after = full ? object("7", "u7", "web", "red") : bare_object();
  const api::ObjectPtr before = full ? object("6", "u6", "old", "blue") : bare_object();
  Record record;
  if (layer == "requests") {
    sim::RequestRecord request{.client = "one",
                               .verb = *sim::verb_named(type),
                               .answer = sim::AnswerKind::Ok,
                               .end = sim::StreamEnd::Closed};
    const bool names_one = request.verb != sim::Verb::List && request.verb != sim::Verb::Watch;
    if (names_one) {
      request.end.reset();
    }
    if (full) {
      request.options = {
          .resource_version = "7", .limit = 500, .label_selector = "a=b", .field_selector = "c=d"};
      request.delay = 900ms;
      request.key = "default/demo";
    }
    record.requests.push_back(request);
  } else if (layer == "deltas") {
    record.deltas.push_back({.client = "one",
                             .type = delta_type(type),
                             .key = "default/demo",
                             .object = after,
                             .tombstone = full,
                             .initial = full});
  } else if (layer == "handler") {
    record.calls.push_back({.client = "one",
                            .handler = "first",
                            .type = *sim::value_of<sim::CallType>(type),
                            .key = "default/demo",
                            .object = after,
                            .before = before,
                            .tombstone = full,
                            .initial = full});
  } else if (layer == "store") {
    record.stores["one"].push_back(after);
  } else if (layer == "served") {
    serve(record, *sim::value_of<sim::ServedType>(type), after);
  } else if (layer == "notes") {
    record.notes.push_back({.client = "one", .text = full ? "demo" : "bare"});
  } else if (layer == "objects") {
    record.writes.push_back(
        {.key = "default/demo", .revision = "7", .object = after, .resource = "configmaps"});
  }
  return record;
}

/// A file with these expectations, which must be a right one.
Scenario scenario_with(const std::string& kind, const std::vector<std::string>& expectations) {
  const std::string handlers = kind == "shared" ? ", handlers: [{name: first}]" : "";
  std::string text = head + "clients: [{name: one, kind: " + kind + handlers + "}]\nexpect:\n";
  for (const std::string& each : expectations) {
    text += "  - " + each + "\n";
  }
  const Parsed parsed = parse_scenario(text);
  for (const Problem& problem : parsed.problems) {
    BOOST_ERROR(describe("f", problem) + "\n" + text);
  }
  return parsed.scenario.value();
}

std::string kind_for(const std::string& layer) {
  return layer == "handler"    ? "shared"
         : layer == "requests" ? "external"
         : layer == "notes"    ? "go"
                               : "informer";
}

bool holds(const sim::Expectation& expectation, const Record& record) {
  return !sim::broken_by(expectation, record, symbols).has_value();
}

template <typename Rows>
auto row_of(const Rows& table, const Key& key) {
  const auto found = table.find(key.exact());
  return found != table.end() ? found : table.find(key.general());
}

/// A value under each way of comparing, with a record that has it or not.
void check_value(const Key& key, const Value& value, const Record& record, bool is_true) {
  std::vector<std::string> expectations;
  for (const std::string& mode : modes) {
    expectations.push_back(fmt::format("{}: {{{}: [{}]}}", key.layer, mode, key.entry(value.yaml)));
  }
  const Scenario scenario = scenario_with(kind_for(key.layer), expectations);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    // One is at most one, whatever it is.
    const bool should_hold = modes[i] == "never" ? !is_true : modes[i] == "at_most" || is_true;
    BOOST_TEST(holds(scenario.expectations[i], record) == should_hold,
               fmt::format("{} {} with {}", key.exact(), expectations[i],
                           is_true ? "its truth" : "another value"));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_key_has_values_that_do_not_hold) {
  std::set<std::string> used;
  for (const Key& key : all_keys()) {
    if (word_rows.contains(key.general()) || times_rows.contains(key.general())) {
      used.insert(key.general());
      continue;
    }
    const auto row = row_of(rows, key);
    BOOST_REQUIRE_MESSAGE(row != rows.end(), "no row for the key " + key.exact());
    used.insert(row->first);
    const auto is_wrong = [](const Value& value) { return !value.full && !value.bare; };
    const bool distinguished =
        std::any_of(row->second.begin(), row->second.end(),
                    [](const auto& value) { return value.full != value.bare; });
    BOOST_TEST((std::any_of(row->second.begin(), row->second.end(), is_wrong) || distinguished),
               "no wrong value for the key " + key.exact());
    for (const Value& value : row->second) {
      check_value(key, value, record_of(key.layer, key.type, true), value.full);
      check_value(key, value, record_of(key.layer, key.type, false), value.bare);
    }
  }
  for (const auto& [path, values] : rows) {
    BOOST_TEST(used.contains(path), "a row for a key that does not exist: " + path);
  }
  BOOST_TEST(used.size() == rows.size() + word_rows.size() + times_rows.size());
}

BOOST_AUTO_TEST_CASE(every_word_is_distinguished_from_every_other) {
  int compared = 0;
  for (const Key& key : all_keys()) {
    if (!word_rows.contains(key.general())) {
      continue;
    }
    BOOST_REQUIRE_GT(key.schema->choices.size(), 1U);
    for (const std::string& truth : key.schema->choices) {
      for (const std::string& said : key.schema->choices) {
        Record record = record_of("requests", key.type, true);
        sim::RequestRecord& request = record.requests[0];
        if (key.names.back() == "answer") {
          request.answer = sim::value_of<sim::AnswerKind>(truth).value();
        } else {
          request.end = sim::value_of<sim::StreamEnd>(truth).value();
        }
        const Scenario scenario = scenario_with(
            "external", {fmt::format("requests: {{exactly: [{}]}}", key.entry(said))});
        BOOST_TEST(holds(scenario.expectations[0], record) == (truth == said),
                   key.exact() + " " + said + " against " + truth);
        ++compared;
      }
    }
  }
  BOOST_TEST(compared > 100);
}

BOOST_AUTO_TEST_CASE(every_type_is_distinguished_from_every_other) {
  std::map<std::string, std::set<std::string>> types;
  for (const Key& key : all_keys()) {
    types[key.layer].insert(key.type);
  }
  BOOST_TEST(types["requests"].size() == 8U);
  BOOST_TEST(types["served"].size() == 4U);
  BOOST_TEST(types["deltas"].size() == 5U);
  BOOST_TEST(types["handler"].size() == 3U);
  for (const auto& [layer, names] : types) {
    for (const std::string& said : names) {
      const std::string entry = layer == "requests" ? said
                                : said.empty()      ? "demo"
                                                    : "{" + said + ": demo}";
      const Scenario scenario =
          scenario_with(kind_for(layer), {fmt::format("{}: {{exactly: [{}]}}", layer, entry)});
      for (const std::string& truth : names) {
        BOOST_TEST(
            holds(scenario.expectations[0], record_of(layer, truth, true)) == (truth == said),
            layer + ": " + said + " against " + truth);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(so_many_in_a_row_are_neither_more_nor_fewer) {
  for (const Key& key : all_keys()) {
    if (!times_rows.contains(key.general())) {
      continue;
    }
    Record record = record_of(key.layer, key.type, true);
    record.requests.resize(3 * record.requests.size(), record.requests.empty()
                                                           ? sim::RequestRecord()
                                                           : record.requests.front());
    record.answers.resize(3 * record.answers.size(),
                          record.answers.empty() ? sim::AnswerRecord() : record.answers.front());
    record.deltas.resize(3 * record.deltas.size(),
                         record.deltas.empty() ? sim::DeltaRecord() : record.deltas.front());
    record.calls.resize(3 * record.calls.size(),
                        record.calls.empty() ? sim::CallRecord() : record.calls.front());
    record.notes.resize(3 * record.notes.size(),
                        record.notes.empty() ? sim::SaidRecord() : record.notes.front());
    const auto held = [&](const std::string& mode, int times) {
      const std::string text =
          fmt::format("{}: {{{}: [{}]}}", key.layer, mode, key.entry(std::to_string(times)));
      return holds(scenario_with(kind_for(key.layer), {text}).expectations[0], record);
    };
    for (const std::string& mode : modes) {
      const bool allows_more = mode == "in_order" || mode == "at_least";
      BOOST_TEST(held(mode, 1) == allows_more, key.exact() + " once, " + mode);
      BOOST_TEST(held(mode, 2) == allows_more, key.exact() + " twice, " + mode);
      BOOST_TEST(held(mode, 3) == (mode != "never"), key.exact() + " three times, " + mode);
      const bool allows_fewer = mode == "never" || mode == "at_most";
      BOOST_TEST(held(mode, 4) == allows_fewer, key.exact() + " four times, " + mode);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_keys_of_an_expectation_are_those_that_are_tested_here) {
  std::set<std::string> names;
  for (const FieldSchema& field : language().fields) {
    names.insert(field.name);
    if (field_of(*field.value, "exactly") != nullptr) {
      std::vector<std::string> found;
      for (const FieldSchema& mode : field.value->fields) {
        if (mode.presence == Presence::OneOf) {  // objects also have a kind
          found.push_back(mode.name);
        }
      }
      BOOST_TEST(found == modes, boost::test_tools::per_element());
    }
  }
  std::set<std::string> tested = other_rows;
  for (const Key& key : all_keys()) {
    tested.insert(key.layer);
  }
  BOOST_TEST(names == tested, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_cause_of_an_end_is_distinguished_from_every_other) {
  const FieldSchema* ended = field_of(language(), "ended");
  BOOST_REQUIRE(ended != nullptr);
  for (const std::string& said : ended->value->choices) {
    const Scenario scenario = scenario_with("program", {"{of: one, ended: " + said + "}"});
    for (const std::string& truth : ended->value->choices) {
      Record record;
      if (truth != "running") {
        record.ends.push_back({.client = "one", .cause = *sim::value_of<sim::EndCause>(truth)});
      }
      BOOST_TEST(holds(scenario.expectations[0], record) == (truth == said), said + " " + truth);
      using enum sim::EndCause;
      record.ends.push_back({.client = "two", .cause = said == "other" ? Closed : Other});
      BOOST_TEST(holds(scenario.expectations[0], record) == (truth == said), said + " " + truth);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
