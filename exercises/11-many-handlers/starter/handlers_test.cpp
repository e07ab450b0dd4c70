// Your tests of an informer with many handlers. Read subject.hpp first: a test may ask for what is
// promised there, and for nothing else.
#include <boost/test/unit_test.hpp>
#include <chrono>
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
using watchlab::runtime::Runtime;

namespace {

/// Notes what it is called with. Make a slow one, one that looks into the informer …
class Log final : public Handler {
 public:
  void on_add(const ObjectPtr& object, bool was_there) override {
    calls.push_back((was_there ? "was " : "add ") + object->metadata.name);
  }
  void on_update(const ObjectPtr& before, const ObjectPtr& /*after*/) override {
    calls.push_back("update " + before->metadata.name);
  }
  void on_delete(const ObjectPtr& last, bool /*was_missed*/) override {
    calls.push_back("delete " + last->metadata.name);
  }

  std::vector<std::string> calls;
};

}  // namespace

// One case to show the form: what is in the cluster, a handler, an informer that runs, and the end.
// It fails on correct libraries: fix it, then write more.
BOOST_AUTO_TEST_CASE(a_handler_is_notified_of_what_is_there) {
  in_every_world([](Runtime& runtime) {
    Log log;
    Cluster cluster(runtime);
    const auto informer = make_informer(runtime, cluster.source());
    const auto place = informer->add_handler(log, 0s);
    cluster.create("a");
    cluster.start(*informer);
    cluster.wait(2s);
    expect_equal(log.calls.front(), "was b");
    cluster.stop();
  });
}
