#include "core/metrics/registry.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "core/runtime/task.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(registry_test)

namespace {

using metrics::Registry;

}  // namespace

BOOST_AUTO_TEST_CASE(families_and_series_come_in_the_order_of_their_names) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Registry registry(runtime);
    registry.gauge({"rest", "What is left."}, {}).set(-1.5);
    registry.counter({"calls_total", "Calls."}, {{"who", "b"}}).add(2);
    registry.counter({"calls_total", "Calls."}, {{"who", "a"}, {"how", "loud"}}).add();
    expect_equal(registry.text(),
                 "# HELP calls_total Calls.\n"
                 "# TYPE calls_total counter\n"
                 "calls_total{how=\"loud\",who=\"a\"} 1\n"
                 "calls_total{who=\"b\"} 2\n"
                 "# HELP rest What is left.\n"
                 "# TYPE rest gauge\n"
                 "rest -1.5\n");
  });
}

BOOST_AUTO_TEST_CASE(buckets_count_everything_up_to_their_bound) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Registry registry(runtime);
    metrics::Histogram waits = registry.histogram({"waits", "W."}, {{"of", "x"}}, {0.1, 1});
    for (const double wait : {0.05, 0.1, 0.5, 30.0}) {
      waits.observe(wait);
    }
    expect_equal(registry.text(),
                 "# HELP waits W.\n"
                 "# TYPE waits histogram\n"
                 "waits_bucket{of=\"x\",le=\"0.1\"} 2\n"
                 "waits_bucket{of=\"x\",le=\"1\"} 3\n"
                 "waits_bucket{of=\"x\",le=\"+Inf\"} 4\n"
                 "waits_sum{of=\"x\"} 30.65\n"
                 "waits_count{of=\"x\"} 4\n");
  });
}

BOOST_AUTO_TEST_CASE(a_histogram_without_labels_still_has_its_bounds) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Registry registry(runtime);
    registry.histogram({"waits", "W."}, {}, {}).observe(2);
    expect_equal(registry.text(),
                 "# HELP waits W.\n# TYPE waits histogram\n"
                 "waits_bucket{le=\"+Inf\"} 1\nwaits_sum 2\nwaits_count 1\n");
  });
}

BOOST_AUTO_TEST_CASE(the_same_family_and_labels_are_the_same_series) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Registry registry(runtime);
    registry.counter({"n", "N."}, {}).add();
    registry.counter({"n", "N."}, {}).add();
    expect_equal(registry.text(), "# HELP n N.\n# TYPE n counter\nn 2\n");
  });
}

BOOST_AUTO_TEST_CASE(what_would_break_a_line_is_escaped) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Registry registry(runtime);
    registry.gauge({"g", "a\\b\n\"c\""}, {{"l", "a\\b\n\"c\""}})
        .set(std::numeric_limits<double>::infinity());
    expect_equal(registry.text(),
                 "# HELP g a\\\\b\\n\"c\"\n# TYPE g gauge\ng{l=\"a\\\\b\\n\\\"c\\\"\"} +Inf\n");
  });
}

BOOST_AUTO_TEST_CASE(what_prometheus_would_refuse_is_refused) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Registry registry(runtime);
    const auto refused = [](const std::function<void()>& action) {
      expect_panic(action, "Prometheus takes");
    };
    refused([&] { (void)registry.gauge({"", "G."}, {}); });
    refused([&] { (void)registry.gauge({"1st", "G."}, {}); });
    refused([&] { (void)registry.gauge({"a-b", "G."}, {}); });
    refused([&] { (void)registry.gauge({"g", "G."}, {{"a:b", ""}}); });
    expect_panic([&] { (void)registry.histogram({"h", "H."}, {{"le", "1"}}, {}); }, "own label");
    (void)registry.gauge({"g", "G."}, {});
    expect_panic([&] { (void)registry.counter({"g", "G."}, {}); }, "of one kind");
  });
}

BOOST_AUTO_TEST_CASE(a_series_outlives_its_registry) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    auto registry = std::make_unique<Registry>(runtime);
    metrics::Counter counter = registry->counter({"n", "N."}, {});
    registry.reset();
    counter.add();
  });
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_among_tasks) {
  holds_everywhere([](runtime::Runtime& runtime) {
    Registry registry(runtime);
    std::vector<runtime::Task> tasks;
    for (int i = 0; i < 3; ++i) {
      tasks.push_back(runtime::spawn(runtime, "counter", [&registry] {
        registry.counter({"n", "N."}, {}).add();
        registry.histogram({"h", "H."}, {}, {1}).observe(1);
        (void)registry.text();
      }));
    }
    for (const runtime::Task& task : tasks) {
      task.join();
    }
    const std::string text = registry.text();
    expect(text.find("\nn 3\n") != std::string::npos, "three counts");
    expect(text.find("\nh_bucket{le=\"1\"} 3\n") != std::string::npos, "three observations");
  });
}

BOOST_AUTO_TEST_CASE(bounds_can_grow_by_a_factor) {
  const std::vector<double> bounds = metrics::exponential_bounds(1, 10, 3);
  BOOST_TEST((bounds == std::vector<double>{1, 10, 100}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
