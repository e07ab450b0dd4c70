#include "scenarios/language/parse.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sim/faults/fault_catalogue.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(parse_test)

namespace {

const std::string head = R"(apiVersion: watchlab/v1
name: story
story: One. Two.
clients: [{name: informer, kind: informer}]
)";

/// What is wrong with a file that has these lines after the head, which has four.
std::string problems_with(const std::string& lines) {
  std::string text;
  for (const Problem& problem : parse_scenario(head + lines).problems) {
    text += describe("f", problem) + "\n";
  }
  return text;
}

struct Mistake {
  std::string lines;
  std::string sentence;
};

std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.lines; }

const std::vector<Mistake> mistakes{
    {"scirpt: []",
     "f:5:1: unknown key 'scirpt' in a scenario; expected apiVersion, name, story, transport, "
     "server, "
     "clients, program, script, until, within, expect, waived, questions, explore or schedule; did "
     "you mean "
     "\"script\"?\n"},
    {"questions: [{ask: how many, measure: {layer: deltas, verb: Snyc}}]",
     "f:5:38: no deltas are a 'Snyc'; expected Added, Updated, Deleted, Replaced, Sync, "
     "ReplacedAll, SyncAll or Bookmark; did you mean \"Sync\"?\n"},
    {"script: 5",
     "f:5:9: '5' where a list of steps belongs; expected a list, as in [{create: 5}]\n"},
    {"within: [5s]",
     "f:5:9: a list where a duration belongs; expected a number, zero or more, and a unit, like "
     "1500ms, 5s, 10m or 2h\n"},
    {"within: -5s",
     "f:5:9: '-5s' is not a duration; expected a number, zero or more, and a unit, like 1500ms, "
     "5s, 10m or 2h\n"},
    {"script: [{after: 1s}]",
     "f:5:10: a step that says nothing but 'after'; expected create, update, delete, patch, apply, "
     "fault, heal, start, stop, crash, add_handler, remove_handler, move, atomic or wait beside "
     "it, "
     "in the same entry\n"},
    {"script: [{create: demo, delete: demo}]",
     "f:5:25: 'delete' beside 'create' in a step; expected a step for each, or both in "
     "'atomic: [...]' at one instant\n"},
    {"script: [{create: demo}, {delete: dmeo}]",
     "f:5:35: unknown object 'dmeo'; expected demo; did you mean \"demo\"?\n"},
    {"script: [{when: {watching: informr}, create: demo}]",
     "f:5:28: unknown client 'informr'; expected informer; did you mean \"informer\"?\n"},
    {"script: [{heal: cut}]",
     "f:5:17: unknown fault 'cut'; expected a fault that a step before injects, as 'fault: "
     "cut_watch'\n"},
    {"script: [{fault: delay}]",
     "f:5:18: the fault 'delay' without details; expected a mapping, {delay: {…}}\n"},
    {"script: [{fault: {delay: {}}}]", "f:5:26: delay without 'by'; expected 'by: 5s'\n"},
    {"script: [{fault: {buffer_events: {every: 0s}}}]",
     "f:5:42: no time; expected a duration longer than 0s\n"},
    {"script: [{fault: {freeze_server: {server: 7}}}]",
     "f:5:43: the fault 'freeze_server' of server 7; expected server 0, the only one\n"},
    {"script: [{at: 1s, after: 1s, create: demo}]",
     "f:5:19: a step with 'at' and 'after'; expected one of at or after\n"},
    {"script: [{at: 9s, create: demo}, {wait: 2s}, {when: {synced: informer}, at: 10s, delete: "
     "demo}]",
     "f:5:77: a step at 10s below one that is not done before 11s; expected a later time, or the "
     "step in its place: steps come in their order\n"},
    {"expect: [{requests: {exactly: [LIST: {rv: 0}]}}]",
     "f:5:43: 0 without quotes is no text; expected \"0\"\n"},
    {"expect: [{requests: {exactly: [LIST: {rv: $born}]}}]",
     "f:5:43: unknown symbol 'born'; expected none: the file names no symbol\n"},
    {"expect: [{handler: {exactly: [added: demo]}}]",
     "f:5:31: unknown key 'added' in a handler call; expected add, update or delete; did you mean "
     "\"add\"?\n"},
    {"expect: [{store: {exactl: []}}]",
     "f:5:19: unknown key 'exactl' in objects; expected exactly, in_any_order, in_order, "
     "at_least, at_most or never; did you mean \"exactly\"?\n"},
    {"explore: {schedules: 0}",
     "f:5:22: '0' is not a number of schedules; expected a whole number from 1 to 1000000000\n"},
    {"server: {bulk_objects: 10000000}",
     "f:5:24: '10000000' is not a number of objects; expected a whole number from 0 to 50000\n"},
    {"within: 90000h", "f:5:9: '90000h' is too long; expected a duration of at most 87840h\n"},
    {"until: 2h\nwithin: 1h",
     "f:5:8: an end at 7200s in a story that takes at most 3600s; expected 'within: 7200s' or "
     "more\n"},
    {"script: [{at: 40m, create: demo}, {wait: 20m}, {after: 1s, delete: demo}]\nwithin: 1h",
     "f:5:48: a step at 3601s in a story that takes at most 3600s; expected 'within: 3601s' or "
     "more\n"},
    {"until: 3661d", "f:5:8: '3661d' is too long; expected a duration of at most 87840h\n"},
    {R"(server: {rv_as: "a\e[1m"})",
     "f:5:17: 'a\\u001b[1m' has a control character; expected a name of letters, digits and "
     "signs\n"},
    {"server: {objects: [{name: web, data: {color: yes}}]}",
     "f:5:46: yes without quotes is no text; expected \"yes\"\n"},
    {"until: 5",
     "f:5:8: '5' is not a duration; expected a number, zero or more, and a unit, like "
     "1500ms, 5s, 10m or 2h; did you mean \"5s\"?\n"},
    {"script: [{after: 1000000000000000d, create: demo}]",
     "f:5:18: '1000000000000000d' is too long; expected a duration of at most 87840h\n"},
    {"expect: [{requests: {exactly: [LIST: {ends: closed}]}}]",
     "f:5:39: unknown key 'ends' in a request; expected rv, delay, answer, limit, labels, fields "
     "or times\n"},
    {"until: quit",
     "f:5:8: 'quit' is not an ending; expected quiet, scripted, a duration or a "
     "condition; did you mean \"quiet\"?\n"},
};

/// What is wrong with an expectation about these clients; "" when nothing is.
std::string refusal_of(const std::string& clients, const std::string& expectation,
                       const std::string& script = "") {
  const std::string text = "apiVersion: watchlab/v1\nname: story\nstory: s\nclients: [" + clients +
                           "]\nscript: [{create: demo}" + script + "]\nexpect:\n  - " +
                           expectation + "\n";
  std::string sentences;
  for (const Problem& problem : parse_scenario(text).problems) {
    sentences += describe("f", problem);
  }
  return sentences;
}

}  // namespace

BOOST_DATA_TEST_CASE(a_mistake_is_named_with_its_place_and_a_hint, mistakes, mistake) {
  BOOST_TEST(problems_with(mistake.lines) == mistake.sentence);
}

BOOST_AUTO_TEST_CASE(what_is_not_recorded_of_a_kind_of_client_cannot_be_expected) {
  const std::map<std::string, std::set<std::string>> recorded{
      {"informer", {"requests", "deltas", "handler", "store"}},
      {"shared", {"requests", "handler", "store"}},
      {"program", {"requests", "deltas", "store", "ended"}},
      {"controller", {"requests", "store"}},
      {"fifo", {"requests"}},
      {"store", {"requests", "store"}}};
  for (const auto& [kind, layers] : recorded) {
    const std::string client = "{name: one, kind: " + kind + "}";
    for (const std::string layer : {"requests", "deltas", "handler", "store", "ended"}) {
      const std::vector<std::string> vacuous =
          layer == "ended"
              ? std::vector<std::string>{"ended: running"}
              : std::vector<std::string>{layer + ": {never: []}", layer + ": {exactly: []}",
                                         layer + ": {in_order: []}"};
      for (const std::string& expectation : vacuous) {
        const std::string text = refusal_of(client, expectation);
        BOOST_TEST(text.empty() == layers.contains(layer), kind + ": " + expectation + text);
        const std::string about = refusal_of(client, "{of: one, " + expectation + "}");
        BOOST_TEST(about.empty() == layers.contains(layer), kind + ": " + expectation + about);
      }
    }
  }
  BOOST_TEST(refusal_of("{name: web, kind: controller}", "deltas: {never: [Sync: demo]}") ==
             "f:7:5: 'deltas' of the controller 'web', of which nothing like that is recorded; "
             "expected requests, served or store");
  BOOST_TEST(refusal_of("{name: a, kind: informer}, {name: b, kind: fifo}",
                        "{of: b, store: {exactly: []}}") ==
             "f:7:13: 'store' of the fifo 'b', of which nothing like that is recorded; expected "
             "requests or served");
}

BOOST_AUTO_TEST_CASE(what_never_starts_cannot_be_expected_anything_of) {
  const std::string late = "{name: late, kind: informer, starts: later}";
  BOOST_TEST(refusal_of(late, "handler: {never: [add: demo]}") ==
             "f:7:5: an expectation about 'late', which never starts; expected a step with 'start: "
             "late'");
  BOOST_TEST(refusal_of(late, "handler: {never: [add: demo]}", ", {start: late}") == "");
  BOOST_TEST(refusal_of(late, "handler: {never: [add: demo]}", ", {atomic: [{start: late}]}") ==
             "");
  const std::string shared =
      "{name: one, kind: shared, handlers: [{name: here}, {name: later, starts: later}]}";
  BOOST_TEST(refusal_of(shared, "{to: later, handler: {never: [add: demo]}}") ==
             "f:7:5: an expectation about 'later', which nothing adds; expected a step with "
             "'add_handler: later'");
  BOOST_TEST(refusal_of(shared, "{to: later, handler: {exactly: []}}", ", {add_handler: later}") ==
             "");
  BOOST_TEST(refusal_of(shared, "{to: here, handler: {exactly: []}}") == "");
  const std::string adder =
      "{name: one, kind: shared, handlers: [{name: here, adds: later}, {name: later, starts: "
      "later}]}";
  BOOST_TEST(refusal_of(adder, "{to: later, handler: {exactly: []}}") == "");
}

BOOST_AUTO_TEST_CASE(only_calls_are_those_of_a_handler) {
  const std::string clients =
      "{name: one, kind: shared, handlers: [{name: a}]}, {name: two, kind: shared, handlers: "
      "[{name: b}]}";
  for (const std::string layer : {"requests", "store"}) {
    BOOST_TEST(refusal_of(clients, "{to: b, " + layer + ": {never: []}}") ==
               "f:7:13: '" + layer + "' of a handler; expected 'of' with the name of a client");
  }
  BOOST_TEST(refusal_of(clients, "{of: one, to: b, handler: {never: []}}") ==
             "f:7:5: the handler 'b' of the client 'one', which has no such handler; expected "
             "'of' or 'to'");
  BOOST_TEST(refusal_of(clients, "{of: two, to: b, handler: {never: []}}") == "");
  BOOST_TEST(refusal_of(clients, "{to: b, handler: {never: []}}") == "");
  BOOST_TEST(refusal_of(clients, "handler: {never: []}") != "");
}

BOOST_AUTO_TEST_CASE(who_adds_removes_and_refuses_is_of_the_kind_that_can) {
  const auto refused = [](const std::string& client) {
    return refusal_of(client, "requests: {never: []}");
  };
  const std::string other = "{name: x, kind: shared, handlers: [{name: there}]}, ";
  BOOST_TEST(refused("{name: one, kind: informer, handlers: [{name: a, removes: a}]}") != "");
  BOOST_TEST(refused("{name: one, kind: shared, handlers: [{name: a, removes: a}]}") == "");
  BOOST_TEST(refused("{name: one, kind: shared, handlers: [{name: a, removes: b}]}") != "");
  BOOST_TEST(refusal_of(other + "{name: one, kind: shared, handlers: [{name: a, adds: there}]}",
                        "{of: one, requests: {never: []}}") ==
             "f:4:110: the handler 'a' that adds or removes 'there' of another client; expected a "
             "handler of 'one'");
  BOOST_TEST(refused("{name: one, kind: store, refuses: 2}") == "");
  BOOST_TEST(refused("{name: one, kind: fifo, refuses: 2}") != "");
  BOOST_TEST(refused("{name: one, kind: store, refuses: 0}") != "");
}

BOOST_AUTO_TEST_CASE(many_objects_have_the_steps_that_they_need) {
  const auto steps = [](const std::string& lines) {
    return parse_scenario(head + lines).scenario.value().explore.steps;
  };
  BOOST_TEST(steps("") == 100'000);
  BOOST_TEST(steps("server: {bulk_objects: 600}") == 100'000);
  BOOST_TEST(steps("server: {bulk_objects: 50000}") == 5'000'000);
  BOOST_TEST(steps("server: {bulk_objects: 50000}\nexplore: {seed: 2}") == 5'000'000);
  BOOST_TEST(steps("server: {bulk_objects: 50000}\nexplore: {steps: 70}") == 70);
}

BOOST_AUTO_TEST_CASE(an_unknown_fault_names_the_nearest_one) {
  const std::string text = problems_with("script: [{fault: cut_wach}]");
  BOOST_TEST(text.starts_with(
      "f:5:18: 'cut_wach' is not a fault; did you mean \"cut_watch\"? Expected black_hole, "));
}

BOOST_AUTO_TEST_CASE(an_unknown_fault_is_compared_with_those_that_need_details_too) {
  const std::string text = problems_with("script: [{fault: delayy}]");
  for (const sim::FaultEntry& entry : sim::fault_catalogue()) {
    BOOST_TEST(text.find(entry.name) != std::string::npos, entry.name);
  }
  BOOST_TEST(text.find("; did you mean \"delay\"? Expected ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_key_is_not_read_under_two_names) {
  const std::string text =
      problems_with("server: {bulk_objects: 1, crowd: 5}\nscript: [{create: demo}]");
  BOOST_TEST(
      text.find("'crowd' beside 'bulk_objects', which it was called before") != std::string::npos,
      text);
}

BOOST_AUTO_TEST_CASE(the_name_of_before_of_a_key_is_read_with_a_note) {
  const Parsed parsed = parse_scenario(
      head +
      "transport: wire\nserver: {crowd: 7}\nscript: [{fault: {join_events: {linger: 2s}}}]\n");
  BOOST_REQUIRE(parsed.scenario.has_value());
  BOOST_TEST(parsed.scenario->server.bulk_objects == 7);
  BOOST_REQUIRE(parsed.notes.size() == 2U);
  BOOST_TEST(describe("f", parsed.notes.front()) ==
             "f:6:10: 'crowd' in a server is called 'bulk_objects' now");
  BOOST_TEST(describe("f", parsed.notes.back()) ==
             "f:7:33: 'linger' in join_events is called 'grace_period' now");
  const std::string written = scenario_text(*parsed.scenario);
  BOOST_TEST(written.find("bulk_objects: 7") != std::string::npos, written);
  BOOST_TEST(written.find("grace_period: 2000ms") != std::string::npos, written);
}

BOOST_AUTO_TEST_CASE(a_client_talks_to_a_replica_that_is_there) {
  const Parsed parsed = parse_scenario(
      "apiVersion: watchlab/v1\nname: a\nstory: s\nserver: {replicas: [{}, {lag: 1s}]}\n"
      "clients: [{name: x, kind: informer, replica: 2}]\n");
  BOOST_REQUIRE(parsed.problems.size() == 1U);
  BOOST_TEST(parsed.problems.front().expected == "a replica from 0 to 1");
}

BOOST_AUTO_TEST_CASE(no_damage_to_a_file_crashes_the_reader) {
  std::ifstream in("scenarios/relist/missed_delete.yaml");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  BOOST_REQUIRE(!text.empty());
  std::mt19937_64 engine(1);
  const std::string spice = "{}[]:,-&*!|>'\"%@`#\n \t\\$0";
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    for (std::uint64_t change = 0; change <= engine() % 6; ++change) {
      const std::size_t at = engine() % damaged.size();
      if (engine() % 3 == 0) {
        damaged.erase(at, 1 + engine() % 20);
      } else {
        damaged.insert(at, 1, spice[engine() % spice.size()]);
      }
    }
    const Parsed parsed = parse_scenario(damaged);
    BOOST_REQUIRE(parsed.scenario.has_value() == parsed.problems.empty());
  }
}

BOOST_AUTO_TEST_CASE(several_mistakes_are_reported_in_one_pass) {
  const std::string text = problems_with("scirpt: []\nwithin: soon\n");
  BOOST_TEST(text.find("scirpt") != std::string::npos);
  BOOST_TEST(text.find("soon") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_client_has_a_name_of_its_own) {
  const Parsed parsed = parse_scenario(
      "apiVersion: watchlab/v1\nname: a\nstory: s\n"
      "clients: [{name: x, kind: informer}, {name: x, kind: program}]\n");
  BOOST_REQUIRE(parsed.problems.size() == 1U);
  BOOST_TEST(parsed.problems.front().what == "the client 'x' for the second time");
}

BOOST_AUTO_TEST_CASE(another_version_of_the_language_is_refused) {
  const Parsed parsed = parse_scenario("apiVersion: watchlab/v2\nname: a\nstory: s\nclients: []\n");
  BOOST_REQUIRE(!parsed.problems.empty());
  BOOST_TEST(parsed.problems.front().nearest == "watchlab/v1");
}

BOOST_AUTO_TEST_CASE(a_step_reads_its_time_and_its_actions) {
  const Parsed parsed = parse_scenario(head + R"(script:
  - when: {watching: informer}
    after: 2s
    atomic:
      - create: {name: demo, data: {color: red}, rv_as: born}
      - fault: {cut_watch: {of: informer}}
)");
  BOOST_REQUIRE(parsed.scenario);
  const Step& step = parsed.scenario->script.at(0);
  BOOST_TEST((step.when->kind == sim::Condition::Kind::Watching));
  BOOST_TEST((step.after == std::chrono::seconds(2)));
  BOOST_REQUIRE(step.actions.size() == 2U);
  const auto& made = std::get<CreateAction>(step.actions[0]).object;
  BOOST_TEST(made.data.at("color") == "red");
  BOOST_TEST(made.rv_as == "born");
  BOOST_TEST(std::get<FaultAction>(step.actions[1]).fault.of == "informer");
}

BOOST_AUTO_TEST_CASE(the_hash_is_of_what_decides_a_run) {
  const auto hash_of = [](const std::string& text) {
    const Parsed parsed = parse_scenario(text);
    return parsed.scenario ? parsed.scenario->hash : 0;
  };
  const std::string with_step = head + "script: [{create: demo}]\n";
  std::string retold = with_step + "expect: [{store: {exactly: [demo]}}]\n# a remark\n";
  retold.replace(retold.find("One. Two."), 9, "Another.");
  BOOST_TEST(hash_of(with_step) == hash_of(retold));
  BOOST_TEST(hash_of(with_step) != hash_of(head + "script: [{create: other}]\n"));
  BOOST_TEST(hash_of(with_step) != 0U);
}

BOOST_AUTO_TEST_CASE(a_program_stands_in_for_clients) {
  const Parsed parsed =
      parse_scenario("apiVersion: watchlab/v1\nname: a\nstory: s\nprogram: stop_a_full_watcher\n");
  BOOST_TEST_REQUIRE(parsed.scenario.has_value());
  BOOST_TEST(parsed.scenario->program == "stop_a_full_watcher");
}

BOOST_AUTO_TEST_CASE(a_program_has_no_server_or_script) {
  const Parsed parsed = parse_scenario(
      "apiVersion: watchlab/v1\nname: a\nstory: s\nprogram: stop_a_full_watcher\n"
      "server: {rv_as: listed}\n");
  BOOST_TEST_REQUIRE(parsed.problems.size() == 1);
  BOOST_TEST(parsed.problems.front().what == "'server' beside a program");
}

BOOST_AUTO_TEST_CASE(a_story_needs_clients_or_a_program) {
  const Parsed parsed = parse_scenario("apiVersion: watchlab/v1\nname: a\nstory: s\n");
  BOOST_TEST_REQUIRE(parsed.problems.size() == 1);
  BOOST_TEST(parsed.problems.front().expected == "at least one client, or a program");
}

BOOST_AUTO_TEST_SUITE_END()
