#include <boost/test/unit_test.hpp>

#include "sim/faults/fault_catalogue.hpp"
#include "tests/sim/network/small_network.hpp"
#include "tests/support/campaign.hpp"

// One case a fault and claim: what it touches, and what it lets through.

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(fault_effects_test)

BOOST_AUTO_TEST_CASE(close_watch_ends_the_open_watches_and_no_later_ones) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const auto first = net.watch({.resource_version = "2"});
    net.sleep(2s);
    net.host->add_fault(make_fault("close_watch"));
    expect_equal(net.next(*first), "closed");
    expect_equal(net.last_end(), "closed");
    const auto second = net.watch({.resource_version = "2"});
    net.create("a");
    expect_equal(net.next(*second), "ADDED default/a rv=3");
    first->stop();
    second->stop();
  });
}

BOOST_AUTO_TEST_CASE(close_watch_can_end_every_stream_after_a_while) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(
        make_fault("close_watch", {}, {{"new_streams", true}, {"after", runtime::Duration(2s)}}));
    for (int i = 0; i < 2; ++i) {
      const runtime::TimePoint before = runtime.now();
      const auto watcher = net.watch({.resource_version = "2"});
      expect_equal(net.next(*watcher), "closed");
      expect(runtime.now() - before >= 2s, "it lived two seconds");
      watcher->stop();
    }
  });
}

BOOST_AUTO_TEST_CASE(close_watch_can_wait_for_a_number_of_events) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(
        make_fault("close_watch", {}, {{"new_streams", true}, {"after_events", std::int64_t{1}}}));
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    net.create("b");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    expect_equal(net.next(*watcher), "closed");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(cut_watch_breaks_the_watch_of_the_client_it_names) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    Connection other(net.host, {.client = "other"});
    const auto hit = net.watch({.resource_version = "2"});
    const auto spared = *other.watch(net.stop.token(), {.resource_version = "2"});
    net.host->add_fault(make_fault("cut_watch", {.client = "reflector"}));
    expect_equal(net.next(*hit), "closed");
    net.create("a");
    expect_equal(net.next(*spared), "ADDED default/a rv=3");
    expect_equal(to_string(net.host->exchanges().at(0).end), "cut");
    hit->stop();
    spared->stop();
  });
}

BOOST_AUTO_TEST_CASE(evict_watch_window_leaves_open_watches_and_lists_alone) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const auto open = net.watch({.resource_version = "2"});
    net.create("a");
    net.host->add_fault(make_fault("evict_watch_window"));
    expect_equal(net.next(*open), "ADDED default/a rv=3");
    expect(net.list({.resource_version = "2"}).ok(), "lists go on");
    const auto old = net.watch({.resource_version = "2"});
    expect_equal(net.next(*old), "ERROR 410 Expired");
    const auto recent = net.watch({.resource_version = "3"});
    net.create("b");
    expect_equal(net.next(*recent), "ADDED default/b rv=4");
    for (const auto& watcher : {open, old, recent}) {
      watcher->stop();
    }
  });
}

BOOST_AUTO_TEST_CASE(refuse_connections_refuses_until_it_is_healed_and_spares_open_streams) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const auto open = net.watch({.resource_version = "2"});
    const FaultId fault = net.host->add_fault(make_fault("refuse_connections"));
    const auto list = net.list();
    expect(!list.ok() && list.error().kind == api::ErrorKind::ConnectionRefused, "refused");
    const auto watch = net.connection.watch(net.stop.token(), {});
    expect(!watch.ok() && watch.error().kind == api::ErrorKind::ConnectionRefused, "refused");
    net.create("a");
    expect_equal(net.next(*open), "ADDED default/a rv=3");
    expect(net.host->remove_fault(fault), "it was in place");
    expect(net.list().ok(), "healed");
    open->stop();
  });
}

BOOST_AUTO_TEST_CASE(delay_makes_answers_late_and_keeps_events_in_order) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("delay", {}, {{"by", runtime::Duration(10s)}}));
    const runtime::TimePoint before = runtime.now();
    expect(net.list().ok(), "it succeeds all the same");
    expect(runtime.now() - before == 10s + 2ms, "ten seconds later");
  });
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(
        make_fault("delay", {.times = 1}, {{"by", runtime::Duration(10s)}, {"what", "events"}}));
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    net.create("b");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    expect_equal(net.next(*watcher), "ADDED default/b rv=4");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(delay_of_requests_lets_the_server_answer_later_too) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(
        make_fault("delay", {}, {{"by", runtime::Duration(10s)}, {"what", "requests"}}));
    runtime::spawn(runtime, "writer", [&net] {
      net.sleep(5s);
      net.create("a");
    });
    const auto list = net.list();
    expect_equal(list->items.size(), 1);  // It was made while the request was on its way.
  });
}

BOOST_AUTO_TEST_CASE(evict_watch_window_of_one_resource_spares_the_others) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.create("a");
    net.host->add_fault(make_fault("evict_watch_window", {}, {{"resource", "pods"}}));
    const auto watcher = net.watch({.resource_version = "2"});
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(fail_list_fails_that_many_lists_and_no_watch) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("fail_list", {.times = 2}, {{"answer", "expired"}}));
    const auto watch = net.connection.watch(net.stop.token(), {.resource_version = "2"});
    expect(watch.ok(), "watches are spared");
    expect(api::is_expired(net.list().error()), "the first list");
    expect(api::is_expired(net.list().error()), "the second list");
    expect(net.list().ok(), "not the third");
    (*watch)->stop();
  });
}

BOOST_AUTO_TEST_CASE(fail_watch_fails_watches_and_no_list) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(
        make_fault("fail_watch", {}, {{"answer", "too_many"}, {"retry_after", std::int64_t{1}}}));
    const auto watch = net.connection.watch(net.stop.token(), {});
    expect(!watch.ok() && api::is_too_many_requests(watch.error()), "429");
    expect_equal(watch.error().status.details.retry_after_seconds, 1);
    expect(net.list().ok(), "lists are spared");
  });
}

BOOST_AUTO_TEST_CASE(a_watch_that_breaks_before_its_answer_reads_as_one_that_ends_at_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("fail_watch", {}, {{"answer", "reset"}}));
    const auto watcher = net.watch({.resource_version = "2"});
    expect_equal(net.next(*watcher), "closed");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_SUITE_END()
