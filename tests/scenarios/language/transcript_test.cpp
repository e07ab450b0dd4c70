#include "scenarios/language/transcript.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <string>

#include "scenarios/language/parse.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(transcript_test)

namespace {

namespace json = boost::json;

constexpr std::int64_t kMillisecond = 1'000'000;

/// The one client of the story's transcript.
json::object client_of(const std::string& text) {
  Parsed parsed = parse_scenario("apiVersion: watchlab/v1\nname: story\nstory: s\n" + text);
  const Transcript transcript = transcribe(parsed.scenario.value());
  BOOST_TEST(transcript.problem == "");
  return json::parse(transcript.line).as_object().at("clients").as_array().at(0).as_object();
}

/// The value at a JSON pointer; "missing" when there is none.
json::value at(const json::object& client, const std::string& pointer) {
  const json::value all = client;
  boost::system::error_code failure;
  const json::value* const found = all.find_pointer(pointer, failure);
  return found == nullptr ? json::value("missing") : *found;
}

const std::string one_object =
    "server: {objects: [demo]}\n"
    "clients: [{name: informer, kind: informer}]\n";

}  // namespace

BOOST_AUTO_TEST_CASE(it_shows_each_request_with_its_answer) {
  const json::object client = client_of(one_object);
  BOOST_TEST(client.at("requests").as_array().size() == 2U);
  BOOST_TEST(at(client, "/requests/0/verb") == json::value("LIST"));
  BOOST_TEST(at(client, "/requests/0/options/rv") == json::value("0"));
  BOOST_TEST(at(client, "/requests/0/answered") == json::value(2 * kMillisecond));
  BOOST_TEST(at(client, "/requests/0/items/0/metadata/name") == json::value("demo"));
  BOOST_TEST(at(client, "/requests/1/verb") == json::value("WATCH"));
  BOOST_TEST(at(client, "/requests/1/end") == json::value("open"));
}

BOOST_AUTO_TEST_CASE(it_shows_the_frames_of_a_watch_by_their_delay) {
  const json::object client = client_of(
      one_object +
      "script: [{when: {watching: informer}, after: 1s, update: {name: demo, data: {a: b}}}]\n");
  BOOST_TEST(at(client, "/requests/1/frames/0/type") == json::value("MODIFIED"));
  // The watch was sent at 2 ms and open at 4 ms, and an event takes 1 ms.
  BOOST_TEST(at(client, "/requests/1/frames/0/after") == json::value(1003 * kMillisecond));
}

BOOST_AUTO_TEST_CASE(it_shows_failures_by_a_word_and_a_status) {
  const json::object client = client_of(
      "clients: [{name: informer, kind: informer, starts: later}]\n"
      "script:\n"
      "  - atomic: [{fault: {fail_list: {answer: too_many, times: 1}}}, {start: informer}]\n");
  BOOST_TEST(at(client, "/requests/0/error/word") == json::value("status"));
  BOOST_TEST(at(client, "/requests/0/error/status/code") == json::value(429));
  BOOST_TEST(at(client, "/requests/1/error") == json::value(nullptr));
}

BOOST_AUTO_TEST_CASE(it_shows_calls_and_the_store) {
  const json::object client = client_of(one_object);
  BOOST_TEST(at(client, "/calls/0/type") == json::value("add"));
  BOOST_TEST(at(client, "/calls/0/key") == json::value("default/demo"));
  BOOST_TEST(at(client, "/calls/0/initial") == json::value(true));
  BOOST_TEST(at(client, "/deltas/0/type") == json::value("Replaced"));
  BOOST_TEST(at(client, "/store/0/metadata/name") == json::value("demo"));
}

BOOST_AUTO_TEST_CASE(objects_are_whole) {
  const json::object client = client_of(
      "server: {objects: [{name: demo, labels: {colour: red}, data: {a: b}}]}\n"
      "clients: [{name: informer, kind: informer}]\n");
  for (const std::string place : {"/requests/0/items/0", "/calls/0/object", "/store/0"}) {
    BOOST_TEST(at(client, place + "/kind") == json::value("ConfigMap"));
    BOOST_TEST(at(client, place + "/metadata/labels/colour") == json::value("red"));
    BOOST_TEST(at(client, place + "/data/a") == json::value("b"));
  }
}

BOOST_AUTO_TEST_CASE(a_frame_without_an_object_is_null) {
  const json::object client = client_of(one_object +
                                        "script:\n"
                                        "  - when: {watching: informer}\n"
                                        "    atomic:\n"
                                        "      - fault: {empty_event: {times: 1}}\n"
                                        "      - update: {name: demo, data: {a: b}}\n");
  BOOST_TEST(at(client, "/requests/1/frames/0/object") == json::value(nullptr));
}

BOOST_AUTO_TEST_CASE(it_shows_what_comes_after_the_stop) {
  const json::object client = client_of(
      "server: {objects: [a, b]}\n"
      "clients: [{name: program, kind: program, pause: 100ms}]\n"
      "until: 50ms\n");
  BOOST_TEST(at(client, "/stopped").to_number<std::int64_t>() < 51 * kMillisecond);
  BOOST_TEST(at(client, "/deltas/1/at") == json::value(102 * kMillisecond));
  BOOST_TEST(at(client, "/store").as_array().size() == 1U);
  BOOST_TEST(at(client, "/synced") == json::value(false));
  BOOST_TEST(at(client, "/final/store").as_array().size() == 2U);
  BOOST_TEST(at(client, "/final/synced") == json::value(true));
  BOOST_TEST(at(client, "/final/at") == json::value(202 * kMillisecond));
}

BOOST_AUTO_TEST_CASE(events_come_one_by_one) {
  const json::object client = client_of(one_object +
                                        "script:\n"
                                        "  - when: {watching: informer}\n"
                                        "    atomic:\n"
                                        "      - update: {name: demo, data: {a: b}}\n"
                                        "      - update: {name: demo, data: {a: c}}\n");
  BOOST_TEST(at(client, "/requests/1/frames/1/after").to_number<std::int64_t>() -
                 at(client, "/requests/1/frames/0/after").to_number<std::int64_t>() ==
             2);
}

BOOST_AUTO_TEST_CASE(a_fifo_a_store_and_a_controller_are_notified_of) {
  const std::string objects = "server: {objects: [{name: demo, labels: {colour: red}}]}\n";
  const json::object fifo = client_of(objects + "clients: [{name: fifo, kind: fifo}]\n");
  BOOST_TEST(at(fifo, "/pops/0/key") == json::value("default/demo"));
  const json::object store = client_of(objects + "clients: [{name: store, kind: store}]\n");
  BOOST_TEST(at(store, "/reads/0/value") == json::value("colour=red"));
  const json::object controller =
      client_of(objects + "clients: [{name: workers, kind: controller}]\n");
  BOOST_TEST(controller.at("work").at(2).at("type") == json::value("done"));
}

BOOST_AUTO_TEST_CASE(it_shows_when_the_client_had_synced) {
  const json::object client = client_of(one_object);
  BOOST_TEST(at(client, "/synced") == json::value(true));
  BOOST_TEST(at(client, "/synced_at") == json::value(2 * kMillisecond));
}

BOOST_AUTO_TEST_CASE(a_slow_program_syncs_with_its_last_pop) {
  const json::object client = client_of(
      "server: {objects: [a, b]}\n"
      "clients: [{name: program, kind: program, pause: 100ms}]\n");
  BOOST_TEST(at(client, "/synced_at") == json::value(102 * kMillisecond));
}

BOOST_AUTO_TEST_CASE(it_shows_when_handlers_came_went_and_had_synced) {
  const json::object client = client_of(
      "server: {objects: [demo]}\n"
      "clients:\n"
      "  - name: informer\n"
      "    kind: shared\n"
      "    resync: 20s\n"
      "    handlers: [{name: early}, {name: late, starts: later, resync: 30s, takes: 5ms}]\n"
      "script: [{at: 1s, add_handler: late}, {at: 2s, remove_handler: early}]\n");
  BOOST_TEST(at(client, "/kind") == json::value("shared"));
  BOOST_TEST(at(client, "/handlers/0/joined") == json::value(0));
  BOOST_TEST(at(client, "/handlers/0/resync") == json::value(nullptr));
  BOOST_TEST(at(client, "/handlers/0/synced_at") == json::value(2 * kMillisecond));
  // Whatever is done to a client is done when all else of its instant is over, a microsecond later.
  BOOST_TEST(at(client, "/handlers/0/left") == json::value(2000 * kMillisecond + 1'000));
  BOOST_TEST(at(client, "/handlers/1/joined") == json::value(1000 * kMillisecond + 1'000));
  BOOST_TEST(at(client, "/handlers/1/resync") == json::value(30'000 * kMillisecond));
  BOOST_TEST(at(client, "/handlers/1/takes") == json::value(5 * kMillisecond));
  BOOST_TEST(at(client, "/handlers/1/synced_at") == json::value(1005 * kMillisecond + 1'000));
  BOOST_TEST(at(client, "/handlers/1/left") == json::value(nullptr));
}

BOOST_AUTO_TEST_CASE(a_story_without_an_end_is_a_problem) {
  Parsed parsed = parse_scenario("apiVersion: watchlab/v1\nname: story\nstory: s\n" + one_object +
                                 "within: 1s\nuntil: {handled: {count: 9}}\n");
  BOOST_TEST(transcribe(parsed.scenario.value()).problem.find("has not come") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
