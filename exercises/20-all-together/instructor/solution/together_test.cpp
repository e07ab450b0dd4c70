// The reference suite: what only all three together can promise.
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

BOOST_AUTO_TEST_CASE(what_changes_while_it_waits_comes_in_its_last_state) {
  play([](Cluster& cluster) {
    cluster.create("first");
    cluster.wait(1s);
    cluster.create("second");
    cluster.update("second");
    cluster.update("second");
    cluster.wait(30s);
    expect_same(cluster);
  });
}

BOOST_AUTO_TEST_CASE(many_changes_are_one_piece_of_work) {
  play([](Cluster& cluster) {
    cluster.create("first");
    cluster.wait(1s);
    cluster.create("busy");
    for (int i = 0; i < 5; ++i) {
      cluster.update("busy");
    }
    cluster.wait(2min);
    expect_equal(static_cast<int>(cluster.mirror().versions_of("default/busy").size()), 1);
  });
}

BOOST_AUTO_TEST_CASE(what_changes_while_it_is_worked_on_waits_again) {
  play([](Cluster& cluster) {
    cluster.update("early");
    cluster.wait(5s);
    cluster.update("early");
    cluster.wait(30s);
    expect_same(cluster);
  });
}

BOOST_AUTO_TEST_CASE(what_is_deleted_while_it_is_worked_on_does_not_come_back) {
  play([](Cluster& cluster) {
    cluster.create("short");
    cluster.wait(5s);
    cluster.remove("short");
    cluster.wait(30s);
    expect(!is_there(cluster, "short"), "short was deleted");
  });
}

BOOST_AUTO_TEST_CASE(a_change_leaves_a_waiting_object_its_place) {
  play([](Cluster& cluster) {
    cluster.create("first");
    cluster.wait(1s);
    cluster.create("second");
    cluster.wait(1s);
    cluster.create("third");
    cluster.wait(1s);
    cluster.update("second");
    cluster.wait(20s);
    expect(is_there(cluster, "second"), "second waits before third");
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
