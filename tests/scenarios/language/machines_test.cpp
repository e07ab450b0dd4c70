// Clients of one story that are like different releases of client-go.
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "core/features/release_profile.hpp"
#include "scenarios/language/catalogue.hpp"
#include "scenarios/language/parse.hpp"
#include "scenarios/language/runner.hpp"
#include "scenarios/language/transcript.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(machines_test)

namespace {

Parsed story_with(const std::string& clients, const std::string& more = "") {
  return parse_scenario(
      "apiVersion: watchlab/v1\nname: a\nstory: s\nserver: {objects: [gone, kept]}\n"
      "clients: [" +
      clients + "]\n" + more);
}

Scenario valid(const std::string& clients, const std::string& more = "") {
  const Parsed parsed = story_with(clients, more);
  const std::string problem =
      parsed.problems.empty() ? "" : describe("a.yaml", parsed.problems.front());
  BOOST_REQUIRE_MESSAGE(parsed.scenario.has_value(), problem);
  return *parsed.scenario;
}

std::string problem_with(const std::string& clients) {
  const Parsed parsed = story_with(clients);
  return parsed.problems.empty() ? "" : describe("a.yaml", parsed.problems.front());
}

/// A relist that finds one object missing, one changed and one new.
const std::string kRelist =
    "script:\n  - at: 5s\n    atomic: [{fault: cut_watch}, {delete: gone}, {update: kept}, "
    "{create: new},\n"
    "             {fault: evict_watch_window}]\n";

}  // namespace

BOOST_AUTO_TEST_CASE(each_complete_machine_can_be_asked_for_and_no_other) {
  for (const std::string& name : features::machine_names()) {
    for (const char* kind : {"informer", "shared", "program", "controller", "fifo", "store"}) {
      const Scenario scenario =
          valid(std::string("{name: x, kind: ") + kind + ", machine: \"" + name + "\"}", kRelist);
      BOOST_TEST(scenario.clients.front().machine == name);
      BOOST_TEST(run_scenario(scenario).held(), name << " " << kind);
    }
  }
  BOOST_TEST(problem_with("{name: x, kind: shared, machine: \"0.34\"}").find("0.33") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(clients_of_both_machines_see_one_relist_in_their_own_order) {
  const Scenario scenario = valid(
      "{name: old, kind: informer}, {name: new, kind: informer, machine: \"0.33\"}",
      kRelist +
          "expect:\n"
          "  - of: old\n"
          "    handler: {exactly: [add: gone, add: kept, update: kept, add: new,\n"
          "                        delete: {name: gone, tombstone: true}]}\n"
          "  - of: new\n"
          "    handler: {exactly: [add: gone, add: kept, delete: {name: gone, tombstone: true},\n"
          "                        update: kept, add: new]}\n");
  const Played played = run_scenario(scenario);
  BOOST_TEST(played.held(), (played.result.failure ? played.result.failure->sentence : ""));
}

BOOST_AUTO_TEST_CASE(what_needs_a_queue_that_takes_items_back_needs_the_classic_machine) {
  for (const char* kind : {"informer", "fifo"}) {
    const std::string client = std::string("{name: x, kind: ") + kind + ", failures: 1";
    BOOST_TEST(problem_with(client + "}").empty());
    BOOST_TEST(problem_with(client + ", machine: \"0.33\"}").find("take nothing back") !=
               std::string::npos);
  }
  BOOST_TEST(problem_with("{name: x, kind: controller, failures: 1, machine: \"0.33\"}").empty());
}

BOOST_AUTO_TEST_CASE(a_scenario_on_another_machine_is_another_run_of_the_same_story) {
  const Scenario classic = valid("{name: x, kind: shared}", kRelist);
  BOOST_TEST((on_machine("classic", classic) == classic));
  const Scenario in_order = on_machine("0.33", classic);
  BOOST_TEST(in_order.clients.front().machine == "0.33");
  BOOST_TEST(in_order.hash != classic.hash);
  BOOST_TEST(run_scenario(in_order).held());
  Scenario scheduled = classic;
  scheduled.schedule = run_scenario(classic).result.schedule;
  BOOST_TEST(on_machine("0.33", scheduled).schedule.empty());
  const Scenario on_wire = over(sim::Transport::Wire, in_order);
  for (const Scenario& made_for : {classic, in_order, on_wire}) {
    const std::string schedule = run_scenario(made_for).result.schedule;
    BOOST_TEST((as_scheduled(classic, schedule) == made_for));
  }
}

BOOST_AUTO_TEST_CASE(transcripts_leave_out_what_the_judge_is_not) {
  BOOST_TEST(why_left_out(valid("{name: x, kind: shared}")).empty());
  BOOST_TEST(why_left_out(valid("{name: x, kind: shared, machine: \"0.33\"}")) ==
             "its clients are not of the judge's release");
}

// What a file expects may differ; what must always hold does not.
BOOST_AUTO_TEST_CASE(every_scenario_breaks_no_invariant_on_any_machine) {
  for (const std::string& machine : features::machine_names()) {
    std::size_t played = 0;
    for (const CatalogueEntry& entry : load_catalogue({"scenarios"})) {
      BOOST_REQUIRE_MESSAGE(entry.parsed.scenario.has_value(), entry.path);
      Scenario scenario = on_machine(machine, *entry.parsed.scenario);
      const bool is_playable = std::ranges::all_of(
          scenario.clients,
          [](const sim::StoryClientOptions& client) { return machine_problem(client).empty(); });
      // A machine that streams its lists never sends the LIST that a step waits for.
      const bool waits_in_vain = features::find_machine(machine)->streams_lists &&
                                 std::ranges::any_of(scenario.script, [](const Step& step) {
                                   return step.when &&
                                          step.when->kind == sim::Condition::Kind::Requested &&
                                          step.when->verb == sim::Verb::List;
                                 });
      if (scenario.program.empty() && is_playable && !waits_in_vain) {
        ++played;
        scenario.expectations.clear();
        const Played result = run_scenario(scenario);
        BOOST_TEST(result.held(), machine
                                      << " " << entry.path << ": "
                                      << (result.result.failure ? result.result.failure->sentence
                                                                : result.divergence.value_or("")));
      }
    }
    BOOST_TEST(played > 50);
  }
}

// docs/apiserver_rules.md V, as a client of today meets it: a stream with its mark, one whose mark
// comes behind a change, or 422 and a list.
BOOST_AUTO_TEST_CASE(a_server_is_like_the_release_that_it_says) {
  const auto played = [](const std::string& release, const std::string& calls,
                         const std::string& requests, const std::string& watch_list = "") {
    const Parsed parsed = parse_scenario(
        "apiVersion: watchlab/v1\nname: a\nstory: s\n"
        "server: {objects: [demo], release: \"" +
        release + "\"" + watch_list +
        "}\nclients: [{name: x, kind: informer, machine: modern}]\n"
        "script: [{at: 500ms, update: {name: demo, labels: {tier: web}}}, {at: 10s, create: "
        "late}]\n"
        "expect:\n  - handler: {exactly: [" +
        calls + "]}\n  - requests: {exactly: [" + requests + "]}\n");
    BOOST_REQUIRE_MESSAGE(
        parsed.scenario.has_value(),
        (parsed.problems.empty() ? "" : describe("a.yaml", parsed.problems.front())));
    const Played done = run_scenario(*parsed.scenario);
    BOOST_TEST(done.held(),
               release << ": " << (done.result.failure ? done.result.failure->sentence : ""));
  };
  const std::string all = "add: demo, update: demo, add: late";
  const std::string refused = "WATCH: {}, LIST: {}, WATCH: {}";
  for (const char* release : {"1.32", "1.34", "1.35", "1.36"}) {
    played(release, all, "WATCH: {}");
    played(release, all, refused, ", watch_list: false");
  }
  for (const char* release : {"1.30", "1.31", "1.33"}) {
    played(release, all, refused);
  }
  const std::string late = "add: demo, add: late";
  for (const char* release : {"1.30", "1.31"}) {
    played(release, late, "WATCH: {}", ", watch_list: true");
  }
  played("1.33", all, "WATCH: {}", ", watch_list: true");
  const Parsed unknown = parse_scenario(
      "apiVersion: watchlab/v1\nname: a\nstory: s\nserver: {release: \"1.37\"}\n"
      "clients: [{name: x, kind: informer}]\n");
  BOOST_REQUIRE(!unknown.problems.empty());
  BOOST_TEST(describe("a.yaml", unknown.problems.front()) ==
             "a.yaml:4:19: '1.37' is not a release of Kubernetes; expected 1.30, 1.31, 1.32, 1.33, "
             "1.34, 1.35 or 1.36; did you mean \"1.30\"?");
}

BOOST_AUTO_TEST_SUITE_END()
