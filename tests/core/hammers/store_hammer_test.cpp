// A store with indices between writers, readers and one who adds an index.
#include <boost/test/unit_test.hpp>

#include "core/cache/cache.hpp"
#include "tests/core/cache/fake_source.hpp"
#include "tests/core/hammers/hammer.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(store_hammer_test)

namespace {

api::Result<std::vector<std::string>> by_color(const api::ObjectPtr& object) {
  const auto color = object->metadata.labels.find("color");
  return color == object->metadata.labels.end() ? std::vector<std::string>{}
                                                : std::vector<std::string>{color->second};
}

/// What the tasks of this hammer do to one store.
struct StoreTasks {
  explicit StoreTasks(runtime::Runtime& runtime_in)
      : runtime(runtime_in), store(runtime, cache::meta_namespace_key, {{"color", by_color}}) {}

  api::ObjectPtr painted(Dice& dice) {
    const std::string name(1, "abcd"[dice.roll(4, "name")]);
    return object("ns/" + name, "1", {{"color", dice.one_in(2, "color") ? "red" : "blue"}});
  }
  void write() {
    Dice dice(runtime);
    for (int i = 0; i < 6; ++i) {
      const cache::Item item(painted(dice));
      switch (dice.roll(4, "write")) {
        case 0:
          expect(store.remove(item).ok(), "a removal");
          break;
        case 1: {
          const std::vector<api::ObjectPtr> items{painted(dice), painted(dice)};
          expect(store.replace(items, "1").ok(), "a list");
          break;
        }
        default:
          expect(store.update(item).ok(), "an update");
      }
    }
  }
  void read() {
    for (int i = 0; i < 4; ++i) {
      for (const char* color : {"red", "blue"}) {
        const auto painted = store.by_index("color", color);
        for (const api::ObjectPtr& each : *painted) {
          expect_equal(each->metadata.labels.at("color"), color);
        }
      }
      std::map<std::string, int> seen;
      for (const api::ObjectPtr& each : store.list()) {
        expect(++seen[each->metadata.name] == 1, "a list has each key once");
      }
    }
  }
  void extend() {
    expect(store.add_indexers({{"namespace", cache::meta_namespace_index}}).ok(), "a late index");
    const auto all = store.by_index("namespace", "ns");
    for (const api::ObjectPtr& each : *all) {
      expect_equal(each->metadata.namespace_, "ns");
    }
  }
  /// The indices say what a plain search says.
  void check_indices() {
    std::map<std::string, std::size_t> painted;
    for (const api::ObjectPtr& each : store.list()) {
      ++painted[each->metadata.labels.at("color")];
    }
    for (const char* color : {"red", "blue"}) {
      expect(store.by_index("color", color)->size() == painted[color], "as many as in the list");
    }
    expect(store.by_index("namespace", "ns")->size() == store.list().size(), "all are in it");
  }

  runtime::Runtime& runtime;
  cache::Cache store;
};

void use_a_store(runtime::Runtime& runtime) {
  StoreTasks work(runtime);
  std::vector<runtime::Task> tasks;
  const auto go = [&](std::string_view name, void (StoreTasks::*body)()) {
    tasks.push_back(runtime::spawn(runtime, name, [&work, body] { (work.*body)(); }));
  };
  go("writer", &StoreTasks::write);
  go("writer", &StoreTasks::write);
  go("reader", &StoreTasks::read);
  go("reader", &StoreTasks::read);
  go("extender", &StoreTasks::extend);
  for (const runtime::Task& task : tasks) {
    task.join();
  }
  work.check_indices();
}

}  // namespace

BOOST_AUTO_TEST_CASE(indices_agree_with_the_objects_at_every_moment) { hammer(use_a_store); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
