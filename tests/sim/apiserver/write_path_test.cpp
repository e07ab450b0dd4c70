#include "sim/apiserver/write_path.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

#include "tests/sim/apiserver/small_cluster.hpp"

// docs/apiserver_rules.md U, rule by rule.

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;
using api::StatusReason;

BOOST_AUTO_TEST_SUITE(write_path_test)

namespace {

void check(const Response& response, int code, StatusReason reason, const std::string& message) {
  BOOST_TEST(response.code == code);
  BOOST_REQUIRE(std::holds_alternative<api::Status>(response.answer));
  BOOST_TEST((status_in(response).reason == reason));
  BOOST_TEST(status_in(response).message == message);
  BOOST_TEST(status_in(response).status == "Failure");
}

Response get(SmallCluster& cluster, const std::string& name) {
  return cluster.send(
      {.verb = Verb::Get, .resource = kConfigMaps, .namespace_ = "default", .name = name});
}

Response patch(SmallCluster& cluster, PatchType type, const std::string& body) {
  Request request{.verb = Verb::Patch, .resource = kConfigMaps, .namespace_ = "default"};
  request.name = "a";
  request.patch_type = type;
  request.patch = body;
  return cluster.send(request);
}

api::Object held_by_finalizer(SmallCluster& cluster) {
  api::Object object = object_in(cluster.create("a"));
  object.metadata.finalizers = {"example.com/hold"};
  return object_in(cluster.update(object));
}

/// Whether an update from one body to the other makes a new revision.
bool changes(const std::string& from, const std::string& to) {
  SmallCluster cluster;
  (void)cluster.create("a", from);
  const Revision before = cluster.revision();
  BOOST_TEST(cluster.update("a", to).code == 200);
  return cluster.revision() != before;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_created_object_gets_what_the_server_gives) {
  SmallCluster cluster;
  BOOST_TEST(get(cluster, "a").code == 404);
  const Response response = cluster.create("a");
  BOOST_TEST(response.code == 201);
  const api::Object& object = object_in(response);
  BOOST_TEST(object.metadata.name == "a");
  BOOST_TEST(object.metadata.resource_version == "3");
  BOOST_TEST(object.metadata.uid.size() == 36U);
  BOOST_TEST(object.metadata.creation_timestamp == "1970-01-02T00:00:00Z");
  BOOST_TEST(object.metadata.namespace_ == "default");
  BOOST_TEST(object.kind == "ConfigMap");
  BOOST_TEST(object.api_version == "v1");
  BOOST_TEST((object_in(get(cluster, "a")) == object));
}

BOOST_AUTO_TEST_CASE(uids_differ_and_are_the_same_for_the_same_history) {
  SmallCluster first;
  SmallCluster second;
  const std::string uid = object_in(first.create("a")).metadata.uid;
  BOOST_TEST(object_in(second.create("a")).metadata.uid == uid);
  (void)first.remove("a");
  BOOST_TEST(object_in(first.create("a")).metadata.uid != uid);
}

BOOST_AUTO_TEST_CASE(no_two_objects_have_one_uid) {
  SmallCluster cluster;
  const std::string first = object_in(cluster.create("a")).metadata.uid;
  BOOST_TEST(object_in(cluster.create("b")).metadata.uid != first);
}

BOOST_AUTO_TEST_CASE(a_create_of_what_exists_is_a_conflict) {
  SmallCluster cluster;
  const api::Object first = object_in(cluster.create("a"));
  const Response response = cluster.create("a", R"({"data":{"k":"v"}})");
  check(response, 409, StatusReason::AlreadyExists, "configmaps \"a\" already exists");
  BOOST_TEST(status_in(response).details.name == "a");
  BOOST_TEST(status_in(response).details.kind == "configmaps");
  BOOST_TEST((object_in(get(cluster, "a")) == first), "nothing was changed");
  BOOST_TEST(cluster.revision() == 3);
}

BOOST_AUTO_TEST_CASE(a_create_with_a_revision_is_refused) {
  SmallCluster cluster;
  api::Object object{.metadata = {.name = "a", .resource_version = "7"}};
  const Response response = cluster.send({.verb = Verb::Create,
                                          .resource = kConfigMaps,
                                          .namespace_ = "default",
                                          .object = std::make_shared<const api::Object>(object)});
  check(response, 500, StatusReason::Unknown,
        "resourceVersion should not be set on objects to be created");
  BOOST_TEST(get(cluster, "a").code == 404);
  BOOST_TEST(cluster.revision() == 2);
}

BOOST_AUTO_TEST_CASE(a_generated_name_has_the_base_and_five_letters) {
  SmallCluster cluster;
  api::Object object{.metadata = {.generate_name = "web-"}};
  const Request request{.verb = Verb::Create,
                        .resource = kConfigMaps,
                        .namespace_ = "default",
                        .object = std::make_shared<const api::Object>(object)};
  const std::string first = object_in(cluster.send(request)).metadata.name;
  const std::string second = object_in(cluster.send(request)).metadata.name;
  BOOST_TEST(first.starts_with("web-"));
  BOOST_TEST(first.size() == 9U);
  BOOST_TEST(first != second);
}

BOOST_AUTO_TEST_CASE(generated_names_of_one_base_are_as_many_as_are_asked_for) {
  SmallCluster cluster;
  std::set<std::string> names;
  for (int i = 0; i < 30; ++i) {
    Request request{.verb = Verb::Create, .resource = kConfigMaps, .namespace_ = "default"};
    api::Object object;
    object.metadata.generate_name = "job-";
    request.object = std::make_shared<const api::Object>(object);
    const Response response = cluster.send(request);
    BOOST_REQUIRE(response.code == 201);
    names.insert(object_in(response).metadata.name);
  }
  BOOST_TEST(names.size() == 30U);
}

BOOST_AUTO_TEST_CASE(a_create_in_a_namespace_that_is_not_there_is_not_found) {
  SmallCluster cluster;
  const Response response = cluster.send({.verb = Verb::Create,
                                          .resource = kConfigMaps,
                                          .namespace_ = "absent",
                                          .object = SmallCluster::object("a")});
  check(response, 404, StatusReason::NotFound, "namespaces \"absent\" not found");
}

BOOST_AUTO_TEST_CASE(an_update_from_an_old_revision_is_a_conflict) {
  SmallCluster cluster;
  const api::Object object = object_in(cluster.create("a"));
  const api::Object newer = object_in(cluster.update("a", R"({"data":{"k":"v"}})"));
  check(cluster.update(object), 409, StatusReason::Conflict,
        "Operation cannot be fulfilled on configmaps \"a\": the object has been modified; please "
        "apply your changes to the latest version and try again");
  BOOST_TEST((*list_in(cluster.list({})).items.at(0) == newer), "nothing was changed");
}

BOOST_AUTO_TEST_CASE(an_update_of_another_uid_fails_its_precondition) {
  SmallCluster cluster;
  const api::Object created = object_in(cluster.create("a"));
  const std::string uid = created.metadata.uid;
  api::Object object = created;
  object.metadata.uid = "other";
  object.metadata.annotations["version"] = "2";
  check(cluster.update(object), 409, StatusReason::Conflict,
        "Operation cannot be fulfilled on configmaps \"a\": StorageError: invalid object, Code: 4, "
        "Key: /registry/configmaps/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition "
        "failed: UID in precondition: other, UID in object meta: " +
            uid);
  BOOST_TEST((object_in(get(cluster, "a")) == created), "nothing was changed");
  object.metadata.uid = uid;
  const api::Object updated = object_in(cluster.update(object));
  object.metadata.resource_version = "4";
  BOOST_TEST((updated == object), "the right uid and a new annotation");
  BOOST_TEST((object_in(cluster.update(updated)) == updated), "the right uid and nothing new");
  BOOST_TEST(cluster.revision() == 4);
}

BOOST_AUTO_TEST_CASE(an_update_that_changes_nothing_keeps_the_revision_and_makes_no_event) {
  SmallCluster cluster;
  (void)cluster.create("a", R"({"data":{"k":"v"}})");
  const Revision before = cluster.revision();
  const WatchId watch = cluster.watch({.resource_version = revision_text(before)});
  const Response response = cluster.update("a", R"({ "data": {"k": "v"} })");
  BOOST_TEST(response.code == 200);
  BOOST_TEST(object_in(response).metadata.resource_version == revision_text(before));
  BOOST_TEST(cluster.revision() == before);
  BOOST_TEST(cluster.drain(watch).empty());
}

BOOST_AUTO_TEST_CASE(bodies_are_the_same_that_say_the_same) {
  const std::string body = R"({"data":{"k":"A","l":"b"}})";
  for (const char* const same :
       {R"({"data":{"l":"b","k":"A"}})", R"({"data":{"k":"\u0041","l":"b"}})"}) {
    BOOST_TEST(!changes(body, same), same);
    BOOST_TEST(!changes(same, body), same);
  }
  for (const char* const other :
       {R"({"data":{"k":"B","l":"b"}})", R"({"data":{"k":"AA","l":"b"}})",
        R"({"data":{"k":"","l":"b"}})", R"({"data":{"k":"A","m":"b"}})",
        R"({"data":{"k":"A","l":"b","m":"c"}})", R"({"data":{"k":"A"}})"}) {
    BOOST_TEST(changes(body, other), other);
    BOOST_TEST(changes(other, body), other);
  }
}

BOOST_AUTO_TEST_CASE(an_update_of_what_is_not_there_is_not_found) {
  SmallCluster cluster;
  const Response response = cluster.update("a", "");
  check(response, 404, StatusReason::NotFound, "configmaps \"a\" not found");
  BOOST_TEST(status_in(response).details.name == "a");
  BOOST_TEST(status_in(response).details.kind == "configmaps");
}

BOOST_AUTO_TEST_CASE(a_custom_resource_must_say_which_revision_it_updates) {
  SmallCluster cluster;
  const api::GroupVersionResource widgets{"example.com", "v1", "widgets"};
  cluster.plane.types().define({.resource = widgets, .kind = "Widget", .custom = true});
  (void)cluster.send({.verb = Verb::Create,
                      .resource = widgets,
                      .namespace_ = "default",
                      .object = SmallCluster::object("a")});
  const Response response = cluster.send({.verb = Verb::Update,
                                          .resource = widgets,
                                          .namespace_ = "default",
                                          .object = SmallCluster::object("a", R"({"spec":1})")});
  BOOST_TEST(response.code == 422);
  BOOST_TEST(status_in(response).details.causes.at(0).field == "metadata.resourceVersion");
  BOOST_TEST(status_in(response).details.group == "example.com");
}

BOOST_AUTO_TEST_CASE(generation_counts_changes_of_the_spec_and_not_of_the_status) {
  SmallCluster cluster;
  const auto send = [&](Verb verb, const std::string& body) {
    return object_in(cluster.send({.verb = verb,
                                   .resource = kPods,
                                   .namespace_ = "default",
                                   .object = SmallCluster::object("p", body)}));
  };
  BOOST_TEST(send(Verb::Create, R"({"spec":{"a":1}})").metadata.generation == 1);
  BOOST_TEST(send(Verb::Update, R"({"spec":{"a":2}})").metadata.generation == 2);
  const api::Object reported = send(Verb::UpdateStatus, R"({"spec":{"a":3},"status":{"b":1}})");
  BOOST_TEST(reported.metadata.generation == 2);
  BOOST_TEST(reported.body == R"({"spec":{"a":2},"status":{"b":1}})");
  const api::Object specified = send(Verb::Update, R"({"spec":{"a":4},"status":{"b":9}})");
  BOOST_TEST(specified.body == R"({"spec":{"a":4},"status":{"b":1}})");
}

BOOST_AUTO_TEST_CASE(a_delete_answers_with_success_and_says_what_is_gone) {
  SmallCluster cluster;
  const std::string uid = object_in(cluster.create("a")).metadata.uid;
  const Response response = cluster.remove("a");
  BOOST_TEST(response.code == 200);
  BOOST_TEST(status_in(response).status == "Success");
  BOOST_TEST(status_in(response).details.name == "a");
  BOOST_TEST(status_in(response).details.kind == "configmaps");
  BOOST_TEST(status_in(response).details.uid == uid);
  BOOST_TEST(get(cluster, "a").code == 404);
  check(cluster.remove("a"), 404, StatusReason::NotFound, "configmaps \"a\" not found");
  BOOST_TEST(cluster.revision() == 4);
}

BOOST_AUTO_TEST_CASE(a_finalizer_holds_an_object_until_it_is_taken_away) {
  SmallCluster cluster;
  (void)held_by_finalizer(cluster);
  const WatchId watch = cluster.watch({.resource_version = "4"});
  const api::Object marked = object_in(cluster.remove("a"));
  BOOST_TEST(!marked.metadata.deletion_timestamp.empty());
  const Revision before = cluster.revision();
  BOOST_TEST(cluster.remove("a").code == 200);
  BOOST_TEST(cluster.revision() == before);
  api::Object freed = marked;
  freed.metadata.finalizers.clear();
  BOOST_TEST(cluster.update(freed).code == 200);
  const std::vector<std::string> expected{"MODIFIED a rv=5", "DELETED a rv=6"};
  BOOST_TEST(cluster.drain(watch) == expected, boost::test_tools::per_element());
  BOOST_TEST(names_in(cluster.list({})) == "");
}

BOOST_AUTO_TEST_CASE(a_second_delete_of_what_is_held_changes_nothing) {
  SmallCluster cluster;
  (void)held_by_finalizer(cluster);
  const api::Object first = object_in(cluster.remove("a"));
  cluster.now += 10s;
  const api::Object second = object_in(cluster.remove("a"));
  BOOST_TEST(first.metadata.deletion_timestamp != "");
  BOOST_TEST((second == first));
}

BOOST_AUTO_TEST_CASE(the_deletion_by_the_last_finalizer_still_shows_it) {
  SmallCluster cluster;
  (void)held_by_finalizer(cluster);
  api::Object freed = object_in(cluster.remove("a"));
  const WatchId watch = cluster.watch({.resource_version = "5"});
  freed.metadata.finalizers.clear();
  (void)cluster.update(freed);
  const WatchPoll poll = cluster.plane.poll(watch, cluster.now);
  BOOST_TEST(poll.frame->event.object->metadata.finalizers.size() == 1U);
}

BOOST_AUTO_TEST_CASE(no_finalizer_can_be_added_to_what_is_being_deleted) {
  SmallCluster cluster;
  (void)held_by_finalizer(cluster);
  api::Object object = object_in(cluster.remove("a"));
  object.metadata.finalizers.push_back("example.com/late");
  const Response response = cluster.update(object);
  BOOST_TEST(response.code == 422);
  BOOST_TEST(status_in(response).details.causes.at(0).field == "metadata.finalizers");
}

BOOST_AUTO_TEST_CASE(a_delete_can_name_the_uid_and_the_revision_it_means) {
  SmallCluster cluster;
  const api::Object object = object_in(cluster.create("a"));
  const WatchId watch = cluster.watch({.resource_version = "3"});
  BOOST_TEST(cluster.remove("a", {.uid = "other"}).code == 409);
  BOOST_TEST(cluster.remove("a", {.resource_version = "1"}).code == 409);
  const DeleteOptions half_right{.uid = object.metadata.uid, .resource_version = "1"};
  BOOST_TEST(cluster.remove("a", half_right).code == 409);
  BOOST_TEST((*list_in(cluster.list({})).items.at(0) == object), "nothing was changed");
  BOOST_TEST(cluster.remove("a", {.uid = object.metadata.uid, .resource_version = "3"}).code ==
             200);
  BOOST_TEST(get(cluster, "a").code == 404);
  const std::vector<std::string> expected{"DELETED a rv=4"};
  BOOST_TEST(cluster.drain(watch) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(foreground_deletion_leaves_the_object_to_the_garbage_collector) {
  SmallCluster cluster;
  (void)cluster.create("a");
  const api::Object marked = object_in(cluster.remove("a", {.propagation_policy = "Foreground"}));
  BOOST_TEST(marked.metadata.finalizers.at(0) == "foregroundDeletion");
}

BOOST_AUTO_TEST_CASE(a_collection_is_deleted_by_selector_one_by_one) {
  SmallCluster cluster;
  (void)cluster.create("a", "", {{"app", "x"}});
  (void)cluster.create("b");
  (void)cluster.create("c", "", {{"app", "x"}});
  const Response response = cluster.send({.verb = Verb::DeleteCollection,
                                          .resource = kConfigMaps,
                                          .namespace_ = "default",
                                          .options = {.label_selector = "app=x"}});
  BOOST_TEST(names_in(response) == "a c");
  BOOST_TEST(names_in(cluster.list({})) == "b");
  BOOST_TEST(cluster.revision() == 7);
}

BOOST_AUTO_TEST_CASE(a_merge_patch_replaces_members_and_null_removes_them) {
  SmallCluster cluster;
  api::Object expected =
      object_in(cluster.create("a", R"({"data":{"k":"v","gone":"x"}})", {{"app", "x"}}));
  const std::string change = R"({"data":{"k":"w","gone":null,"new":"y"}})";
  const Response response = patch(cluster, PatchType::Merge, change);
  BOOST_TEST(response.code == 200);
  expected.body = R"({"data":{"k":"w","new":"y"}})";
  expected.metadata.resource_version = "4";
  BOOST_TEST((object_in(response) == expected));
  BOOST_TEST((object_in(get(cluster, "a")) == expected));
  BOOST_TEST((object_in(patch(cluster, PatchType::Merge, change)) == expected));
  BOOST_TEST(cluster.revision() == 4, "a patch that changes nothing writes nothing");
}

BOOST_AUTO_TEST_CASE(a_json_patch_is_applied_step_by_step_or_not_at_all) {
  SmallCluster cluster;
  (void)cluster.create("a", R"({"data":{"k":"v"}})");
  const Response response = patch(cluster, PatchType::Json,
                                  R"([{"op":"test","path":"/data/k","value":"v"},)"
                                  R"({"op":"add","path":"/data/n","value":"1"},)"
                                  R"({"op":"move","from":"/data/k","path":"/data/m"}])");
  BOOST_TEST(object_in(response).body == R"({"data":{"n":"1","m":"v"}})");
  const Response failed = patch(cluster, PatchType::Json,
                                R"([{"op":"remove","path":"/data/n"},)"
                                R"({"op":"test","path":"/data/m","value":"w"}])");
  BOOST_TEST(failed.code == 422);
  BOOST_TEST((object_in(get(cluster, "a")) == object_in(response)), "nothing was changed");
  BOOST_TEST(cluster.revision() == 4);
}

BOOST_AUTO_TEST_CASE(a_strategic_patch_merges_lists_by_their_keys) {
  SmallCluster cluster;
  (void)cluster.create("a", R"({"spec":{"containers":[{"name":"x","image":"1"},{"name":"y"}]}})");
  const Response response =
      patch(cluster, PatchType::Strategic,
            R"({"spec":{"containers":[{"name":"x","image":"2"},{"name":"y","$patch":"delete"},)"
            R"({"name":"z"}]}})");
  BOOST_TEST(object_in(response).body ==
             R"({"spec":{"containers":[{"name":"x","image":"2"},{"name":"z"}]}})");
  BOOST_TEST((object_in(get(cluster, "a")) == object_in(response)));
  BOOST_TEST(object_in(response).metadata.resource_version == "4");
}

BOOST_AUTO_TEST_CASE(a_patch_with_an_old_revision_is_a_conflict) {
  SmallCluster cluster;
  const api::Object created = object_in(cluster.create("a"));
  const auto patch_from = [&cluster](const std::string& revision) {
    return patch(cluster, PatchType::Merge,
                 R"({"metadata":{"resourceVersion":")" + revision + R"("},"data":{"k":"v"}})");
  };
  BOOST_TEST(patch_from("1").code == 409);
  BOOST_TEST((object_in(get(cluster, "a")) == created), "nothing was changed");
  BOOST_TEST(object_in(patch_from("3")).body == R"({"data":{"k":"v"}})");
}

BOOST_AUTO_TEST_CASE(patches_that_cannot_be_read_or_are_not_served_are_refused) {
  SmallCluster cluster;
  (void)cluster.create("a");
  BOOST_TEST(patch(cluster, PatchType::Merge, "[").code == 400);
  BOOST_TEST(patch(cluster, PatchType::Json, "{}").code == 400);
  BOOST_TEST(patch(cluster, PatchType::Merge, R"({"metadata":{"name":"b"}})").code == 400);
}

BOOST_AUTO_TEST_CASE(a_bounded_store_counts_all_versions_and_forgets_old_ones_first) {
  SmallCluster cluster;
  cluster.plane.bound_store(100'000);
  const std::string body = R"({"k":")" + std::string(30'000, 'x');
  BOOST_TEST(cluster.create("a", body + "0\"}").code == 201);
  for (const char* const digit : {"1", "2", "3", "4", "5"}) {  // too much with the old versions
    BOOST_TEST(cluster.update("a", body + digit + "\"}").code == 200);
    cluster.now += std::chrono::seconds(2);
  }
  BOOST_TEST(cluster.create("b", body + "\"}").code == 201);
  BOOST_TEST(cluster.create("c", body + "\"}").code == 201);
  BOOST_TEST(cluster.create("d", body + "\"}").code == 500);
  BOOST_TEST(cluster.remove("b").code == 200);
  cluster.now += std::chrono::seconds(2);
  BOOST_TEST(cluster.create("d", body + "\"}").code == 201);
  BOOST_TEST(cluster.plane.store().bytes() < 100'000U);
}

BOOST_AUTO_TEST_CASE(a_full_store_lets_go_of_what_finalizers_hold) {
  SmallCluster cluster;
  const std::string body = R"({"k":")" + std::string(50'000, 'x') + "\"}";
  api::Object held = *SmallCluster::object("a", body);
  held.metadata.finalizers = {"example.com/one", "example.com/two"};
  const auto stored = [&] { return cluster.plane.store().get(kConfigMaps, "default/a"); };
  BOOST_TEST(cluster
                 .send({.verb = Verb::Create,
                        .resource = kConfigMaps,
                        .namespace_ = "default",
                        .object = std::make_shared<const api::Object>(held)})
                 .code == 201);
  cluster.plane.bound_store(cluster.plane.store().bytes() + 100);
  api::Object changed = *stored();
  changed.body = R"({"k":"other"})";
  BOOST_TEST(cluster.update(std::move(changed)).code == 500);
  BOOST_TEST(cluster.remove("a").code == 200);
  for (const std::size_t left : {1U, 0U}) {
    api::Object next = *stored();
    next.metadata.finalizers.resize(left);
    BOOST_TEST(cluster.update(std::move(next)).code == 200);
  }
  BOOST_TEST((stored() == nullptr));
}

BOOST_AUTO_TEST_SUITE_END()
