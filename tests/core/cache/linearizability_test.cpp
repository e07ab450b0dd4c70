// Stores and queues under many tasks at once: each call takes effect at one moment between its
// invocation and its return.
#include "sim/linearizability/linearizability.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>

#include "core/cache/cache.hpp"
#include "core/cache/fifo.hpp"
#include "core/runtime/task.hpp"
#include "sim/linearizability/cache_models.hpp"
#include "sim/linearizability/history.hpp"
#include "sim/linearizability/model.hpp"
#include "tests/core/cache/queues.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(linearizability_test)

namespace {

using runtime::Runtime;
namespace linearizability = sim::linearizability;
using linearizability::History;

std::string outcome_of(const api::Result<void>& result) {
  return result.ok() ? "ok" : result.error().message;
}
std::string version_of(const api::ObjectPtr& object) {
  return object == nullptr ? "none" : object->metadata.resource_version;
}
/// The version of an object, "gone(…)" for a tombstone around it.
std::string version_of(const cache::Item& item) {
  const std::string version = version_of(cache::object_of(item));
  return cache::is_tombstone(item) ? "gone(" + version + ")" : version;
}
std::string contents_of(const std::vector<api::ObjectPtr>& objects) {
  linearizability::Entries entries;
  for (const api::ObjectPtr& object : objects) {
    entries[object->metadata.name] = version_of(object);
  }
  return linearizability::to_string(entries);
}
std::string text_of_deltas(const cache::Deltas& deltas) {
  std::string text;
  for (const cache::Delta& delta : deltas) {
    text.append(text.empty() ? "" : " + ").append(cache::to_string(delta.type)).append(" ");
    text.append(version_of(delta.object));
  }
  return text.empty() ? "none" : text;
}

/// What every object under test has: writers with versions of their own, on two keys.
class Hammer {
 public:
  explicit Hammer(Runtime& runtime) : runtime_(runtime), history_(runtime) {}

  /// Tasks that make three calls each, and whatever else the test starts.
  void run_all(const std::vector<std::pair<std::string, std::function<void()>>>& works) {
    std::vector<runtime::Task> tasks;
    for (const auto& [name, work] : works) {
      tasks.push_back(runtime::spawn(runtime_, name, [&work = work] {
        for (int i = 0; i < 3; ++i) {
          work();
        }
      }));
    }
    for (const runtime::Task& task : tasks) {
      task.join();
    }
  }
  template <typename Writes>
  void write(Writes& store) {
    const std::string key = some_key();
    const std::string version = std::to_string(++versions_);
    switch (runtime_.choose(3, "write")) {
      case 0:
        history_.record({"add", key, version},
                        [&] { return outcome_of(store.add(object(key, version))); });
        break;
      case 1:
        history_.record({"update", key, version},
                        [&] { return outcome_of(store.update(object(key, version))); });
        break;
      default:
        history_.record({"remove", key, version},
                        [&] { return outcome_of(store.remove(object(key, version))); });
    }
  }
  template <typename Writes>
  void replace_all(Writes& store) {
    const std::string key = some_key();
    const std::string version = std::to_string(++versions_);
    history_.record({"replace", "", key + "=" + version},
                    [&] { return outcome_of(replace(store, {object(key, version)})); });
  }
  [[nodiscard]] std::string some_key() { return runtime_.choose(2, "key") == 0 ? "a" : "b"; }
  [[nodiscard]] History& history() { return history_; }

 private:
  Runtime& runtime_;
  History history_;
  std::atomic<int> versions_ = 0;  ///< no `Atomic`: counting them is no part of what is tried
};

void hammer_store(Runtime& runtime, bool replaces) {
  const auto store = std::make_unique<cache::Cache>(runtime);
  Hammer hammer(runtime);
  const auto read = [&] {
    if (replaces && runtime.choose(2, "read") == 0) {
      hammer.history().record({"list", "", ""}, [&] { return contents_of(store->list()); });
    } else {
      const std::string key = hammer.some_key();
      hammer.history().record({"get", key, ""}, [&] { return version_of(store->get_by_key(key)); });
    }
  };
  const auto lister = [&] { replaces ? hammer.replace_all(*store) : hammer.write(*store); };
  hammer.run_all({{"writer", [&] { hammer.write(*store); }},
                  {"lister", lister},
                  {"reader", read},
                  {"reader", read}});
  hammer.history().expect_linearizable(linearizability::StoreModel());
}

template <typename AnyQueue, typename TextOf>
void hammer_queue(Runtime& runtime, const linearizability::Model& model,
                  const TextOf& text_of_popped) {
  AnyQueue queue(runtime);
  Hammer hammer(runtime);
  const auto pop = [&] {
    hammer.history().record({"pop", "", ""}, [&]() -> std::string {
      const cache::Popped popped = queue.pop(ignore);
      return popped.outcome ? text_of_popped(popped.item) : "closed";
    });
  };
  const auto closer = runtime::spawn(runtime, "closer", [&] {
    for (int i = 0; i < 3; ++i) {
      hammer.write(queue);
    }
    hammer.history().record({"close", "", ""}, [&] {
      queue.close();
      return "ok";
    });
  });
  hammer.run_all({{"writer", [&] { hammer.write(queue); }}, {"popper", pop}, {"popper", pop}});
  closer.join();
  hammer.history().expect_linearizable(model);
}

std::string text_of_object(const cache::PopItem& item) {
  const auto& object = std::get<api::ObjectPtr>(item);
  return object->metadata.name + "=" + version_of(object);
}
std::string text_of_grouped(const cache::PopItem& item) {
  const auto& deltas = std::get<cache::Deltas>(item);
  return cache::object_of(deltas.front().object)->metadata.name + ": " + text_of_deltas(deltas);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_store_takes_each_call_at_one_moment) {
  holds_in_every_world([](Runtime& runtime) { hammer_store(runtime, false); });
}

BOOST_AUTO_TEST_CASE(a_store_that_is_replaced_and_listed_takes_each_call_at_one_moment) {
  holds_in_every_world([](Runtime& runtime) { hammer_store(runtime, true); });
}

BOOST_AUTO_TEST_CASE(a_fifo_takes_each_call_at_one_moment) {
  holds_in_every_world([](Runtime& runtime) {
    hammer_queue<cache::FIFO>(runtime, linearizability::FifoModel(), text_of_object);
  });
}

BOOST_AUTO_TEST_CASE(a_delta_fifo_takes_each_call_at_one_moment) {
  holds_in_every_world([](Runtime& runtime) {
    hammer_queue<cache::DeltaFIFO>(runtime, linearizability::DeltaFifoModel(), text_of_grouped);
  });
}

BOOST_AUTO_TEST_CASE(a_delta_fifo_that_promised_to_merge_updates_would_be_found_out) {
  fails_somewhere(
      [](Runtime& runtime) {
        hammer_queue<cache::DeltaFIFO>(runtime, linearizability::FifoModel(), text_of_grouped);
      },
      "violation", "no order of these calls explains what pop");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
