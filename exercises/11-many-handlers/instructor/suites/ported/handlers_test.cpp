// What client-go's own tests of its shared informer look at (TestListenerResyncPeriods,
// TestSharedInformerInitializationRace, TestSharedInformerMultipleRegistration,
// TestSharedInformerRemoveHandler, TestAddOnStoppedSharedInformer, TestAddWhileActive), as far as
// it is promised here.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

#include "core/runtime/task.hpp"
#include "exercises/11-many-handlers/subject.hpp"
#include "exercises/toolkit/cluster.hpp"
#include "exercises/toolkit/worlds.hpp"

using namespace watchlab::exercise;
using namespace std::chrono_literals;
using watchlab::api::ObjectPtr;
using watchlab::runtime::Runtime;

namespace {

/// Notes its calls, a word each.
class Log final : public Handler {
 public:
  void on_add(const ObjectPtr& object, bool was_there) override {
    calls += (was_there ? "was " : "add ") + object->metadata.name + " ";
  }
  void on_update(const ObjectPtr& before, const ObjectPtr& after) override {
    const bool is_same = before->metadata.resource_version == after->metadata.resource_version;
    calls += (is_same ? "same " : "update ") + after->metadata.name + " ";
  }
  void on_delete(const ObjectPtr& last, bool /*was_missed*/) override {
    calls += "delete " + last->metadata.name + " ";
  }

  std::string calls;
};

/// Needs ten seconds for each object that comes.
class Slow final : public Handler {
 public:
  explicit Slow(Runtime& runtime) : runtime_(runtime) {}
  void on_add(const ObjectPtr& /*object*/, bool /*was_there*/) override {
    watchlab::runtime::sleep_for(runtime_, 10s);
  }
  void on_update(const ObjectPtr& /*before*/, const ObjectPtr& /*after*/) override {}
  void on_delete(const ObjectPtr& /*last*/, bool /*was_missed*/) override {}

 private:
  Runtime& runtime_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(listeners_have_periods_of_their_own) {
  in_every_world([](Runtime& runtime) {
    Log none;
    Log three;
    Log ten;
    Cluster cluster(runtime);
    const auto informer = make_informer(runtime, cluster.source());
    const auto first = informer->add_handler(none, 0s);
    const auto second = informer->add_handler(three, 3s);
    const auto third = informer->add_handler(ten, 10s);
    cluster.create("a");
    cluster.start(*informer);
    cluster.wait(9s);
    expect_equal(none.calls, "was a ");
    expect_equal(ten.calls, "was a ");
    expect(three.calls.starts_with("was a same a "), "its period is over");
    cluster.wait(15s);
    expect_equal(none.calls, "was a ");
    expect(ten.calls.starts_with("was a same a "), "its period is over");
    cluster.stop();
  });
}

BOOST_AUTO_TEST_CASE(handlers_can_be_added_while_it_runs) {
  in_every_world([](Runtime& runtime) {
    Log one;
    Log two;
    Cluster cluster(runtime);
    const auto informer = make_informer(runtime, cluster.source());
    cluster.create("a");
    cluster.start(*informer);
    const auto first = informer->add_handler(one, 0s);
    cluster.wait(5s);
    const auto second = informer->add_handler(two, 0s);
    cluster.wait(2s);
    cluster.create("b");
    cluster.wait(2s);
    expect_equal(one.calls, "was a add b ");
    expect_equal(two.calls, "was a add b ");
    cluster.stop();
  });
}

BOOST_AUTO_TEST_CASE(a_handler_can_be_removed) {
  in_every_world([](Runtime& runtime) {
    Log one;
    Log two;
    Cluster cluster(runtime);
    const auto informer = make_informer(runtime, cluster.source());
    const auto first = informer->add_handler(one, 0s);
    const auto second = informer->add_handler(two, 0s);
    cluster.start(*informer);
    cluster.wait(5s);
    first->remove();
    first->remove();
    cluster.wait(2s);
    cluster.create("a");
    cluster.wait(2s);
    expect_equal(one.calls, "");
    expect_equal(two.calls, "add a ");
    cluster.stop();
  });
}

BOOST_AUTO_TEST_CASE(a_stopped_informer_takes_no_handlers) {
  in_every_world([](Runtime& runtime) {
    Log log;
    Cluster cluster(runtime);
    const auto informer = make_informer(runtime, cluster.source());
    cluster.create("a");
    cluster.start(*informer);
    cluster.wait(5s);
    cluster.stop();
    const auto place = informer->add_handler(log, 0s);
    cluster.wait(2s);
    expect_equal(log.calls, "");
  });
}

BOOST_AUTO_TEST_CASE(a_registration_syncs_with_its_handler) {
  in_every_world([](Runtime& runtime) {
    Slow slow(runtime);
    Cluster cluster(runtime);
    const auto informer = make_informer(runtime, cluster.source());
    const auto place = informer->add_handler(slow, 0s);
    cluster.create("a");
    cluster.start(*informer);
    cluster.wait(5s);
    expect(informer->has_synced(), "the store has the list");
    expect(!place->has_synced(), "its handler is in the call");
    cluster.wait(20s);
    expect(place->has_synced(), "its handler is back");
    cluster.stop();
  });
}
