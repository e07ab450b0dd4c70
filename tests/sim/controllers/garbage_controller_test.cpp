#include <boost/test/unit_test.hpp>

#include "tests/sim/controllers/cluster.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(garbage_controller_test)

BOOST_AUTO_TEST_CASE(what_a_deleted_owner_owns_goes_after_it) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"garbage"});
    const std::string owner = cluster.make(kMaps, {.name = "owner"});
    const std::string child = cluster.make_owned("child", {{"owner", owner}});
    cluster.make_owned("grandchild", {{"child", child}});
    cluster.make(kMaps, {.name = "other"});
    cluster.settle();
    expect(cluster.has_map("grandchild"), "nothing goes while its owner is there");
    cluster.remove_map("owner");
    expect(!cluster.has_map("owner") && cluster.has_map("child"), "the owner goes at once");
    cluster.settle();
    expect(!cluster.has_map("child") && !cluster.has_map("grandchild"), "the rest goes later");
    expect(cluster.has_map("other"), "what nobody owned stays");
  });
}

BOOST_AUTO_TEST_CASE(an_owner_deleted_in_the_foreground_goes_after_what_blocks_it) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"garbage"});
    const std::string owner = cluster.make(kMaps, {.name = "owner"});
    cluster.make_owned("held", {{"owner", owner}}, true, {"a/b"});
    cluster.make_owned("free", {{"owner", owner}}, true);
    cluster.make_owned("does-not-block", {{"owner", owner}}, false, {"a/b"});
    cluster.remove_map("owner", "Foreground");
    cluster.settle();
    expect(cluster.has_map("owner"), "it waits for what is held");
    expect(!cluster.has_map("free"), "what is not held has gone");
    cluster.free(kMaps, "default/held");
    cluster.settle();
    expect(!cluster.has_map("held") && !cluster.has_map("owner"), "then it goes");
    expect(cluster.has_map("does-not-block"), "it did not wait for what does not block it");
  });
}

BOOST_AUTO_TEST_CASE(an_owner_deleted_in_the_foreground_that_owns_nothing_goes) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"garbage"});
    cluster.make(kMaps, {.name = "owner"});
    cluster.remove_map("owner", "Foreground");
    cluster.settle();
    expect(!cluster.has_map("owner"), "it does not wait for ever");
  });
}

BOOST_AUTO_TEST_CASE(what_is_orphaned_stays_without_its_owner) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"garbage"});
    const std::string owner = cluster.make(kMaps, {.name = "owner"});
    cluster.make_owned("child", {{"owner", owner}});
    cluster.remove_map("owner", "Orphan");
    cluster.settle();
    expect(!cluster.has_map("owner") && cluster.has_map("child"), "only the owner goes");
    expect(owners_of(cluster.get(kMaps, "default/child")->metadata).empty(), "the owner is named");
  });
}

BOOST_AUTO_TEST_CASE(an_object_stays_as_long_as_one_owner_is_there) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"garbage"});
    const std::string one = cluster.make(kMaps, {.name = "one"});
    const std::string two = cluster.make(kMaps, {.name = "two"});
    cluster.make_owned("child", {{"one", one}, {"two", two}});
    cluster.remove_map("one");
    cluster.settle();
    expect(cluster.has_map("child"), "its other owner is there");
    const std::vector<Owner> owners = owners_of(cluster.get(kMaps, "default/child")->metadata);
    expect(owners.size() == 1 && owners[0].uid == two, "it names the one that is there");
    cluster.remove_map("two");
    cluster.settle();
    expect(!cluster.has_map("child"), "the last one takes it along");
  });
}

BOOST_AUTO_TEST_CASE(an_object_of_an_owner_that_never_was_goes_and_of_an_unknown_kind_stays) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"garbage"});
    cluster.make_owned("lost", {{"owner", "0000-no-such-uid"}});
    cluster.make(kMaps, {.name = "unknown", .other_members = R"({"ownerReferences":[
        {"apiVersion":"example.com/v1","kind":"Gone","name":"x","uid":"u"}]})"});
    cluster.settle();
    expect(!cluster.has_map("lost"), "there is no such owner");
    expect(cluster.has_map("unknown"), "nobody knows whether it is there");
  });
}

BOOST_AUTO_TEST_CASE(a_circle_of_owners_goes_in_the_foreground) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"garbage"});
    const std::string first = cluster.make(kMaps, {.name = "first"});
    const std::string second = cluster.make_owned("second", {{"first", first}}, true);
    const std::string third = cluster.make_owned("third", {{"second", second}}, true);
    api::Object closed = *cluster.get(kMaps, "default/first");
    closed.metadata.other_members =
        R"({"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"third","uid":")" +
        third + R"(","blockOwnerDeletion":true}]})";
    cluster.put(kMaps, closed);
    cluster.remove_map("first", "Foreground");
    cluster.settle();
    expect(cluster.all(kMaps).empty(), "none of them waits for the others");
  });
}

BOOST_AUTO_TEST_CASE(without_the_controller_nothing_goes) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"namespaces"});
    cluster.make_owned("lost", {{"owner", "0000-no-such-uid"}});
    cluster.settle();
    expect(cluster.has_map("lost"), "nobody collects it");
  });
}

BOOST_AUTO_TEST_CASE(a_namespace_goes_when_it_is_empty) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"namespaces"});
    cluster.make(kSpaces, {.name = "team"});
    cluster.make(kMaps, {.name = "free", .namespace_ = "team"});
    cluster.make(kMaps, {.name = "held", .namespace_ = "team", .finalizers = {"a/b"}});
    cluster.make(kMaps, {.name = "elsewhere"});
    cluster.make({"", "v1", "pods"},
                 {.name = "first", .namespace_ = "team", .finalizers = {"a/b"}});
    expect(cluster.text(kSpaces, "team", "/status/phase") == "Active", "it begins");
    cluster.remove(kSpaces, "", "team");
    expect(cluster.text(kSpaces, "team", "/status/phase") == "Terminating", "it is marked");
    cluster.settle();
    expect(cluster.get(kMaps, "team/free") != nullptr, "the pods go first");
    expect(
        cluster.get(kSpaces, "team")->body.find("NamespaceContentRemaining") != std::string::npos,
        "it says what it waits for");
    cluster.free({"", "v1", "pods"}, "team/first");
    cluster.settle();
    expect(cluster.get(kMaps, "team/free") == nullptr, "its contents go");
    expect(cluster.get(kSpaces, "team") != nullptr, "it waits for what is held");
    cluster.free(kMaps, "team/held");
    cluster.settle();
    expect(cluster.get(kSpaces, "team") == nullptr, "then it goes");
    expect(cluster.has_map("elsewhere"), "others stay");
  });
}

BOOST_AUTO_TEST_CASE(a_cluster_begins_with_what_every_cluster_has) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"system"});
    expect(cluster.get(kSpaces, "kube-system") != nullptr, "a namespace of the system");
    expect(cluster.text({"", "v1", "services"}, "default/kubernetes", "/spec/clusterIP") ==
               "10.96.0.1",
           "the service of the server");
    cluster.make(kSpaces, {.name = "team"});
    cluster.settle();
    expect(cluster.get({"", "v1", "serviceaccounts"}, "team/default") != nullptr,
           "each namespace has an account");
  });
}

BOOST_AUTO_TEST_SUITE_END()
