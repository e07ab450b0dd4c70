// The reference suite: one case a promise, and one for each way to misread it.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/task.hpp"
#include "exercises/11-many-handlers/subject.hpp"
#include "exercises/toolkit/cluster.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;
using watchlab::api::ObjectPtr;
using watchlab::runtime::Duration;
using watchlab::runtime::Runtime;

namespace {
/// Notes each call as two words, and whether calls overlap or go against what came before.
class Log final : public Handler {
 public:
  explicit Log(Runtime& runtime, Duration pause = 0s) : runtime_(runtime), pause_(pause) {}
  void on_add(const ObjectPtr& object, bool was_there) override {
    note(was_there ? "was" : "add", object, nullptr, object);
  }
  void on_update(const ObjectPtr& before, const ObjectPtr& after) override {
    note(text_of(before) == text_of(after) ? "same" : "update", after, before, after);
  }
  void on_delete(const ObjectPtr& last, bool was_missed) override {
    note(was_missed ? "missed" : "delete", last, was_missed ? last : nullptr, nullptr);
  }
  /// Each call looks into the store first.
  void look_into(const Informer& informer) { informer_ = &informer; }
  /// "was update" for an object of that name.
  [[nodiscard]] std::string calls_of(const std::string& name) const {
    std::string text;
    for (const auto& [what, whom] : calls_) {
      text += whom == name ? (text.empty() ? "" : " ") + what : "";
    }
    return text;
  }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(calls_.size()); }
  std::vector<std::string> stored;  ///< what the store had of the object at each call
  std::unique_ptr<Registration> place;

 private:
  void note(const std::string& what, const ObjectPtr& object, const ObjectPtr& before,
            const ObjectPtr& after) {
    expect(!is_in_call_, "a handler is in one call at a time");
    is_in_call_ = true;
    const std::string name = object->metadata.name;
    if (before != nullptr) {
      expect_equal(text_of(before), states_[name]);
    }
    states_[name] = text_of(after);
    if (informer_ != nullptr) {
      stored.push_back(text_of(informer_->get("default/" + name)));
    }
    calls_.emplace_back(what, name);
    if (pause_ > 0s) {
      watchlab::runtime::sleep_for(runtime_, pause_);
    }
    is_in_call_ = false;
  }

  Runtime& runtime_;
  Duration pause_;
  const Informer* informer_ = nullptr;
  bool is_in_call_ = false;
  std::vector<std::pair<std::string, std::string>> calls_;
  std::map<std::string, std::string> states_;
};

/// An informer of a cluster, and its handlers. They do nothing yet.
struct Setting {
  explicit Setting(Runtime& runtime_in)
      : runtime(runtime_in), cluster(runtime), informer(make_informer(runtime, cluster.source())) {}

  /// A handler whose calls take that long.
  Log& add(Duration pause = 0s, Duration period = 0s) {
    Log& log = logs.emplace_back(runtime, pause);
    log.place = informer->add_handler(log, period);
    return log;
  }
  /// There is an object of that name, if it has one.
  void begin(const char* name = nullptr, Duration wait = 5s) {
    if (name != nullptr) {
      cluster.create(name);
    }
    cluster.start(*informer);
    cluster.wait(wait);
  }

  Runtime& runtime;
  Cluster cluster;
  std::unique_ptr<Informer> informer;
  std::list<Log> logs;
};

/// Plays it in every world, and stops the informer then.
void with_an_informer(const std::function<void(Setting&, Cluster&)>& body) {
  in_every_world([&body](Runtime& runtime) {
    Setting all(runtime);
    body(all, all.cluster);
    all.cluster.stop();
  });
}

/// The watch breaks, `what` happens, and only a list can show it.
template <typename What>
void behind_its_back(Cluster& cluster, const What& what) {
  cluster.at_once([&](Cluster::Instant& now) {
    now.inject("cut_watch", 1);
    what(now);
    now.inject("evict_watch_window", 1);
  });
  cluster.wait(2min);
}
}  // namespace

BOOST_AUTO_TEST_CASE(the_store_changes_first) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    Log& log = all.add();
    log.look_into(*all.informer);
    all.begin("a");
    cluster.update("a");
    cluster.wait(2s);
    const std::string last = cluster.on_server();
    cluster.remove("a");
    cluster.wait(2s);
    cluster.stop();
    expect_equal(log.calls_of("a"), "was update delete");
    expect(log.stored[0] != "null", "what was added is in the store");
    expect_equal(log.stored[1], last);
    expect_equal(log.stored[2], "null");
  });
}

BOOST_AUTO_TEST_CASE(each_change_is_a_call) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    Log& log = all.add();
    all.begin();
    cluster.at_once([](Cluster::Instant& now) {
      now.create("a");
      now.update("a");
      now.update("a");
      now.update("a");
    });
    cluster.wait(2s);
    expect_equal(log.calls_of("a"), "add update update update");
  });
}

BOOST_AUTO_TEST_CASE(what_a_list_shows_is_an_update_of_what_was_known) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    Log& log = all.add();
    all.begin("a");
    behind_its_back(cluster, [](Cluster::Instant& now) {
      now.update("a");
      now.create("b");
    });
    expect_equal(log.calls_of("a"), "was update");
    expect_equal(log.calls_of("b"), "add");
  });
}

BOOST_AUTO_TEST_CASE(what_a_list_shows_is_no_resync) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    Log& log = all.add();
    all.add(0s, 10s);
    all.begin("a", 35s);
    behind_its_back(cluster, [](Cluster::Instant& now) { now.update("a"); });
    expect_equal(log.calls_of("a"), "was update");
  });
}

BOOST_AUTO_TEST_CASE(a_missed_deletion_is_delivered) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    Log& log = all.add();
    all.begin("a");
    behind_its_back(cluster, [](Cluster::Instant& now) { now.remove("a"); });
    expect(log.size() > 1, "the handler is notified");
  });
}

BOOST_AUTO_TEST_CASE(a_missed_deletion_says_so) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    Log& log = all.add();
    all.begin("a");
    behind_its_back(cluster, [](Cluster::Instant& now) { now.remove("a"); });
    expect(log.calls_of("a").find("delete") == std::string::npos, "the deletion was not seen");
  });
}

BOOST_AUTO_TEST_CASE(who_comes_late_gets_what_is_there) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    cluster.create("a");
    cluster.create("b");
    all.begin();
    Log& log = all.add();
    cluster.wait(2s);
    expect_equal(log.size(), 2);
  });
}

BOOST_AUTO_TEST_CASE(who_comes_late_gets_what_comes_after) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    all.begin("a");
    Log& log = all.add();
    cluster.wait(2s);
    cluster.update("a");
    cluster.create("b");
    cluster.wait(2s);
    expect(log.calls_of("a").ends_with("update"), "the change comes");
    expect_equal(log.calls_of("b"), "add");
  });
}

BOOST_AUTO_TEST_CASE(who_comes_late_knows_what_was_there) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    all.begin("a");
    Log& log = all.add();
    cluster.wait(2s);
    expect(log.calls_of("a") != "add", "it is not new");
  });
}

// Each change comes before a handler, after it, or in the midst of its arrival.
BOOST_AUTO_TEST_CASE(who_comes_with_a_change_gets_it_once) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    all.begin();
    for (const char* name : {"a", "b", "c", "d", "e"}) {
      cluster.create(name);
      cluster.wait(1ms);  // as long as the network needs
      all.add();
    }
    cluster.wait(2s);
    for (const Log& log : all.logs) {
      expect_equal(log.size(), 5);
    }
  });
}

BOOST_AUTO_TEST_CASE(a_slow_handler_delays_no_other) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    Log& slow = all.add(1min);
    Log& quick = all.add();
    all.begin();
    cluster.at_once([](Cluster::Instant& now) {
      for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
        now.create(name);
      }
    });
    cluster.wait(2s);
    expect_equal(quick.size(), 6);
    expect(all.informer->get("default/f") != nullptr, "the store has it");
    cluster.wait(10min);
    expect_equal(slow.size(), 6);
  });
}

BOOST_AUTO_TEST_CASE(a_slow_handler_loses_nothing_and_keeps_the_order) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    Log& slow = all.add(1s);
    all.begin();
    cluster.at_once([](Cluster::Instant& now) {
      now.create("a");
      for (int i = 0; i < 6; ++i) {
        now.update("a");
      }
      now.remove("a");
    });
    cluster.wait(10s);
    expect_equal(slow.calls_of("a"), "add update update update update update update delete");
  });
}

BOOST_AUTO_TEST_CASE(a_period_brings_the_same_again_and_again) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    Log& log = all.add(0s, 10s);
    all.begin("a", 45s);
    expect(log.calls_of("a").starts_with("was same same"), "twice at least");
    expect(log.size() <= 5, "four times at most");
  });
}

BOOST_AUTO_TEST_CASE(no_period_brings_nothing_again) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    Log& log = all.add();
    Log& other = all.add(0s, 10s);
    all.begin("a", 45s);
    expect_equal(log.calls_of("a"), "was");
  });
}

BOOST_AUTO_TEST_CASE(each_handler_has_a_period_of_its_own) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    Log& often = all.add(0s, 5s);
    Log& seldom = all.add(0s, 30s);
    all.begin("a", 25s);
    expect_equal(seldom.calls_of("a"), "was");
    expect(often.size() > 1, "its own period is over");
    cluster.wait(20s);
    expect(seldom.size() <= 2, "its second period is not over");
  });
}

BOOST_AUTO_TEST_CASE(a_registration_has_synced_when_its_handler_is_back) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    Log& slow = all.add(10s);
    Log& quick = all.add();
    expect(!quick.place->has_synced(), "there was no list yet");
    cluster.create("a");
    cluster.create("b");
    all.begin();
    expect(all.informer->has_synced(), "the store has the list");
    expect(quick.place->has_synced(), "it is back");
    expect(!slow.place->has_synced(), "it is in the first of two calls");
    cluster.wait(20s);
    expect(slow.place->has_synced(), "it is back from both");
  });
}

BOOST_AUTO_TEST_CASE(a_registration_has_not_synced_in_the_last_call) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    Log& slow = all.add(10s);
    all.begin("a");
    expect(!slow.place->has_synced(), "it is in the call");
  });
}

BOOST_AUTO_TEST_CASE(who_is_removed_is_called_no_more) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    Log& log = all.add();
    all.begin();
    log.place->remove();
    cluster.wait(2s);
    cluster.create("a");
    cluster.wait(2s);
    expect_equal(log.size(), 0);
  });
}

BOOST_AUTO_TEST_CASE(who_stays_notices_no_removal) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    Log& leaves = all.add();
    Log& stays = all.add();
    all.begin();
    leaves.place->remove();
    cluster.create("a");
    cluster.wait(2s);
    expect_equal(stays.calls_of("a"), "add");
  });
}

BOOST_AUTO_TEST_CASE(who_joins_and_leaves_at_the_start_stops_nothing) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    cluster.create("a");
    cluster.start(*all.informer);
    for (int i = 0; i < 3; ++i) {
      all.add().place->remove();
      all.add();
    }
    cluster.wait(5s);
    expect_equal(all.logs.back().calls_of("a"), "was");
  });
}

BOOST_AUTO_TEST_CASE(after_the_stop_no_handler_is_called) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    all.begin("a");
    const auto start = all.runtime.now();
    cluster.stop();
    expect(all.runtime.now() - start <= 1s, "it comes back at once");
    Log& log = all.add();
    cluster.wait(10s);
    expect_equal(log.size(), 0);
  });
}

BOOST_AUTO_TEST_CASE(what_waits_at_the_stop_is_dropped) {
  with_an_informer([](Setting& all, Cluster& cluster) {
    Log& slow = all.add(10s);
    for (const char* name : {"a", "b", "c", "d"}) {
      cluster.create(name);
    }
    all.begin();
    const auto start = all.runtime.now();
    cluster.stop();
    expect(all.runtime.now() - start <= 11s, "only the call at hand is waited for");
    const std::int64_t before = slow.size();
    cluster.wait(1min);
    expect_equal(slow.size(), before);
  });
}
