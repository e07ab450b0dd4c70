// Collections whose objects live in namespaces, with names and fields. Pins what the shared storage
// tests RunTestNamespaceScopedWatch and RunTestNamespaceScopedList of the API server pin.
#include <boost/test/unit_test.hpp>
#include <vector>

#include "tests/sim/apiserver/small_cluster.hpp"
#include "tests/sim/apiserver/written_states.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using Texts = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(namespace_scoped_test)

namespace {

ControlPlaneOptions two_namespaces() {
  ControlPlaneOptions options;
  options.namespaces = {"x", "y"};
  return options;
}

/// The node of a pod of the story, with a blank before it; nothing when it has none.
std::string node_of(const api::Object& pod) {
  for (const char* node : {"n1", "n2"}) {
    if (pod.body.find(node) != std::string::npos) {
      return std::string(" ") + node;
    }
  }
  return "";
}

std::string key_of(const api::Object& pod) {
  return pod.metadata.namespace_ + "/" + pod.metadata.name;
}

struct PodCluster : SmallCluster {
  PodCluster() : SmallCluster(two_namespaces()) {}

  /// Writes the pod with that key, of a namespace with one letter.
  void write(Verb verb, const std::string& key, const std::string& node,
             const api::Labels& labels = {}) {
    const std::string body = R"({"spec":{"nodeName":")" + node + R"("}})";
    const Response response = send({.verb = verb,
                                    .resource = kPods,
                                    .namespace_ = key.substr(0, 1),
                                    .object = object(key.substr(2), body, labels)});
    BOOST_REQUIRE(response.code < 300);
    states.wrote(object_in(response));
  }
  /// p1 of both namespaces is put on a node, that of x on two one after the other; it goes.
  void play_the_story() {
    write(Verb::Create, "x/p1", "");
    write(Verb::Create, "y/p1", "");
    write(Verb::Create, "x/p2", "");
    write(Verb::Update, "x/p1", "", {{"updated", "yes"}});
    write(Verb::Update, "x/p1", "n1");
    write(Verb::Update, "y/p1", "n1");
    write(Verb::Update, "x/p1", "n2");
    BOOST_REQUIRE(
        send({.verb = Verb::Delete, .resource = kPods, .namespace_ = "x", .name = "p1"}).code <
        300);
    states.removed("x/p1", "11");
  }
  Response ask(Verb verb, const std::string& space, const std::string& fields,
               const std::string& revision) {
    return send({.verb = verb,
                 .resource = kPods,
                 .namespace_ = space,
                 .options = {.resource_version = revision, .field_selector = fields}});
  }
  /// "MODIFIED x/p1 rv=8 n1": what a watch sends now, with the node that the object names. Each
  /// object is compared as a whole with what was written.
  Texts sent(WatchId watch) {
    Texts texts;
    for (WatchPoll poll = plane.poll(watch, now); poll.frame; poll = plane.poll(watch, now)) {
      const api::Object& pod = *poll.frame->event.object;
      BOOST_TEST((pod == states.expected(poll.frame->event.type, pod.metadata.resource_version)));
      texts.push_back(std::string(watch::to_string(poll.frame->event.type)) + " " + key_of(pod) +
                      " rv=" + pod.metadata.resource_version + node_of(pod));
    }
    return texts;
  }

  WrittenStates states;
};

struct Row {
  std::string space;
  std::string fields;
  Texts events;      ///< of a watch from before the story
  std::string left;  ///< what a list shows after it
};

const Texts kOfX{"ADDED x/p1 rv=4",       "ADDED x/p2 rv=6",        "MODIFIED x/p1 rv=7",
                 "MODIFIED x/p1 rv=8 n1", "MODIFIED x/p1 rv=10 n2", "DELETED x/p1 rv=11 n2"};

const std::vector<Row> kTable{
    {"",
     "",
     {"ADDED x/p1 rv=4", "ADDED y/p1 rv=5", "ADDED x/p2 rv=6", "MODIFIED x/p1 rv=7",
      "MODIFIED x/p1 rv=8 n1", "MODIFIED y/p1 rv=9 n1", "MODIFIED x/p1 rv=10 n2",
      "DELETED x/p1 rv=11 n2"},
     "x/p2 y/p1"},
    {"", "metadata.namespace=x", kOfX, "x/p2"},
    {"x", "", kOfX, "x/p2"},
    {"x", "metadata.namespace=x", kOfX, "x/p2"},
    {"x", "metadata.namespace=y", {}, ""},
    // What leaves the selection is deleted as it was, what enters it is added.
    {"",
     "spec.nodeName=n1",
     {"ADDED x/p1 rv=8 n1", "ADDED y/p1 rv=9 n1", "DELETED x/p1 rv=10 n1"},
     "y/p1"},
    {"",
     "spec.nodeName!=n1",
     {"ADDED x/p1 rv=4", "ADDED y/p1 rv=5", "ADDED x/p2 rv=6", "MODIFIED x/p1 rv=7",
      "DELETED x/p1 rv=8", "DELETED y/p1 rv=9", "ADDED x/p1 rv=10 n2", "DELETED x/p1 rv=11 n2"},
     "x/p2"},
    {"x", "spec.nodeName=n2", {"ADDED x/p1 rv=10 n2", "DELETED x/p1 rv=11 n2"}, ""},
    {"x",
     "spec.nodeName!=n1",
     {"ADDED x/p1 rv=4", "ADDED x/p2 rv=6", "MODIFIED x/p1 rv=7", "DELETED x/p1 rv=8",
      "ADDED x/p1 rv=10 n2", "DELETED x/p1 rv=11 n2"},
     "x/p2"},
    {"",
     "metadata.name=p1",
     {"ADDED x/p1 rv=4", "ADDED y/p1 rv=5", "MODIFIED x/p1 rv=7", "MODIFIED x/p1 rv=8 n1",
      "MODIFIED y/p1 rv=9 n1", "MODIFIED x/p1 rv=10 n2", "DELETED x/p1 rv=11 n2"},
     "y/p1"},
    {"",
     "metadata.name=p1,metadata.namespace=y",
     {"ADDED y/p1 rv=5", "MODIFIED y/p1 rv=9 n1"},
     "y/p1"},
    {"",
     "metadata.name=p1,spec.nodeName=n1",
     {"ADDED x/p1 rv=8 n1", "ADDED y/p1 rv=9 n1", "DELETED x/p1 rv=10 n1"},
     "y/p1"},
    {"",
     "spec.nodeName!=n1,metadata.name=p1",
     {"ADDED x/p1 rv=4", "ADDED y/p1 rv=5", "MODIFIED x/p1 rv=7", "DELETED x/p1 rv=8",
      "DELETED y/p1 rv=9", "ADDED x/p1 rv=10 n2", "DELETED x/p1 rv=11 n2"},
     ""},
    {"x",
     "metadata.name=p1",
     {"ADDED x/p1 rv=4", "MODIFIED x/p1 rv=7", "MODIFIED x/p1 rv=8 n1", "MODIFIED x/p1 rv=10 n2",
      "DELETED x/p1 rv=11 n2"},
     ""},
    {"x",
     "spec.nodeName!=n1,metadata.name=p1,metadata.namespace=x",
     {"ADDED x/p1 rv=4", "MODIFIED x/p1 rv=7", "DELETED x/p1 rv=8", "ADDED x/p1 rv=10 n2",
      "DELETED x/p1 rv=11 n2"},
     ""},
    {"x", "metadata.name=p2", {"ADDED x/p2 rv=6"}, "x/p2"},
    {"x", "metadata.name=p2,metadata.namespace=x", {"ADDED x/p2 rv=6"}, "x/p2"},
    {"x",
     "metadata.name=p1,metadata.namespace=x,spec.nodeName=n1",
     {"ADDED x/p1 rv=8 n1", "DELETED x/p1 rv=10 n1"},
     ""},
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_watch_is_notified_of_what_its_namespace_and_fields_select) {
  for (const Row& row : kTable) {
    PodCluster cluster;
    const auto watch = [&] {
      return std::get<WatchOpened>(cluster.ask(Verb::Watch, row.space, row.fields, "3").answer)
          .watch;
    };
    const WatchId live = watch();
    cluster.play_the_story();
    BOOST_TEST_CONTEXT("namespace \"" << row.space << "\", fields \"" << row.fields << "\"") {
      BOOST_TEST(cluster.sent(live) == row.events, boost::test_tools::per_element());
      BOOST_TEST(cluster.sent(watch()) == row.events, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_list_shows_what_its_namespace_and_fields_select) {
  for (const Row& row : kTable) {
    PodCluster cluster;
    cluster.play_the_story();
    for (const char* revision : {"", "0", "11"}) {
      const Response response = cluster.ask(Verb::List, row.space, row.fields, revision);
      std::string keys;
      for (const api::ObjectPtr& item : list_in(response).items) {
        keys += (keys.empty() ? "" : " ") + key_of(*item);
      }
      BOOST_TEST_CONTEXT("namespace \"" << row.space << "\", fields \"" << row.fields << "\", rv=\""
                                        << revision << "\"") {
        BOOST_TEST(keys == row.left);
        BOOST_TEST(list_in(response).resource_version == "11");
        for (const api::ObjectPtr& item : list_in(response).items) {
          BOOST_TEST((*item == cluster.states.expected(watch::EventType::Added,
                                                       item->metadata.resource_version)));
        }
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
