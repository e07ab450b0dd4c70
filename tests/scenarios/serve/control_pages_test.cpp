#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>

#include "scenarios/serve/injected_faults.hpp"
#include "scenarios/serve/posted_stories.hpp"
#include "scenarios/serve/yaml_body.hpp"
#include "tests/sim/http/served_server.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;
using sim::text_at;

BOOST_AUTO_TEST_SUITE(control_pages_test)

namespace {

const std::string kMaps = "/api/v1/namespaces/default/configmaps";
const std::string kFaults = "/watchlab/v1/faults";

/// A server with the pages, and a client of it.
struct Controlled {
  Controlled() : served({.json_from_yaml = json_from_yaml}), tester(served) {
    served.there([this] {
      served.front.add_pages(control_pages(
          served.front,
          {.stories = std::make_shared<PostedStories>(sim::HttpServerOptions(), "", 2000)}));
    });
  }
  sim::HttpAnswer add(const std::string& fault) {
    return tester.ask("POST", kFaults, {.body = fault});
  }

  sim::ServedServer served;
  sim::Tester tester;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_fault_is_added_listed_and_healed) {
  Controlled it;
  const sim::HttpAnswer added = it.add("{fail_requests: {answer: internal, as: broken}}");
  BOOST_TEST(added.head.code == 201);
  BOOST_TEST(text_at(added.body, "/as") == "broken");
  BOOST_TEST(it.tester.code("GET", kMaps) == 500);
  const std::string list = it.tester.ask("GET", kFaults).body;
  BOOST_TEST(text_at(list, "/items/0/acted") == "1");
  BOOST_TEST(text_at(list, "/items/0/fault/fail_requests/answer") == "internal");
  BOOST_TEST(it.tester.code("DELETE", kFaults + "/brok") == 404);
  BOOST_TEST(it.tester.code("DELETE", kFaults + "/broken") == 200);
  BOOST_TEST(it.tester.code("DELETE", kFaults + "/broken") == 404);
  BOOST_TEST(it.tester.code("GET", kMaps) == 200);
}

BOOST_AUTO_TEST_CASE(a_fault_counts_the_requests_of_its_client) {
  Controlled it;
  BOOST_TEST(it.add(R"({"fail_requests": {"answer": "too_many", "of": "tester", "times": 2}})")
                 .head.code == 201);
  BOOST_TEST(it.tester.code("GET", kMaps) == 429);
  BOOST_TEST(it.tester.code("GET", kMaps) == 429);
  BOOST_TEST(it.tester.code("GET", kMaps) == 200);
  BOOST_TEST(text_at(it.tester.ask("GET", kFaults).body, "/items/0/over") == "true");
  BOOST_TEST(text_at(it.tester.ask("DELETE", kFaults).body, "/healed") == "1");
}

BOOST_AUTO_TEST_CASE(a_fault_that_is_over_makes_room_for_its_like) {
  Controlled it;
  const std::string fault = "{fail_requests: {answer: internal, times: 1}}";
  BOOST_TEST(it.add(fault).head.code == 201);
  BOOST_TEST(it.add(fault).head.code == 409);
  BOOST_TEST(it.tester.code("GET", kMaps) == 500);
  BOOST_TEST(it.add(fault).head.code == 201);
  BOOST_TEST(text_at(it.tester.ask("GET", kFaults).body, "/items/1") == "");
  BOOST_TEST(it.tester.code("GET", kMaps) == 500);
}

BOOST_AUTO_TEST_CASE(a_fault_of_open_streams_says_that_there_is_none) {
  Controlled it;
  const auto note_of = [&](const std::string& fault) {
    const sim::HttpAnswer added = it.add(fault);
    BOOST_TEST(added.head.code == 201);
    (void)it.tester.ask("DELETE", kFaults);
    return text_at(added.body, "/note");
  };
  BOOST_TEST(note_of("{cut_watch: {of: tester, after_events: 3}}") ==
             "cut_watch acts on streams of tester that are open now: none is; new_streams: true "
             "waits for the next");
  BOOST_TEST(note_of("{fail_stream: {answer: expired}}").ends_with("waits for the next"));
  BOOST_TEST(note_of("{cut_watch: {of: tester, after_events: 3, new_streams: true}}") == "");
  BOOST_TEST(note_of("{fail_list: {answer: internal}}") == "");
  const sim::OpenWatch watch(it.served, kMaps + "?watch=1");
  BOOST_TEST(note_of("{cut_watch: {of: tester, after_events: 3}}") == "");
  BOOST_TEST(note_of("{cut_watch: {after_events: 3}}") == "");
}

BOOST_AUTO_TEST_CASE(a_fault_of_a_client_that_has_asked_nothing_says_who_has) {
  Controlled it;
  const auto note_for = [&](const std::string& client) {
    return text_at(
        it.add(fmt::format("{{fail_list: {{answer: internal, as: {0}, of: {0}}}}}", client)).body,
        "/note");
  };
  BOOST_TEST(note_for("early") == "");  // nobody has asked anything
  (void)it.tester.code("GET", kMaps);
  BOOST_TEST(note_for("test") == "no request of test has come so far; did you mean 'tester'?");
  BOOST_TEST(note_for("testr") == "no request of testr has come so far; did you mean 'tester'?");
  BOOST_TEST(note_for("kubectl") == "no request of kubectl has come so far; they came from tester");
  BOOST_TEST(note_for("tester") == "");
}

BOOST_AUTO_TEST_CASE(a_fault_that_changed_the_servers_has_acted_once) {
  Controlled it;
  (void)it.add("restart_server");
  BOOST_TEST(text_at(it.tester.ask("GET", kFaults).body, "/items/0/acted") == "1");
}

BOOST_AUTO_TEST_CASE(what_is_no_fault_is_refused_with_the_name_that_was_meant) {
  Controlled it;
  const sim::HttpAnswer wrong = it.add("cut_wach");
  BOOST_TEST(wrong.head.code == 400);
  BOOST_TEST(text_at(wrong.body, "/message").find("cut_watch") != std::string::npos);
  BOOST_TEST(it.add("").head.code == 400);
  BOOST_TEST(it.add("{cut_watch: {times: 0}}").head.code == 400);
  BOOST_TEST(it.add("{cut_watch: {choice: true}}").head.code == 400);
  BOOST_TEST(it.add("cut_watch").head.code == 201);
  BOOST_TEST(it.add("cut_watch").head.code == 409);
}

BOOST_AUTO_TEST_CASE(requests_and_objects_can_be_looked_at) {
  Controlled it;
  (void)it.tester.create("demo");
  (void)it.tester.ask("GET", kMaps + "/none");
  const std::string all = it.tester.ask("GET", "/watchlab/v1/exchanges?client=tester").body;
  BOOST_TEST(text_at(all, "/items/0/request") == "CREATE default/demo");
  BOOST_TEST(text_at(all, "/items/1/code") == "404");
  const std::string last = it.tester.ask("GET", "/watchlab/v1/exchanges?after=1").body;
  BOOST_TEST(text_at(last, "/items/0/number") == "2");
  for (const char* other : {"other", "test", "tester2"}) {
    const std::string page = "/watchlab/v1/exchanges?client=" + std::string(other);
    BOOST_TEST(text_at(it.tester.ask("GET", page).body, "/items") == "[]", other);
  }
  it.served.there([&] {
    const std::vector<sim::Exchange> known = it.served.front.host()->exchanges();
    for (std::size_t i = 0; i < 2; ++i) {
      const double sent = std::chrono::duration<double>(known[i].sent.time_since_epoch()).count();
      BOOST_TEST(std::stod(text_at(all, fmt::format("/items/{}/sent", i))) == sent,
                 boost::test_tools::tolerance(1e-12));
    }
  });
  const std::string objects = it.tester.ask("GET", "/watchlab/v1/objects?resource=configmaps").body;
  BOOST_TEST(text_at(objects, "/items/0/metadata/name") == "demo");
  BOOST_TEST(it.tester.code(
                 "POST", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
                 {.body = R"({"metadata":{"name":"a"},"addressType":"IPv4","endpoints":[]})"}) ==
             201);
  for (const auto& [resource, has] :
       std::vector<std::pair<std::string, bool>>{{"endpointslices", true}, {"endpoints", false}}) {
    const std::string page = "/watchlab/v1/objects?resource=" + resource;
    const bool found = it.tester.ask("GET", page).body.find("IPv4") != std::string::npos;
    BOOST_TEST(found == has, resource);
  }
  BOOST_TEST(it.tester.code("GET", "/watchlab/v1/nothing") == 404);
  BOOST_TEST(it.tester.code("POST", "/watchlab/v1/objects") == 405);
}

BOOST_AUTO_TEST_CASE(what_no_page_has_is_refused_with_the_name_that_was_meant) {
  Controlled it;
  const auto refusal_of = [&](const std::string& page) {
    const sim::HttpAnswer answer = it.tester.ask("GET", "/watchlab/v1/" + page);
    BOOST_TEST(answer.head.code == 400);
    return text_at(answer.body, "/message");
  };
  BOOST_TEST(refusal_of("objects?resource=configmap").find("'configmaps'") != std::string::npos);
  BOOST_TEST(refusal_of("objects?resourc=pods").find("'resource'") != std::string::npos);
  BOOST_TEST(refusal_of("exchanges?after=x").find("the number") != std::string::npos);
  BOOST_TEST(refusal_of("exchanges?cleint=a").find("'client'") != std::string::npos);
  BOOST_TEST(refusal_of("faults?as=x").find("no parameter 'as'") != std::string::npos);
  BOOST_TEST(it.tester.code("GET", "/watchlab/v1/objects?resource=pods&timeout=32s") == 200);
  const auto missing = [&](const std::string& method, const std::string& path) {
    const sim::HttpAnswer answer = it.tester.ask(method, path);
    BOOST_TEST(answer.head.code == 404);
    return text_at(answer.body, "/message");
  };
  BOOST_TEST(missing("GET", "/watchlab/v1/fault").ends_with("did you mean '/watchlab/v1/faults'?"));
  BOOST_TEST(missing("GET", "/watchlab/v2/faults").ends_with("'/watchlab/v1/faults'?"));
  BOOST_TEST(
      missing("GET", "/watchlab/like-none-of-them").find("there are /watchlab/v1/exchanges, ") !=
      std::string::npos);
  (void)it.tester.ask("POST", "/watchlab/v1/faults", {.body = "close_watch"});
  BOOST_TEST(missing("DELETE", "/watchlab/v1/faults/clos_watch") ==
             "there is no fault clos_watch in place; did you mean 'close_watch'?");
}

namespace {

const std::string kStories = "/watchlab/v1/stories";

/// What a story has come to, once it is over.
std::string outcome_of(Controlled& it, const std::string& name) {
  while (true) {
    std::string body = it.tester.ask("GET", kStories + "/" + name).body;
    if (text_at(body, "/state") != "running") {
      return body;
    }
    std::this_thread::yield();
  }
}

std::string story_of(const std::string& name, const std::string& rest) {
  return "apiVersion: watchlab/v1\nname: " + name +
         "\nstory: Begun from outside.\n"
         "clients: [{name: outside, kind: external, makes: [made]}]\n" +
         rest;
}

std::int32_t ask_at(const std::string& url, const std::string& method, const std::string& target,
                    const std::string& body = "") {
  const sim::HttpEndpoint place = *sim::endpoint_from(url);
  sim::HttpRequest request{.method = method, .target = target, .body = body};
  request.fields.push_back({"Connection", "close"});
  request.fields.push_back({"Content-Type", "application/json"});
  const auto answer = sim::ask(place, std::move(request));
  BOOST_REQUIRE(answer.ok());
  return answer->head.code;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_story_is_begun_from_outside_and_says_what_came_of_it) {
  Controlled it;
  const std::string text =
      story_of("begun",
               "server: {objects: [demo]}\nuntil: {requested: {verb: CREATE, count: 1}}\n"
               "expect: [requests: {exactly: [LIST, {CREATE: {name: made, answer: ok}}]}]\n");
  const sim::HttpAnswer begun = it.tester.ask("POST", kStories, {.body = text});
  BOOST_TEST(begun.head.code == 201);
  BOOST_TEST(text_at(begun.body, "/state") == "running");
  BOOST_TEST(text_at(begun.body, "/clients/0/name") == "outside");
  BOOST_TEST(text_at(begun.body, "/kubeconfig").find("outside") != std::string::npos);
  BOOST_TEST(it.tester.code("POST", kStories, {.body = text}) == 409);
  const std::string server = text_at(begun.body, "/server");
  BOOST_TEST(ask_at(server, "GET", kMaps) == 200);
  BOOST_TEST(ask_at(server, "GET", kFaults) == 200);
  BOOST_TEST(ask_at(server, "POST", kMaps, R"({"metadata":{"name":"made"}})") == 201);
  const std::string over = outcome_of(it, "begun");
  BOOST_TEST(text_at(over, "/state") == "held");
  BOOST_TEST(text_at(over, "/failure") == "");
  BOOST_TEST(text_at(it.tester.ask("GET", kStories).body, "/items/0/name") == "begun");
  BOOST_TEST(it.tester.code("POST", kStories, {.body = text}) == 201);  // its name is free again
  BOOST_TEST(text_at(it.tester.ask("GET", kStories + "/begun").body, "/state") == "running");
  BOOST_TEST(text_at(it.tester.ask("GET", kStories).body, "/items/1") == "");
}

BOOST_AUTO_TEST_CASE(a_story_is_not_found_by_the_beginning_of_its_name) {
  Controlled it;
  const std::string rest = "expect: [requests: {exactly: [LIST]}]\n";
  BOOST_TEST(it.tester.code("POST", kStories, {.body = story_of("demo2", rest)}) == 201);
  BOOST_TEST(it.tester.code("GET", kStories + "/demo") == 404);
  BOOST_TEST(it.tester.code("DELETE", kStories + "/demo") == 404);
  BOOST_TEST(it.tester.code("POST", kStories, {.body = story_of("demo", rest)}) == 201);
  BOOST_TEST(it.tester.code("DELETE", kStories + "/demo") == 202);
  BOOST_TEST(text_at(outcome_of(it, "demo"), "/state") == "failed");
  BOOST_TEST(text_at(it.tester.ask("GET", kStories + "/demo2").body, "/state") == "running");
}

BOOST_AUTO_TEST_CASE(a_story_that_is_ended_says_what_is_missing) {
  Controlled it;
  const std::string text = story_of("ended", "expect: [requests: {exactly: [LIST]}]\n");
  BOOST_TEST(it.tester.code("POST", kStories, {.body = text}) == 201);
  BOOST_TEST(it.tester.code("DELETE", kStories + "/ended") == 202);
  const std::string over = outcome_of(it, "ended");
  BOOST_TEST(text_at(over, "/state") == "failed");
  BOOST_TEST(text_at(over, "/failure").find("LIST") != std::string::npos);
  BOOST_TEST(text_at(over, "/seen") == "[]");
  BOOST_TEST(it.tester.code("DELETE", kStories + "/none") == 404);
}

namespace {

std::ptrdiff_t entries_of(const char* folder) {
  const std::filesystem::directory_iterator entries(folder);
  return std::distance(begin(entries), end(entries));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_story_that_is_over_keeps_no_thread_no_port_and_no_file) {
  Controlled it;
  (void)it.tester.ask("GET", kStories);
  const std::ptrdiff_t threads = entries_of("/proc/self/task");
  const std::ptrdiff_t files = entries_of("/proc/self/fd");
  for (const std::string name : {"first", "second", "third"}) {
    const sim::HttpAnswer begun =
        it.tester.ask("POST", kStories,
                      {.body = "apiVersion: watchlab/v1\nname: " + name +
                               "\nstory: s\nuntil: 10ms\nclients: [{name: a, kind: informer}]\n"});
    BOOST_TEST(begun.head.code == 201);
    BOOST_TEST(entries_of("/proc/self/task") > threads);
    BOOST_TEST(text_at(outcome_of(it, name), "/state") == "held");
    BOOST_TEST(!sim::ClientSocket::connect(*sim::endpoint_from(text_at(begun.body, "/server"))));
  }
  const std::string last = it.tester.ask("GET", kStories).body;  // what was over late is given back
  BOOST_TEST(text_at(last, "/items/2/state") == "held");
  BOOST_TEST(entries_of("/proc/self/task") == threads);
  BOOST_TEST(entries_of("/proc/self/fd") == files);
}

BOOST_AUTO_TEST_CASE(what_came_of_stories_is_kept_of_the_last_ones) {
  Controlled it;
  constexpr int kStoriesPosted = 7;
  for (int i = 0; i < kStoriesPosted; ++i) {
    const std::string name = "s" + std::to_string(i) + std::string(1'000'000, 'x');
    BOOST_TEST(it.tester.code("POST", kStories,
                              {.body = "apiVersion: watchlab/v1\nname: " + name +
                                       "\nstory: s\nuntil: 1ms\n"
                                       "clients: [{name: a, kind: informer}]\n"}) == 201);
    while (it.tester.ask("GET", kStories).body.find("running") != std::string::npos) {
      std::this_thread::yield();
    }
  }
  const std::string kept = it.tester.ask("GET", kStories).body;
  BOOST_TEST(kept.size() < 5'000'000U);
  BOOST_TEST(text_at(kept, "/items/0/name").substr(0, 2) == "s3");
  BOOST_TEST(text_at(kept, "/items/3/name").substr(0, 2) == "s6");
}

BOOST_AUTO_TEST_CASE(what_is_no_story_is_refused_with_its_place) {
  Controlled it;
  const sim::HttpAnswer wrong =
      it.tester.ask("POST", kStories, {.body = story_of("wrong", "exepct: []\n")});
  BOOST_TEST(wrong.head.code == 400);
  BOOST_TEST(text_at(wrong.body, "/message").find("story:5:1") != std::string::npos);
  BOOST_TEST(text_at(wrong.body, "/message").find("expect") != std::string::npos);
  BOOST_TEST(it.tester.code("POST", kStories, {.body = story_of("moves", "program: none\n")}) ==
             400);
  BOOST_TEST(text_at(it.tester.ask("GET", kStories).body, "/items") == "[]");
}

BOOST_AUTO_TEST_CASE(a_story_whose_client_cannot_be_made_is_refused_and_leaves_nothing) {
  Controlled it;
  const std::ptrdiff_t threads = entries_of("/proc/self/task");
  const sim::HttpAnswer refused =
      it.tester.ask("POST", kStories,
                    {.body = "apiVersion: watchlab/v1\nname: g\nstory: s\n"
                             "clients: [{name: a, kind: go, run: ['true']}]\n"});
  BOOST_TEST(refused.head.code == 400);
  BOOST_TEST(text_at(refused.body, "/message").find("the client 'a'") != std::string::npos);
  BOOST_TEST(entries_of("/proc/self/task") == threads);
  BOOST_TEST(text_at(it.tester.ask("GET", kStories).body, "/items") == "[]");
}

BOOST_AUTO_TEST_CASE(a_refused_story_leaves_that_of_its_name_which_is_over) {
  Controlled it;
  const std::string head = "apiVersion: watchlab/v1\nname: same\nstory: s\n";
  const std::string over = head + "until: 1ms\nclients: [{name: a, kind: informer}]\n";
  BOOST_TEST(it.tester.code("POST", kStories, {.body = over}) == 201);
  BOOST_TEST(text_at(outcome_of(it, "same"), "/state") == "held");
  const std::string wrong = head + "clients: [{name: a, kind: go, run: ['true']}]\n";
  BOOST_TEST(it.tester.code("POST", kStories, {.body = wrong}) == 400);
  BOOST_TEST(text_at(it.tester.ask("GET", kStories + "/same").body, "/state") == "held");
}

BOOST_AUTO_TEST_CASE(so_many_stories_are_played_at_a_time) {
  Controlled it;
  constexpr int kPlayed = 32;
  const auto post = [&it](int number) {
    const std::string name = fmt::format("s{}", number);
    return it.tester.ask("POST", kStories, {.body = story_of(name, "until: 1m\n")});
  };
  for (int i = 0; i < kPlayed; ++i) {
    BOOST_TEST_REQUIRE(post(i).head.code == 201);
  }
  const sim::HttpAnswer refused = post(kPlayed);
  BOOST_TEST(refused.head.code == 429);
  BOOST_TEST(text_at(refused.body, "/message") ==
             "32 stories are played, and no more can be at a time");
}

/// An informer has six tasks.
BOOST_AUTO_TEST_CASE(the_tasks_of_stories_that_are_over_make_room_for_others) {
  PostedStories stories(sim::HttpServerOptions(), "", 10);
  for (const std::string name : {"first", "second"}) {
    const std::string text = "apiVersion: watchlab/v1\nname: " + name +
                             "\nstory: s\nuntil: 1ms\nclients: [{name: a, kind: informer}]\n";
    BOOST_TEST_REQUIRE(stories.begin(text).ok(), name);
    while (text_at(stories.describe(name), "/state") == "running") {
      std::this_thread::yield();
    }
  }
}

BOOST_AUTO_TEST_CASE(the_tasks_of_all_stories_that_are_played_count) {
  PostedStories stories(sim::HttpServerOptions(), "", 17);
  const auto begin = [&](const std::string& name) {
    return stories.begin("apiVersion: watchlab/v1\nname: " + name +
                         "\nstory: s\nuntil: 1m\nclients: [{name: a, kind: informer}]\n");
  };
  BOOST_TEST_REQUIRE(begin("first").ok());
  BOOST_TEST_REQUIRE(begin("second").ok());
  const api::Result<std::string> third = begin("third");
  BOOST_TEST_REQUIRE(!third.ok());
  BOOST_TEST(third.error().status.message.find(" 12 run already") != std::string::npos,
             third.error().status.message);
}

BOOST_AUTO_TEST_CASE(all_faults_that_are_healed_act_no_more) {
  Controlled it;
  BOOST_TEST(it.add("{fail_requests: {answer: internal, as: one}}").head.code == 201);
  BOOST_TEST(it.add("{fail_requests: {answer: too_many, as: two}}").head.code == 201);
  BOOST_TEST(it.tester.code("GET", kMaps) == 500);
  BOOST_TEST(text_at(it.tester.ask("DELETE", kFaults).body, "/healed") == "2");
  BOOST_TEST(it.tester.code("GET", kMaps) == 200);
}

BOOST_AUTO_TEST_CASE(the_catalogue_says_what_there_is) {
  Controlled it;
  const std::string types = it.tester.ask("GET", "/watchlab/v1/fault-types").body;
  BOOST_TEST(types.find("\"name\":\"cut_watch\"") != std::string::npos);
  BOOST_TEST(text_at(types, "/items/0/doc") != "");
}

BOOST_AUTO_TEST_CASE(bodies_may_be_yaml) {
  Controlled it;
  const sim::HttpAnswer made =
      it.tester.ask("POST", kMaps,
                    {.type = "application/yaml",
                     .body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: w}\n"
                             "data:\n  port: \"80\"\n"});
  BOOST_TEST(made.head.code == 201);
  BOOST_TEST(text_at(made.body, "/data/port") == "80");
  const sim::HttpAnswer applied = it.tester.ask(
      "PATCH", kMaps + "/w?fieldManager=me&force=true",
      {.type = "application/apply-patch+yaml",
       .body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: w}\ndata: {port: \"81\"}\n"});
  BOOST_TEST(applied.head.code == 200);
  BOOST_TEST(text_at(applied.body, "/data/port") == "81");
  BOOST_TEST(it.tester.code("POST", kMaps, {.type = "application/yaml", .body = "a: [b"}) == 400);
  const std::string large(2'000'000, 'x');
  const sim::HttpAnswer flow = it.tester.ask(
      "POST", kMaps,
      {.type = "application/yaml",
       .body = "{kind: ConfigMap, metadata: {name: z}, immutable: on, data: {k: " + large + "}}"});
  BOOST_TEST(flow.head.code == 201);
  BOOST_TEST(text_at(flow.body, "/immutable") == "true");
  BOOST_TEST(text_at(flow.body, "/data/k").size() == large.size());
}

BOOST_AUTO_TEST_CASE(a_page_of_many_objects_comes_in_pieces) {
  Controlled it;
  const std::string objects = "/watchlab/v1/objects?resource=configmaps";
  BOOST_TEST(text_at(it.tester.ask("GET", objects).body, "/items") == "[]");
  for (const char* name : {"a", "b", "c"}) {
    BOOST_TEST(it.tester.create(name, R"({"k":")" + std::string(500'000, 'x') + "\"}").head.code ==
               201);
    const sim::HttpAnswer page = it.tester.ask("GET", objects);
    BOOST_TEST(sim::field_of(page.head.fields, "Transfer-Encoding") ==
               (page.body.size() > (1U << 20U) ? "chunked" : ""));
    BOOST_TEST(text_at(page.body, "/kind") == "ObjectList");
    BOOST_TEST(text_at(page.body, "/items/0/metadata/name") == "a");
  }
  BOOST_TEST(text_at(it.tester.ask("GET", objects).body, "/items/2/metadata/name") == "c");
}

BOOST_AUTO_TEST_CASE(what_is_posted_must_say_that_it_is_a_manifest) {
  Controlled it;
  for (const char* type :
       {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"}) {
    BOOST_TEST(it.tester.code("POST", kFaults, {.type = type, .body = "close_watch"}) == 415);
    BOOST_TEST(it.tester.code("POST", kStories, {.type = type, .body = story_of("a", "")}) == 415);
  }
  for (const char* type :
       {"application/yaml", "Application/JSON; charset=utf-8", "TEXT/yaml ;a=b"}) {
    BOOST_TEST(it.tester.code("POST", kFaults, {.type = type, .body = "close_watch"}) == 201);
    (void)it.tester.ask("DELETE", kFaults);
  }
}

BOOST_AUTO_TEST_CASE(a_posted_story_has_a_limited_number_of_tasks_and_objects) {
  Controlled it;
  std::string clients = "apiVersion: watchlab/v1\nname: many\nstory: s\nuntil: 1s\nclients:\n";
  const auto informers = [&](int count) {
    std::string text = clients;
    for (int i = 0; i < count; ++i) {
      text += fmt::format("  - {{name: c{}, kind: informer}}\n", i);
    }
    return text;
  };
  const sim::HttpAnswer many = it.tester.ask("POST", kStories, {.body = informers(3'000)});
  BOOST_TEST(many.head.code == 429);
  BOOST_TEST(text_at(many.body, "/message").find("--tasks-max") != std::string::npos);
  BOOST_TEST(it.tester.code(
                 "POST", kStories,
                 {.body = "apiVersion: watchlab/v1\nname: w\nstory: s\n"
                          "until: 1s\nclients: [{name: w, kind: fifo, workers: 3000}]\n"}) >= 400);
  BOOST_TEST(it.tester.code("POST", kStories,
                            {.body = "apiVersion: watchlab/v1\nname: bulk\n"
                                     "story: s\nuntil: 1s\nserver: {bulk_objects: "
                                     "100000000}\nclients: [{name: w, kind: informer}]\n"}) >= 400);
  const auto replicated = [](int count) {
    std::string list = "{}";
    for (int i = 1; i < count; ++i) {
      list += ", {}";
    }
    return story_of("wide", "until: 1s\nserver: {replicas: [" + list + "]}\n");
  };
  const sim::HttpAnswer wide = it.tester.ask("POST", kStories, {.body = replicated(5'000)});
  BOOST_TEST(wide.head.code == 429);
  BOOST_TEST(text_at(wide.body, "/message") ==
             "this story has 5000 replicas, and one that is posted has at most 32");
  const auto faulty = [](std::size_t count) {
    std::string text = story_of("faulty", "until: 1s\nscript:\n");
    for (std::size_t i = 0; i < count; ++i) {
      text += fmt::format("  - fault: {{fail_requests: {{answer: internal, as: f{}}}}}\n", i);
    }
    return text;
  };
  const sim::HttpAnswer faults = it.tester.ask("POST", kStories, {.body = faulty(kFaultsMax + 1)});
  BOOST_TEST(faults.head.code == 429);
  BOOST_TEST(text_at(faults.body, "/message") ==
             "this story has 1001 faults, and one that is posted has at most 1000");
  BOOST_TEST(text_at(it.tester.ask("GET", kStories).body, "/items") == "[]");
  BOOST_TEST(it.tester.code("POST", kStories, {.body = faulty(kFaultsMax)}) == 201);
  BOOST_TEST(it.tester.code("POST", kStories, {.body = replicated(32)}) == 201);
}

BOOST_AUTO_TEST_CASE(posted_stories_have_a_limited_number_of_objects_together) {
  Controlled it;
  const auto post = [&it](const std::string& name) {
    return it.tester.ask("POST", kStories,
                         {.body = story_of(name, "until: 1h\nserver: {bulk_objects: 40000}\n")});
  };
  BOOST_TEST(post("one").head.code == 201);
  BOOST_TEST(post("two").head.code == 201);
  const sim::HttpAnswer third = post("three");
  BOOST_TEST(third.head.code == 429);
  BOOST_TEST(text_at(third.body, "/message") ==
             "this story has 40000 objects in bulk, 80000 are there already, and at most 100000 "
             "may be at a time");
  (void)it.tester.ask("DELETE", kStories + "/one");
  (void)outcome_of(it, "one");
  BOOST_TEST(post("three").head.code == 201);
}

BOOST_AUTO_TEST_CASE(so_many_faults_may_be_in_place_at_a_time) {
  Controlled it;
  const auto add = [&it](std::size_t number, const std::string& more = "") {
    return it.add(fmt::format("{{fail_requests: {{answer: internal, as: f{}{}}}}}", number, more));
  };
  BOOST_TEST(add(0, ", times: 1").head.code == 201);
  for (std::size_t i = 1; i < kFaultsMax; ++i) {
    BOOST_TEST_REQUIRE(add(i, ", of: nobody").head.code == 201);
  }
  const sim::HttpAnswer refused = add(kFaultsMax);
  BOOST_TEST(refused.head.code == 429);
  BOOST_TEST(text_at(refused.body, "/message") ==
             "1000 faults are in place, and no more can be at a time; heal some first");
  BOOST_TEST(it.tester.code("GET", kMaps) == 500);  // the first one is over now
  BOOST_TEST(add(kFaultsMax, ", of: nobody").head.code == 201);
  BOOST_TEST(add(kFaultsMax + 1).head.code == 429);
  BOOST_TEST(it.tester.code("DELETE", kFaults + "/f1") == 200);
  BOOST_TEST(add(kFaultsMax + 1).head.code == 201);
}

// As in kubernetes test/integration/apiserver/field_validation_test.go.
BOOST_AUTO_TEST_CASE(keys_that_come_twice_in_yaml_are_refused_where_fields_are_checked_strictly) {
  Controlled it;
  const std::string twice = "metadata: {name: m}\ndata:\n  k: one\n  k: two\nunknown: 1\n";
  const auto post = [&](const std::string& query, const std::string& name) {
    std::string body = twice;
    body.replace(body.find("{name: m}"), 9, "{name: " + name + "}");
    return it.tester.ask("POST", kMaps + query, {.type = "application/yaml", .body = body});
  };
  const sim::HttpAnswer strict = post("?fieldValidation=Strict", "m");
  BOOST_TEST(strict.head.code == 400);
  BOOST_TEST(text_at(strict.body, "/message") ==
             "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: "
             "yaml: unmarshal errors:\n  line 4: key \"k\" already set in map, unknown field "
             "\"unknown\"");
  const auto warnings = [](const sim::HttpAnswer& answer) {
    std::vector<std::string> found;
    for (const sim::HttpField& field : answer.head.fields) {
      if (field.name == "Warning") {
        found.push_back(field.value);
      }
    }
    return found;
  };
  for (const std::string query : {"", "?fieldValidation=Warn"}) {
    const sim::HttpAnswer warned = post(query, query.empty() ? "m1" : "m2");
    BOOST_TEST(warned.head.code == 201);
    BOOST_TEST(text_at(warned.body, "/data/k") == "two");
    BOOST_TEST(warnings(warned) ==
                   (std::vector<std::string>{R"(299 - "line 4: key \"k\" already set in map")",
                                             R"(299 - "unknown field \"unknown\"")"}),
               boost::test_tools::per_element());
  }
  const sim::HttpAnswer ignored = post("?fieldValidation=Ignore", "m3");
  BOOST_TEST(ignored.head.code == 201);
  BOOST_TEST(warnings(ignored).empty());
  const sim::HttpAnswer applied = it.tester.ask(
      "PATCH", kMaps + "/m4?fieldManager=f&fieldValidation=Strict",
      {.type = "application/apply-patch+yaml",
       .body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m4}\ndata: {k: a, k: b}\n"});
  BOOST_TEST(applied.head.code == 400);
  BOOST_TEST(text_at(applied.body, "/message") ==
             "error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n"
             "  line 4: key \"k\" already set in map");
}

BOOST_AUTO_TEST_CASE(a_long_body_in_yaml_is_read_as_a_short_one) {
  Controlled it;
  std::string body = "metadata:\n  name: long\ndata:\n";
  for (int i = 0; i < 2000; ++i) {
    body += fmt::format("  k{}: v\n", i);
  }
  BOOST_TEST(it.tester.code("POST", kMaps, {.type = "application/yaml", .body = body}) == 201);
  BOOST_TEST(text_at(it.tester.ask("GET", kMaps + "/long").body, "/data/k1999") == "v");
  BOOST_TEST(it.tester.code("POST", kMaps, {.type = "application/yaml", .body = body}) == 409);
  body += "bad: [\n";
  BOOST_TEST(it.tester.code("POST", kMaps, {.type = "application/yaml", .body = body}) == 400);
  BOOST_TEST(it.tester.code("POST", "/nowhere", {.type = "application/yaml", .body = body}) == 405);
}

BOOST_AUTO_TEST_SUITE_END()
