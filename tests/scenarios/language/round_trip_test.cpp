#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "scenarios/fuzz/story_generator.hpp"
#include "scenarios/language/catalogue.hpp"
#include "scenarios/language/grammar.hpp"
#include "scenarios/language/parse.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(round_trip_test)

namespace {

/// Without what depends on where and how it was written.
Scenario meaning_of(Scenario scenario) {
  scenario.path.clear();
  scenario.hash = 0;
  scenario.until.line = 1;
  for (Step& step : scenario.script) {
    step.line = 0;
    for (Action& action : step.actions) {
      if (auto* fault = std::get_if<FaultAction>(&action)) {
        fault->fault.line = 0;
      }
    }
  }
  for (sim::Expectation& expectation : scenario.expectations) {
    expectation.line = 0;
  }
  return scenario;
}

/// The scenario as it is read from what is written of it.
Scenario written_and_read(const Scenario& scenario) {
  const std::string text = scenario_text(scenario);
  Parsed parsed = parse_scenario(text);
  const std::string problem =
      parsed.problems.empty() ? "" : describe("text", parsed.problems.front());
  BOOST_REQUIRE_MESSAGE(parsed.scenario.has_value(), problem + "\n" + text);
  return meaning_of(*std::move(parsed.scenario));
}

/// Whether a text is the same again after it was written into a document, as a key and as a value.
bool survives(const std::string& written) {
  const Codec<api::Labels> labels = text_map("labels");
  const api::Labels pairs{{"key", written}, {written.empty() ? "none" : written, "value"}};
  const Node root{.kind = Node::Kind::Mapping,
                  .entries = {{"labels", {}, labels.write(pairs).value()}}};
  ParseContext context;
  const Node read = parse_document(document_text(root), context.problems);
  const Node* found = read.find("labels");
  return found != nullptr && labels.read(*found, context) == pairs && context.problems.empty();
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_shipped_scenario_is_the_same_after_it_was_written) {
  std::size_t count = 0;
  for (const std::string& path : scenario_files({"scenarios"})) {
    const Parsed parsed = load_scenario(path);
    BOOST_REQUIRE_MESSAGE(parsed.scenario.has_value(), path);
    BOOST_TEST((written_and_read(*parsed.scenario) == meaning_of(*parsed.scenario)), path);
    ++count;
  }
  BOOST_TEST(count > 50U);
}

BOOST_AUTO_TEST_CASE(every_story_of_the_fuzzer_is_the_same_after_it_was_written) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const Scenario story = swarm_story(seed);
    BOOST_TEST((written_and_read(story) == story), "the story of " << seed);
  }
}

BOOST_AUTO_TEST_CASE(stories_with_odd_times_and_several_lines_are_the_same_too) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Scenario story = varied_story(compared_story(seed), seed);
    story.story = "Two lines,\nwith an end.\n";
    BOOST_TEST((written_and_read(story) == story), "the story of " << seed);
  }
}

BOOST_AUTO_TEST_CASE(texts_keep_what_yaml_would_take_for_something_else) {
  for (const std::string_view text :
       {"",      "5",          "0x1f", "010", "1:30", "1.5",  "-",  "- a", "true", "Yes",  "no",
        "null",  "~",          " a",   "a ",  "a: b", "a #b", "#a", "[a]", "{a}",  "a, b", "'a'",
        "\"a\"", "a\\b",       "%a",   "@a",  "&a",   "*a",   "!a", "|",   ">",    "?",    ":",
        "=",     "2001-01-01", "a\nb", "a\n", "\na",  "a\tb", "…",  "ä"}) {
    BOOST_TEST(survives(std::string(text)), text);
  }
  BOOST_TEST(survives(std::string(2'000, 'a')));
}

BOOST_AUTO_TEST_CASE(what_has_its_default_value_is_not_written) {
  const Scenario scenario{.name = "a", .story = "A.", .clients = {{.name = "x"}}};
  BOOST_TEST(scenario_text(scenario) ==
             "apiVersion: watchlab/v1\n"
             "name: a\n"
             "story: A.\n"
             "clients: [{name: x, kind: informer}]\n");
}

BOOST_AUTO_TEST_CASE(the_short_form_is_written_when_it_says_the_same) {
  Scenario scenario{.name = "a", .story = "A.", .clients = {{.name = "x"}}};
  scenario.script = {{.at = std::chrono::seconds(1), .actions = {CreateAction{{.name = "demo"}}}},
                     {.actions = {UpdateAction{{.name = "demo", .data = {{"n", "1"}}}},
                                  FaultAction{{.name = "cut_watch"}}}},
                     {.actions = {DeleteAction{{.name = "demo"}}}},
                     {.actions = {FaultAction{{.name = "cut_watch", .of = "x"}}}}};
  const std::string text = scenario_text(scenario, "Two lines\nof a comment.");
  BOOST_TEST(text.starts_with("# Two lines\n# of a comment.\napiVersion:"));
  BOOST_TEST(text.substr(text.find("script:")) ==
             "script:\n"
             "  - {at: 1000ms, create: demo}\n"
             "  - atomic:\n"
             "      - update: {name: demo, data: {n: \"1\"}}\n"
             "      - fault: cut_watch\n"
             "  - delete: demo\n"
             "  - fault: {cut_watch: {of: x}}\n");
}

BOOST_AUTO_TEST_SUITE_END()
