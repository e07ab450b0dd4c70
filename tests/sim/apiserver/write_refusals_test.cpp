// Each Status body that a server answers writes with, field by field, asked for from outside
// (docs/apiserver_rules.md U). Those of server-side apply are in apply_refusals_test.cpp.
#include <boost/test/unit_test.hpp>
#include <functional>
#include <vector>

#include "tests/sim/apiserver/documented_cluster.hpp"
#include "tests/sim/apiserver/same_status.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using api::Status;
using api::StatusReason;

BOOST_AUTO_TEST_SUITE(write_refusals_test)

namespace {

const api::GroupVersionResource kWidgets{"example.com", "v1", "widgets"};

struct Row {
  std::string situation;
  std::function<Response(DocumentedCluster&)> ask;
  Status answer;
  Revision prepared = 0;  ///< writes that `ask` makes before the one that is refused
};

Status bad(const std::string& message) {
  return {.reason = StatusReason::BadRequest, .code = 400, .message = message};
}

Status conflict(const std::string& why) {
  return {.reason = StatusReason::Conflict,
          .code = 409,
          .message = "Operation cannot be fulfilled on configmaps \"a\": " + why,
          .details = {.name = "a", .kind = "configmaps"}};
}

/// A precondition of a delete names the kind, as nothing else does.
Status unmet(const std::string& why) {
  Status status = conflict(why);
  status.message.replace(status.message.find("configmaps"), 10, "ConfigMap");
  status.details.kind = "ConfigMap";
  return status;
}

Status missing(const std::string& collection, const std::string& name) {
  return {.reason = StatusReason::NotFound,
          .code = 404,
          .message = collection + " \"" + name + "\" not found",
          .details = {.name = name, .kind = collection}};
}

Response create(DocumentedCluster& cluster, api::Object object,
                const std::string& space = "default") {
  return cluster.send({.verb = Verb::Create,
                       .resource = kConfigMaps,
                       .namespace_ = space,
                       .object = std::make_shared<const api::Object>(std::move(object))});
}

Response patch(DocumentedCluster& cluster, PatchType type, const std::string& body,
               const api::GroupVersionResource& resource = kConfigMaps) {
  Request request{.verb = Verb::Patch, .resource = resource, .namespace_ = "default"};
  request.name = "a";
  request.patch_type = type;
  request.patch = body;
  return cluster.send(request);
}

/// The same in every cluster: uids come from the history.
std::string uid_of_a() {
  DocumentedCluster cluster;
  return cluster.plane.store().get(kConfigMaps, "default/a")->metadata.uid;
}

/// Defines custom resources and creates one that is called "a".
void create_widget(DocumentedCluster& cluster) {
  cluster.plane.types().define({.resource = kWidgets, .kind = "Widget", .custom = true});
  (void)cluster.send({.verb = Verb::Create,
                      .resource = kWidgets,
                      .namespace_ = "default",
                      .object = SmallCluster::object("a")});
}

std::vector<Row> refused_creates() {
  return {
      {"what exists",
       [](DocumentedCluster& cluster) { return cluster.create("a"); },
       {.reason = StatusReason::AlreadyExists,
        .code = 409,
        .message = "configmaps \"a\" already exists",
        .details = {.name = "a", .kind = "configmaps"}}},
      {"with a revision",
       [](DocumentedCluster& cluster) {
         return create(cluster, {.metadata = {.name = "c", .resource_version = "7"}});
       },
       {.code = 500, .message = "resourceVersion should not be set on objects to be created"}},
      {"what exists and is being deleted",
       [](DocumentedCluster& cluster) {
         (void)cluster.remove("a", {.propagation_policy = "Foreground"});
         return cluster.create("a");
       },
       {.reason = StatusReason::AlreadyExists,
        .code = 409,
        .message = "object is being deleted: configmaps \"a\" already exists",
        .details = {.name = "a", .kind = "configmaps"}},
       1},
      {"without a name",
       [](DocumentedCluster& cluster) { return create(cluster, {}); },
       {.reason = StatusReason::Invalid,
        .code = 422,
        .message = "ConfigMap \"\" is invalid: metadata.name: Required value: name or "
                   "generateName is required",
        .details = {.kind = "ConfigMap",
                    .causes = {{"FieldValueRequired",
                                "Required value: name or generateName is required",
                                "metadata.name"}}}}},
      {"in another namespace than it says",
       [](DocumentedCluster& cluster) {
         return create(cluster, {.metadata = {.name = "c", .namespace_ = "other"}});
       },
       bad("the namespace of the provided object does not match the namespace sent on the "
           "request")},
      {"in a namespace that is not there",
       [](DocumentedCluster& cluster) {
         return create(cluster, {.metadata = {.name = "c"}}, "absent");
       },
       missing("namespaces", "absent")},
      {"in a namespace that is going away",
       [](DocumentedCluster& cluster) {
         (void)cluster.send({.verb = Verb::Delete,
                             .resource = {"", "v1", "namespaces"},
                             .name = "default",
                             .deletion = {.propagation_policy = "Foreground"}});
         return cluster.create("c");
       },
       {.reason = StatusReason::Forbidden,
        .code = 403,
        .message = "configmaps \"c\" is forbidden: unable to create new content in namespace "
                   "default because it is being terminated",
        .details = {.name = "c",
                    .kind = "configmaps",
                    .causes = {{"NamespaceTerminating", "namespace default is being terminated",
                                "metadata.namespace"}}}},
       1},
  };
}

std::vector<Row> refused_updates() {
  const api::StatusCause late_finalizer{
      "FieldValueForbidden",
      "Forbidden: no new finalizers can be added if the object is being deleted, found new "
      "finalizers []string{\"example.com/late\"}",
      "metadata.finalizers"};
  return {
      {"from an old revision",
       [](DocumentedCluster& cluster) {
         return cluster.update({.metadata = {.name = "a", .resource_version = "1"}});
       },
       conflict("the object has been modified; please apply your changes to the latest version "
                "and try again")},
      {"of another uid",
       [](DocumentedCluster& cluster) {
         api::Object object = *cluster.plane.store().get(kConfigMaps, "default/a");
         object.metadata.uid = "other";
         return cluster.update(object);
       },
       conflict("StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/a, "
                "ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: "
                "other, UID in object meta: " +
                uid_of_a())},
      {"of what is not there", [](DocumentedCluster& cluster) { return cluster.update("c", "{}"); },
       missing("configmaps", "c")},
      {"of a custom resource that names no revision",
       [](DocumentedCluster& cluster) {
         create_widget(cluster);
         return cluster.send({.verb = Verb::Update,
                              .resource = kWidgets,
                              .namespace_ = "default",
                              .object = SmallCluster::object("a", R"({"spec":1})")});
       },
       {.reason = StatusReason::Invalid,
        .code = 422,
        .message = "widgets.example.com \"a\" is invalid: metadata.resourceVersion: Invalid value: "
                   "0: must be specified for an update",
        .details = {.name = "a",
                    .group = "example.com",
                    .kind = "widgets",
                    .causes = {{"FieldValueInvalid",
                                "Invalid value: 0: must be specified for an update",
                                "metadata.resourceVersion"}}}},
       1},
      {"with a finalizer for what is being deleted",
       [](DocumentedCluster& cluster) {
         (void)cluster.remove("a", {.propagation_policy = "Foreground"});
         api::Object object = *cluster.plane.store().get(kConfigMaps, "default/a");
         object.metadata.finalizers.push_back("example.com/late");
         return cluster.update(object);
       },
       {.reason = StatusReason::Invalid,
        .code = 422,
        .message = "ConfigMap \"a\" is invalid: metadata.finalizers: Forbidden: no new finalizers "
                   "can be added if the object is being deleted, found new finalizers "
                   "[]string{\"example.com/late\"}",
        .details = {.name = "a", .kind = "ConfigMap", .causes = {late_finalizer, late_finalizer}}},
       1},
  };
}

std::vector<Row> refused_deletes() {
  const std::string unsupported =
      "Unsupported value: \"Gently\": supported values: \"Foreground\", \"Background\", "
      "\"Orphan\", "
      "\"nil\"";
  return {
      {"of what is not there", [](DocumentedCluster& cluster) { return cluster.remove("c"); },
       missing("configmaps", "c")},
      {"of another uid",
       [](DocumentedCluster& cluster) { return cluster.remove("a", {.uid = "other"}); },
       unmet("the UID in the precondition (other) does not match the UID in record (" + uid_of_a() +
             "). The object might have been deleted and then recreated")},
      {"of another revision",
       [](DocumentedCluster& cluster) { return cluster.remove("a", {.resource_version = "1"}); },
       unmet("the ResourceVersion in the precondition (1) does not match the ResourceVersion in "
             "record (3). The object might have been modified")},
      {"in a way that there is not",
       [](DocumentedCluster& cluster) {
         return cluster.remove("a", {.propagation_policy = "Gently"});
       },
       {.reason = StatusReason::Invalid,
        .code = 422,
        .message = "DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: " + unsupported,
        .details = {.group = "meta.k8s.io",
                    .kind = "DeleteOptions",
                    .causes = {{"FieldValueNotSupported", unsupported, "propagationPolicy"}}}}},
  };
}

std::vector<Row> refused_patches() {
  const api::StatusCause immutable{"FieldValueInvalid",
                                   "Invalid value: \"other\": field is immutable", "metadata.uid"};
  return {
      {"of the uid",
       [](DocumentedCluster& cluster) {
         return patch(cluster, PatchType::Merge, R"({"metadata":{"uid":"other"}})");
       },
       {.reason = StatusReason::Invalid,
        .code = 422,
        .message = "ConfigMap \"a\" is invalid: metadata.uid: Invalid value: \"other\": field is "
                   "immutable",
        .details = {.name = "a", .kind = "ConfigMap", .causes = {immutable, immutable}}}},
      {"that is no JSON",
       [](DocumentedCluster& cluster) { return patch(cluster, PatchType::Merge, "["); },
       bad("the patch cannot be read")},
      {"that is no list of steps",
       [](DocumentedCluster& cluster) { return patch(cluster, PatchType::Json, "{}"); },
       bad("the patch cannot be read")},
      {"whose test fails",
       [](DocumentedCluster& cluster) {
         return patch(cluster, PatchType::Json, R"([{"op":"test","path":"/data","value":1}])");
       },
       {.reason = StatusReason::Invalid,
        .code = 422,
        .message = "the server rejected our request due to an error in our request"}},
      {"of the name",
       [](DocumentedCluster& cluster) {
         return patch(cluster, PatchType::Merge, R"({"metadata":{"name":"b"}})");
       },
       bad("the name of the object (b) does not match the name on the URL (a)")},
      {"with an old revision",
       [](DocumentedCluster& cluster) {
         return patch(cluster, PatchType::Merge, R"({"metadata":{"resourceVersion":"1"}})");
       },
       conflict("the object has been modified; please apply your changes to the latest version "
                "and try again")},
      {"of a custom resource, strategic",
       [](DocumentedCluster& cluster) {
         create_widget(cluster);
         return patch(cluster, PatchType::Strategic, "{}", kWidgets);
       },
       {.reason = StatusReason::UnsupportedMediaType,
        .code = 415,
        .message = "the body of the request was in an unknown format - accepted media types "
                   "include: application/json-patch+json, application/merge-patch+json, "
                   "application/apply-patch+yaml"},
       1},
  };
}

void check_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    DocumentedCluster cluster;
    const Revision before = cluster.revision();
    BOOST_TEST_CONTEXT(row.situation) {
      check_refused(row.ask(cluster), row.answer);
      BOOST_TEST(cluster.revision() == before + row.prepared, "what is refused writes nothing");
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(creates_are_refused_with_these) { check_rows(refused_creates()); }

BOOST_AUTO_TEST_CASE(updates_are_refused_with_these) { check_rows(refused_updates()); }

BOOST_AUTO_TEST_CASE(deletes_are_refused_with_these) { check_rows(refused_deletes()); }

BOOST_AUTO_TEST_CASE(patches_are_refused_with_these) { check_rows(refused_patches()); }

BOOST_AUTO_TEST_CASE(a_delete_is_answered_with_success_and_what_is_gone) {
  DocumentedCluster cluster;
  const std::string uid = cluster.plane.store().get(kConfigMaps, "default/a")->metadata.uid;
  check_same(status_in(cluster.remove("a")),
             {.status = "Success", .details = {.name = "a", .kind = "configmaps", .uid = uid}});
}

BOOST_AUTO_TEST_SUITE_END()
