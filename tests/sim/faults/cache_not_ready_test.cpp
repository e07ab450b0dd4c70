#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <vector>

#include "sim/apiserver/list_page.hpp"
#include "tests/sim/network/small_network.hpp"
#include "tests/support/campaign.hpp"

// What servers answer while they fill their watch caches: docs/apiserver_rules.md L24, L26, W25.

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(cache_not_ready_test)

BOOST_AUTO_TEST_CASE(cache_not_ready_refuses_what_the_cache_would_serve_longer_and_longer) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("cache_not_ready"));
    const api::Error at_first = net.list().error();
    expect_equal(at_first.status.code, 429);
    expect_equal(at_first.status.message, "storage is (re)initializing");
    expect_equal(at_first.status.details.retry_after_seconds, 1);
    net.sleep(40s);
    expect_equal(net.list().error().status.details.retry_after_seconds, 11);
    net.sleep(60s);
    expect_equal(net.list().error().status.details.retry_after_seconds, 30);
  });
}

// Mirrors TestShouldDelegateList where the cache is not ready.
BOOST_AUTO_TEST_CASE(cache_not_ready_refuses_lists_without_a_limit_or_with_a_selector) {
  struct Row {
    api::ListOptions options;
    int newer;  // what servers with snapshots answer
    int older;
  };
  const std::vector<Row> rows{
      {{}, 429, 429},
      {{.resource_version = "0"}, 429, 429},
      {{.resource_version = "2"}, 429, 429},
      {{.resource_version = "2", .resource_version_match = api::ResourceVersionMatch::Exact},
       429,
       200},
      {{.continue_token = encode({2, "default/a"})}, 429, 200},
      {{.continue_token = encode({-1, "default/a"})}, 429, 200},
      {{.limit = 1}, 200, 200},
      {{.resource_version = "0", .limit = 1}, 200, 200},
      {{.resource_version = "2", .limit = 1}, 200, 200},
      {{.limit = 1, .continue_token = encode({2, "default/a"})}, 200, 200},
      {{.limit = 1, .label_selector = "a=b"}, 429, 429},
      {{.limit = 1, .field_selector = "metadata.name=a"}, 429, 429},
      {{.resource_version = "x"}, 400, 400},
  };
  for (const bool newer : {true, false}) {
    holds_in_every_world([&rows, newer](runtime::Runtime& runtime) {
      ServerHostOptions options;
      options.servers.servers.resize(1);
      options.servers.servers[0].profile =
          profile_of(newer ? ServerRelease::V1_34 : ServerRelease::V1_33);
      SmallNetwork net(runtime, options);
      net.host->add_fault(make_fault("cache_not_ready"));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto list = net.list(rows[i].options);
        const int code = list.ok() ? 200 : list.error().status.code;
        expect_equal(fmt::format("{}: {}", i, code),
                     fmt::format("{}: {}", i, newer ? rows[i].newer : rows[i].older));
      }
    });
  }
}

BOOST_AUTO_TEST_CASE(cache_not_ready_gives_pages_of_the_store_whatever_the_revision) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.create("a");
    net.create("b");
    net.host->add_fault(make_fault("cache_not_ready"));
    const auto page = net.list({.resource_version = "0", .limit = 1});
    expect(page.ok() && page->items.size() == 1, "the limit is honoured");
    expect(page.ok() && !page->continue_token.empty(), "and there is more");
  });
}

BOOST_AUTO_TEST_CASE(cache_not_ready_ends_watches_and_leaves_no_history) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    const auto watcher = net.watch({.resource_version = "2"});
    const FaultId fault = net.host->add_fault(make_fault("cache_not_ready"));
    expect_equal(net.next(*watcher), "closed");
    watcher->stop();
    net.create("a");
    net.create("b");
    expect(net.host->remove_fault(fault), "it was in place");
    const auto late = net.watch({.resource_version = "3"});
    expect_equal(net.next(*late), "ERROR 410 Expired");
    late->stop();
  });
}

BOOST_AUTO_TEST_CASE(cache_not_ready_refuses_watches_of_what_is_cached) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    net.host->add_fault(make_fault("cache_not_ready"));
    Connection events(net.host, {.client = "reader", .resource = {"", "v1", "events"}});
    const auto code_of = [&net](Connection& connection, const api::ListOptions& options) {
      const auto watcher = connection.watch(net.stop.token(), options);
      if (watcher.ok()) {
        (*watcher)->stop();
      }
      return watcher.ok() ? 200 : watcher.error().status.code;
    };
    expect_equal(code_of(net.connection, {.resource_version = "2"}), 429);
    expect_equal(code_of(net.connection, {.resource_version = "x"}), 500);
    expect_equal(code_of(events, {.resource_version = "2"}), 200);
    expect(events.list(net.stop.token(), {}).ok(), "the store serves what no cache does");
  });
}

BOOST_AUTO_TEST_CASE(cache_not_ready_lets_the_store_answer_for_single_objects) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SmallNetwork net(runtime);
    Connection reader(net.host, {.client = "reader", .namespace_ = "default"});
    const auto knows_it = [&] { return reader.get(net.stop.token(), "a", "0").ok(); };
    expect(net.list({.resource_version = "0"}).ok(), "the cache is there");
    net.host->add_fault(make_fault("lag_server", {}, {{"by", runtime::Duration(1h)}}));
    net.create("a");
    expect(!knows_it(), "the cache has not heard of it");
    const FaultId fault = net.host->add_fault(make_fault("cache_not_ready"));
    expect(knows_it(), "the store has");
    expect(net.host->remove_fault(fault), "it was in place");
    net.create("b");
    const auto after = reader.get(net.stop.token(), "b", "0");
    expect(knows_it() && !after.ok(), "the cache answers again, with what it was filled with");
  });
}

BOOST_AUTO_TEST_SUITE_END()
