// The hidden tests: stale caches, answers that are not hoped for, and what may never be done.
#include <array>
#include <boost/test/unit_test.hpp>
#include <chrono>

#include "exercises/15-controller/stage.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;

namespace {

/// So long may a change take to come, in scripts that are played in bad weather.
constexpr std::array kPauses{0ms, 700ms, 2500ms, 4000ms, 9300ms, 16000ms};

}  // namespace

// The cache still shows pods that the controller has deleted.
BOOST_AUTO_TEST_CASE(no_pod_is_deleted_for_one_that_is_gone) {
  play([](Stage& stage) {
    stage.server.want("blue", 4);
    stage.wait(10s);
    stage.cache.hold(Kind::Pods);
    stage.server.want("blue", 3);
    stage.wait(5s);
    stage.server.want("blue", 2);
    stage.wait(5s);
    expect_equal(stage.server.now().pods_of(1), 2);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(what_was_just_created_is_counted_when_less_is_wanted) {
  play([](Stage& stage) {
    stage.server.want("blue", 1);
    stage.wait(10s);
    stage.cache.hold(Kind::Pods);
    stage.server.want("blue", 2);
    stage.wait(5s);
    stage.server.want("blue", 1);
    stage.wait(5s);
    stage.server.want("blue", 2);
    stage.expect_in_step();
  });
}

// Created, and deleted before the cache had it: no notice ever says so.
BOOST_AUTO_TEST_CASE(a_pod_that_the_cache_never_had_is_not_waited_for) {
  play([](Stage& stage) {
    stage.cache.hold(Kind::Pods);
    stage.server.want("blue", 2);
    stage.wait(5s);
    stage.server.remove_pod("blue");
    stage.cache.relist(Kind::Pods);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(a_part_that_was_created_is_not_created_again) {
  play([](Stage& stage) {
    stage.cache.hold(Kind::Pods);
    stage.server.fail(1, 1);
    stage.server.want("blue", 3);
    stage.wait(10s);
    expect_equal(stage.server.now().pods_of(1), 3);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(a_pod_that_is_gone_already_is_deleted) {
  play([](Stage& stage) {
    stage.server.want("blue", 2);
    stage.wait(10s);
    stage.cache.hold(Kind::Pods);
    stage.server.remove_pod("blue");
    stage.server.remove_pod("blue");
    stage.server.want("blue", 0);
    stage.wait(5s);
    const std::int64_t before = stage.server.requests();
    stage.wait(10s);
    expect_equal(stage.server.requests(), before);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(a_conflict_is_no_end) {
  play([](Stage& stage) {
    stage.server.want("blue", 1);
    stage.wait(10s);
    stage.cache.hold(Kind::Sets);
    stage.server.want("blue", 2);
    stage.server.remove_pod("blue");
    stage.wait(10s);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(what_is_reported_follows) {
  play([](Stage& stage) {
    stage.server.want("blue", 2);
    stage.expect_in_step();
    stage.server.fail(1, 2);
    stage.server.remove_pod("blue");
    stage.expect_in_step();
  });
}

// Pods are known, their set is not yet: it is not gone.
BOOST_AUTO_TEST_CASE(a_set_that_the_cache_does_not_have_may_be_there) {
  play([](Stage& stage) {
    stage.cache.hold(Kind::Sets);
    stage.server.want("blue", 1);
    stage.server.inherit_pod("blue");
    stage.wait(10s);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(a_set_that_came_again_gets_pods_of_its_own) {
  play([](Stage& stage) {
    stage.server.want("blue", 2);
    stage.wait(10s);
    stage.server.remove_set("blue");
    stage.server.want("blue", 1);
    stage.expect_in_step();
  });
}

// The cache shows the set that was, and pods of the one that is.
BOOST_AUTO_TEST_CASE(the_cache_may_have_the_set_that_was) {
  play([](Stage& stage) {
    stage.server.want("blue", 1);
    stage.wait(10s);
    stage.cache.hold(Kind::Sets);
    stage.server.remove_set("blue");
    stage.server.want("blue", 2);
    stage.server.inherit_pod("blue");
    stage.wait(10s);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(a_pod_of_no_set_is_deleted_in_the_end) {
  play([](Stage& stage) {
    stage.server.want("blue", 2);
    stage.wait(10s);
    stage.server.fail(2);
    stage.server.remove_set("blue");
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(reconcile_does_not_wait_for_the_cache) {
  play([](Stage& stage) {
    stage.cache.hold(Kind::Pods);
    stage.server.want("blue", 1);
    stage.server.want("red", 1);
    stage.wait(15s);
    expect_equal(stage.server.now().pods_of(2), 1);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(it_converges_in_bad_weather) {
  for (const auto pause : kPauses) {
    play([pause](Stage& stage) {
      stage.set_bad_weather(true);
      stage.server.want("blue", 2);
      stage.server.want("red", 1);
      stage.wait(7s);
      stage.server.remove_pod("blue");
      stage.server.want("red", 3);
      stage.wait(pause);
      stage.server.want("blue", 1);
      stage.server.want("red", 1);
      stage.wait(12s);
      stage.server.remove_pod("red");
      stage.server.want("blue", 3);
      stage.expect_in_step();
    });
  }
}

BOOST_AUTO_TEST_CASE(it_converges_in_bad_weather_when_sets_come_and_go) {
  for (const auto pause : kPauses) {
    play([pause](Stage& stage) {
      stage.set_bad_weather(true);
      stage.server.want("blue", 2);
      stage.wait(5s);
      stage.server.remove_set("blue");
      stage.server.want("red", 1);
      stage.wait(pause);
      stage.server.want("blue", 1);
      stage.wait(9s);
      stage.server.remove_set("red");
      stage.server.want("blue", 2);
      stage.wait(6s);
      stage.server.remove_set("blue");
      stage.server.want("blue", 1);
      stage.restart();
      stage.wait(3s);
      stage.expect_in_step();
    });
  }
}
