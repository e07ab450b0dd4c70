#include <algorithm>
#include <boost/json.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/explain/wording.hpp"
#include "sim/kernel/path_text.hpp"
#include "tests/scenarios/report/played.hpp"

using namespace watchlab;
using namespace watchlab::tests;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(page_data_test)

namespace {

namespace json = boost::json;

/// What a queue holds, in words, as the notes of the run alone say it.
class NotedQueues {
 public:
  explicit NotedQueues(const PlayedStory& story) : story_(story) {}

  void go_to(std::size_t step) {
    const auto& notes = story_.seen.witness.result.notes;
    for (; next_ < notes.size() && notes[next_].step <= step; ++next_) {
      const sim::NoteRecord& note = notes[next_];
      if (note.kind == "delta") {
        queued_[client(note)][note.subject] += note.text + " ";
      } else if (note.kind == "pop") {
        queued_[client(note)].erase(note.subject);
      } else if (note.kind == "requeue") {
        queued_[client(note)][note.subject] = note.text + " ";
      }
    }
  }
  [[nodiscard]] std::map<std::string, std::string> of(const std::string& name) {
    return queued_[sim::escape_name(name)];
  }

 private:
  static std::string client(const sim::NoteRecord& note) {
    std::string inner = note.task.substr(note.task.find('/') + 1);
    inner = inner.substr(0, inner.find('/'));
    return inner.substr(0, inner.find("-reflector"));
  }

  const PlayedStory& story_;
  std::size_t next_ = 0;
  std::map<std::string, std::map<std::string, std::string>> queued_;
};

std::map<std::string, std::string> shown_queue(const json::object& data, const json::value& state,
                                               const std::string& client) {
  std::map<std::string, std::string> queue;
  for (const auto& [key, entry] : state.at("clients").at(client).at("queue").as_object()) {
    std::string types;
    for (const json::value& delta : entry.at("deltas").as_array()) {
      types += text_of(delta.at(0)) + " ";
    }
    queue[text_of(data.at("keys").at(std::stoul(std::string(key))))] = types;
  }
  return queue;
}

}  // namespace

BOOST_DATA_TEST_CASE(queues_hold_after_each_step_what_was_noted, stories, name) {
  const PlayedStory story = play_for_page(scenario_named(name));
  const json::object data = story.data->window(kWhole);
  NotedQueues noted(story);
  step_through(data, [&](std::size_t step, const json::value& state) {
    noted.go_to(step);
    for (const sim::StoryClientOptions& client : story.scenario.clients) {
      BOOST_TEST_REQUIRE((shown_queue(data, state, client.name) == noted.of(client.name)),
                         "step " << step);
    }
  });
}

BOOST_DATA_TEST_CASE(tasks_do_next_what_the_page_says_before_each_step, stories, name) {
  const PlayedStory story = play_for_page(scenario_named(name));
  const json::object data = story.data->window(kWhole);
  const json::array& words = data.at("words").as_array();
  const auto& steps = story.seen.witness.steps;
  std::size_t looked_at = 0;
  step_through(data, [&](std::size_t step, const json::value& state) {
    const auto next = std::ranges::find(steps, step + 1, &sim::WitnessedStep::step);
    if (next == steps.end() || !story.seen.witness.actors[next->done.actor].is_task) {
      return;
    }
    const auto* task = state.at("tasks").as_object().if_contains(std::to_string(next->done.actor));
    if (task == nullptr) {
      return;  // it is made in that step
    }
    ++looked_at;
    BOOST_TEST_REQUIRE(text_of(task->at(0)) == "ready", "step " << step + 1);
    BOOST_TEST_REQUIRE(
        text_of(words[task->at(1).to_number<std::size_t>()]) == sim::deed(next->done),
        "step " << step + 1);
  });
  BOOST_TEST(looked_at * 10 > steps.size() * 5);
}

BOOST_DATA_TEST_CASE(stores_are_in_the_end_and_at_each_call_as_the_record_has_them, stories, name) {
  const PlayedStory story = play_for_page(scenario_named(name));
  BOOST_TEST(story.data->corrected() == 0U);
  BOOST_TEST_REQUIRE(story.seen.record.has_value());
  const json::object data = story.data->window(kWhole);
  step_through(data, [&](std::size_t step, const json::value& state) {
    if (step != story.seen.story_end()) {
      return;
    }
    for (const auto& [client, objects] : story.seen.record->stores) {
      std::map<std::string, std::string> stored;
      for (const api::ObjectPtr& object : objects) {
        stored[api::key_of(object->metadata)] = object->metadata.resource_version;
      }
      BOOST_TEST((shown_cache(data, state, client) == stored), client);
    }
  });
}

BOOST_DATA_TEST_CASE(the_log_the_calls_and_the_requests_are_those_of_the_record, stories, name) {
  const PlayedStory story = play_for_page(scenario_named(name));
  const sim::Record& record = *story.seen.record;
  const json::object data = story.data->window(kWhole);
  step_through(data, [&](std::size_t step, const json::value& state) {
    for (const sim::StoryClientOptions& client : story.scenario.clients) {
      // A call is noted, then recorded: with several handlers, one may stand between the two.
      const auto recorded = std::ranges::count_if(story.seen.growth, [&](const Growth& growth) {
        return growth.step <= step && growth.list == RecordKind::Calls &&
               record.calls[growth.index].client == client.name;
      });
      const auto shown = static_cast<std::ptrdiff_t>(
          state.at("clients").at(client.name).at("calls").as_object().size());
      const auto handlers = static_cast<std::ptrdiff_t>(client.handlers.size() + 1);
      BOOST_TEST_REQUIRE((shown >= recorded && shown <= recorded + handlers), "step " << step);
    }
    if (step != story.seen.story_end()) {
      return;
    }
    const json::object& log = state.at("server").at("log").as_object();
    BOOST_TEST_REQUIRE(log.size() == record.writes.size());
    for (std::size_t i = 0; i < record.writes.size(); ++i) {
      const json::value& entry = log.at(std::to_string(i));
      BOOST_TEST(text_of(entry.at(0)) == record.writes[i].revision);
      BOOST_TEST(text_of(data.at("keys").at(entry.at(2).to_number<std::size_t>())) ==
                 record.writes[i].key);
      BOOST_TEST((text_of(entry.at(1)) == "DELETED") == (record.writes[i].object == nullptr));
    }
    BOOST_TEST(text_of(state.at("server").at("rv")) == record.revision);
    std::size_t calls = 0;
    for (const sim::StoryClientOptions& client : story.scenario.clients) {
      calls += state.at("clients").at(client.name).at("calls").as_object().size();
    }
    BOOST_TEST(calls == record.calls.size());
  });
}

BOOST_AUTO_TEST_CASE(a_question_has_the_answer_that_the_run_gives) {
  const Parsed parsed = parse_scenario(
      "apiVersion: watchlab/v1\nname: asked\nstory: s\nserver: {objects: [demo]}\n"
      "clients: [{name: x, kind: informer}]\nscript: [{at: 5s, create: other}]\nquestions:\n"
      "  - {ask: how many, measure: {layer: deltas, of: x, from: 4s}}\n"
      "  - {ask: which, measure: {layer: calls, show: lines}}\n"
      "  - {ask: lists, measure: {layer: requests, verb: LIST}}\n");
  BOOST_TEST_REQUIRE(parsed.scenario.has_value());
  const json::object data = play_for_page(*parsed.scenario).data->whole();
  const json::array& questions = data.at("questions").as_array();
  BOOST_TEST_REQUIRE(questions.size() == 3U);
  BOOST_TEST(text_of(questions[0].at("answer")) == "1");
  BOOST_TEST(questions[0].at("from").to_number<std::int64_t>() == 4'000'000'000);
  BOOST_TEST((questions[0].at("panels") == json::array{"queue"}));
  BOOST_TEST(text_of(questions[1].at("answer")) == "add default/demo, add default/other");
  BOOST_TEST(text_of(questions[2].at("answer")) == "1");
}

BOOST_AUTO_TEST_CASE(a_window_begins_with_the_state_that_all_before_it_has_made) {
  const PlayedStory story = play_for_page(scenario_named("slow_handler"));
  const json::object whole = story.data->window(kWhole);
  constexpr std::size_t first = 120;
  const json::object part = story.data->window({.first = first, .steps_max = 100});
  BOOST_TEST(part.at("window").at("last").to_number<std::size_t>() == 219U);
  // Each step says how long it is behind the one before; the first of a window, behind the start.
  const json::array& passed = whole.at("steps").at("at").as_array();
  const json::array& shown = part.at("steps").at("at").as_array();
  BOOST_TEST_REQUIRE(shown.size() == 100U);
  std::int64_t time = 0;
  std::int64_t shown_time = 0;
  for (std::size_t i = 0; i < 219; ++i) {
    time += passed[i].as_int64();
    if (i + 1 >= first) {
      shown_time += shown[i + 1 - first].as_int64();
      BOOST_TEST_REQUIRE(shown_time == time, "step " << i + 1);
    }
  }
  BOOST_TEST(time > 0);
  json::value before;
  json::value after;
  step_through(whole, [&](std::size_t step, const json::value& state) {
    if (step == first - 1) {
      before = state;
    } else if (step == 219) {
      after = state;
    }
  });
  BOOST_TEST((part.at("base") == before));
  step_through(part, [&](std::size_t step, const json::value& state) {
    BOOST_TEST((step != 219 || state == after));
  });
}

BOOST_AUTO_TEST_CASE(each_goroutine_out_of_turn_has_a_row_with_its_last_move) {
  PlayedStory story = play_for_page(scenario_named("missed_delete"));
  const std::string client = story.scenario.clients.front().name;
  for (const char* const by :
       {"goroutine 1.1 (the program's function) waits at x.go:5, and then goroutine 1.1.2 of y.go "
        "starts before it",
        "goroutine 1.1.2 of y.go stops before a lock at x.go:9, and the story goes on before it",
        "goroutine 1.1.3 of x.go:8 takes the ready case 1 of its select, counted from 0"}) {
    sim::RunResult& result = story.seen.witness.result;
    result.notes.push_back({.at = result.notes.back().at,
                            .step = result.steps,
                            .task = "",
                            .label = "",
                            .kind = "goroutine",
                            .subject = client,
                            .text = "",
                            .by = by});
  }
  const json::object data = PageData(story.scenario, story.seen, PageFacts{}).window(kWhole);
  json::value last;
  step_through(data, [&](std::size_t, const json::value& state) { last = state; });
  BOOST_TEST(
      (last.at("clients").at(client).at("goroutines") ==
       json::value{{"1.1 (the program's function)", "waits at x.go:5"},
                   {"1.1.2 of y.go", "stops before a lock at x.go:9"},
                   {"the story", "goes on before it"},
                   {"1.1.3 of x.go:8", "takes the ready case 1 of its select, counted from 0"}}));
}

BOOST_AUTO_TEST_CASE(a_violation_stands_where_the_story_ends_and_names_its_key) {
  const Parsed parsed = parse_scenario(
      "apiVersion: watchlab/v1\nname: broken\nstory: s\nclients: [{name: x, kind: informer}]\n"
      "script: [{create: demo}]\nexpect: [{store: {exactly: []}}]\n");
  BOOST_TEST_REQUIRE(parsed.scenario.has_value());
  const PlayedStory story = play_for_page(*parsed.scenario);
  const auto violation = std::ranges::find(story.data->events(), "clauses", &PageEvent::lane);
  BOOST_TEST_REQUIRE((violation != story.data->events().end()));
  BOOST_TEST(violation->step == story.seen.story_end());
  BOOST_TEST(violation->keys.size() == 1U);
  BOOST_TEST(violation->text.starts_with("violation: "), violation->text);
}

BOOST_AUTO_TEST_SUITE_END()
