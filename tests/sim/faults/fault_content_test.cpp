#include <boost/test/unit_test.hpp>

#include "tests/sim/network/small_network.hpp"
#include "tests/support/campaign.hpp"

// Faults that change what events and lists say: what each touches, and what it lets through.

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(fault_content_test)

BOOST_AUTO_TEST_CASE(garble_event_reads_as_a_decoding_error) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("garble_event"));
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    expect_equal(net.next(*watcher), "ERROR 500 InternalError");
    expect_equal(net.next(*watcher), "closed");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(unknown_event_type_reads_as_a_decoding_error) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("unknown_event_type"));
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    expect_equal(net.next(*watcher), "ERROR 500 InternalError");
    expect_equal(net.next(*watcher), "closed");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(nameless_error_hides_a_410_and_spares_other_events) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("evict_watch_window"));
    net.host->add_fault(make_fault("nameless_error"));
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    const auto old = net.watch({.resource_version = "1"});
    expect_equal(net.next(*old), "ERROR 500 InternalError");
    old->stop();
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(wrong_kind_changes_the_kind_and_nothing_else) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("wrong_kind"));
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    const auto event = watcher->result_channel().receive();
    expect_equal(event->object->kind, "Pod");
    expect_equal(event_text(*event), "ADDED default/a rv=3");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(empty_event_has_no_object) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("empty_event", {.times = 1}));
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    net.create("b");
    expect_equal(net.next(*watcher), "ADDED");
    expect_equal(net.next(*watcher), "ADDED default/b rv=4");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(bookmark_ahead_names_a_revision_that_is_not_there_yet) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("bookmark_ahead", {.times = 1}));
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    expect_equal(net.next(*watcher), "BOOKMARK rv=103");
    net.create("b");
    expect_equal(net.next(*watcher), "ADDED default/b rv=4");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(revision_back_makes_an_event_look_older) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(
        make_fault("revision_back", {.key = "default/b"}, {{"by", std::int64_t{2}}}));
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    net.create("b");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    expect_equal(net.next(*watcher), "ADDED default/b rv=2");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(repeat_revision_shows_a_revision_twice) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("repeat_revision", {.times = 1}));
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    net.create("b");
    net.create("c");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    expect_equal(net.next(*watcher), "ADDED default/b rv=3");
    expect_equal(net.next(*watcher), "ADDED default/c rv=5");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(replay_event_brings_the_event_before_again) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("replay_event", {.times = 1}));
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    net.create("b");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    expect_equal(net.next(*watcher), "ADDED default/b rv=4");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(drop_event_loses_only_what_it_hits) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("drop_event", {.key = "default/a"}));
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    net.create("b");
    expect_equal(net.next(*watcher), "ADDED default/b rv=4");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(drop_event_loses_changes_and_no_bookmark) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("drop_event"));
    api::ListOptions options{.allow_watch_bookmarks = true, .send_initial_events = true};
    options.resource_version_match = api::ResourceVersionMatch::NotOlderThan;
    net.create("a");
    const auto watcher = net.watch(options);
    const std::optional<watch::Event> first = watcher->result_channel().receive();
    expect(first && first->type == watch::EventType::Bookmark, "the mark arrives");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(stale_delete_carries_the_revision_from_before) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("stale_delete"));
    const auto watcher = net.watch({.resource_version = "2"});
    net.create("a");
    net.remove("a");
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    expect_equal(net.next(*watcher), "DELETED default/a rv=3");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(suppress_bookmarks_keeps_even_the_mark_back) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("suppress_bookmarks"));
    net.create("a");
    api::ListOptions options{.allow_watch_bookmarks = true, .send_initial_events = true};
    options.resource_version_match = api::ResourceVersionMatch::NotOlderThan;
    const auto watcher = net.watch(options);
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    net.sleep(10min);
    net.create("b");
    expect_equal(net.next(*watcher), "ADDED default/b rv=4");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(ignore_send_initial_events_streams_no_list_until_it_is_healed) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.create("a");
    const FaultId fault = net.host->add_fault(make_fault("ignore_send_initial_events"));
    api::ListOptions options{.allow_watch_bookmarks = true, .send_initial_events = true};
    options.resource_version_match = api::ResourceVersionMatch::NotOlderThan;
    const auto unmarked = net.watch(options);
    expect_equal(net.next(*unmarked), "ADDED default/a rv=3");
    net.create("b");
    expect_equal(net.next(*unmarked), "ADDED default/b rv=4");
    // From a revision the past is missing, not the mark alone.
    options.resource_version = "3";
    const auto later = net.watch(options);
    expect_equal(net.next(*later), "ADDED default/b rv=4");
    expect(net.host->remove_fault(fault), "it was in place");
    const auto marked = net.watch(options);
    expect_equal(net.next(*marked), "ADDED default/a rv=3");
    expect_equal(net.next(*marked), "ADDED default/b rv=4");
    const std::optional<watch::Event> mark = marked->result_channel().receive();
    expect(mark && mark->type == watch::EventType::Bookmark, "the mark arrives");
    for (const auto& watcher : {unmarked, later, marked}) {
      watcher->stop();
    }
  });
}

BOOST_AUTO_TEST_CASE(empty_list_revision_takes_the_revision_and_leaves_the_items) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("empty_list_revision", {.times = 1}));
    net.create("a");
    const auto first = net.list();
    expect(first->resource_version.empty() && first->items.size() == 1,
           "only the revision is gone");
    expect_equal(net.list()->resource_version, "3");
  });
}

BOOST_AUTO_TEST_CASE(empty_list_takes_the_items_and_leaves_the_revision) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("empty_list"));
    net.create("a");
    const auto list = net.list();
    expect(list->items.empty(), "no items");
    expect_equal(list->resource_version, "3");
  });
}

BOOST_AUTO_TEST_CASE(swallow_error_event_ends_the_stream_without_a_word) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("evict_watch_window"));
    net.host->add_fault(make_fault("swallow_error_event"));
    const auto watcher = net.watch({.resource_version = "1"});
    expect_equal(net.next(*watcher), "closed");
    expect_equal(net.last_end(), "closed");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_SUITE_END()
