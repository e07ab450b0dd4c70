#include <boost/test/unit_test.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/cache/informer.hpp"
#include "core/client/resource_client.hpp"
#include "core/runtime/fibers/fiber_runtime.hpp"
#include "core/runtime/task.hpp"
#include "core/wait/backoff.hpp"
#include "sim/explore/explore.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "sim/network/connection.hpp"
#include "tests/sim/http/served_server.hpp"

// One story with each fault over the three transports: values and bytes in a simulated world, and
// HTTP over real sockets. An informer has to observe the same.

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(transports_test)

namespace {

using AtServer = std::function<void(ServerHost::Transaction&)>;

/// A server, and how a client comes to it.
struct Stage {
  runtime::Runtime& runtime;
  std::shared_ptr<cache::ListerWatcher> source;
  /// Does something to the servers in one step.
  std::function<void(const AtServer&)> at_server;
  std::function<std::vector<Exchange>()> exchanges;
};

/// What goes wrong, in one step, while the client watches.
struct FaultStory {
  std::string name;
  AtServer inject;
};

struct Observed {
  std::vector<std::string> calls;
  std::vector<std::string> requests;
  std::vector<std::string> answers;
};

Request about(Verb verb, const std::string& name, const std::string& color = "") {
  Request request{
      .verb = verb, .resource = {"", "v1", "configmaps"}, .namespace_ = "default", .name = name};
  api::Object object{.api_version = "v1",
                     .kind = "ConfigMap",
                     .metadata = {.name = name, .namespace_ = "default"}};
  if (!color.empty()) {
    object.body = R"({"data":{"color":")" + color + R"("}})";
  }
  request.object = std::make_shared<const api::Object>(std::move(object));
  return request;
}

std::string line_of(std::string_view what, const api::ObjectPtr& object) {
  return std::string(what) + " " + object->metadata.name + " " + object->metadata.resource_version;
}

std::shared_ptr<cache::ResourceEventHandler> recording(std::vector<std::string>& calls) {
  return cache::make_handler(
      {.add = [&](const api::ObjectPtr& object, bool) { calls.push_back(line_of("add", object)); },
       .update = [&](const api::ObjectPtr&,
                     const api::ObjectPtr& object) { calls.push_back(line_of("update", object)); },
       .remove =
           [&](const cache::Item& item) {
             calls.push_back("remove " + *cache::deletion_handling_meta_namespace_key(item));
           }});
}

/// Waits until the store has that object, with that color.
void wait_for(const Stage& stage, const cache::Informer& informer, const std::string& name,
              const std::string& color) {
  while (true) {
    const api::ObjectPtr object = informer.store->get_by_key("default/" + name);
    if (object != nullptr && object->body.find(color) != std::string::npos) {
      return;
    }
    runtime::sleep_for(stage.runtime, 1ms);
  }
}

/// Waits until the last thing that was asked for is a watch that is open.
void wait_until_watching(const Stage& stage) {
  while (true) {
    const std::vector<Exchange> exchanges = stage.exchanges();
    if (!exchanges.empty() && exchanges.back().request.verb == Verb::Watch &&
        exchanges.back().code == 200 && !exchanges.back().ended) {
      return;
    }
    runtime::sleep_for(stage.runtime, 1ms);
  }
}

Observed play(const Stage& stage, const FaultStory& story) {
  Observed observed;
  stage.at_server([](ServerHost::Transaction& server) {
    (void)server.write(about(Verb::Create, "kept", "red"));
    (void)server.write(about(Verb::Create, "gone", "red"));
  });
  cache::InformerOptions options{.lister_watcher = stage.source,
                                 .handler = recording(observed.calls)};
  options.reflector.backoff =
      std::make_shared<wait::JitteredBackoffManager>(stage.runtime, 2ms, 1.0);
  const cache::Informer informer =
      cache::new_informer_with_options(stage.runtime, std::move(options));
  runtime::StopSource stop(stage.runtime);
  const runtime::Task running =
      runtime::spawn(stage.runtime, "informer", [&] { informer.controller->run(stop.token()); });
  wait_for(stage, informer, "gone", "red");
  wait_until_watching(stage);
  stage.at_server([&](ServerHost::Transaction& server) {
    story.inject(server);
    (void)server.write(about(Verb::Delete, "gone"));
    (void)server.write(about(Verb::Update, "kept", "green"));
    (void)server.write(about(Verb::Create, "new", "red"));
  });
  wait_for(stage, informer, "new", "red");
  wait_until_watching(stage);
  stage.at_server([](ServerHost::Transaction& server) {
    (void)server.write(about(Verb::Update, "new", "blue"));
  });
  wait_for(stage, informer, "new", "blue");
  wait_until_watching(stage);
  BOOST_CHECK(informer.store->get_by_key("default/gone") == nullptr);
  for (const Exchange& exchange : stage.exchanges()) {
    observed.requests.push_back(request_text(exchange.request));
    observed.answers.push_back(answer_text(exchange));
  }
  stop.stop();
  running.join();
  return observed;
}

Observed in_a_world(Transport transport, const FaultStory& story) {
  Observed observed;
  const ExploreResult result =
      explore({.strategy = "fifo", .schedules_max = 1}, [&](runtime::Runtime& runtime) {
        const auto host = ServerHost::make(runtime);
        observed = play({.runtime = runtime,
                         .source = std::make_shared<sim::Connection>(
                             host, ConnectionOptions{.transport = transport}),
                         .at_server = [&](const AtServer& what) { host->transact(what); },
                         .exchanges = [&] { return host->exchanges(); }},
                        story);
      });
  BOOST_REQUIRE_MESSAGE(!result.failure,
                        story.name << ": " << (result.failure ? result.failure->sentence : ""));
  return observed;
}

Observed over_http(const FaultStory& story, bool tls) {
  Observed observed;
  runtime::FiberRuntime fibers;
  const client::IoLoop loop(fibers);
  fibers.run([&](runtime::Runtime& runtime) {
    ServedServer served({}, {.tls = tls});
    const auto rest = *client::RestClient::make(
        loop, {.server = served.server.url(), .authority = served.server.authority()},
        {.retries_max = 0});
    observed = play({.runtime = runtime,
                     .source = std::make_shared<client::HttpListerWatcher>(
                         rest, api::GroupVersionResource{"", "v1", "configmaps"}),
                     .at_server =
                         [&](const AtServer& what) {
                           served.there([&] { served.front.host()->transact(what); });
                         },
                     .exchanges = [&] { return served.front.host()->exchanges(); }},
                    story);
  });
  return observed;
}

AtServer fault(const std::string& name, Trigger trigger = {.times = 1},
               std::map<std::string, ParameterValue, std::less<>> parameters = {}) {
  return [=](ServerHost::Transaction& server) {
    (void)server.add_fault(make_fault(name, trigger, parameters));
  };
}

std::map<std::string, ParameterValue, std::less<>> answer(const std::string& kind) {
  return {{"answer", kind}};
}

AtServer both(const AtServer& first, const AtServer& second) {
  return [=](ServerHost::Transaction& server) {
    first(server);
    second(server);
  };
}

/// The legal faults that end by themselves; those that only make things late are left out, and so
/// is what a server that listens cannot do: refuse connections.
std::vector<FaultStory> stories() {
  const AtServer cut = fault("cut_watch");
  const AtServer expire = both(fault("evict_watch_window", {}), cut);
  return {
      {"nothing", [](ServerHost::Transaction&) {}},
      {"cut_watch", cut},
      {"close_watch", fault("close_watch")},
      {"tear_event", fault("tear_event")},
      {"swallow_error_event", both(expire, fault("swallow_error_event"))},
      {"evict_watch_window", expire},
      {"compact_store", both(fault("compact_store", {}), expire)},
      {"fail_stream, expired", fault("fail_stream", {.times = 1}, answer("expired"))},
      {"fail_stream, internal", fault("fail_stream", {.times = 1}, answer("internal"))},
      {"fail_watch, too_many", both(cut, fault("fail_watch", {.times = 1}, answer("too_many")))},
      {"fail_watch, expired", both(cut, fault("fail_watch", {.times = 1}, answer("expired")))},
      {"fail_list, internal", both(expire, fault("fail_list", {.times = 1}, answer("internal")))},
      {"fail_list, expired", both(expire, fault("fail_list", {.times = 1}, answer("expired")))},
      {"fail_requests, unauthorized",
       both(expire, fault("fail_requests", {.times = 2}, answer("unauthorized")))},
      {"login_page", both(expire, fault("login_page", {.times = 2}))},
      {"restart_server", fault("restart_server", {})},
      {"garble_event", fault("garble_event")},
  };
}

/// The faults of bytes: simulated bytes and real ones.
std::vector<FaultStory> stories_of_bytes() {
  const AtServer close = fault("close_watch");
  return {
      {"split_bytes", fault("split_bytes", {.times = 3})},
      {"tear_bytes", fault("tear_bytes", {.times = 1}, {{"keep", std::int64_t{20}}})},
      {"tear_bytes of answers",
       both(fault("cut_watch"),
            fault("tear_bytes", {.times = 1}, {{"what", std::string("answers")}}))},
      {"omit_last_chunk", both(close, fault("omit_last_chunk"))},
      {"omit_newline", fault("omit_newline", {.times = 2})},
      {"interim_response", both(fault("cut_watch"), fault("interim_response"))},
      {"garble_bytes", fault("garble_bytes")},
      {"break_chunk_line", fault("break_chunk_line")},
  };
}

void expect_same(const FaultStory& story, const std::string& name, const Observed& observed,
                 const Observed& expected) {
  BOOST_TEST_CONTEXT(story.name << " over " << name) {
    BOOST_TEST(observed.calls == expected.calls, boost::test_tools::per_element());
    BOOST_TEST(observed.requests == expected.requests, boost::test_tools::per_element());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_informer_observes_the_same_over_values_bytes_and_http) {
  for (const FaultStory& story : stories()) {
    const Observed direct = in_a_world(Transport::Direct, story);
    BOOST_TEST(direct.calls.size() >= 5U);
    for (const auto& [name, observed] :
         {std::pair("wire", in_a_world(Transport::Wire, story)),
          std::pair("http", over_http(story, false)), std::pair("https", over_http(story, true))}) {
      expect_same(story, name, observed, direct);
      BOOST_TEST(observed.answers == direct.answers, boost::test_tools::per_element());
    }
  }
}

// What became of a torn answer is known to a server of a world only.
BOOST_AUTO_TEST_CASE(an_informer_observes_the_same_over_simulated_and_real_bytes) {
  for (const FaultStory& story : stories_of_bytes()) {
    const Observed wire = in_a_world(Transport::Wire, story);
    BOOST_TEST(wire.calls.size() >= 5U);
    expect_same(story, "http", over_http(story, false), wire);
    expect_same(story, "https", over_http(story, true), wire);
  }
}

BOOST_AUTO_TEST_SUITE_END()
