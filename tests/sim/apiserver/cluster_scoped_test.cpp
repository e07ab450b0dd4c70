// Collections whose objects live in no namespace: nodes and namespaces. Pins what the shared
// storage test RunTestClusterScopedWatch of the API server pins, and lists beside it.
#include <boost/test/unit_test.hpp>
#include <vector>

#include "tests/sim/apiserver/same_status.hpp"
#include "tests/sim/apiserver/small_cluster.hpp"
#include "tests/sim/apiserver/written_states.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using Texts = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(cluster_scoped_test)

namespace {

const api::GroupVersionResource kNodes{"", "v1", "nodes"};
const api::GroupVersionResource kNamespaces{"", "v1", "namespaces"};
const char* const kClosed = R"({"spec":{"unschedulable":true}})";
const char* const kOpened = R"({"spec":{"unschedulable":false}})";

struct NodeCluster : SmallCluster {
  Response write(Verb verb, const std::string& name, const std::string& body,
                 const std::string& zone) {
    Response response =
        send({.verb = verb, .resource = kNodes, .object = object(name, body, {{"zone", zone}})});
    states.wrote(object_in(response));
    return response;
  }
  /// n1 is closed to new pods and then opened, n2 the other way round; n1 goes.
  void play_the_story() {
    (void)write(Verb::Create, "n1", kClosed, "a");
    (void)write(Verb::Create, "n2", "{}", "b");
    (void)write(Verb::Update, "n2", kClosed, "b");
    (void)write(Verb::Update, "n1", kOpened, "a");
    (void)send({.verb = Verb::Delete, .resource = kNodes, .name = "n1"});
    states.removed("n1", "7");
  }
  WatchId watch_nodes(const std::string& fields, const std::string& labels) {
    const Response response = send(
        {.verb = Verb::Watch,
         .resource = kNodes,
         .options = {.resource_version = "2", .label_selector = labels, .field_selector = fields}});
    return std::get<WatchOpened>(response.answer).watch;
  }
  /// What a watch sends now. Each object is compared as a whole with what was written.
  Texts sent(WatchId watch) {
    Texts texts;
    for (WatchPoll poll = plane.poll(watch, now); poll.frame; poll = plane.poll(watch, now)) {
      const api::Object& node = *poll.frame->event.object;
      BOOST_TEST((node == states.expected(poll.frame->event.type, node.metadata.resource_version)));
      texts.push_back(text_of(poll.frame->event));
    }
    return texts;
  }
  std::string list_nodes(const std::string& fields, const std::string& labels,
                         const std::string& revision) {
    return names_in(send(
        {.verb = Verb::List,
         .resource = kNodes,
         .options = {
             .resource_version = revision, .label_selector = labels, .field_selector = fields}}));
  }

  WrittenStates states;
};

struct Row {
  std::string fields;
  std::string labels;
  Texts events;      ///< of a watch from before the story
  std::string left;  ///< what a list shows after it
};

const std::vector<Row> kTable{
    {"",
     "",
     {"ADDED n1 rv=3", "ADDED n2 rv=4", "MODIFIED n2 rv=5", "MODIFIED n1 rv=6", "DELETED n1 rv=7"},
     "n2"},
    {"metadata.name=n1", "", {"ADDED n1 rv=3", "MODIFIED n1 rv=6", "DELETED n1 rv=7"}, ""},
    {"metadata.name!=n1", "", {"ADDED n2 rv=4", "MODIFIED n2 rv=5"}, "n2"},
    {"spec.unschedulable=true", "", {"ADDED n1 rv=3", "ADDED n2 rv=5", "DELETED n1 rv=6"}, "n2"},
    {"metadata.name=n2,spec.unschedulable=true", "", {"ADDED n2 rv=5"}, "n2"},
    {"metadata.name=n3", "", {}, ""},
    {"", "zone=b", {"ADDED n2 rv=4", "MODIFIED n2 rv=5"}, "n2"},
    {"spec.unschedulable=true", "zone=a", {"ADDED n1 rv=3", "DELETED n1 rv=6"}, ""},
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_watch_is_notified_of_what_its_selectors_select) {
  for (const Row& row : kTable) {
    NodeCluster cluster;
    const WatchId live = cluster.watch_nodes(row.fields, row.labels);
    cluster.play_the_story();
    BOOST_TEST_CONTEXT("fields \"" << row.fields << "\", labels \"" << row.labels << "\"") {
      BOOST_TEST(cluster.sent(live) == row.events, boost::test_tools::per_element());
      const WatchId late = cluster.watch_nodes(row.fields, row.labels);
      BOOST_TEST(cluster.sent(late) == row.events, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_list_shows_what_its_selectors_select) {
  for (const Row& row : kTable) {
    NodeCluster cluster;
    cluster.play_the_story();
    for (const char* revision : {"", "0", "7"}) {
      BOOST_TEST_CONTEXT("fields \"" << row.fields << "\", labels \"" << row.labels << "\", rv=\""
                                     << revision << "\"") {
        BOOST_TEST(cluster.list_nodes(row.fields, row.labels, revision) == row.left);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_list_of_a_past_state_is_in_the_order_of_names) {
  NodeCluster cluster;
  cluster.play_the_story();
  const Response response =
      cluster.send({.verb = Verb::List,
                    .resource = kNodes,
                    .options = {.resource_version = "4", .resource_version_match = kExact}});
  BOOST_TEST(names_in(response) == "n1 n2");
  BOOST_TEST(list_in(response).kind == "NodeList");
}

BOOST_AUTO_TEST_CASE(namespaces_are_such_objects_themselves) {
  SmallCluster cluster;
  const Response response = cluster.send({.verb = Verb::Watch,
                                          .resource = kNamespaces,
                                          .options = {.field_selector = "metadata.name=late"}});
  const WatchId watch = std::get<WatchOpened>(response.answer).watch;
  for (const char* name : {"early", "late"}) {
    (void)cluster.send(
        {.verb = Verb::Create, .resource = kNamespaces, .object = SmallCluster::object(name)});
  }
  (void)cluster.send({.verb = Verb::Delete, .resource = kNamespaces, .name = "late"});
  const Texts expected{"ADDED late rv=4", "DELETED late rv=5"};
  BOOST_TEST(cluster.drain(watch) == expected, boost::test_tools::per_element());
  BOOST_TEST(names_in(cluster.send({.verb = Verb::List, .resource = kNamespaces})) ==
             "default early");
}

BOOST_AUTO_TEST_CASE(they_are_not_found_inside_of_a_namespace) {
  NodeCluster cluster;
  (void)cluster.write(Verb::Create, "n1", "{}", "a");
  const Revision before = cluster.revision();
  for (const Verb verb : {Verb::Get, Verb::List, Verb::Watch, Verb::Create, Verb::Update,
                          Verb::Patch, Verb::Delete, Verb::DeleteCollection}) {
    BOOST_TEST_CONTEXT(to_string(verb)) {
      check_refused(cluster.send({.verb = verb,
                                  .resource = kNodes,
                                  .namespace_ = "default",
                                  .name = "n1",
                                  .object = SmallCluster::object("n1")}),
                    {.reason = api::StatusReason::NotFound,
                     .code = 404,
                     .message = "the server could not find the requested resource"});
    }
  }
  BOOST_TEST(cluster.revision() == before);
}

BOOST_AUTO_TEST_CASE(a_namespace_in_such_an_object_is_dropped) {
  NodeCluster cluster;
  api::Object node{.metadata = {.name = "n1", .namespace_ = "default"}};
  const Response response =
      cluster.send({.verb = Verb::Create,
                    .resource = kNodes,
                    .object = std::make_shared<const api::Object>(std::move(node))});
  BOOST_TEST(response.code == 201);
  BOOST_TEST(object_in(response).metadata.namespace_ == "");
  BOOST_TEST(cluster.send({.verb = Verb::Get, .resource = kNodes, .name = "n1"}).code == 200);
}

BOOST_AUTO_TEST_CASE(no_selector_names_a_namespace_or_a_field_of_others) {
  for (const std::string field : {"metadata.namespace", "spec.nodeName", "status.phase"}) {
    for (const Verb verb : {Verb::List, Verb::Watch}) {
      NodeCluster cluster;
      BOOST_TEST_CONTEXT(to_string(verb) << " " << field) {
        check_refused(
            cluster.send(
                {.verb = verb, .resource = kNodes, .options = {.field_selector = field + "=x"}}),
            {.reason = api::StatusReason::BadRequest,
             .code = 400,
             .message = "field label not supported: " + field});
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
