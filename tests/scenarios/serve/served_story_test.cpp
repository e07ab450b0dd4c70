#include "scenarios/serve/served_story.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <thread>

#include "scenarios/language/parse.hpp"
#include "scenarios/language/runner.hpp"
#include "scenarios/serve/injected_faults.hpp"
#include "tests/sim/http/served_server.hpp"
#include "tests/support/texts.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;
using sim::text_at;
using watchlab::tests::says;

BOOST_AUTO_TEST_SUITE(served_story_test)

namespace {

const std::string kMaps = "/api/v1/namespaces/default/configmaps";

Scenario scenario_of(const std::string& parts) {
  const Parsed parsed =
      parse_scenario("apiVersion: watchlab/v1\nname: served\nstory: Served.\n" + parts);
  for (const Problem& problem : parsed.problems) {
    BOOST_ERROR(describe("served.yaml", problem));
  }
  return parsed.scenario.value();
}

/// A story that is served, and one connection to it for each request.
struct Served {
  explicit Served(const std::string& parts, std::string token = "")
      : story(scenario_of(parts), {.token = std::move(token),
                                   .print =
                                       [this](const std::string& line) {
                                         const std::lock_guard lock(mutex);
                                         printed += line + "\n";
                                       }}),
        front(story.front_options()),
        server(front, {}) {
    front.add_pages(control_pages(front, {.story = &story}));
    story.open_ports(server);
    story.begin([this] { over.set_value(); });
    thread = std::thread([this] { server.run(); });
  }
  ~Served() { end(); }

  /// How the story ends when the clients from outside have done this.
  StoryVerdict verdict(bool waits = false) {
    if (waits) {
      over.get_future().wait();
    }
    end();
    return story.finish();
  }
  void end() {
    if (thread.joinable()) {
      server.stop();
      thread.join();
    }
  }

  std::int32_t code(sim::HttpRequest request, std::uint16_t port = 0) const {
    request.fields.push_back({"Connection", "close"});
    const auto answer = sim::ask(*sim::endpoint_from(server.url(port)), std::move(request));
    BOOST_REQUIRE(answer.ok());
    return answer->head.code;
  }
  std::int32_t get(const std::string& target, const std::string& agent = "tester/1.0") const {
    sim::HttpRequest request{.method = "GET", .target = target};
    request.fields.push_back({"User-Agent", agent});
    return code(std::move(request));
  }
  std::int32_t create(const std::string& path, const std::string& name) const {
    return code({.method = "POST",
                 .target = path + kMaps,
                 .body = R"({"metadata":{"name":")" + name + "\"}}"});
  }

  std::mutex mutex;
  std::string printed;
  std::promise<void> over;
  ServedStory story;
  sim::HttpFront front;
  sim::HttpServer server;
  std::thread thread;
};

/// What the first problem of a text says; "" for none.
std::string problem_of(const std::string& parts) {
  const Parsed parsed =
      parse_scenario("apiVersion: watchlab/v1\nname: served\nstory: Served.\n" + parts);
  return parsed.problems.empty() ? "" : describe("served.yaml", parsed.problems.front());
}

const std::string kOutside = "clients: [{name: outside, kind: external, makes: [made]}]\n";

}  // namespace

BOOST_AUTO_TEST_CASE(what_an_external_client_asks_is_expected_like_that_of_ours) {
  const std::string story =
      kOutside +
      "server: {objects: [demo]}\n"
      "expect:\n"
      "  - requests: {exactly: [{LIST: {answer: ok}}, {CREATE: {name: made, answer: ok}}, {CREATE: "
      "{answer: exists}}]}\n"
      "  - served: {exactly: [listed: demo]}\n"
      "  - objects: {exactly: [demo, made]}\n";
  Served served(story);
  BOOST_TEST(served.get(kMaps) == 200);
  BOOST_TEST(served.create("", "made") == 201);
  BOOST_TEST(served.create("", "made") == 409);
  const StoryVerdict verdict = served.verdict();
  BOOST_TEST(verdict.broken == "");
}

BOOST_AUTO_TEST_CASE(a_failure_says_what_was_expected_and_what_was_asked) {
  Served served(kOutside + "expect: [requests: {exactly: [LIST, WATCH]}]\n");
  BOOST_TEST(served.get(kMaps) == 200);
  BOOST_TEST(served.get(kMaps + "/none") == 404);
  const StoryVerdict verdict = served.verdict();
  BOOST_TEST(says(verdict.broken, "number 2 should be 'WATCH', but is 'GET none"));
  BOOST_REQUIRE(verdict.seen.size() == 2U);
  BOOST_TEST(says(verdict.seen[0], "outside: LIST"));
  BOOST_TEST(says(verdict.seen[1], "404"));
}

BOOST_AUTO_TEST_CASE(a_client_is_known_by_its_whole_token) {
  Served served(
      "clients:\n"
      "  - {name: bearer, kind: external, recognised_by: {token: secret}}\n"
      "  - {name: other, kind: external, recognised_by: {token: secrets}}\n"
      "expect:\n"
      "  - {of: bearer, requests: {exactly: [LIST]}}\n"
      "  - {of: other, requests: {exactly: [LIST, LIST]}}\n");
  for (const std::string token : {"secret", "secrets", "secrets", "secretss"}) {
    sim::HttpRequest request{.method = "GET", .target = kMaps};
    request.fields.push_back({"Authorization", "Bearer " + token});
    BOOST_TEST(served.code(std::move(request)) == 200);
  }
  BOOST_TEST(served.verdict().broken == "");
}

BOOST_AUTO_TEST_CASE(a_verdict_shows_the_last_twenty_requests_and_the_one_that_it_names) {
  Served served(kOutside + "expect: [requests: {exactly: [LIST]}]\n");
  for (int i = 0; i < 22; ++i) {
    BOOST_TEST(served.get(kMaps + (i == 21 ? "/last" : "")) == (i == 21 ? 404 : 200));
  }
  const StoryVerdict verdict = served.verdict();
  BOOST_REQUIRE(verdict.seen.size() == 21U);
  BOOST_TEST(verdict.seen[0].starts_with("▶"), verdict.seen[0]);
  BOOST_TEST(says(verdict.seen[0], "LIST"));
  BOOST_TEST(verdict.seen[1].starts_with(" "), verdict.seen[1]);
  BOOST_TEST(says(verdict.seen[20], "GET default/last"), verdict.seen[20]);
}

BOOST_AUTO_TEST_CASE(clients_are_known_by_path_agent_token_and_port) {
  Served served(
      "clients:\n"
      "  - {name: pathed, kind: external}\n"
      "  - {name: pathed2, kind: external}\n"
      "  - {name: short, kind: external, recognised_by: {user_agent: my}}\n"
      "  - {name: agent, kind: external, recognised_by: {user_agent: my-controller}}\n"
      "  - {name: agent2, kind: external, recognised_by: {user_agent: my-controller2}}\n"
      "  - {name: bearer, kind: external, recognised_by: {token: secret}}\n"
      "  - {name: ported, kind: external, recognised_by: {port: own}}\n"
      "expect:\n"
      "  - {of: short, requests: {exactly: [LIST]}}\n"
      "  - {of: pathed, requests: {exactly: [LIST]}}\n"
      "  - {of: pathed2, requests: {exactly: [LIST, LIST]}}\n"
      "  - {of: agent, requests: {exactly: [LIST, LIST]}}\n"
      "  - {of: agent2, requests: {exactly: [LIST]}}\n"
      "  - {of: bearer, requests: {exactly: [LIST]}}\n"
      "  - {of: ported, requests: {exactly: [LIST]}}\n",
      "all");
  const auto with_token = [](const std::string& target, const std::string& token) {
    sim::HttpRequest request{.method = "GET", .target = target};
    request.fields.push_back({"User-Agent", "my-controller/2"});
    request.fields.push_back({"Authorization", "Bearer " + token});
    return request;
  };
  std::uint16_t port = 0;
  for (const ClientEndpoint& place : served.story.places(served.server)) {
    if (place.name == "ported") {
      port = sim::endpoint_from(place.url)->port;
    }
  }
  BOOST_TEST(served.code(with_token("/clients/pathed" + kMaps, "all")) == 200);
  BOOST_TEST(served.code(with_token("/clients/pathed2" + kMaps, "all")) == 200);
  BOOST_TEST(served.code(with_token("/clients/pathed2" + kMaps, "all")) == 200);
  BOOST_TEST(served.code(with_token("/clients/pathed23" + kMaps, "all")) == 404);
  BOOST_TEST(served.code(with_token(kMaps, "all")) == 200);
  BOOST_TEST(served.code(with_token(kMaps + "?limit=5", "all")) == 200);
  BOOST_TEST(served.code(with_token(kMaps, "wrong")) == 401);
  sim::HttpRequest of_longer = with_token(kMaps, "all");
  of_longer.fields[0].value = "my-controller2/1";
  BOOST_TEST(served.code(of_longer) == 200);
  sim::HttpRequest of_bearer = with_token(kMaps, "secret");
  of_bearer.fields[0].value = "curl";
  BOOST_TEST(served.code(of_bearer) == 200);
  sim::HttpRequest of_short = with_token(kMaps, "all");
  of_short.fields[0].value = "my-other/2";
  BOOST_TEST(served.code(of_short) == 200);
  of_bearer.fields[1].value += "s";
  BOOST_TEST(served.code(of_bearer) == 401);
  sim::HttpRequest of_port = with_token(kMaps, "all");
  of_port.fields[0].value = "curl";
  BOOST_TEST(served.code(of_port, port) == 200);
  BOOST_TEST(served.code(with_token("/clients/unknown" + kMaps, "all")) == 404);
  BOOST_TEST(served.verdict().broken == "");
}

BOOST_AUTO_TEST_CASE(the_script_waits_for_requests_and_breaks_the_next) {
  Served served(kOutside +
                "script:\n"
                "  - when: {requested: {verb: CREATE, count: 1}}\n"
                "    fault: {fail_requests: {of: outside, answer: internal, skip: 1, times: 1}}\n"
                "until: {requested: {count: 4}}\n"
                "expect: [requests: {exactly: [CREATE, {LIST: {answer: ok}}, {LIST: {answer: "
                "internal}}, {LIST: {answer: ok}}]}]\n");
  BOOST_TEST(served.create("", "made") == 201);
  while (!says(served.story.describe(), "\"steps\":1")) {
    std::this_thread::yield();  // the story's task acts a moment after the request
  }
  BOOST_TEST(served.get(kMaps) == 200);
  BOOST_TEST(served.get(kMaps) == 500);
  BOOST_TEST(served.get(kMaps) == 200);
  const StoryVerdict verdict = served.verdict(true);
  BOOST_TEST(verdict.broken == "");
  BOOST_TEST(verdict.unfired_faults.empty());
}

BOOST_AUTO_TEST_CASE(a_delay_may_be_missed_by_half_a_second) {
  const ServedStory story(
      scenario_of(kOutside + "expect: [requests: {exactly: [LIST, {LIST: {delay: immediate}}]}]\n"),
      {});
  const auto& layer = story.scenario().expectations.at(0).layer;
  const auto& requests = std::get<sim::Expected<sim::RequestPattern>>(layer).entries;
  BOOST_REQUIRE(requests.at(1).delay.has_value());
  BOOST_TEST(sim::belongs(std::chrono::milliseconds(500), *requests[1].delay));
  BOOST_TEST(!sim::belongs(std::chrono::milliseconds(501), *requests[1].delay));
}

BOOST_AUTO_TEST_CASE(a_step_that_never_came_is_a_failure_with_its_line) {
  Served served(kOutside + "script: [{when: {watching: outside}, create: made}]\n");
  const StoryVerdict verdict = served.verdict();
  BOOST_TEST(says(verdict.broken, "served:5: the step waits for an open watch of outside"));
  BOOST_TEST(says(verdict.broken, "no request was recognised as one of outside"));
}

BOOST_AUTO_TEST_CASE(a_failure_says_what_the_story_ended_with) {
  Served served(
      "clients: [{name: busy, kind: external}, {name: silent, kind: external}]\n"
      "until: {requested: {of: busy, verb: LIST, count: 1}}\n"
      "expect: [{of: busy, requests: {exactly: [WATCH]}}]\n");
  BOOST_TEST(served.get("/clients/busy" + kMaps) == 200);
  const StoryVerdict verdict = served.verdict(true);
  BOOST_TEST(says(verdict.broken, "the story was over at "), verdict.broken);
  BOOST_TEST(says(verdict.broken, "s: 1 LIST requests of busy\n"), verdict.broken);
  BOOST_TEST(verdict.broken.ends_with(
                 "no request was recognised as one of silent; requests came from busy"),
             verdict.broken);
}

BOOST_AUTO_TEST_CASE(the_time_of_a_story_counts_from_the_first_request_of_its_client) {
  Served served(kOutside + "until: 1ms\nexpect: [requests: {exactly: [LIST]}]\n");
  std::future<void> over = served.over.get_future();
  for (int i = 0; i < 10; ++i) {  // far longer than the story's time
    for (const char* const probe : {"/watchlab/v1/faults", "/healthz", "/readyz", "/livez",
                                    "/version", "/api", "/apis", "/api/v1"}) {
      BOOST_TEST(served.get(probe) == 200);
    }
  }
  BOOST_TEST((over.wait_for(std::chrono::seconds(0)) == std::future_status::timeout));
  BOOST_TEST(served.get(kMaps) == 200);
  over.wait();
  BOOST_TEST(served.verdict().broken == "");
}

BOOST_AUTO_TEST_CASE(a_program_of_ours_sees_what_comes_from_outside) {
  Served served(
      "clients: [{name: program, kind: program}, {name: outside, kind: external, makes: [made]}]\n"
      "script: [{when: {popped: {of: program, count: 1}}, delete: made}]\n"
      "until: {popped: {of: program, count: 2}}\n"
      "expect: [{of: program, deltas: {exactly: [Added: made, Deleted: made]}}]\n");
  while (served.front.host()->exchanges().size() < 2U) {
    std::this_thread::yield();
  }
  BOOST_TEST(served.create("", "made") == 201);
  BOOST_TEST(served.verdict(true).broken == "");
  BOOST_TEST(served.printed == "Added: made\nDeleted: made\n");
}

namespace {

std::size_t threads_of_this_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_story_never_has_more_threads_than_it_has_reserved) {
  constexpr std::size_t kOthers = 4;  // the script's, the controllers', the timers', the server's
  for (const std::string client :
       {"kind: informer", "kind: shared", "kind: shared, handlers: [{name: x}, {name: y}]",
        "kind: shared, runs: twice", "kind: program", "kind: store", "kind: fifo, workers: 3",
        "kind: controller, reconcile: observe, workers: 2"}) {
    for (const std::string transport : {"direct", "wire"}) {
      const std::size_t before = threads_of_this_process();
      Served it("transport: " + transport + "\nclients: [{name: a, " + client +
                "}]\nserver: {objects: [demo]}\nuntil: 60ms\n");
      const std::size_t most = before + tasks_of(it.story.scenario()) + kOthers;
      std::future<void> over = it.over.get_future();
      std::size_t seen = 0;
      while (over.wait_for(std::chrono::milliseconds(0)) != std::future_status::ready) {
        seen = std::max(seen, threads_of_this_process());
      }
      BOOST_TEST(seen <= most, client << ", " << transport << ": " << seen << " of " << most);
    }
  }
}

BOOST_AUTO_TEST_CASE(two_thousand_tasks_are_enough_for_333_informers) {
  std::string clients = "until: 1s\nclients:\n";
  for (int i = 0; i < 333; ++i) {
    clients += "  - {name: c" + std::to_string(i) + ", kind: informer}\n";
  }
  BOOST_TEST(tasks_of(scenario_of(clients)) <= 2000U);
  BOOST_TEST(tasks_of(scenario_of("until: 1s\nclients: [{name: a, kind: external}]\n")) == 0U);
}

BOOST_AUTO_TEST_CASE(what_only_a_simulation_has_is_refused) {
  BOOST_CHECK_THROW(ServedStory(scenario_of("program: relist_a_change\n"), {}), sim::StoryError);
  BOOST_CHECK_THROW(
      ServedStory(scenario_of(kOutside + "script: [{fault: {cut_watch: {choice: true}}}]\n"), {}),
      sim::StoryError);
  const Played played = run_scenario(scenario_of(kOutside));
  BOOST_REQUIRE(played.result.failure.has_value());
  BOOST_TEST(says(played.result.failure->sentence, "watchlab serve"));
}

BOOST_AUTO_TEST_CASE(what_could_never_be_known_of_a_client_is_a_mistake) {
  const auto is_wrong = [](const std::string& rest, const std::string& part) {
    BOOST_TEST(says(problem_of(rest), part), problem_of(rest));
  };
  is_wrong(kOutside + "expect: [store: {exactly: []}]\n", "'store' of the external");
  is_wrong(kOutside + "script: [{stop: outside}]\n", "of the external client");
  is_wrong(kOutside + "script: [{when: {synced: outside}, wait: 1s}]\n", "only requests are known");
  is_wrong(kOutside + "until: {ended: outside}\n", "only requests are known");
  is_wrong("clients: [{name: a, kind: external, resync: 1s}]\n", "which runs by itself");
  is_wrong("clients: [{name: a, kind: informer, recognised_by: {token: t}}]\n", "recognition");
  is_wrong("clients: [{name: a, kind: informer}]\nexpect: [requests: {exactly: [GET]}]\n",
           "a GET of 'a', which never sends one");
}

BOOST_AUTO_TEST_CASE(the_page_shows_the_story_that_is_played) {
  const auto whole = [](const std::string& path) {
    std::ifstream in(path);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  const std::string story = whole("docs/any-language/copier.yaml");
  BOOST_TEST(says(whole("docs/serve.md"), "```yaml\n" + story + "```\n"));
  for (const char* path : {"docs/any-language/copier.yaml", "docs/tutorial/tutorial.yaml",
                           "docs/tutorial/tutorial_cut.yaml"}) {
    BOOST_TEST(load_scenario(path).problems.empty(), path);
  }
}

BOOST_AUTO_TEST_SUITE_END()
