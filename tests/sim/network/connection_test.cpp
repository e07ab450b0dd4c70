#include "sim/network/connection.hpp"

#include <boost/test/unit_test.hpp>

#include "sim/explore/portfolio_strategy.hpp"
#include "sim/kernel/world.hpp"
#include "tests/sim/network/small_network.hpp"
#include "tests/support/campaign.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(connection_test)

BOOST_AUTO_TEST_CASE(a_list_brings_what_the_server_holds) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.create("demo");
    const auto list = net.list();
    expect(list.ok(), "the list succeeds");
    expect_equal(list->items.at(0)->metadata.name, "demo");
    expect_equal(list->resource_version, "3");
  });
}

BOOST_AUTO_TEST_CASE(a_request_takes_the_latency_there_and_back) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const runtime::TimePoint before = runtime.now();
    (void)net.list();
    expect(runtime.now() - before == 2ms, "one millisecond each way");
  });
}

BOOST_AUTO_TEST_CASE(a_watch_brings_events_in_order_until_it_is_stopped) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    expect_events_in_order_until_stopped(net);
    expect_equal(net.last_end(), "stopped");
  });
}

BOOST_AUTO_TEST_CASE(events_travel_side_by_side_and_not_one_after_the_other) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const auto watcher = net.watch({.resource_version = "2"});
    const runtime::TimePoint before = runtime.now();
    for (const char* name : {"a", "b", "c"}) {
      net.create(name);
    }
    for (int i = 0; i < 3; ++i) {
      (void)net.next(*watcher);
    }
    expect(runtime.now() - before == 1ms, "three events need one latency");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(a_watch_ends_when_its_timeout_is_over) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const auto watcher = net.watch({.resource_version = "2", .timeout_seconds = 300});
    expect_equal(net.next(*watcher), "closed");
    expect_equal(net.last_end(), "closed");
    expect_equal(net.host->exchanges().back().end_cause, "timeout");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(a_watch_from_a_forgotten_revision_gets_its_410_and_ends) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.create("a");
    net.create("b");
    net.host->add_fault(make_fault("evict_watch_window"));
    const auto watcher = net.watch({.resource_version = "3"});
    expect_equal(net.next(*watcher), "ERROR 410 Expired");
    expect_equal(net.next(*watcher), "closed");
    expect_equal(net.last_end(), "expired");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(stopping_the_token_ends_a_watch_and_a_waiting_request) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const auto watcher = net.watch({.resource_version = "2"});
    const runtime::Task stopper = runtime::spawn(runtime, "stopper", [&] {
      net.sleep(1s);
      net.stop.stop();
    });
    const auto list = net.list({.resource_version = "1000"});
    expect(!list.ok() && list.error().kind == api::ErrorKind::Cancelled, "the list is cancelled");
    expect_equal(net.next(*watcher), "closed");
    stopper.join();
  });
}

BOOST_AUTO_TEST_CASE(a_client_that_has_stopped_opens_no_watch) {
  for (const Transport transport : {Transport::Direct, Transport::Wire}) {
    holds_in_every_world([transport](runtime::Runtime& runtime) {
      SmallNetwork net(runtime, {}, transport);
      net.create("a");
      net.stop.stop();
      const auto watcher = net.connection.watch(net.stop.token(), {.resource_version = "0"});
      expect(!watcher.ok() && watcher.error().kind == api::ErrorKind::Cancelled,
             "the watch is cancelled");
      net.sleep(1s);
      expect(net.host->idle(), "nothing is on its way");
    });
  }
}

BOOST_AUTO_TEST_CASE(a_list_of_the_future_waits_for_the_write_that_gets_there) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const runtime::Task writer = runtime::spawn(runtime, "writer", [&] {
      net.sleep(1s);
      net.create("a");
    });
    const auto list = net.list({.resource_version = "3"});
    expect(list.ok(), "the list succeeds");
    expect_equal(list->resource_version, "3");
    writer.join();
  });
}

BOOST_AUTO_TEST_CASE(a_list_of_a_future_that_does_not_come_is_too_large) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const runtime::TimePoint before = runtime.now();
    const auto list = net.list({.resource_version = "9"});
    expect(!list.ok() && api::is_too_large_resource_version(list.error()), "it is too large");
    expect(runtime.now() - before == 3s + 2ms, "after three seconds");
  });
}

BOOST_AUTO_TEST_CASE(changes_of_one_transaction_are_seen_together) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const runtime::Task writer = runtime::spawn(runtime, "writer", [&] {
      net.host->transact([](ServerHost::Transaction& servers) {
        (void)servers.write(SmallNetwork::about(Verb::Create, "a"));
        (void)servers.write(SmallNetwork::about(Verb::Create, "b"));
      });
    });
    const std::size_t seen = net.list()->items.size();
    expect(seen == 0 || seen == 2, "never one of the two");
    writer.join();
  });
}

BOOST_AUTO_TEST_CASE(a_client_writes_through_its_connection) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const runtime::StopToken stop = net.stop.token();
    api::Object object =
        **net.connection.create(stop, {.metadata = {.name = "a", .namespace_ = "default"}});
    object.body = R"({"data":{"k":"v"}})";
    expect_equal((*net.connection.update(stop, object))->metadata.resource_version, "4");
    const auto stale = net.connection.update(stop, object);
    expect(!stale.ok() && api::is_conflict(stale.error()), "the second update is a conflict");
  });
}

BOOST_AUTO_TEST_CASE(a_watcher_on_a_lagging_server_waits_until_that_has_caught_up) {
  ServerHostOptions options;
  options.servers.servers[0].lag = 5s;
  holds_in_every_world([&](runtime::Runtime& runtime) {
    SmallNetwork net(runtime, options);
    const auto watcher = net.watch({.resource_version = "2"});
    const runtime::TimePoint before = runtime.now();
    net.create("a");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    expect(runtime.now() - before == 5s + 1ms, "the lag and one latency later");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(requests_and_messages_are_noted_in_their_stable_form) {
  WorldOptions options;
  options.record = true;
  World world(options);
  FifoStrategy fifo;
  const RunResult result = world.run(fifo, [](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.create("demo");
    (void)net.list({.resource_version = "0", .limit = 500});
  });
  std::vector<std::string> notes;
  for (const NoteRecord& note : result.notes) {
    notes.push_back(note.kind + "|" + note.subject + "|" + note.text);
  }
  const std::vector<std::string> expected{
      "write|default/demo|ADDED configmaps rv=3",
      "send|m1|reflector server LIST rv=0 limit=500",
      "receive|m1|reflector server LIST rv=0 limit=500",
      "send|m2|server reflector 200 rv=3",
      "receive|m2|server reflector 200 rv=3",
      "request|reflector|LIST rv=0 limit=500 → 200 rv=3",
  };
  BOOST_TEST(notes == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
