#include <boost/test/unit_test.hpp>

#include "tests/sim/network/small_network.hpp"
#include "tests/support/campaign.hpp"

// Faults of the servers and their store: what each touches, and what it lets through.

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(fault_server_test)

BOOST_AUTO_TEST_CASE(freeze_server_answers_from_the_past_until_it_is_healed) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.create("a");
    const auto watcher = net.watch({.resource_version = "3"});
    const FaultId fault = net.host->add_fault(make_fault("freeze_server"));
    net.create("b");
    expect_equal(net.list({.resource_version = "0"})->items.size(), 1);
    expect(api::is_too_large_resource_version(net.list({.resource_version = "4"}).error()),
           "it does not get there");
    expect_equal(net.list({.resource_version = ""})->items.size(), 2);
    expect(net.host->remove_fault(fault), "it was in place");
    expect_equal(net.next(*watcher), "ADDED default/b rv=4");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(lag_server_delays_what_one_server_knows) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("lag_server", {}, {{"by", runtime::Duration(10s)}}));
    net.create("a");
    expect_equal(net.list({.resource_version = "0"})->items.size(), 0);
    net.sleep(10s);
    expect_equal(net.list({.resource_version = "0"})->items.size(), 1);
  });
}

BOOST_AUTO_TEST_CASE(restart_server_ends_watches_and_forgets_their_past) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.create("a");
    net.create("b");
    const auto watcher = net.watch({.resource_version = "2"});
    net.host->add_fault(make_fault("restart_server"));
    std::string last;
    while (last != "closed") {
      last = net.next(*watcher);
    }
    const auto old = net.watch({.resource_version = "3"});
    expect_equal(net.next(*old), "ERROR 410 Expired");
    expect_equal(net.list()->items.size(), 2);
    old->stop();
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(compact_store_breaks_exact_lists_and_no_watch) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.create("a");
    net.create("b");
    net.host->add_fault(make_fault("compact_store"));
    const auto exact = api::ResourceVersionMatch::Exact;
    const auto list = net.list({.resource_version = "3", .resource_version_match = exact});
    expect(!list.ok() && api::is_expired(list.error()), "the old state is gone");
    const auto watcher = net.watch({.resource_version = "2"});
    expect_equal(net.next(*watcher), "ADDED default/a rv=3");
    expect_equal(net.next(*watcher), "ADDED default/b rv=4");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(restore_backup_lets_the_revision_go_back) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.create("a");
    net.create("b");
    net.host->add_fault(make_fault("restore_backup"));
    const auto list = net.list();
    expect_equal(list->resource_version, "3");
    expect_equal(list->items.size(), 1);
    const auto watcher = net.watch({.resource_version = "4"});
    net.create("c");
    net.create("d");
    expect_equal(net.next(*watcher), "ADDED default/d rv=5");
    watcher->stop();
  });
}

BOOST_AUTO_TEST_CASE(stop_progress_lets_a_quiet_collection_stay_behind) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("stop_progress"));
    Request other = SmallNetwork::about(Verb::Create, "p");
    other.resource.resource = "secrets";
    (void)net.host->write(other);
    expect_equal(net.list({.resource_version = "0"})->resource_version, "2");
    net.create("a");
    expect_equal(net.list({.resource_version = "0"})->resource_version, "4");
  });
}

BOOST_AUTO_TEST_CASE(withdraw_resource_ends_watches_and_finds_nothing_until_it_is_healed) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.create("a");
    const auto watcher = net.watch({.resource_version = "3"});
    const FaultId fault =
        net.host->add_fault(make_fault("withdraw_resource", {}, {{"resource", "configmaps"}}));
    expect_equal(net.next(*watcher), "closed");
    expect_equal(net.list().error().status.code, 404);
    expect(net.host->remove_fault(fault), "it was in place");
    expect_equal(net.list()->items.size(), 1);
    watcher->stop();
  });
}

BOOST_AUTO_TEST_SUITE_END()
