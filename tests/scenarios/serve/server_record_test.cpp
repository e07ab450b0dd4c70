#include "scenarios/serve/server_record.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "scenarios/language/parse.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/language/runner.hpp"
#include "scenarios/serve/story_from_record.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "tests/sim/http/served_server.hpp"
#include "tests/support/texts.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;
using watchlab::tests::says;

BOOST_AUTO_TEST_SUITE(server_record_test)

namespace {

const std::string kMaps = "/api/v1/namespaces/default/configmaps";

/// A file that is gone when the test is over.
struct RecordFile {
  RecordFile()
      : path((std::filesystem::temp_directory_path() /
              ("record-" + std::to_string(::getpid()) + ".jsonl"))
                 .string()) {}
  ~RecordFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  [[nodiscard]] std::string text() const {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  [[nodiscard]] ServerRecord read() const {
    std::string problem;
    std::optional<ServerRecord> record = read_record(path, problem);
    BOOST_REQUIRE_MESSAGE(record.has_value(), problem);
    return *std::move(record);
  }
  std::string path;
};

/// A server that writes a record of what the tester does.
void play(const std::string& path, const std::function<void(sim::ServedServer&)>& what) {
  const auto writer = std::make_shared<RecordWriter>(
      path, [](const std::string& message) { BOOST_ERROR(message); });
  sim::ServedServer served({.observer = writer});
  writer->use_clock(served.front.host()->runtime());
  what(served);
}

/// A life with a refusal, a cut, a write meanwhile, and a watch that continues.
void live(sim::ServedServer& served) {
  sim::Tester tester(served);
  tester.create("first", R"({"a":"1"})");
  (void)served.add_fault(
      sim::make_fault("fail_list", {.times = 1}, {{"answer", std::string("internal")}}));
  BOOST_TEST(tester.code("GET", kMaps) == 500);
  BOOST_TEST(tester.code("GET", kMaps) == 200);
  {
    sim::OpenWatch watch(served, kMaps + "?watch=1&resourceVersion=0");
    BOOST_TEST(watch.next_type() == "ADDED");
    (void)served.add_fault(sim::make_fault("cut_watch"));
    BOOST_TEST(watch.next_type() == "end");
  }
  tester.ask("PATCH", kMaps + "/first",
             {.type = "application/merge-patch+json", .body = R"({"data":{"a":null,"b":"2"}})"});
  tester.create("second");
  sim::OpenWatch watch(served, kMaps + "?watch=1&resourceVersion=0");
  BOOST_TEST(watch.next_type() == "ADDED");
  BOOST_TEST(watch.next_type() == "ADDED");
  BOOST_TEST(tester.code("DELETE", kMaps + "/second") == 200);
  BOOST_TEST(watch.next_type() == "DELETED");
}

/// The same record of a machine that is not busy: all of it within half a second, so that no watch
/// is a long one.
ServerRecord hurried(ServerRecord record) {
  std::vector<runtime::Duration*> times;
  for (RecordedWrite& each : record.writes) {
    times.push_back(&each.at);
  }
  for (RecordedRequest& each : record.requests) {
    times.push_back(&each.at);
    for (std::optional<runtime::Duration>* const time : {&each.answered, &each.ended}) {
      if (*time) {
        times.push_back(&**time);
      }
    }
  }
  const double last =
      static_cast<double>((**std::ranges::max_element(times, {}, [](const runtime::Duration* each) {
                            return *each;
                          })).count());
  constexpr runtime::Duration kMost = std::chrono::milliseconds(500);
  const double factor = std::min(1.0, static_cast<double>(kMost.count()) / last);
  for (runtime::Duration* const each : times) {
    *each = runtime::Duration(
        static_cast<runtime::Duration::rep>(factor * static_cast<double>(each->count())));
  }
  return record;
}

std::string problem_with(const std::string& path) {
  std::string problem;
  BOOST_TEST(!read_record(path, problem).has_value());
  return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_happened_is_read_again) {
  const RecordFile file;
  play(file.path, live);
  const ServerRecord record = file.read();
  BOOST_TEST(!record.torn);
  BOOST_TEST(record.writes.size() == 4U);
  BOOST_TEST(record.writes.back().deleted);
  std::vector<std::string> reads;
  for (const RecordedRequest& each : record.requests) {
    if (each.verb == sim::Verb::List || each.verb == sim::Verb::Watch) {
      reads.push_back(std::string(to_string(each.verb)) + " " +
                      std::string(to_string(each.answer)) + " " + std::string(to_string(each.end)) +
                      " " + std::to_string(each.events));
    }
  }
  const std::vector<std::string> wanted{"LIST internal  0", "LIST ok  0", "WATCH ok cut 1",
                                        "WATCH ok stopped 3"};
  BOOST_TEST(reads == wanted, boost::test_tools::per_element());
  BOOST_TEST((record.writes.back().at > record.writes.front().at));
  BOOST_TEST((record.requests.back().at > record.requests.front().at));
}

/// What clients and objects carry is no control of the terminal on which somebody reads them.
BOOST_AUTO_TEST_CASE(what_nobody_sees_is_escaped_in_a_record_and_in_the_story_from_it) {
  const RecordFile file;
  const std::string unseen = "v\u202e\u200b\u009b2J\ufeff\U000E0041\u2028w";
  play(file.path, [&](sim::ServedServer& served) {
    sim::Tester tester(served);
    BOOST_TEST(tester.code("GET", kMaps) == 200);
    tester.create("first", R"({"a":")" + unseen + "\"}");
    sim::OpenWatch watch(served, kMaps + "?watch=1&resourceVersion=0");
    BOOST_TEST(watch.next_type() == "ADDED");
  });
  BOOST_TEST(is_plain_text(file.text()), file.text());
  const ServerRecord record = file.read();
  BOOST_REQUIRE(record.writes.size() == 1U);
  BOOST_TEST(sim::data_of(*record.writes.front().object).at("a") == unseen);
  const Scenario made = story_from(record, "", "again").scenario;
  const std::string text = scenario_text(made, "Of " + unseen + "\rforged: yes\n  and more");
  BOOST_TEST(is_plain_text(text), text);
  BOOST_TEST(text.find("\nforged") == std::string::npos, text);
  const Parsed again = parse_scenario(text);
  BOOST_REQUIRE(again.scenario.has_value());
  BOOST_TEST(scenario_text(*again.scenario) == scenario_text(made));
}

BOOST_AUTO_TEST_CASE(each_answer_stands_in_a_record_once) {
  const RecordFile file;
  play(file.path, live);
  const std::string text = file.text();
  std::map<std::string, std::size_t> lines;
  for (const std::string what : {"request", "answer", "end"}) {
    const std::string part = "\"" + what + "\":{\"number\"";
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
      ++lines[what];
    }
  }
  BOOST_TEST(lines["answer"] == lines["request"]);
  BOOST_TEST(lines["end"] == 2U);
  BOOST_TEST(says(text, "\"events\":3,\"lost\":0"), text);
}

BOOST_AUTO_TEST_CASE(an_object_that_go_would_read_is_written_down_and_read_again) {
  const RecordFile file;
  std::string deep = "1";
  for (int i = 0; i < 60; ++i) {
    deep = R"({"a":)" + deep + "}";
  }
  play(file.path, [&](sim::ServedServer& served) {
    sim::Tester tester(served);
    for (const std::string& value : {deep, std::string(R"("\ud800")")}) {
      const std::string body =
          R"({"metadata":{"name":"x"},"spec":{"containers":[{"name":"c"}],"v":)" + value + "}}";
      BOOST_TEST(tester.code("POST", "/api/v1/namespaces/default/pods", {.body = body}) == 201);
      BOOST_TEST(tester.code("DELETE", "/api/v1/namespaces/default/pods/x") == 200);
    }
  });
  BOOST_TEST(file.read().writes.size() >= 4U);
}

BOOST_AUTO_TEST_CASE(a_line_that_was_cut_off_is_left_out) {
  const RecordFile file;
  play(file.path, live);
  const std::string text = file.text();
  std::ofstream(file.path, std::ios::trunc) << text.substr(0, text.size() - 5);
  const ServerRecord record = file.read();
  BOOST_TEST(record.torn);
  BOOST_TEST(record.writes.size() == 4U);
}

BOOST_AUTO_TEST_CASE(what_is_no_record_is_refused_with_its_place) {
  const RecordFile file;
  std::ofstream(file.path) << "apiVersion: v1\n";
  BOOST_TEST(says(problem_with(file.path), ".jsonl:1: this is no record"));
  std::ofstream(file.path, std::ios::trunc) << R"({"watchlab":"record","version":1})"
                                            << "\n{\"at\":0}\n";
  BOOST_TEST(says(problem_with(file.path), ".jsonl:2: this is no line of a record"));
  BOOST_TEST(says(problem_with("/none/such"), "there is no such file"));
}

BOOST_AUTO_TEST_CASE(a_full_disk_ends_the_record_with_a_message_and_not_the_server) {
  std::string message;
  int messages = 0;
  const auto writer = std::make_shared<RecordWriter>("/dev/full", [&](const std::string& text) {
    message = text;
    ++messages;
  });
  sim::ServedServer served({.observer = writer});
  writer->use_clock(served.front.host()->runtime());
  sim::Tester tester(served);
  BOOST_TEST(tester.create("first").head.code == 201);
  BOOST_TEST(writer->failed());
  BOOST_TEST(messages == 1);
  BOOST_TEST(says(message, "/dev/full: the record ends here"));
  BOOST_TEST(says(message, "No space left on device"));
  BOOST_CHECK_THROW(RecordWriter("/none/such/record", [](const std::string&) {}),
                    std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_client_of_ours_lives_through_the_same) {
  const RecordFile file;
  play(file.path, live);
  const RecordedStory made = story_from(hurried(file.read()), "", "again");
  BOOST_TEST(made.left_out.empty());
  const Parsed parsed = parse_scenario(scenario_text(made.scenario));
  for (const Problem& problem : parsed.problems) {
    BOOST_ERROR(describe("again.yaml", problem) + scenario_text(made.scenario));
  }
  const Scenario scenario = parsed.scenario.value();
  BOOST_REQUIRE(scenario.server.objects.size() == 1U);
  BOOST_TEST(scenario.server.objects[0].data == (api::Labels{{"a", "1"}}));
  const Played played = run_scenario(scenario);
  BOOST_TEST(played.held());
  BOOST_TEST(played.unfired_faults.empty());
  std::vector<std::string> reads;
  for (const sim::RequestRecord& each : played.record.requests) {
    reads.push_back(std::string(to_string(each.verb)) + " " + std::string(to_string(each.answer)) +
                    " " + std::string(to_string(each.end)));
  }
  // After so short a watch a reflector lists anew, which the recorded client did not.
  const std::vector<std::string> wanted{"LIST internal ", "LIST ok ", "WATCH ok cut", "LIST ok ",
                                        "WATCH ok open"};
  BOOST_TEST(reads == wanted, boost::test_tools::per_element());
  BOOST_REQUIRE(played.record.stores.at("tester").size() == 1U);
  BOOST_TEST(sim::data_of(*played.record.stores.at("tester")[0]) == (api::Labels{{"b", "2"}}));
}

BOOST_AUTO_TEST_CASE(what_finalizers_hold_is_held_again) {
  const RecordFile file;
  play(file.path, [](sim::ServedServer& served) {
    sim::Tester tester(served);
    (void)tester.code("GET", kMaps);
    sim::OpenWatch watch(served, kMaps + "?watch=1&resourceVersion=0");
    (void)tester.ask("POST", kMaps,
                     {.body = R"({"metadata":{"name":"held","finalizers":["a.b/c","a.b/d"]}})"});
    BOOST_TEST(watch.next_type() == "ADDED");
    (void)tester.code("DELETE", kMaps + "/held");
    for (const std::string left : {R"(["a.b/d"])", "null"}) {
      (void)tester.ask("PATCH", kMaps + "/held",
                       {.type = "application/merge-patch+json",
                        .body = R"({"metadata":{"finalizers":)" + left + "}}"});
    }
    for (const std::string type : {"MODIFIED", "MODIFIED", "DELETED"}) {
      BOOST_TEST(watch.next_type() == type);
    }
  });
  const RecordedStory made = story_from(file.read(), "", "held");
  BOOST_TEST(made.left_out.empty());
  const Parsed parsed = parse_scenario(scenario_text(made.scenario));
  BOOST_REQUIRE(parsed.scenario.has_value());
  const Played played = run_scenario(*parsed.scenario);
  BOOST_TEST(played.held());
  std::vector<std::size_t> held;
  for (const sim::WriteRecord& write : played.record.writes) {
    held.push_back(write.object ? write.object->metadata.finalizers.size() : 0);
  }
  const std::vector<std::size_t> wanted{2, 2, 1, 0};
  BOOST_TEST(held == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_namespace_that_was_watched_is_made_once) {
  const RecordFile file;
  play(file.path, [](sim::ServedServer& served) {
    sim::Tester tester(served);
    sim::OpenWatch namespaces(served, "/api/v1/namespaces?watch=1");
    sim::OpenWatch maps(served, "/api/v1/configmaps?watch=1");
    BOOST_TEST(namespaces.next_type() == "ADDED");  // default
    (void)tester.ask("POST", "/api/v1/namespaces", {.body = R"({"metadata":{"name":"team"}})"});
    BOOST_TEST(namespaces.next_type() == "ADDED");
    (void)tester.ask("POST", "/api/v1/namespaces/team/configmaps",
                     {.body = R"({"metadata":{"name":"made"}})"});
    BOOST_TEST(maps.next_type() == "ADDED");
  });
  const RecordedStory made = story_from(file.read(), "", "spaces");
  BOOST_TEST(made.scenario.server.namespaces.empty());
  const Parsed parsed = parse_scenario(scenario_text(made.scenario));
  BOOST_REQUIRE(parsed.scenario.has_value());
  const Played played = run_scenario(*parsed.scenario);
  const std::string broken = played.result.failure ? played.result.failure->sentence : "";
  BOOST_TEST(broken == "");
  BOOST_TEST(played.held());
}

/// Records are files: what stands in them need not come from a server of ours.
BOOST_AUTO_TEST_CASE(a_story_from_a_record_validates_or_leaves_out_what_would_not) {
  const RecordFile file;
  play(file.path, live);
  ServerRecord record = file.read();
  for (RecordedRequest& each : record.requests) {
    each.client = "a\u202e\x1b[1m\nb,";
  }
  const auto add = [&](const std::string& name, const api::Labels& labels) {
    RecordedWrite more = record.writes.front();
    api::Object object = *more.object;
    object.metadata.name = name;
    object.metadata.labels = labels;
    more.object = std::make_shared<const api::Object>(std::move(object));
    more.key = "default/" + name;
    record.writes.insert(record.writes.begin(), more);
  };
  add("Bad_1", {});
  add("bad-2", {{"a", "b c"}});
  add("inf", {{"null", "1_000"}});
  const RecordedStory made = story_from(record, "", "again");
  const Parsed parsed = parse_scenario(scenario_text(made.scenario));
  BOOST_REQUIRE(parsed.scenario.has_value());
  BOOST_TEST(made.scenario.clients.front().name == "a_____1m_b_");
  BOOST_TEST(made.scenario.server.objects.size() == 2U);
  BOOST_TEST(made.scenario.server.objects.front().name == "inf");
  const std::vector<std::string> left_out{
      "the object default/bad-2: 'b c' is not a valid label value",
      "the object default/Bad_1: 'Bad_1' is not a valid name of a ConfigMap"};
  BOOST_TEST(made.left_out == left_out, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_story_needs_one_client_that_watched) {
  const RecordFile file;
  play(file.path, [](sim::ServedServer& served) { (void)sim::Tester(served).code("GET", kMaps); });
  const ServerRecord record = file.read();
  BOOST_CHECK_THROW((void)story_from(record, "", "again"), std::invalid_argument);
  BOOST_CHECK_THROW((void)story_from(record, "tester", "again"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(an_older_version_of_a_kind_is_told_in_that_of_a_story) {
  const RecordFile file;
  play(file.path, [](sim::ServedServer& served) {
    const std::string path = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
    sim::Tester tester(served);
    sim::OpenWatch watch(served, path + "?watch=1&resourceVersion=0");
    BOOST_TEST(tester.code("POST", path, {.body = R"({"metadata":{"name":"web"},"spec":{
        "maxReplicas":5,"targetCPUUtilizationPercentage":50,
        "scaleTargetRef":{"kind":"Deployment","name":"web","apiVersion":"apps/v1"}}})"}) == 201);
    BOOST_TEST(watch.next_type() == "ADDED");
  });
  const RecordedStory made = story_from(file.read(), "", "again");
  BOOST_TEST(made.left_out.empty());
  BOOST_TEST(made.scenario.clients.at(0).watches == "HorizontalPodAutoscaler");
  const std::string text = scenario_text(made.scenario);
  BOOST_TEST(parse_scenario(text).problems.empty(), text);
  BOOST_TEST(says(text, "averageUtilization: 50"), text);
  BOOST_TEST(!says(text, "targetCPU"), text);
  BOOST_TEST(run_scenario(*parse_scenario(text).scenario).held());
}

BOOST_AUTO_TEST_SUITE_END()
