#include <boost/test/unit_test.hpp>

#include "sim/explore/explore.hpp"
#include "sim/faults/fault_effects.hpp"
#include "tests/sim/network/small_network.hpp"
#include "tests/support/campaign.hpp"

// The wire transport: clients see the same as on the direct one, byte by byte.

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(wire_connection_test)

namespace {

struct WireNetwork : SmallNetwork {
  explicit WireNetwork(runtime::Runtime& host_runtime)
      : SmallNetwork(host_runtime, {}, Transport::Wire) {}
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_list_brings_what_the_server_holds_after_the_latency_there_and_back) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.create("demo");
    const runtime::TimePoint before = runtime.now();
    const auto list = net.list();
    expect(list.ok(), "the list succeeds");
    expect_equal(list->items.at(0)->metadata.name, "demo");
    expect_equal(list->resource_version, "3");
    expect(runtime.now() - before == 2ms, "one millisecond each way");
  });
}

BOOST_AUTO_TEST_CASE(a_watch_brings_events_in_order_until_it_is_stopped) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    expect_events_in_order_until_stopped(net);
    net.sleep(1s);
    expect_equal(net.last_end(), "stopped");
    expect(net.host->idle(), "nothing is on its way");
  });
}

BOOST_AUTO_TEST_CASE(a_watch_ends_in_order_when_its_time_is_up) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    const auto watcher = net.watch({.resource_version = "2", .timeout_seconds = 5});
    const runtime::TimePoint before = runtime.now();
    expect_equal(net.next(*watcher), "closed");
    expect(runtime.now() - before >= 4s, "when the server ended it");
    net.sleep(1s);
    expect_equal(net.last_end(), "closed");
    watcher->stop();
  });
}

/// Random schedules seldom stop a server between its last bytes and its records.
BOOST_AUTO_TEST_CASE(a_watch_is_over_in_the_records_before_its_client_sees_the_end) {
  const sim::ExploreResult result = sim::explore(
      {.strategy = "pct", .schedules_max = 500, .pct_depth = 2}, [](runtime::Runtime& runtime) {
        WireNetwork net(runtime);
        const auto watcher = net.watch({.resource_version = "2", .timeout_seconds = 5});
        expect_equal(net.next(*watcher), "closed");
        expect_equal(net.last_end(), "closed");
        watcher->stop();
      });
  BOOST_TEST(!result.failure.has_value(), (result.failure ? result.failure->sentence : ""));
}

BOOST_AUTO_TEST_CASE(a_watch_may_be_asked_to_last_longer_than_time_does) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    for (const Transport transport : {Transport::Direct, Transport::Wire}) {
      SmallNetwork net(runtime, {}, transport);
      const auto watcher = net.watch({.resource_version = "2", .timeout_seconds = INT64_MAX});
      net.create("a");
      expect_equal(net.next(*watcher), "ADDED default/a rv=3");
      watcher->stop();
    }
  });
}

BOOST_AUTO_TEST_CASE(a_watch_that_ends_with_its_answer_is_over_in_the_records) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.host->add_fault(make_fault("tear_bytes", {.verbs = {Verb::Watch}},
                                   {{"what", "answers"}, {"keep", std::int64_t{1000}}}));
    const auto watcher = net.watch({.resource_version = "2"});
    expect_equal(net.next(*watcher), "closed");
    expect_equal(net.last_end(), "closed");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(an_expired_watch_says_so_inside_its_stream) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.create("a");
    net.host->add_fault(make_fault("evict_watch_window"));
    const auto watcher = net.watch({.resource_version = "1"});
    expect_equal(net.next(*watcher), "ERROR 410 Expired");
    expect_equal(net.next(*watcher), "closed");
    expect_equal(net.last_end(), "expired");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(a_refusal_travels_as_its_status_with_all_fields) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork wire(runtime);
    const auto refused = wire.connection.get(wire.stop.token(), "absent");
    expect(!refused.ok(), "there is no such object");
    Connection direct(wire.host, {.client = "other"});
    const auto expected = direct.get(wire.stop.token(), "absent");
    expect(refused.error() == expected.error(), "the same status to the letter");
  });
}

BOOST_AUTO_TEST_CASE(writes_travel_and_come_back_as_the_server_made_them) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    api::Object object{.api_version = "v1", .kind = "ConfigMap"};
    object.metadata = {.name = "demo", .namespace_ = "default"};
    object.body = R"({"data":{"a":"1"}})";
    const auto created = net.connection.create(net.stop.token(), object);
    expect(created.ok(), "the create succeeds");
    api::Object next = **created;
    next.body = R"({"data":{"a":"2"}})";
    const auto updated = net.connection.update(net.stop.token(), next);
    expect(updated.ok(), "the update succeeds");
    expect_equal((*updated)->body, R"({"data":{"a":"2"}})");
    expect(!net.connection.update(net.stop.token(), next).ok(), "its revision is old now");
    Request removal = SmallNetwork::about(Verb::Delete, "demo");
    removal.deletion.uid = (*created)->metadata.uid;
    expect(net.connection.request(net.stop.token(), removal).ok(), "the uid is the right one");
  });
}

BOOST_AUTO_TEST_CASE(failures_reach_the_client_as_what_they_are_on_the_direct_transport) {
  for (const char* word : {"refused", "reset", "eof", "unexpected_eof", "timeout", "too_many",
                           "internal", "unavailable", "unauthorized", "too_large_rv"}) {
    holds_in_every_world([word](runtime::Runtime& runtime) {
      WireNetwork net(runtime);
      net.host->add_fault(make_fault("fail_list", {}, {{"answer", word}}));
      const auto list = net.list();
      expect(!list.ok(), "the list fails");
      expect_equal(to_string(answer_kind_of(list.error())), word);
    });
  }
}

BOOST_AUTO_TEST_CASE(a_client_that_does_not_wait_gets_away) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.host->add_fault(make_fault("hang_requests"));
    const runtime::Task impatient = runtime::spawn(runtime, "impatient", [&] {
      net.sleep(5s);
      net.stop.stop();
    });
    const auto list = net.list();
    expect_equal(to_string(answer_kind_of(list.error())), "cancelled");
    impatient.join();
  });
}

BOOST_AUTO_TEST_CASE(a_slow_client_holds_its_stream_back_until_the_server_has_had_enough) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    ServerHostOptions options;
    options.servers.servers.resize(1);
    options.servers.servers[0].watch_queue_max = 2;
    SmallNetwork net(runtime, options, Transport::Wire);
    const auto watcher = net.watch({.resource_version = "2"});
    for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
      net.create(name);
      net.sleep(1s);
    }
    std::string last;
    int events = 0;
    while ((last = net.next(*watcher)) != "closed") {
      ++events;
    }
    expect(events < 6, "the server has given the watch up");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_SUITE_END()
