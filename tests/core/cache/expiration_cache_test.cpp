#include "core/port/expiration_cache.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "core/runtime/task.hpp"
#include "tests/core/cache/queues.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(expiration_cache_test)

namespace {

using namespace std::chrono_literals;
using cache::ExpirationCache;

/// Calls everything expired but some keys. Mirrors FakeExpirationPolicy.
class NeverExpire final : public cache::ExpirationPolicy {
 public:
  explicit NeverExpire(std::set<std::string> keys) : keys_(std::move(keys)) {}

  [[nodiscard]] bool is_expired(const cache::TimestampedEntry& entry) const override {
    return !keys_.contains(entry.key);
  }

 private:
  std::set<std::string> keys_;
};

}  // namespace

// Mirrors TestTTLExpirationBasic.
BOOST_AUTO_TEST_CASE(an_expired_entry_is_dropped_when_it_is_read) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto store = cache::make_ttl_store(runtime, 10s);
    expect_ok(store->add(object("a")));
    runtime::sleep_for(runtime, 11s);
    expect_equal(joined(store->list_keys()), "a");
    expect(*store->get(object("a")) == nullptr, "an expired entry is not found");
    expect_equal(store->list_keys().size(), 0);
  });
}

// Mirrors TestTTLPolicy.
BOOST_AUTO_TEST_CASE(an_entry_lives_through_the_last_moment_of_its_time) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const cache::TTLPolicy policy(runtime, 10s);
    const auto aged = [&](runtime::Duration age) {
      return cache::TimestampedEntry{
          .key = "a", .object = object("a"), .stored_at = runtime.now() - age};
    };
    expect(!policy.is_expired(aged(10s)), "just as old is not too old");
    expect(policy.is_expired(aged(10s + 1ns)), "older is");
    expect(!policy.is_expired(aged(0s)), "what is new is not too old");
    for (const runtime::Duration none : {runtime::Duration(0s), runtime::Duration(-1ns)}) {
      const cache::TTLPolicy forever(runtime, none);
      expect(!forever.is_expired(aged(1000h)), "without a time to live nothing expires");
    }
  });
}

// Mirrors TestReAddExpiredItem.
BOOST_AUTO_TEST_CASE(a_write_makes_an_entry_young_again) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto store = cache::make_ttl_store(runtime, 10s);
    expect_ok(store->add(object("a", "1")));
    runtime::sleep_for(runtime, 8s);
    expect_ok(store->update(object("a", "2")));
    runtime::sleep_for(runtime, 8s);
    expect_equal(text_of(store->get_by_key("a")), "a@2");
    runtime::sleep_for(runtime, 3s);
    expect_ok(store->add(object("a", "3")));
    expect_equal(text_of(store->get_by_key("a")), "a@3");
    runtime::sleep_for(runtime, 11s);
    expect(*store->get(object("a")) == nullptr, "the read drops it");
    expect_ok(store->add(object("a", "4")));
    expect_equal(text_of(store->get_by_key("a")), "a@4");
  });
}

// Mirrors TestTTLList (bug museum B80: by the stored key, not the object's).
BOOST_AUTO_TEST_CASE(a_list_drops_what_is_expired_and_keeps_the_rest) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const auto by_uid = [](const cache::Item& item) -> api::Result<std::string> {
      return "uid-" + cache::object_of(item)->metadata.name;
    };
    for (const bool at_once : {true, false}) {
      ExpirationCache store(runtime, std::make_unique<NeverExpire>(std::set<std::string>{"uid-b"}),
                            by_uid);
      const std::vector<api::ObjectPtr> objects{object("a"), object("b"), object("c")};
      if (at_once) {
        expect_ok(store.replace(objects, "1"));
      }
      for (const api::ObjectPtr& each : objects) {
        expect_ok(at_once ? api::Result<void>() : store.add(each));
      }
      const std::vector<api::ObjectPtr> left = store.list();
      expect_equal(left.size(), 1);
      expect_equal(text_of(left.front()), "b@1");
      expect_equal(joined(store.list_keys()), "uid-b");
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
