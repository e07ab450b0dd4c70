// What one writes first: everything goes well, and one thing at a time.
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

}  // namespace

BOOST_AUTO_TEST_CASE(a_handler_gets_what_happens) {
  in_every_world([](Runtime& runtime) {
    Log log;
    Cluster cluster(runtime);
    const auto informer = make_informer(runtime, cluster.source());
    const auto place = informer->add_handler(log, 0s);
    cluster.create("a");
    cluster.start(*informer);
    cluster.wait(5s);
    cluster.update("a");
    cluster.wait(2s);
    cluster.remove("a");
    cluster.wait(2s);
    expect_equal(log.calls, "was a update a delete a ");
    expect(informer->has_synced() && place->has_synced(), "both have synced");
    cluster.stop();
  });
}

BOOST_AUTO_TEST_CASE(a_second_handler_gets_it_too) {
  in_every_world([](Runtime& runtime) {
    Log one;
    Log two;
    Cluster cluster(runtime);
    const auto informer = make_informer(runtime, cluster.source());
    const auto place = informer->add_handler(one, 0s);
    cluster.start(*informer);
    cluster.wait(5s);
    cluster.create("a");
    cluster.wait(2s);
    const auto other = informer->add_handler(two, 0s);
    cluster.wait(2s);
    expect_equal(one.calls, "add a ");
    expect_equal(two.calls, "was a ");
    cluster.stop();
  });
}
