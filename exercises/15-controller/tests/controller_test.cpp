// The visible tests of your controller.
#include <boost/test/unit_test.hpp>
#include <chrono>

#include "exercises/15-controller/stage.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(a_notice_names_its_set) {
  play([](Stage& stage) {
    const Set blue{.name = "blue", .id = 1};
    const Pod pod{.name = "red-1", .set_name = "red", .set_id = 2};
    for (const Change change : {Change::Added, Change::Updated, Change::Deleted, Change::Gone}) {
      const auto of_set = stage.controller->keys_for({change, blue, {}});
      expect(of_set == std::vector<std::string>{"blue"}, "a set's key is its name");
      const auto of_pod = stage.controller->keys_for({change, {}, pod});
      expect(of_pod == std::vector<std::string>{"red"}, "a pod is looked at with its set");
    }
  });
}

BOOST_AUTO_TEST_CASE(a_set_gets_its_pods) {
  play([](Stage& stage) {
    stage.server.want("blue", 2);
    stage.server.want("red", 1);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(a_pod_that_is_lost_is_replaced) {
  play([](Stage& stage) {
    stage.server.want("blue", 2);
    stage.wait(10s);
    stage.server.remove_pod("blue");
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(pods_that_are_not_wanted_go) {
  play([](Stage& stage) {
    stage.server.want("blue", 3);
    stage.server.want("red", 1);
    stage.wait(10s);
    stage.server.want("blue", 1);
    stage.expect_in_step();
    stage.server.want("blue", 0);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(the_pods_of_a_set_go_with_it) {
  play([](Stage& stage) {
    stage.server.want("blue", 2);
    stage.server.want("red", 1);
    stage.wait(10s);
    stage.server.remove_set("blue");
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(what_fails_is_tried_again) {
  play([](Stage& stage) {
    stage.server.fail(2);
    stage.server.want("blue", 1);
    stage.wait(10s);
    expect_equal(stage.contents(), "blue 1 of 1, 1 reported");
    stage.server.fail(2);
    stage.server.want("blue", 0);
    stage.expect_in_step();
  });
}

// The cache does not show what the controller has just done.
BOOST_AUTO_TEST_CASE(no_pod_is_created_twice) {
  play([](Stage& stage) {
    stage.cache.hold(Kind::Pods);
    stage.server.want("blue", 1);
    stage.wait(5s);
    stage.server.want("blue", 2);
    stage.wait(5s);
    stage.server.want("blue", 3);
    stage.wait(5s);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(when_all_is_well_nothing_is_asked_for) {
  play([](Stage& stage) {
    stage.server.want("blue", 2);
    stage.expect_in_step();
    const std::int64_t before = stage.server.requests();
    stage.cache.notify_of_all();
    stage.wait(10s);
    expect_equal(stage.server.requests(), before);
  });
}

BOOST_AUTO_TEST_CASE(a_list_may_take_the_place_of_a_watch) {
  play([](Stage& stage) {
    stage.server.want("blue", 2);
    stage.server.want("red", 1);
    stage.wait(10s);
    stage.cache.hold(Kind::Sets);
    stage.cache.hold(Kind::Pods);
    stage.server.remove_pod("blue");
    stage.server.remove_set("red");
    stage.wait(5s);
    stage.cache.relist(Kind::Sets);
    stage.cache.relist(Kind::Pods);
    stage.expect_in_step();
  });
}

BOOST_AUTO_TEST_CASE(a_new_controller_continues) {
  play([](Stage& stage) {
    stage.server.want("blue", 2);
    stage.wait(10s);
    stage.server.want("blue", 3);
    stage.restart();
    stage.expect_in_step();
  });
}
