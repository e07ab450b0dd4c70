// The reference suite: one case a promise, and one for each way to misread it.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <string>

#include "exercises/08t-reflector-tests/subject.hpp"
#include "exercises/toolkit/cluster.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;
using watchlab::runtime::Runtime;

namespace {

/// Plays a script with a reflector at work, which stops at the end.
void play(const std::function<void(Cluster&)>& script) {
  in_every_world([&](Runtime& runtime) {
    Cluster cluster(runtime);
    const auto reflector = make_reflector(runtime, cluster.source(), cluster.mirror());
    cluster.create("early");
    cluster.start(*reflector);
    cluster.wait(2s);  // a watch that ends within its first second is taken for a failed one
    script(cluster);
    cluster.stop();
  });
}

void expect_mirrored(Cluster& cluster) { expect_equal(cluster.in_mirror(), cluster.on_server()); }

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_there_before_arrives) {
  play([](Cluster& cluster) { expect_mirrored(cluster); });
}

BOOST_AUTO_TEST_CASE(a_deletion_arrives) {
  play([](Cluster& cluster) {
    cluster.create("a");
    cluster.create("b");
    cluster.wait(1s);
    cluster.remove("a");
    cluster.wait(1s);
    expect(cluster.in_mirror().find("default/a") == std::string::npos, "a was deleted");
  });
}

BOOST_AUTO_TEST_CASE(revision_ten_comes_after_nine) {
  play([](Cluster& cluster) {
    for (int i = 0; i < 12; ++i) {
      cluster.update("early");
      cluster.wait(1s);
    }
    expect_mirrored(cluster);
  });
}

BOOST_AUTO_TEST_CASE(what_is_created_after_a_break_arrives) {
  play([](Cluster& cluster) {
    cluster.inject("cut_watch", 1);
    cluster.wait(10s);
    cluster.create("a");
    cluster.create("b");
    cluster.wait(2min);
    expect(cluster.in_mirror().find("default/b") != std::string::npos, "b was created");
  });
}

BOOST_AUTO_TEST_CASE(what_changes_during_a_break_arrives) {
  play([](Cluster& cluster) {
    cluster.at_once([](Cluster::Instant& now) {
      now.inject("cut_watch", 1);
      now.update("early");
    });
    cluster.wait(2min);
    expect_mirrored(cluster);
  });
}

BOOST_AUTO_TEST_CASE(a_forgotten_past_is_no_obstacle) {
  play([](Cluster& cluster) {
    cluster.at_once([](Cluster::Instant& now) {
      now.inject("cut_watch", 1);
      now.create("a");
      now.create("b");
      now.inject("evict_watch_window", 1);
    });
    cluster.wait(2min);
    cluster.create("c");
    cluster.wait(2min);
    expect(cluster.in_mirror().find("default/c") != std::string::npos, "c was created");
  });
}

BOOST_AUTO_TEST_CASE(it_tries_until_the_server_is_back) {
  play([](Cluster& cluster) {
    cluster.inject("refuse_connections");
    cluster.inject("cut_watch", 1);
    cluster.wait(10s);
    cluster.heal("refuse_connections");
    cluster.wait(2min);
    cluster.create("a");
    cluster.create("b");
    cluster.wait(1s);
    expect(cluster.in_mirror().find("default/b") != std::string::npos, "b was created");
  });
}

BOOST_AUTO_TEST_CASE(it_spares_a_server_in_trouble) {
  play([](Cluster& cluster) {
    cluster.inject("refuse_connections");
    cluster.inject("cut_watch", 1);
    cluster.wait(1s);
    const std::size_t before = cluster.requests();
    cluster.wait(10s);
    expect(cluster.requests() - before <= 20, "at most twenty requests in ten seconds");
  });
}

BOOST_AUTO_TEST_CASE(an_error_event_is_no_end) {
  play([](Cluster& cluster) {
    cluster.inject("fail_stream", 1, "internal");
    cluster.create("a");
    cluster.wait(2min);
    cluster.create("b");
    cluster.create("c");
    cluster.wait(1s);
    expect(cluster.in_mirror().find("default/c") != std::string::npos, "c was created");
  });
}

BOOST_AUTO_TEST_CASE(it_never_goes_back) {
  play([](Cluster& cluster) {
    cluster.update("early");
    cluster.wait(1s);
    cluster.update("early");
    cluster.wait(1s);
    cluster.inject("cut_watch", 1);
    cluster.wait(2min);
    int last = 0;
    for (const std::string& version : cluster.mirror().versions_of("default/early")) {
      expect(last <= std::stoi(version), "an older state was put behind a newer one");
      last = std::stoi(version);
    }
  });
}

BOOST_AUTO_TEST_CASE(an_object_of_another_kind_is_none) {
  play([](Cluster& cluster) {
    cluster.inject("wrong_kind");
    cluster.create("a");
    cluster.create("b");
    cluster.wait(1s);
    expect(cluster.in_mirror().find("default/b") == std::string::npos, "b came as a Pod");
  });
}

BOOST_AUTO_TEST_CASE(nothing_comes_of_quiet_minutes) {
  play([](Cluster& cluster) {
    cluster.update("early");
    cluster.wait(10min);
    expect(cluster.in_mirror().find("default/early") == 0, "only early is there");
    expect(cluster.in_mirror().find(' ') == std::string::npos, "only early is there");
  });
}

BOOST_AUTO_TEST_CASE(after_an_object_of_another_kind_it_goes_on) {
  play([](Cluster& cluster) {
    cluster.inject("wrong_kind");
    cluster.create("a");
    cluster.wait(1s);
    cluster.heal("wrong_kind");
    cluster.create("b");
    cluster.create("c");
    cluster.wait(1s);
    expect(cluster.in_mirror().find("default/c") != std::string::npos, "c was created");
  });
}

BOOST_AUTO_TEST_CASE(it_leaves_no_watch_open) {
  play([](Cluster& cluster) {
    cluster.stop();
    cluster.wait(1s);
    expect_equal(cluster.watches_open(), 0);
  });
}

BOOST_AUTO_TEST_CASE(it_stops_in_the_middle_of_a_pause) {
  in_every_world([](Runtime& runtime) {
    Cluster cluster(runtime);
    const auto reflector = make_reflector(runtime, cluster.source(), cluster.mirror());
    cluster.inject("refuse_connections");
    cluster.start(*reflector);
    cluster.wait(21s);
    const auto asked = runtime.now();
    cluster.stop();
    expect(runtime.now() - asked <= 1s, "it stops within a second");
  });
}

// Told to stop while it asks for a list or for a watch, or has just been given one.
BOOST_AUTO_TEST_CASE(it_leaves_no_watch_open_whenever_it_is_stopped) {
  for (int delay = 0; delay < 6; ++delay) {
    in_every_world([delay](Runtime& runtime) {
      Cluster cluster(runtime);
      const auto reflector = make_reflector(runtime, cluster.source(), cluster.mirror());
      cluster.create("early");
      cluster.start(*reflector);
      cluster.wait(delay * 1ms);
      cluster.stop();
      cluster.wait(1s);
      expect_equal(cluster.watches_open(), 0);
    });
  }
}
