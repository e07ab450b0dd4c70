// The reference suite: one case a promise, and one for each way to misread it.
#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "exercises/02-index/answers.hpp"
#include "exercises/02-index/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using watchlab::runtime::Runtime;
using watchlab::runtime::spawn;

BOOST_AUTO_TEST_CASE(an_update_leaves_the_old_value) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("a", "1", {{"color", "red"}}));
    store->put(object("a", "2", {{"color", "blue"}}));
    expect_equal(answer(store->find("labels", "red")), "");
  });
}

BOOST_AUTO_TEST_CASE(a_removed_object_leaves_no_key) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("a", "1", {{"color", "red"}}));
    store->remove(object("a", "1"));
    expect_equal(answer(store->keys("labels", "red")), "");
  });
}

BOOST_AUTO_TEST_CASE(an_object_is_found_under_each_of_its_values) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("a", "1", {{"color", "red"}, {"size", "small"}}));
    expect_equal(answer(store->find("labels", "red")), "a@1");
    expect_equal(answer(store->find("labels", "small")), "a@1");
  });
}

BOOST_AUTO_TEST_CASE(a_late_index_finds_what_is_there_already) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("a", "1", {{"color", "red"}}));
    expect(store->add_index("labels", label_values).ok(), "the name is free");
    expect_equal(answer(store->find("labels", "red")), "a@1");
  });
}

BOOST_AUTO_TEST_CASE(a_list_is_the_whole_truth) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("a", "1", {{"color", "red"}}));
    store->replace({object("b", "2", {{"color", "red"}})});
    expect_equal(answer(store->find("labels", "red")), "b@2");
  });
}

BOOST_AUTO_TEST_CASE(who_leaves_a_value_leaves_the_others_there) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("a", "1", {{"color", "red"}}));
    store->put(object("b", "2", {{"color", "red"}}));
    store->remove(object("a", "1"));
    expect_equal(answer(store->find("labels", "red")), "b@2");
  });
}

BOOST_AUTO_TEST_CASE(a_value_goes_with_its_last_object) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("a", "1", {{"color", "red"}}));
    store->remove(object("a", "1"));
    expect_equal(answer(store->values("labels")), "");
  });
}

BOOST_AUTO_TEST_CASE(an_unknown_index_is_an_error) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    expect_equal(answer(store->find("lables", "red")), "error");
  });
}

BOOST_AUTO_TEST_CASE(objects_alike_are_like_the_one_in_hand) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("a", "1", {{"color", "red"}}));
    store->put(object("b", "2", {{"color", "blue"}}));
    expect_equal(answer(store->alike("labels", object("a", "3", {{"color", "blue"}}))), "b@2");
  });
}

BOOST_AUTO_TEST_CASE(who_is_alike_in_two_ways_is_given_once) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    const auto a = object("a", "1", {{"color", "red"}, {"size", "small"}});
    store->put(a);
    expect_equal(answer(store->alike("labels", a)), "a@1");
  });
}

BOOST_AUTO_TEST_CASE(who_is_there_is_in_the_index) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    const auto writer = spawn(runtime, "writer", [&] {
      store->put(object("a", "1", {{"color", "red"}}));
    });
    if (store->get("a") != nullptr) {
      expect_equal(answer(store->find("labels", "red")), "a@1");
    }
    writer.join();
  });
}

BOOST_AUTO_TEST_CASE(a_name_that_is_taken_stays_taken) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    expect(!store->add_index("labels", label_values).ok(), "there is an index of that name");
  });
}

BOOST_AUTO_TEST_CASE(namesakes_are_different_objects) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("blue/a", "1", {{"color", "red"}}));
    store->put(object("green/a", "1", {{"color", "red"}}));
    expect_equal(answer(store->keys("labels", "red")), "blue/a green/a");
  });
}

BOOST_AUTO_TEST_CASE(an_equal_version_is_news_all_the_same) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("a", "1", {{"color", "red"}}));
    store->put(object("a", "1", {{"color", "blue"}}));
    expect_equal(answer(store->find("labels", "blue")), "a@1");
  });
}

BOOST_AUTO_TEST_CASE(a_list_leaves_no_key_and_no_value_of_before) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("a", "1", {{"color", "red"}}));
    store->replace({object("b", "2", {{"color", "blue"}})});
    expect_equal(answer(store->keys("labels", "red")), "");
    expect_equal(answer(store->values("labels")), "blue");
  });
}

BOOST_AUTO_TEST_CASE(whoever_asks_during_a_list_finds_what_stays) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("a", "1", {{"color", "red"}}));
    const auto writer = spawn(runtime, "writer", [&] {
      store->replace({object("a", "1", {{"color", "red"}})});
    });
    expect_equal(answer(store->find("labels", "red")), "a@1");
    writer.join();
  });
}

BOOST_AUTO_TEST_CASE(a_late_index_is_there_with_all_or_not_at_all) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_store(runtime);
    store->put(object("a", "1", {{"color", "red"}}));
    const auto other = spawn(runtime, "other", [&] {
      expect(store->add_index("labels", label_values).ok(), "the name is free");
    });
    const std::string found = answer(store->find("labels", "red"));
    expect(found == "error" || found == "a@1", "not an empty answer: " + found);
    other.join();
  });
}

BOOST_AUTO_TEST_CASE(what_is_found_has_the_value) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("a", "1", {{"color", "red"}}));
    const auto writer = spawn(runtime, "writer", [&] {
      store->put(object("a", "2", {{"color", "blue"}}));
    });
    const std::string found = answer(store->find("labels", "red"));
    expect(found.empty() || found == "a@1", "red is a@1 or nothing: " + found);
    writer.join();
  });
}

BOOST_AUTO_TEST_CASE(every_question_about_an_unknown_index_is_an_error) {
  in_every_world([](Runtime& runtime) {
    const auto store = make_labelled_store(runtime);
    store->put(object("a", "1", {{"color", "red"}}));
    expect_equal(answer(store->keys("lables", "red")), "error");
    expect_equal(answer(store->alike("lables", object("a"))), "error");
    expect_equal(answer(store->values("lables")), "error");
  });
}
