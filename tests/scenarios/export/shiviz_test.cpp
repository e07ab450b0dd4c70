#include <algorithm>
#include <boost/json.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "scenarios/export/export_formats.hpp"
#include "scenarios/language/parse.hpp"
#include "sim/explore/access.hpp"
#include "tests/scenarios/report/played.hpp"

using namespace watchlab;
using namespace watchlab::tests;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(shiviz_test)

namespace {

const std::vector<std::string> kStories{"missed_delete", "slow_handler", "nodes_and_widgets",
                                        "resync_of_each_handler", "pod_runs_on_two_nodes"};

struct Event {
  std::string words;
  std::string host;
  std::map<std::string, std::uint64_t> clock;

  /// Whether all that is before the other one is before this one, and that one itself.
  [[nodiscard]] bool is_after(const Event& other) const {
    const auto own = clock.find(other.host);
    return own != clock.end() && own->second >= other.clock.at(other.host);
  }
};

/// Reads a log by the expression of docs/traces.md, and wants nothing beside it.
std::vector<Event> events_in(const std::string& log) {
  static const std::regex expression("(.*)\\n(\\S*) (\\{.*\\})\\n");
  std::vector<Event> events;
  std::size_t read = 0;
  for (std::sregex_iterator found(log.begin(), log.end(), expression), end; found != end; ++found) {
    Event& event = events.emplace_back(Event{(*found)[1], (*found)[2], {}});
    const boost::json::value clock = boost::json::parse((*found)[3].str());
    for (const auto& [host, count] : clock.as_object()) {
      event.clock[host] = count.to_number<std::uint64_t>();
    }
    read += static_cast<std::size_t>(found->length());
  }
  BOOST_TEST(read == log.size());
  return events;
}

std::vector<Event> events_of(const PlayedStory& story) {
  return events_in(find_export_format("shiviz")->write(story.scenario, story.seen));
}

const Event& event_with(const std::vector<Event>& events, const std::string& part) {
  for (const Event& event : events) {
    if (event.words.find(part) != std::string::npos) {
      return event;
    }
  }
  BOOST_FAIL("no event has " + part);
  return events.front();
}

}  // namespace

BOOST_DATA_TEST_CASE(each_host_counts_its_own_events, kStories, name) {
  const PlayedStory story = play_for_page(scenario_named(name));
  const std::vector<Event> events = events_of(story);
  BOOST_TEST(events.size() == story.seen.witness.result.notes.size());
  std::map<std::string, std::uint64_t> counts;
  for (const Event& event : events) {
    BOOST_TEST(event.clock.at(event.host) == ++counts[event.host], event.words);
    for (const auto& [host, count] : event.clock) {
      BOOST_TEST(count <= counts[host], "nothing is after what has not happened: " + event.words);
    }
  }
}

BOOST_DATA_TEST_CASE(what_a_handler_is_called_with_is_after_its_write, kStories, name) {
  const PlayedStory story = play_for_page(scenario_named(name));
  const std::vector<Event> events = events_of(story);
  std::map<std::string, const Event*> sent;
  std::map<std::string, const Event*> written;  // by revision
  std::size_t calls = 0;
  static const std::regex message(".*\\(message (m[0-9]+)\\)");
  static const std::regex write("write .* rv=([0-9]+)");
  static const std::regex call("handler .* rv \"([0-9]+)\".*");
  for (const Event& event : events) {
    std::smatch found;
    if (std::regex_match(event.words, found, message) && event.words.starts_with("send")) {
      sent[found[1]] = &event;
    } else if (!found.empty() && event.words.starts_with("receive")) {
      BOOST_TEST(event.is_after(*sent.at(found[1])), event.words);
      BOOST_TEST(!sent.at(found[1])->is_after(event), event.words);
    } else if (std::regex_match(event.words, found, write)) {
      written[found[1]] = &event;
    } else if (std::regex_search(event.words, found, call) && written.contains(found[1])) {
      BOOST_TEST(event.is_after(*written.at(found[1])), event.words);
      ++calls;
    }
  }
  BOOST_TEST(calls > 0);
}

BOOST_AUTO_TEST_CASE(a_program_that_notes_nothing_is_logged_by_its_operations) {
  const PlayedStory story = play_for_page(scenario_named("stop_behind_a_full_queue"));
  BOOST_TEST(story.seen.witness.result.notes.empty());
  const std::vector<Event> events = events_of(story);
  BOOST_TEST(events.size() == story.seen.witness.steps.size());
  std::map<std::string, std::uint64_t> counts;
  std::size_t meetings = 0;
  for (const Event& event : events) {
    BOOST_TEST(event.clock.at(event.host) == ++counts[event.host], event.words);
    meetings += event.clock.size() > 1 ? 1U : 0U;
  }
  BOOST_TEST(counts.size() > 1U);
  BOOST_TEST(meetings > 0U);
}

// Of a program that notes nothing each step is an event.
BOOST_AUTO_TEST_CASE(what_depends_on_a_step_or_was_woken_by_it_is_after_it) {
  for (const std::string name : {"stop_behind_a_full_queue"}) {
    const PlayedStory story = play_for_page(scenario_named(name));
    const std::vector<Event> events = events_of(story);
    const auto& steps = story.seen.witness.steps;
    BOOST_TEST_REQUIRE(events.size() == steps.size());
    std::size_t dependent = 0;
    std::size_t woken = 0;
    for (std::size_t later = 0; later < steps.size(); ++later) {
      for (std::size_t i = 0; i < later; ++i) {
        const bool related = std::ranges::any_of(steps[i].done.accesses, [&](const auto& one) {
          return std::ranges::any_of(steps[later].done.accesses, [&](const auto& other) {
            return one.object == other.object &&
                   sim::relation(one.kind, other.kind) != sim::Relation::None;
          });
        });
        const bool wakes = std::ranges::count(steps[i].woken, steps[later].done.actor) > 0;
        if (related || wakes) {
          BOOST_TEST(events[later].is_after(events[i]), i + 1 << " before " << later + 1);
          dependent += related ? 1 : 0;
          woken += wakes ? 1 : 0;
        }
      }
    }
    BOOST_TEST(dependent > 0U);
    BOOST_TEST(woken > 0U);
  }
}

BOOST_AUTO_TEST_CASE(clients_that_exchange_nothing_are_concurrent) {
  const std::string text =
      "apiVersion: watchlab/v1\nname: two\nstory: Two informers.\n"
      "server: {objects: [{name: demo}]}\n"
      "clients: [{name: left, kind: informer}, {name: right, kind: informer}]\n"
      "script: [{after: 1s, create: other}]\n"
      "expect: [{of: left, handler: {exactly: [add: demo, add: other]}}]\n";
  const auto parsed = parse_scenario(text);
  BOOST_TEST_REQUIRE(parsed.scenario.has_value());
  const PlayedStory story = play_for_page(*parsed.scenario);
  const std::vector<Event> events = events_of(story);
  const Event& left = event_with(events, "handler left: add");
  const Event& right = event_with(events, "handler right: add");
  BOOST_TEST(!left.is_after(right));
  BOOST_TEST(!right.is_after(left));
  BOOST_TEST(left.is_after(event_with(events, "pop default/demo")));
}

BOOST_AUTO_TEST_SUITE_END()
