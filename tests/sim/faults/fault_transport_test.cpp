#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/sim/network/small_network.hpp"
#include "tests/support/campaign.hpp"

// Faults that break or slow streams and fail requests: what each touches, and what it lets through.

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(fault_transport_test)

namespace {

void on_both_transports(void (*story)(SmallNetwork&)) {
  for (const Transport transport : {Transport::Direct, Transport::Wire}) {
    holds_in_every_world([story, transport](runtime::Runtime& runtime) {
      SmallNetwork net(runtime, {}, transport);
      story(net);
    });
  }
}

}  // namespace

namespace {

/// A fault that hits a write, and whether the server has done it by then.
struct HitWrite {
  std::string fault;
  std::map<std::string, ParameterValue, std::less<>> parameters;
  bool is_done = false;
};

/// The client is told of a failure, whatever the server has done; nobody sends it again.
void check_it_is_sent_once(const HitWrite& hit, Transport transport) {
  holds_in_every_world([&hit, transport](runtime::Runtime& runtime) {
    SmallNetwork net(runtime, {}, transport);
    net.host->add_fault(make_fault(hit.fault, {.times = 1}, hit.parameters));
    const api::Object object = *SmallNetwork::about(Verb::Create, "a").object;
    expect(!net.connection.create(net.stop.token(), object).ok(), "it fails");
    net.sleep(1h);
    expect_equal(static_cast<std::int64_t>(net.host->exchanges().size()), 1);
    expect_equal(static_cast<std::int64_t>(net.list()->items.size()), hit.is_done ? 1 : 0);
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_write_that_is_hit_by_a_fault_is_sent_once) {
  for (const char* answer : {"refused", "reset", "eof", "unexpected_eof", "timeout", "internal"}) {
    BOOST_TEST_CONTEXT(answer) {
      const HitWrite hit{"fail_requests", {{"answer", answer}}};
      check_it_is_sent_once(hit, Transport::Direct);
      check_it_is_sent_once(hit, Transport::Wire);
    }
  }
  const std::string answers = "answers";
  const std::vector<HitWrite> only_on_the_wire{
      {"tear_bytes", {{"what", std::string("requests")}, {"keep", std::int64_t{20}}}},
      {"tear_bytes", {{"what", answers}}, true},
      {"tear_bytes", {{"what", answers}, {"reset", true}}, true},
      {"tear_bytes", {{"what", answers}, {"keep", std::int64_t{120}}, {"reset", true}}, true},
      {"garble_bytes", {{"what", answers}}, true},
      {"wrong_content_length", {}, true},
  };
  for (const HitWrite& hit : only_on_the_wire) {
    BOOST_TEST_CONTEXT(hit.fault) { check_it_is_sent_once(hit, Transport::Wire); }
  }
}

BOOST_AUTO_TEST_CASE(tear_event_ends_the_stream_with_the_event_it_tears) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("tear_event", {.times = 1}));
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    expect_equal(net.next(*watcher), "closed");
    expect_equal(net.last_end(), "cut");
    expect(net.list().ok(), "requests are spared");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(black_hole_swallows_events_until_the_client_gives_up) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const auto watcher = net.watch({.resource_version = "2", .timeout_seconds = 60});
    net.host->add_fault(make_fault("black_hole"));
    net.create("a");
    const runtime::TimePoint before = runtime.now();
    expect_equal(net.next(*watcher), "closed");
    expect(runtime.now() - before >= 60s, "nobody told it that the server had ended the watch");
    expect(net.list().ok(), "new requests are spared");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(what_a_black_hole_took_is_not_skipped_when_it_is_healed) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const auto watcher = net.watch({.resource_version = "2", .timeout_seconds = 60});
    const FaultId hole = net.host->add_fault(make_fault("black_hole"));
    net.create("a");
    net.sleep(1s);
    net.host->remove_fault(hole);
    net.create("b");
    expect_equal(net.next(*watcher), "closed");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(black_hole_can_be_detected_by_pings) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const auto watcher = net.watch({.resource_version = "2"});
    net.host->add_fault(make_fault("black_hole", {}, {{"detected_after", runtime::Duration(45s)}}));
    net.create("a");
    const runtime::TimePoint before = runtime.now();
    expect_equal(net.next(*watcher), "closed");
    expect(runtime.now() - before == 45s, "when the pings fail");
    expect_equal(net.last_end(), "cut");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(stall_watch_holds_events_back_and_then_delivers_them_in_order) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const auto watcher = net.watch({.resource_version = "2"});
    net.host->add_fault(make_fault("stall_watch", {}, {{"span", runtime::Duration(10s)}}));
    const runtime::TimePoint before = runtime.now();
    net.create("a");
    net.create("b");
    expect(net.list().ok(), "requests are spared");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    expect(runtime.now() - before == 10s + 1ms, "after the stall");
    expect_equal(net.next(*watcher), "ADDED default/b rv=4");
    expect(runtime.now() - before == 10s + 1ms, "together with the first");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(stall_watch_holds_the_end_of_a_stream_back_on_both_transports) {
  on_both_transports([](SmallNetwork& net) {
    const runtime::TimePoint before = net.runtime.now();
    net.host->add_fault(make_fault("stall_watch", {}, {{"span", runtime::Duration(5500ms)}}));
    const auto watcher = net.watch({.resource_version = "2", .timeout_seconds = 5});
    expect_equal(net.next(*watcher), "closed");
    expect(net.runtime.now() - before == 5500ms, "when the stall is over");
    const Exchange watch = net.host->exchanges().back();
    expect(*watch.ended - before == 5500ms, "the records say the same");
    expect_equal(watch.end_cause, "timeout");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(a_client_does_not_wait_for_an_end_that_stalls_for_long) {
  on_both_transports([](SmallNetwork& net) {
    net.host->add_fault(make_fault("stall_watch", {}, {{"span", runtime::Duration(60s)}}));
    const auto watcher = net.watch({.resource_version = "2", .timeout_seconds = 5});
    const runtime::TimePoint opened = net.runtime.now();
    expect_equal(net.next(*watcher), "closed");
    expect(net.runtime.now() - opened <= 6s, "one second after its timeout");
    expect_equal(net.host->exchanges().back().end_cause, "client timeout");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(a_client_can_stop_while_the_end_of_its_stream_stalls) {
  on_both_transports([](SmallNetwork& net) {
    net.host->add_fault(make_fault("stall_watch", {}, {{"span", runtime::Duration(5900ms)}}));
    const auto watcher = net.watch({.resource_version = "2", .timeout_seconds = 5});
    const runtime::TimePoint opened = net.runtime.now();
    net.sleep(5500ms);
    watcher->stop();
    expect_equal(net.next(*watcher), "closed");
    net.sleep(1ms);
    expect_equal(net.last_end(), "stopped");
    expect(*net.host->exchanges().back().ended - opened < 5600ms, "at once");
  });
}

BOOST_AUTO_TEST_CASE(buffer_events_delivers_in_bursts) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const runtime::TimePoint before = runtime.now();
    const auto watcher = net.watch({.resource_version = "2"});
    net.host->add_fault(make_fault("buffer_events", {}, {{"every", runtime::Duration(5s)}}));
    net.create("a");
    net.sleep(1s);
    net.create("b");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    expect_equal(net.next(*watcher), "ADDED default/b rv=4");
    expect(runtime.now() - before == 5s + 2ms, "both at the end of the first period");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(fail_stream_sends_its_error_into_open_streams_and_ends_them) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const auto watcher = net.watch({.resource_version = "2"});
    net.host->add_fault(make_fault("fail_stream", {}, {{"answer", "internal"}}));
    expect_equal(net.next(*watcher), "ERROR 500 InternalError");
    expect_equal(net.next(*watcher), "closed");
    expect_equal(net.last_end(), "error");
    const auto second = net.watch({.resource_version = "2"});
    net.create("a");
    expect_equal(net.next(*second), "ADDED default/a rv=3");
    second->stop();
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(fail_stream_can_wait_for_events_of_new_streams) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault(
        "fail_stream", {},
        {{"answer", "expired"}, {"new_streams", true}, {"after_events", std::int64_t{1}}}));
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    expect_equal(net.next(*watcher), "ERROR 410 Expired");
    expect_equal(net.next(*watcher), "closed");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(fail_requests_fails_every_verb_and_spares_open_streams) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const auto watcher = net.watch({.resource_version = "2"});
    net.host->add_fault(make_fault("fail_requests", {}, {{"answer", "unauthorized"}}));
    expect_equal(net.list().error().status.code, 401);
    const auto made = net.connection.create(net.stop.token(), {.metadata = {.name = "a"}});
    expect(!made.ok() && made.error().status.code == 401, "writes fail too");
    net.create("b");
    expect_equal(net.next(*watcher), "ADDED default/b rv=3");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(fail_requests_lets_nothing_through_to_the_server) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const FaultId fault =
        net.host->add_fault(make_fault("fail_requests", {}, {{"answer", "unauthorized"}}));
    expect(!net.connection
                .create(net.stop.token(), {.metadata = {.name = "a", .namespace_ = "default"}})
                .ok(),
           "refused");
    expect(net.host->remove_fault(fault), "it was in place");
    expect_equal(net.list()->items.size(), 0);
  });
}

BOOST_AUTO_TEST_CASE(login_page_reads_as_a_decoding_error) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("login_page", {.verbs = {Verb::List}}));
    expect(net.list().error().kind == api::ErrorKind::Decode, "lists cannot be decoded");
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(older_servers_say_gone_for_expired) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("fail_list", {}, {{"answer", "gone"}}));
    const api::Status status = net.list().error().status;
    expect_equal(status.code, 410);
    expect(status.reason == api::StatusReason::Gone, "the word of old releases");
    expect_equal(status.message, "The provided resource version is too old.");
  });
}

BOOST_AUTO_TEST_CASE(hang_requests_can_end_with_a_504) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("hang_requests", {}, {{"after", runtime::Duration(60s)}}));
    const runtime::TimePoint before = runtime.now();
    expect_equal(net.list().error().status.code, 504);
    expect(runtime.now() - before == 60s + 2ms, "a minute later");
  });
}

BOOST_AUTO_TEST_CASE(hang_requests_can_last_until_the_client_stops) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("hang_requests"));
    const runtime::Task stopper = runtime::spawn(runtime, "stopper", [&] {
      net.sleep(5s);
      net.stop.stop();
    });
    expect(net.list().error().kind == api::ErrorKind::Cancelled, "nothing else ends it");
    stopper.join();
  });
}

BOOST_AUTO_TEST_SUITE_END()
