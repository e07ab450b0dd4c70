// The tests of each part, asked of all three: no slow worker is in them.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "exercises/20-all-together/subject.hpp"
#include "exercises/toolkit/cluster.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;
using watchlab::runtime::Runtime;

namespace {

/// Plays a script with a pipeline at work whose worker needs ten seconds for an object.
void play(const std::function<void(Cluster&)>& script) {
  in_every_world([&](Runtime& runtime) {
    Cluster cluster(runtime);
    const auto pipeline = make_pipeline(runtime, cluster.source(), cluster.mirror(), 10s);
    cluster.create("early");
    cluster.start(*pipeline);
    cluster.wait(20s);
    script(cluster);
    cluster.stop();
  });
}

bool is_there(const Cluster& cluster, std::string_view name) {
  return cluster.in_mirror().find("default/" + std::string(name)) != std::string::npos;
}

void expect_same(Cluster& cluster) { expect_equal(cluster.in_mirror(), cluster.on_server()); }

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_there_before_arrives) {
  play([](Cluster& cluster) { expect_same(cluster); });
}

BOOST_AUTO_TEST_CASE(after_a_quiet_time_it_works_on) {
  play([](Cluster& cluster) {
    cluster.wait(1min);
    cluster.create("late");
    cluster.wait(11s);
    expect(is_there(cluster, "late"), "late was created");
  });
}

BOOST_AUTO_TEST_CASE(a_deletion_goes_through_the_queue_too) {
  play([](Cluster& cluster) {
    cluster.remove("early");
    cluster.wait(11s);
    expect(!is_there(cluster, "early"), "early was deleted");
  });
}

BOOST_AUTO_TEST_CASE(what_came_during_a_break_arrives) {
  play([](Cluster& cluster) {
    cluster.at_once([](Cluster::Instant& now) {
      now.inject("cut_watch", 1);
      now.create("missed");
      now.inject("evict_watch_window", 1);
    });
    cluster.wait(150s);
    expect(is_there(cluster, "missed"), "missed was created");
  });
}

BOOST_AUTO_TEST_CASE(what_went_during_a_break_is_gone) {
  play([](Cluster& cluster) {
    cluster.at_once([](Cluster::Instant& now) {
      now.inject("cut_watch", 1);
      now.remove("early");
      now.inject("evict_watch_window", 1);
    });
    cluster.wait(150s);
    expect(!is_there(cluster, "early"), "early was deleted");
  });
}

BOOST_AUTO_TEST_CASE(a_stop_does_not_wait_for_what_waits) {
  in_every_world([](Runtime& runtime) {
    Cluster cluster(runtime);
    const auto pipeline = make_pipeline(runtime, cluster.source(), cluster.mirror(), 10s);
    for (const char* const name : {"a", "b", "c", "d"}) {
      cluster.create(name);
    }
    cluster.start(*pipeline);
    cluster.wait(5s);
    const auto asked = runtime.now();
    cluster.stop();
    expect(runtime.now() - asked <= 11s, "it stops when the work in hand is done");
  });
}
