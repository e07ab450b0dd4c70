#include "scenarios/language/parse.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <ostream>
#include <random>
#include <string>
#include <vector>

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
    text += sentence_of("f", problem) + "\n";
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
     "clients, program, script, until, within, expect, waived, explore or schedule; did you mean "
     "\"script\"?\n"},
    {"script: 5", "f:5:9: '5' where a list of steps belongs; expected a list of steps\n"},
    {"within: [5s]",
     "f:5:9: a list where a duration belongs; expected a number, zero or more, and a unit, like "
     "1500ms, 5s, 10m or 2h\n"},
    {"within: -5s",
     "f:5:9: '-5s' is not a duration; expected a number, zero or more, and a unit, like 1500ms, "
     "5s, 10m or 2h\n"},
    {"script: [{after: 1s}]",
     "f:5:10: a step that says nothing; expected create, update, delete, fault, heal, start, stop, "
     "add_handler, remove_handler, move, atomic or wait\n"},
    {"script: [{create: demo, delete: demo}]",
     "f:5:25: 'delete' beside 'create' in a step; expected one of create, update, delete, fault, "
     "heal, start, stop, add_handler, remove_handler, move, atomic or wait\n"},
    {"script: [{create: demo}, {delete: dmeo}]",
     "f:5:35: unknown object 'dmeo'; expected demo; did you mean \"demo\"?\n"},
    {"script: [{when: {watching: informr}, create: demo}]",
     "f:5:28: unknown client 'informr'; expected informer; did you mean \"informer\"?\n"},
    {"script: [{heal: cut}]",
     "f:5:17: unknown fault 'cut'; expected none: the file names no fault\n"},
    {"script: [{fault: delay}]",
     "f:5:18: the fault 'delay' without details; expected a mapping, {delay: {…}}\n"},
    {"script: [{fault: {delay: {}}}]", "f:5:26: delay without 'by'; expected by\n"},
    {"script: [{at: 1s, after: 1s, create: demo}]",
     "f:5:10: a step with 'at' and 'after'; expected one of at or after\n"},
    {"expect: [{requests: {exactly: [LIST: {rv: 0}]}}]",
     "f:5:43: 0 without quotes is no text; expected \"0\"\n"},
    {"expect: [{requests: {exactly: [LIST: {rv: $born}]}}]",
     "f:5:43: unknown symbol 'born'; expected none: the file names no symbol\n"},
    {"expect: [{handler: {exactly: [added: demo]}}]",
     "f:5:31: unknown key 'added' in a handler call; expected add, update or delete; did you mean "
     "\"add\"?\n"},
    {"expect: [{store: {exactl: []}}]",
     "f:5:19: unknown key 'exactl' in objects; expected exactly, in_any_order, in_order, at_least "
     "or never; did you mean \"exactly\"?\n"},
    {"explore: {schedules: 0}",
     "f:5:22: '0' is not a number of schedules; expected a whole number from 1 to 1000000000\n"},
    {"until: quit",
     "f:5:8: 'quit' is no ending; expected quiet, scripted, a duration or a "
     "condition; did you mean \"quiet\"?\n"},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_mistake_is_named_with_its_place_and_a_hint, mistakes, mistake) {
  BOOST_TEST(problems_with(mistake.lines) == mistake.sentence);
}

BOOST_AUTO_TEST_CASE(an_unknown_fault_names_the_nearest_one) {
  const std::string text = problems_with("script: [{fault: cut_wach}]");
  BOOST_TEST(text.starts_with("f:5:18: 'cut_wach' is not a fault; expected "));
  BOOST_TEST(text.ends_with("did you mean \"cut_watch\"?\n"));
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

BOOST_AUTO_TEST_CASE(several_mistakes_are_told_in_one_pass) {
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
