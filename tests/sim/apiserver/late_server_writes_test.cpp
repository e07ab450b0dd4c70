// Writes through a server whose cache is behind are decided by the store. Pins what clients can see
// of the shared storage tests whose writers get an outdated object as a suggestion
// (RunTestDeleteWithSuggestion…, RunTestPreconditionalDelete…, RunTestGuaranteedUpdateWith…).
#include <boost/test/unit_test.hpp>
#include <vector>

#include "tests/sim/apiserver/documented_cluster.hpp"
#include "tests/sim/apiserver/same_status.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(late_server_writes_test)

namespace {

/// The object a was changed and has the revision 5; the late server knows it with the revision 3.
struct LateCluster : DocumentedCluster {
  LateCluster() : changed(object_in(update("a", R"({"data":{"k":"v"}})", {{"foo", "bar"}}))) {}

  Response late(Request request) {
    request.resource = kConfigMaps;
    request.namespace_ = "default";
    return send(std::move(request), kAnHourBehind);
  }
  Response get_late(const std::string& revision) {
    return late({.verb = Verb::Get, .name = "a", .options = {.resource_version = revision}});
  }
  Response remove_late(const DeleteOptions& options = {}) {
    return late({.verb = Verb::Delete, .name = "a", .deletion = options});
  }
  void check_kept(const api::Object& expected) {
    BOOST_TEST(revision() == *parse_revision(expected.metadata.resource_version));
    BOOST_TEST((object_in(get_late("")) == expected));
  }

  api::Object changed;
};

api::Status conflict(const std::string& why) {
  return {.reason = api::StatusReason::Conflict,
          .code = 409,
          .message = "Operation cannot be fulfilled on configmaps \"a\": " + why,
          .details = {.name = "a", .kind = "configmaps"}};
}

/// A precondition of a delete, which names the kind.
api::Status unmet(const std::string& why) {
  return {.reason = api::StatusReason::Conflict,
          .code = 409,
          .message = "Operation cannot be fulfilled on ConfigMap \"a\": " + why,
          .details = {.name = "a", .kind = "ConfigMap"}};
}

const std::string kModified =
    "the object has been modified; please apply your changes to the latest version and try again";

}  // namespace

BOOST_AUTO_TEST_CASE(a_delete_takes_the_object_as_it_is_in_the_store) {
  LateCluster cluster;
  const WatchId watch = cluster.watch({.resource_version = "5"}, kUpToDate);
  const Response response = cluster.remove_late();
  BOOST_TEST(status_in(response).details.uid == cluster.changed.metadata.uid);
  const WatchPoll poll = cluster.plane.poll(watch, cluster.now);
  api::Object expected = cluster.changed;
  expected.metadata.resource_version = "6";
  BOOST_TEST((poll.frame.value().event.type == watch::EventType::Deleted));
  BOOST_TEST((*poll.frame->event.object == expected));
  BOOST_TEST(answer_text(cluster.get_late("")) == "404 configmaps \"a\" not found");
}

BOOST_AUTO_TEST_CASE(what_is_gone_cannot_be_deleted_although_a_cache_still_has_it) {
  LateCluster cluster;
  (void)cluster.remove("a");
  BOOST_TEST(cluster.get_late("0").code == 200);
  check_refused(cluster.remove_late(), {.reason = api::StatusReason::NotFound,
                                        .code = 404,
                                        .message = "configmaps \"a\" not found",
                                        .details = {.name = "a", .kind = "configmaps"}});
  BOOST_TEST(cluster.revision() == 6);
}

BOOST_AUTO_TEST_CASE(preconditions_are_those_of_the_object_in_the_store) {
  LateCluster cluster;
  BOOST_TEST(object_in(cluster.get_late("0")).metadata.resource_version == "3");
  check_refused(cluster.remove_late({.resource_version = "3"}),
                unmet("the ResourceVersion in the precondition (3) does not match the "
                      "ResourceVersion in record (5). The object might have been modified"));
  cluster.check_kept(cluster.changed);
  BOOST_TEST(cluster.remove_late({.resource_version = "5"}).code == 200);
}

BOOST_AUTO_TEST_CASE(a_delete_of_a_former_object_spares_its_successor) {
  LateCluster cluster;
  const std::string former = cluster.changed.metadata.uid;
  (void)cluster.remove("a");
  const api::Object successor = object_in(cluster.create("a"));
  BOOST_TEST(object_in(cluster.get_late("0")).metadata.uid == former);
  check_refused(
      cluster.remove_late({.uid = former}),
      unmet("the UID in the precondition (" + former + ") does not match the UID in record (" +
            successor.metadata.uid + "). The object might have been deleted and then recreated"));
  cluster.check_kept(successor);
  BOOST_TEST(cluster.remove_late({.uid = successor.metadata.uid}).code == 200);
  BOOST_TEST(cluster.get_late("").code == 404);
}

BOOST_AUTO_TEST_CASE(an_update_is_compared_with_the_revision_in_the_store) {
  LateCluster cluster;
  const auto update = [&cluster](api::Object object) {
    object.body = R"({"data":{"k":"w"}})";
    return cluster.late(
        {.verb = Verb::Update, .object = std::make_shared<const api::Object>(std::move(object))});
  };
  check_refused(update(object_in(cluster.get_late("0"))), conflict(kModified));
  cluster.check_kept(cluster.changed);
  const api::Object updated = object_in(update(cluster.changed));
  api::Object expected = cluster.changed;
  expected.metadata.resource_version = "6";
  expected.body = R"({"data":{"k":"w"}})";
  BOOST_TEST((updated == expected));
  cluster.check_kept(expected);
}

BOOST_AUTO_TEST_CASE(patches_without_a_revision_add_up_and_never_conflict) {
  LateCluster cluster;
  const auto patch = [&cluster](const std::string& body) {
    Request request{.verb = Verb::Patch, .name = "a"};
    request.patch_type = PatchType::Merge;
    request.patch = body;
    return object_in(cluster.late(std::move(request)));
  };
  BOOST_TEST(patch(R"({"data":{"m":"1"}})").body == R"({"data":{"k":"v","m":"1"}})");
  const api::Object last = patch(R"({"data":{"n":"2"}})");
  BOOST_TEST(last.body == R"({"data":{"k":"v","m":"1","n":"2"}})");
  BOOST_TEST((last.metadata.labels == cluster.changed.metadata.labels));
  cluster.check_kept(last);
}

BOOST_AUTO_TEST_CASE(a_late_server_does_not_write_what_changes_nothing) {
  LateCluster cluster;
  const Response response = cluster.late(
      {.verb = Verb::Update,
       .object = SmallCluster::object("a", R"({"data":{"k":"v"}})", {{"foo", "bar"}})});
  BOOST_TEST((object_in(response) == cluster.changed));
  cluster.check_kept(cluster.changed);
}

BOOST_AUTO_TEST_SUITE_END()
