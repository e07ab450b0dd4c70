#include "core/port/heap.hpp"

#include <boost/test/unit_test.hpp>

#include "core/runtime/channel.hpp"
#include "core/runtime/task.hpp"
#include "tests/core/cache/queues.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(heap_test)

namespace {

using cache::Heap;

int priority(const api::ObjectPtr& object) { return std::stoi(object->metadata.resource_version); }

bool smaller(const api::ObjectPtr& left, const api::ObjectPtr& right) {
  return priority(left) < priority(right);
}

std::string pop_all(Heap& heap) {
  std::vector<std::string> texts;
  while (!heap.list_keys().empty()) {
    texts.push_back(text_of(*heap.pop()));
  }
  return joined(texts);
}

}  // namespace

// Mirrors TestHeapBasic.
BOOST_AUTO_TEST_CASE(objects_come_out_by_their_priority_whatever_their_order_of_arrival) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Heap heap(runtime, cache::meta_namespace_key, smaller);
    for (const int i : {5, 3, 8, 1, 9, 2, 7}) {
      expect_ok(heap.add(object("o" + std::to_string(i), std::to_string(i))));
    }
    expect_equal(pop_all(heap), "o1@1 | o2@2 | o3@3 | o5@5 | o7@7 | o8@8 | o9@9");
    // Two at once, one from above and one from below.
    const auto falling = runtime::spawn(runtime, "falling", [&] {
      for (int i = 8; i > 0; i -= 2) {
        expect_ok(heap.add(object("f" + std::to_string(i), std::to_string(i))));
      }
    });
    const auto rising = runtime::spawn(runtime, "rising", [&] {
      for (int i = 1; i < 8; i += 2) {
        expect_ok(heap.add(object("r" + std::to_string(i), std::to_string(i))));
      }
    });
    falling.join();
    rising.join();
    expect_equal(pop_all(heap), "r1@1 | f2@2 | r3@3 | f4@4 | r5@5 | f6@6 | r7@7 | f8@8");
  });
}

// Mirrors TestHeap_Add, TestHeap_Update.
BOOST_AUTO_TEST_CASE(an_object_with_a_known_key_moves_to_where_it_now_belongs) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Heap heap(runtime, cache::meta_namespace_key, smaller);
    const std::vector<api::ObjectPtr> objects{object("a", "10"), object("b", "20"),
                                              object("c", "30")};
    expect_ok(heap.bulk_add(objects));
    expect_ok(heap.add(object("c", "5")));
    expect_ok(heap.add(object("a", "25")));
    expect_equal(text_of(*heap.pop()), "c@5");
    expect(!heap.remove(object("c", "5")).ok(), "it is out already");
    expect_ok(heap.add(object("b", "100")));
    expect_equal(pop_all(heap), "a@25 | b@100");
  });
}

// Mirrors TestHeap_BulkAdd.
BOOST_AUTO_TEST_CASE(objects_added_together_are_all_there_for_the_first_pop) {
  holds_everywhere([](runtime::Runtime& runtime) {
    Heap heap(runtime, cache::meta_namespace_key, smaller);
    const auto producer = runtime::spawn(runtime, "producer", [&] {
      std::vector<api::ObjectPtr> objects;
      for (int i = 9; i > 0; --i) {
        objects.push_back(object(std::to_string(i), std::to_string(i)));
      }
      expect_ok(heap.bulk_add(objects));
    });
    for (int i = 1; i <= 9; ++i) {
      expect_equal(priority(*heap.pop()), i);
    }
    producer.join();
  });
}

// Mirrors TestHeap_AddIfNotPresent.
BOOST_AUTO_TEST_CASE(what_is_there_already_is_left_alone_when_asked_so) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Heap heap(runtime, cache::meta_namespace_key, smaller);
    expect_ok(heap.add_if_not_present(object("a", "10")));
    expect_ok(heap.add_if_not_present(object("a", "1")));
    expect_ok(heap.add_if_not_present(object("b", "2")));
    expect_ok(heap.add_if_not_present(object("c", "11")));
    expect_equal(heap.list().size(), 3U);
    expect_equal(text_of(heap.get_by_key("a")), "a@10");
    expect_equal(text_of(*heap.pop()), "b@2");
    expect_ok(heap.add_if_not_present(object("b", "14")));
    expect_equal(pop_all(heap), "a@10 | c@11 | b@14");
  });
}

// Mirrors TestHeap_Delete.
BOOST_AUTO_TEST_CASE(an_object_can_be_taken_out_of_the_middle) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    for (int removed = 1; removed <= 9; ++removed) {
      Heap heap(runtime, cache::meta_namespace_key, smaller);
      std::vector<std::string> expected;
      for (int i = 1; i <= 9; ++i) {
        const std::string number = std::to_string(i);
        expect_ok(heap.add(object(number, number)));
        if (i != removed) {
          expected.push_back(number + "@" + number);
        }
      }
      expect_ok(heap.remove(object(std::to_string(removed), "200")));
      expect(!heap.remove(object(std::to_string(removed))).ok(), "it is not there any more");
      expect_equal(heap.list_keys().size(), 8U);
      expect_equal(pop_all(heap), joined(expected));
    }
    Heap alike(runtime, cache::meta_namespace_key, smaller);
    for (const char* name : {"a", "b", "c"}) {
      expect_ok(alike.add(object(name, "30")));
    }
    expect_ok(alike.remove(object("b", "30")));
    expect_equal(pop_all(alike), "a@30 | c@30");
  });
}

// Mirrors TestHeap_Get, TestHeap_GetByKey, TestHeap_List, TestHeap_ListKeys.
BOOST_AUTO_TEST_CASE(objects_are_found_by_key_and_listed) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Heap heap(runtime, cache::meta_namespace_key, smaller);
    expect_equal(heap.list().size() + heap.list_keys().size(), 0U);
    expect_ok(heap.add(object("a", "2")));
    expect_ok(heap.add(object("b", "1")));
    expect_equal(text_of(*heap.get(object("a", "9"))), "a@2");
    expect_equal(text_of(heap.get_by_key("b")), "b@1");
    expect(heap.get_by_key("none") == nullptr, "what is not there is not found");
    expect(*heap.get(object("none")) == nullptr, "nor by object");
    expect_equal(sorted(heap.list_keys()), "a | b");
    std::vector<std::string> listed;
    for (const api::ObjectPtr& each : heap.list()) {
      listed.push_back(text_of(each));
    }
    expect_equal(sorted(listed), "a@2 | b@1");
  });
}

// Mirrors TestHeapEmptyPop, TestHeap_AddAfterClose.
BOOST_AUTO_TEST_CASE(closing_wakes_who_waits_and_refuses_who_adds) {
  holds_everywhere([](runtime::Runtime& runtime) {
    Heap heap(runtime, cache::meta_namespace_key, smaller);
    const auto popper = runtime::spawn(runtime, "popper", [&] {
      const api::Result<api::ObjectPtr> popped = heap.pop();
      expect(!popped && popped.error().kind == api::ErrorKind::Closed, "the heap is closed");
    });
    runtime.yield(runtime::Location::current());
    expect(!heap.is_closed(), "it is open until it is closed");
    heap.close();
    popper.join();
    expect(heap.is_closed(), "a closed heap says so");
    const std::vector<api::ObjectPtr> objects{object("a")};
    expect(heap.add(objects[0]).error().kind == api::ErrorKind::Closed, "add");
    expect(heap.bulk_add(objects).error().kind == api::ErrorKind::Closed, "bulk_add");
    expect(heap.add_if_not_present(objects[0]).error().kind == api::ErrorKind::Closed, "if absent");
  });
}

BOOST_AUTO_TEST_CASE(a_pop_waits_for_an_object) {
  holds_everywhere([](runtime::Runtime& runtime) {
    Heap heap(runtime, cache::meta_namespace_key, smaller);
    const auto producer =
        runtime::spawn(runtime, "producer", [&] { expect_ok(heap.add(object("a", "1"))); });
    expect_equal(text_of(*heap.pop()), "a@1");
    producer.join();
  });
}

// A live bug: a task that waits for an object is not notified of those before the one without a
// key.
BOOST_AUTO_TEST_CASE(objects_before_one_without_key_are_there_and_wake_no_task) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto key_unless_bad = [](const cache::Item& item) -> api::Result<std::string> {
      const std::string& name = cache::object_of(item)->metadata.name;
      return name == "bad" ? api::Result<std::string>(api::Error{}) : name;
    };
    Heap heap(runtime, key_unless_bad, smaller);
    bool popped = false;
    const auto consumer = runtime::spawn(runtime, "consumer", [&] {
      (void)heap.pop();
      popped = true;
    });
    runtime::sleep_for(runtime, std::chrono::seconds(1));
    const std::vector<api::ObjectPtr> objects{object("a", "10"), object("bad", "20")};
    expect(!heap.bulk_add(objects).ok(), "one has no key");
    runtime::sleep_for(runtime, std::chrono::seconds(1));
    expect(!popped, "no task was woken");
    expect_equal(heap.list_keys().size(), 1);
    expect_ok(heap.add(object("b", "20")));
    consumer.join();
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
