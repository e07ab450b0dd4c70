// The reference suite: one case a promise, and one for each way to misread it.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

#include "core/runtime/task.hpp"
#include "exercises/04-fifo/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;
using watchlab::runtime::sleep_for;
using watchlab::runtime::spawn;

BOOST_AUTO_TEST_CASE(fresh_objects_come_out_in_order) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    for (const char* name : {"e", "c", "a", "d", "b"}) {
      queue->add(object(name, "1"));
    }
    for (const char* name : {"e", "c", "a", "d", "b"}) {
      expect_equal(queue->pop()->metadata.name, name);
    }
  });
}

BOOST_AUTO_TEST_CASE(the_newest_state_comes_out) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("demo", "1"));
    queue->update(object("demo", "2"));
    expect_equal(text_of(queue->pop()), "demo@2");
  });
}

BOOST_AUTO_TEST_CASE(an_update_keeps_the_place) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("a", "1"));
    queue->add(object("b", "1"));
    queue->update(object("a", "2"));
    expect_equal(queue->pop()->metadata.name, "a");
  });
}

BOOST_AUTO_TEST_CASE(an_updated_object_comes_out_once) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("a", "1"));
    queue->update(object("a", "2"));
    queue->add(object("b", "3"));
    expect_equal(text_of(queue->pop()), "a@2");
    expect_equal(text_of(queue->pop()), "b@3");
  });
}

BOOST_AUTO_TEST_CASE(a_removed_object_lets_the_next_one_pass) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("a", "1"));
    queue->add(object("b", "1"));
    queue->remove(object("a", "1"));
    expect_equal(text_of(queue->pop()), "b@1");
  });
}

BOOST_AUTO_TEST_CASE(a_removed_object_does_not_end_the_waiting) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("a", "1"));
    queue->remove(object("a", "1"));
    const auto producer = spawn(runtime, "producer", [&] {
      sleep_for(runtime, std::chrono::seconds(1));
      queue->add(object("b", "1"));
    });
    expect_equal(text_of(queue->pop()), "b@1");
    producer.join();
  });
}

BOOST_AUTO_TEST_CASE(a_removal_takes_that_object_from_the_middle) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("a", "1"));
    queue->add(object("b", "1"));
    queue->remove(object("b", "1"));
    expect_equal(text_of(queue->get("a")), "a@1");
    expect(queue->get("b") == nullptr, "b was removed");
  });
}

BOOST_AUTO_TEST_CASE(what_came_out_does_not_wait) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("demo", "1"));
    expect_equal(text_of(queue->pop()), "demo@1");
    expect(queue->list().empty(), "nothing is left");
  });
}

BOOST_AUTO_TEST_CASE(however_much_waits_nothing_is_lost) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    for (int i = 0; i < 40; ++i) {
      queue->add(object(std::to_string(i), "1"));
    }
    expect_equal(queue->list().size(), 40);
  });
}

BOOST_AUTO_TEST_CASE(two_workers_get_two_objects) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    const auto worker = [&] { expect(queue->pop() != nullptr, "an object comes out"); };
    const auto one = spawn(runtime, "one", worker);
    const auto two = spawn(runtime, "two", worker);
    queue->add(object("a", "1"));
    queue->add(object("b", "1"));
    one.join();
    two.join();
    expect(queue->list().empty(), "each took its own");
  });
}

BOOST_AUTO_TEST_CASE(who_was_woken_for_nothing_waits_on) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    const auto worker = [&] { expect(queue->pop() != nullptr, "an object comes out"); };
    const auto one = spawn(runtime, "one", worker);
    const auto two = spawn(runtime, "two", worker);
    sleep_for(runtime, std::chrono::seconds(1));
    queue->add(object("a", "1"));
    sleep_for(runtime, std::chrono::seconds(1));
    queue->add(object("b", "1"));
    one.join();
    two.join();
  });
}

BOOST_AUTO_TEST_CASE(two_producers_do_not_disturb_each_other) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    const auto other = spawn(runtime, "other", [&] { queue->add(object("a", "1")); });
    queue->add(object("b", "1"));
    other.join();
    expect_equal(queue->list().size(), 2);
  });
}

BOOST_AUTO_TEST_CASE(an_object_that_came_out_can_wait_again) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("demo", "1"));
    expect_equal(text_of(queue->pop()), "demo@1");
    queue->add(object("demo", "2"));
    expect_equal(text_of(queue->get("demo")), "demo@2");
  });
}

BOOST_AUTO_TEST_CASE(an_update_needs_no_add) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->update(object("demo", "1"));
    expect_equal(text_of(queue->get("demo")), "demo@1");
  });
}

BOOST_AUTO_TEST_CASE(versions_are_not_compared) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("demo", "9"));
    queue->update(object("demo", "10"));
    expect_equal(text_of(queue->pop()), "demo@10");
  });
}

BOOST_AUTO_TEST_CASE(namesakes_are_different_objects) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("blue/a", "1"));
    queue->add(object("green/a", "2"));
    expect(queue->get("a") == nullptr, "a name is no key");
    queue->remove(object("blue/a", "1"));
    expect_equal(text_of(queue->get("green/a")), "green/a@2");
    expect_equal(text_of(queue->pop()), "green/a@2");
  });
}

BOOST_AUTO_TEST_CASE(an_equal_version_is_news_all_the_same) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("demo", "1", {{"color", "red"}}));
    queue->update(object("demo", "1", {{"color", "blue"}}));
    expect_equal(queue->pop()->metadata.labels.at("color"), "blue");
  });
}

BOOST_AUTO_TEST_CASE(a_removal_needs_no_state) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("demo", "1"));
    queue->remove(object("demo", "7"));
    expect(queue->get("demo") == nullptr, "it was removed");
  });
}

BOOST_AUTO_TEST_CASE(who_comes_again_wakes_a_worker) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("demo", "1"));
    expect_equal(text_of(queue->pop()), "demo@1");
    const auto worker =
        spawn(runtime, "worker", [&] { expect_equal(text_of(queue->pop()), "demo@2"); });
    sleep_for(runtime, std::chrono::seconds(1));
    queue->add(object("demo", "2"));
    worker.join();
  });
}

BOOST_AUTO_TEST_CASE(an_update_wakes_a_worker) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    const auto worker =
        spawn(runtime, "worker", [&] { expect_equal(text_of(queue->pop()), "demo@1"); });
    sleep_for(runtime, std::chrono::seconds(1));
    queue->update(object("demo", "1"));
    worker.join();
  });
}

// Between the two of them something that waits nowhere may stay in the line.
BOOST_AUTO_TEST_CASE(adding_and_removing_at_the_same_time_leaves_nothing_half) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    const auto other = spawn(runtime, "other", [&] { queue->add(object("a", "1")); });
    queue->remove(object("a", "1"));
    other.join();
    const bool waits = queue->get("a") != nullptr;
    queue->add(object("b", "1"));
    expect_equal(text_of(queue->pop()), waits ? "a@1" : "b@1");
  });
}

BOOST_AUTO_TEST_CASE(any_task_may_look_and_change_at_any_time) {
  in_every_world([](Runtime& runtime) {
    const auto queue = make_queue(runtime);
    queue->add(object("a", "1"));
    const auto add = spawn(runtime, "add", [&] { queue->add(object("b", "1")); });
    const auto remove = spawn(runtime, "remove", [&] { queue->remove(object("a", "1")); });
    const auto look = spawn(runtime, "look", [&] { expect(queue->list().size() < 3, "two"); });
    (void)queue->get("a");
    add.join();
    remove.join();
    look.join();
    expect_equal(text_of(queue->pop()), "b@1");
  });
}
