// The hidden tests: what the visible ones leave open.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

#include "core/runtime/task.hpp"
#include "exercises/05-delta-fifo/consumer.hpp"
#include "exercises/05-delta-fifo/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;
using watchlab::runtime::sleep_for;
using watchlab::runtime::spawn;

BOOST_AUTO_TEST_CASE(a_deletion_that_overtakes_the_consumer_is_told) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("a", "1"));
    queue->remove(object("a", "2"));
    queue->add(object("a", "3"));
    expect_equal(consumer.pop(*queue), "Added a@1, Deleted a@2, Added a@3");
  });
}

BOOST_AUTO_TEST_CASE(the_line_is_in_the_order_of_arrival) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    for (const char* name : {"e", "c", "a", "d", "b"}) {
      queue->add(object(name, "1"));
    }
    expect_equal(joined(queue->keys()), "e c a d b");
    expect_equal(consumer.pop(*queue), "Added e@1");
  });
}

// A reader that gets in between would find the object neither queued nor known.
BOOST_AUTO_TEST_CASE(nobody_gets_in_while_changes_are_processed) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("a", "1"));
    bool is_processing = false;
    const auto reader = spawn(runtime, "reader", [&] {
      sleep_for(runtime, std::chrono::milliseconds(500));
      expect_equal(joined(queue->keys()), "");
      expect(!is_processing, "nobody gets in before the changes are stored");
    });
    (void)queue->pop([&](const std::string&, const Changes&) {
      is_processing = true;
      sleep_for(runtime, std::chrono::seconds(1));
      is_processing = false;
    });
    reader.join();
  });
}

BOOST_AUTO_TEST_CASE(closing_wakes_everybody) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    const auto wait = [&] { expect_equal(consumer.pop(*queue), "closed"); };
    const auto one = spawn(runtime, "one", wait);
    const auto two = spawn(runtime, "two", wait);
    queue->close();
    one.join();
    two.join();
  });
}

BOOST_AUTO_TEST_CASE(two_consumers_get_two_objects) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    const auto work = [&] { expect(consumer.pop(*queue) != "closed", "it gets an object"); };
    const auto one = spawn(runtime, "one", work);
    const auto two = spawn(runtime, "two", work);
    queue->add(object("a", "1"));
    queue->add(object("b", "1"));
    one.join();
    two.join();
    expect_equal(joined(queue->keys()), "");
  });
}

BOOST_AUTO_TEST_CASE(a_closed_queue_takes_more) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->close();
    queue->add(object("a", "1"));
    expect_equal(consumer.pop(*queue), "Added a@1");
  });
}

BOOST_AUTO_TEST_CASE(a_popped_object_can_come_again) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("a", "1"));
    expect_equal(consumer.pop(*queue), "Added a@1");
    queue->update(object("a", "2"));
    expect_equal(consumer.pop(*queue), "Updated a@2");
  });
}

// The deletion may meet the object queued, on its way to the store, or stored: it is told in each
// case.
BOOST_AUTO_TEST_CASE(a_deletion_is_told_wherever_the_object_is) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("a", "1"));
    const auto worker = spawn(runtime, "worker", [&] { (void)consumer.pop(*queue); });
    queue->remove(object("a", "2"));
    worker.join();
    queue->close();
    while (consumer.pop(*queue) != "closed") {
    }
    expect(!consumer.has("a"), "a was deleted");
  });
}

BOOST_AUTO_TEST_CASE(an_object_is_queued_or_known_at_any_moment) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("a", "1"));
    const auto worker = spawn(runtime, "worker", [&] { (void)consumer.pop(*queue); });
    for (int i = 0; i < 3; ++i) {
      const bool is_queued = !queue->keys().empty();
      expect(is_queued || consumer.has("a"), "a is queued or known");
    }
    worker.join();
  });
}

BOOST_AUTO_TEST_CASE(two_producers_of_one_object_give_it_one_place) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    const auto other = spawn(runtime, "other", [&] { queue->update(object("a", "2")); });
    queue->update(object("a", "1"));
    other.join();
    expect_equal(joined(queue->keys()), "a");
    expect_equal(static_cast<std::int64_t>(queue->queued("a").size()), 2);
  });
}

BOOST_AUTO_TEST_CASE(two_deletions_at_the_same_time_are_told_once) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    consumer.know("a");
    const auto queue = make_queue(runtime, consumer);
    const auto other = spawn(runtime, "other", [&] { queue->remove(object("a", "2")); });
    queue->remove(object("a", "2"));
    other.join();
    expect_equal(text_of(queue->queued("a")), "Deleted a@2");
  });
}

BOOST_AUTO_TEST_CASE(a_pop_waits_for_an_update) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    const auto producer = spawn(runtime, "producer", [&] { queue->update(object("a", "1")); });
    expect_equal(consumer.pop(*queue), "Updated a@1");
    producer.join();
  });
}

BOOST_AUTO_TEST_CASE(a_pop_waits_for_a_deletion) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    consumer.know("a");
    const auto queue = make_queue(runtime, consumer);
    const auto producer = spawn(runtime, "producer", [&] { queue->remove(object("a", "1")); });
    expect_equal(consumer.pop(*queue), "Deleted a@1");
    producer.join();
  });
}

// The change is there before the close, so the one who waits must get it.
BOOST_AUTO_TEST_CASE(who_waits_gets_what_came_before_the_close) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    const auto worker =
        spawn(runtime, "worker", [&] { expect_equal(consumer.pop(*queue), "Added a@1"); });
    queue->add(object("a", "1"));
    queue->close();
    worker.join();
  });
}

BOOST_AUTO_TEST_CASE(namespaces_keep_objects_apart) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("blue/a", "1"));
    queue->add(object("green/a", "2"));
    expect_equal(joined(queue->keys()), "blue/a green/a");
    expect_equal(consumer.pop(*queue), "Added blue/a@1");
  });
}

BOOST_AUTO_TEST_CASE(a_deletion_after_a_new_addition_is_another_one) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("a", "1"));
    queue->remove(object("a", "2"));
    queue->add(object("a", "3"));
    queue->remove(object("a", "4"));
    expect_equal(consumer.pop(*queue), "Added a@1, Deleted a@2, Added a@3, Deleted a@4");
  });
}

BOOST_AUTO_TEST_CASE(no_change_is_merged_whatever_its_version) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("a", "2"));
    queue->update(object("a", "2"));
    queue->update(object("a", "2"));
    queue->update(object("a", "1"));
    queue->add(object("a", "1"));
    expect_equal(consumer.pop(*queue),
                 "Added a@2, Updated a@2, Updated a@2, Updated a@1, Added a@1");
  });
}

BOOST_AUTO_TEST_CASE(a_change_keeps_the_type_that_it_came_with) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    consumer.know("a");
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("a", "1"));
    queue->update(object("b", "1"));
    expect_equal(consumer.pop(*queue), "Added a@1");
    expect_equal(consumer.pop(*queue), "Updated b@1");
  });
}

BOOST_AUTO_TEST_CASE(who_comes_again_stands_at_the_end) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    queue->add(object("a", "1"));
    queue->add(object("b", "1"));
    (void)consumer.pop(*queue);
    queue->update(object("a", "2"));
    expect_equal(joined(queue->keys()), "b a");
  });
}

BOOST_AUTO_TEST_CASE(however_much_is_queued_nothing_is_lost) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    const auto queue = make_queue(runtime, consumer);
    for (int i = 0; i < 40; ++i) {
      queue->add(object("a" + std::to_string(i), "1"));
      queue->update(object("a0", std::to_string(i)));
    }
    expect_equal(static_cast<std::int64_t>(queue->keys().size()), 40);
    expect_equal(static_cast<std::int64_t>(queue->queued("a0").size()), 41);
  });
}

BOOST_AUTO_TEST_CASE(any_task_may_look_and_change_at_any_time) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    consumer.know("b");
    const auto queue = make_queue(runtime, consumer);
    const auto add = spawn(runtime, "add", [&] { queue->add(object("a", "1")); });
    const auto remove = spawn(runtime, "remove", [&] { queue->remove(object("b", "1")); });
    const auto look = spawn(runtime, "look", [&] {
      expect(queue->queued("a").size() < 2, "it was added once");
      expect(queue->keys().size() < 4, "there are three");
    });
    queue->update(object("c", "1"));
    queue->close();
    add.join();
    remove.join();
    look.join();
    expect_equal(static_cast<std::int64_t>(queue->keys().size()), 3);
  });
}

BOOST_AUTO_TEST_CASE(a_deletion_that_the_consumer_is_at_is_not_told_again) {
  in_every_world([](Runtime& runtime) {
    Consumer consumer;
    consumer.know("a");
    const auto queue = make_queue(runtime, consumer);
    queue->remove(object("a", "2"));
    const auto worker =
        spawn(runtime, "worker", [&] { expect_equal(consumer.pop(*queue), "Deleted a@2"); });
    queue->remove(object("a", "3"));
    worker.join();
    expect_equal(joined(queue->keys()), "");
  });
}
