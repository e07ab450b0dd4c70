#include <boost/test/unit_test.hpp>

#include "sim/faults/fault_effects.hpp"
#include "tests/sim/network/small_network.hpp"
#include "tests/support/campaign.hpp"

// Faults about bytes: what each touches, and what it lets through. All on the wire transport.

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(fault_bytes_test)

namespace {

using Given = std::map<std::string, ParameterValue, std::less<>>;

struct WireNetwork : SmallNetwork {
  explicit WireNetwork(runtime::Runtime& host_runtime)
      : SmallNetwork(host_runtime, {}, Transport::Wire) {}

  void once(std::string_view fault, const Given& given = {}, std::vector<Verb> verbs = {}) {
    host->add_fault(make_fault(fault, {.verbs = std::move(verbs), .times = 1}, given));
  }
  /// What a watch sees of two objects that come while it is open.
  std::string seen_of_two() {
    const auto watcher = watch({.resource_version = "2"});
    create("a");
    create("b");
    std::string seen = next(*watcher);
    seen += ", " + next(*watcher);
    watcher->stop();
    return seen;
  }
  /// "ok", or the word for the failure of a list.
  std::string list_word() {
    const auto found = list();
    return found ? "ok" : std::string(to_string(answer_kind_of(found.error())));
  }
};

/// More bytes than any message here has.
constexpr std::int64_t kWhole = 100'000;
constexpr std::string_view kBoth = "ADDED default/a rv=3, ADDED default/b rv=4";

}  // namespace

BOOST_AUTO_TEST_CASE(tear_bytes_ends_the_stream_after_any_byte_without_half_an_event) {
  for (const std::int64_t keep : {0, 1, 3, 4, 5, 40, 100, 150}) {
    for (const bool reset : {false, true}) {
      holds_in_every_world([keep, reset](runtime::Runtime& runtime) {
        WireNetwork net(runtime);
        net.once("tear_bytes", {{"keep", keep}, {"reset", reset}});
        const auto watcher = net.watch({.resource_version = "2"});
        net.create("a");
        expect_equal(net.next(*watcher), "closed");
        expect_equal(net.last_end(), reset ? "cut" : "closed");
        expect_equal(net.list_word(), "ok");
        watcher->stop();
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(tear_bytes_behind_an_event_lets_it_through_and_it_counts) {
  for (const bool reset : {false, true}) {
    holds_in_every_world([reset](runtime::Runtime& runtime) {
      WireNetwork net(runtime);
      net.once("tear_bytes", {{"keep", kWhole}, {"reset", reset}});
      const auto watcher = net.watch({.resource_version = "2"});
      net.create("a");
      expect_equal(net.next(*watcher), "ADDED default/a rv=3");
      expect_equal(net.next(*watcher), "closed");
      expect_equal(net.last_end(), reset ? "cut" : "closed");
      expect_equal(net.host->exchanges().back().events, 1U);
      watcher->stop();
    });
  }
}

BOOST_AUTO_TEST_CASE(tear_bytes_behind_an_error_leaves_it_the_end) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.create("a");
    net.create("b");
    net.host->add_fault(make_fault("evict_watch_window"));
    net.once("tear_bytes", {{"keep", kWhole}});
    const auto watcher = net.watch({.resource_version = "2"});
    expect(net.next(*watcher).starts_with("ERROR"), "the error is whole");
    expect_equal(net.next(*watcher), "closed");
    expect_equal(net.last_end(), "expired");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(tear_bytes_of_an_answer_is_an_unexpected_end) {
  for (const std::int64_t keep : {1, 30, 80}) {
    holds_in_every_world([keep](runtime::Runtime& runtime) {
      WireNetwork net(runtime);
      net.once("tear_bytes", {{"what", "answers"}, {"keep", keep}}, {Verb::List});
      expect_equal(net.list_word(), "unexpected_eof");
      expect_equal(net.list_word(), "ok");
    });
  }
}

BOOST_AUTO_TEST_CASE(tear_bytes_of_a_request_leaves_it_without_an_answer) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.once("tear_bytes", {{"what", "requests"}, {"keep", std::int64_t{10}}});
    expect_equal(net.list_word(), "eof");
    expect_equal(net.list_word(), "ok");
  });
}

BOOST_AUTO_TEST_CASE(split_bytes_changes_nothing_but_time) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.host->add_fault(make_fault("split_bytes", {}, {{"pause", runtime::Duration(10ms)}}));
    const runtime::TimePoint before = runtime.now();
    expect_equal(net.seen_of_two(), kBoth);
    expect(runtime.now() - before > 1s, "each of some hundred bytes waits for the one before");
    expect_equal(net.list_word(), "ok");
  });
}

BOOST_AUTO_TEST_CASE(join_events_brings_several_events_at_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.once("join_events", {{"grace_period", runtime::Duration(10s)}});
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    net.sleep(2s);
    const runtime::TimePoint before = runtime.now();
    net.create("b");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    expect(runtime.now() - before == 1ms, "it comes with the second");
    expect_equal(net.next(*watcher), "ADDED default/b rv=4");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(join_events_lets_a_lonely_event_go_in_time) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.once("join_events", {{"grace_period", runtime::Duration(10s)}});
    const auto watcher = net.watch({.resource_version = "2"});
    const runtime::TimePoint before = runtime.now();
    net.create("a");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    expect(runtime.now() - before == 10s + 1ms, "when it has waited long enough");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(join_events_lets_an_event_go_before_the_end_of_its_watch) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.once("join_events", {{"grace_period", runtime::Duration(60s)}});
    const auto watcher = net.watch({.resource_version = "2", .timeout_seconds = 5});
    net.create("a");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    expect_equal(net.next(*watcher), "closed");
    expect_equal(net.last_end(), "closed");
    expect_equal(static_cast<std::int64_t>(net.host->exchanges().back().events), 1);
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(omit_newline_is_not_noticed) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.host->add_fault(make_fault("omit_newline"));
    expect_equal(net.seen_of_two(), kBoth);
  });
}

BOOST_AUTO_TEST_CASE(garble_bytes_of_an_event_is_a_decoding_error) {
  for (const std::int64_t seed : {1, 2, 3}) {
    holds_in_every_world([seed](runtime::Runtime& runtime) {
      WireNetwork net(runtime);
      net.once("garble_bytes", {{"seed", seed}});
      expect_equal(net.seen_of_two(), "ERROR 500 InternalError, closed");
      net.sleep(1s);
      expect_equal(net.last_end(), "error");
    });
  }
}

BOOST_AUTO_TEST_CASE(garble_bytes_of_an_error_hides_what_it_said) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.create("a");
    net.host->add_fault(make_fault("evict_watch_window"));
    net.once("garble_bytes");
    const auto watcher = net.watch({.resource_version = "1"});
    expect_equal(net.next(*watcher), "ERROR 500 InternalError");
    expect_equal(net.next(*watcher), "closed");
    net.sleep(1s);
    expect_equal(net.last_end(), "error");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(garble_bytes_of_a_request_is_answered_with_a_refusal) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.once("garble_bytes", {{"what", "requests"}});
    expect_equal(net.list_word(), "bad_request");
    expect_equal(net.list_word(), "ok");
  });
}

BOOST_AUTO_TEST_CASE(garble_bytes_of_an_answer_cannot_be_read) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.once("garble_bytes", {{"what", "answers"}});
    const auto list = net.list();
    expect(!list.ok() && list.error().kind == api::ErrorKind::Decode, "it is no JSON");
    expect_equal(net.list_word(), "ok");
  });
}

BOOST_AUTO_TEST_CASE(omit_last_chunk_still_reads_as_the_end_of_a_watch) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.once("omit_last_chunk");
    const auto watcher = net.watch({.resource_version = "2", .timeout_seconds = 5});
    net.create("a");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    expect_equal(net.next(*watcher), "closed");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(wrong_content_length_spoils_the_answer_either_way) {
  for (const bool shorter : {false, true}) {
    holds_in_every_world([shorter](runtime::Runtime& runtime) {
      WireNetwork net(runtime);
      net.once("wrong_content_length", {{"by", std::int64_t{2}}, {"shorter", shorter}});
      const auto list = net.list();
      const api::ErrorKind expected =
          shorter ? api::ErrorKind::Decode : api::ErrorKind::UnexpectedEof;
      expect(!list.ok() && list.error().kind == expected, "half a body, or half of JSON");
      expect_equal(net.list_word(), "ok");
    });
  }
}

BOOST_AUTO_TEST_CASE(interim_response_is_skipped) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.host->add_fault(make_fault("interim_response"));
    expect_equal(net.list_word(), "ok");
    expect_equal(net.seen_of_two(), kBoth);
  });
}

BOOST_AUTO_TEST_CASE(break_chunk_line_is_a_decoding_error) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    WireNetwork net(runtime);
    net.once("break_chunk_line");
    expect_equal(net.seen_of_two(), "ERROR 500 InternalError, closed");
  });
}

BOOST_AUTO_TEST_CASE(faults_about_bytes_pass_by_the_direct_transport) {
  for (const FaultEntry& entry : fault_catalogue()) {
    if (!entry.wire_only) {
      continue;
    }
    holds_in_every_world([&entry](runtime::Runtime& runtime) {
      SmallNetwork net(runtime);
      net.host->add_fault(make_fault(entry.name));
      const auto watcher = net.watch({.resource_version = "2"});
      net.create("a");
      expect_equal(net.next(*watcher), "ADDED default/a rv=3");
      watcher->stop();
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
