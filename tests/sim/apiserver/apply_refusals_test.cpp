// What server-side apply is refused with, field by field (docs/apiserver_rules.md U9).
#include <boost/test/unit_test.hpp>
#include <vector>

#include "tests/sim/apiserver/applied_cluster.hpp"
#include "tests/sim/apiserver/same_status.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using api::StatusReason;

BOOST_AUTO_TEST_SUITE(apply_refusals_test)

namespace {

api::Status of_patch_options(const std::string& reason, const std::string& message,
                             const std::string& field) {
  return {
      .reason = StatusReason::Invalid,
      .code = 422,
      .message = "PatchOptions.meta.k8s.io \"\" is invalid: " + field + ": " + message,
      .details = {
          .group = "meta.k8s.io", .kind = "PatchOptions", .causes = {{reason, message, field}}}};
}

api::Status bad(const std::string& message) {
  return {.reason = StatusReason::BadRequest, .code = 400, .message = message};
}

/// A request for the object "a", and the Status that answers it. Before it x has applied k and m,
/// and z has changed m.
struct Refusal {
  std::string what;
  Request request;
  api::Status answer;
};

Request forced(Request request, PatchType type) {
  request.force = true;
  request.patch_type = type;
  return request;
}

Request named(Request request, const std::string& name) {
  request.name = name;
  return request;
}

std::vector<Refusal> refused_options() {
  const std::string fine = configuration(R"("data":{"n":"1"})");
  return {
      {"an apply by nobody", apply_of(fine, ""),
       of_patch_options("FieldValueRequired", "Required value: is required for apply patch",
                        "fieldManager")},
      {"a name that is too long", apply_of(fine, std::string(129, 'x')),
       of_patch_options("FieldValueTooLong", "Too long: may not be more than 128 bytes",
                        "fieldManager")},
      {"force beside another patch", forced(apply_of("{}"), PatchType::Merge),
       of_patch_options("FieldValueForbidden",
                        "Forbidden: may not be specified for non-apply patch", "force")},
  };
}

std::vector<Refusal> refused_configurations() {
  const auto with = [](const std::string& version, const std::string& kind,
                       const std::string& metadata) {
    return R"({"apiVersion":")" + version + R"(","kind":")" + kind + R"(","metadata":)" + metadata +
           "}";
  };
  return {
      {"no object", apply_of("[1]"),
       bad("error decoding YAML: the configuration is no JSON object")},
      {"another version", apply_of(with("v2", "ConfigMap", "{}")),
       bad("Incorrect version specified in apply patch. Specified patch version: v2, expected: "
           "v1")},
      {"another kind", apply_of(with("v1", "Secret", "{}")),
       bad("the kind of the object (Secret) does not match the kind of the collection "
           "(ConfigMap)")},
      {"managed fields", apply_of(with("v1", "ConfigMap", R"({"managedFields":[]})")),
       bad("metadata.managedFields must be nil")},
      {"another name", apply_of(with("v1", "ConfigMap", R"({"name":"b"})")),
       bad("the name of the object (b) does not match the name on the URL (a)")},
      {"another namespace", apply_of(with("v1", "ConfigMap", R"({"namespace":"other"})")),
       bad("the namespace of the object (other) does not match the namespace on the request "
           "(default)")},
      {"no name for what is absent", named(apply_of(with("v1", "ConfigMap", "{}")), "new"),
       bad("the name of the object (new based on URL) was undeterminable: name must be provided")},
      {"one key twice",
       apply_of(configuration(R"("spec":{"containers":[{"name":"c"},{"name":"c"}]})")),
       {.code = 500,
        .message = "failed to create typed patch object: .spec.containers: duplicate entries for "
                   "key [name=\"c\"]"}},
      {"an old revision",
       apply_of(configuration(R"(metadata:"resourceVersion":"1")")),
       {.reason = StatusReason::Conflict,
        .code = 409,
        .message = "Operation cannot be fulfilled on configmaps \"a\": the object has been "
                   "modified; please apply your changes to the latest version and try again",
        .details = {.name = "a", .kind = "configmaps"}}},
      {"the uid of what is absent",
       named(apply_of(with("v1", "ConfigMap", R"({"name":"new","uid":"u"})")), "new"),
       {.reason = StatusReason::Conflict,
        .code = 409,
        .message =
            "Operation cannot be fulfilled on configmaps \"new\": uid mismatch: the provided "
            "object specified uid u, and no existing object was found",
        .details = {.name = "new", .kind = "configmaps"}}},
  };
}

std::vector<Refusal> refused_conflicts() {
  return {
      {"a field of another",
       apply_of(configuration(R"("data":{"k":"2","n":"1"})")),
       {.reason = StatusReason::Conflict,
        .code = 409,
        .message = "Apply failed with 1 conflict: conflict with \"x\": .data.k",
        .details = {.causes = {{"FieldManagerConflict", "conflict with \"x\"", ".data.k"}}}}},
      {"fields of an applier and of an updater",
       apply_of(configuration(R"("data":{"k":"2","l":"2","m":"3"})")),
       {.reason = StatusReason::Conflict,
        .code = 409,
        .message = "Apply failed with 3 conflicts: conflicts with \"x\":\n- .data.k\n- .data.l\n"
                   "conflicts with \"z\" using v1:\n- .data.m",
        .details = {.causes = {{"FieldManagerConflict", "conflict with \"x\"", ".data.k"},
                               {"FieldManagerConflict", "conflict with \"x\"", ".data.l"},
                               {"FieldManagerConflict", "conflict with \"z\" using v1",
                                ".data.m"}}}}},
  };
}

void check_refusals(const std::vector<Refusal>& refusals) {
  for (const Refusal& row : refusals) {
    AppliedCluster cluster;
    (void)cluster.write({"x", R"("data":{"k":"1","l":"1","m":"1"})"});
    (void)cluster.write({"z", R"({"data":{"m":"2"}})", false, PatchType::Merge});
    const api::Object before = cluster.stored();
    BOOST_TEST_CONTEXT(row.what) {
      check_refused(cluster.send(row.request), row.answer);
      BOOST_TEST((cluster.stored() == before));
      BOOST_TEST(cluster.revision() == 4);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(options_are_refused_with_these) { check_refusals(refused_options()); }

BOOST_AUTO_TEST_CASE(configurations_are_refused_with_these) {
  check_refusals(refused_configurations());
}

BOOST_AUTO_TEST_CASE(conflicts_are_refused_with_these) { check_refusals(refused_conflicts()); }

BOOST_AUTO_TEST_CASE(what_applies_make_is_at_most_as_long_as_what_is_posted) {
  AppliedCluster cluster;
  const std::string half(std::size_t{3} << 19, 'x');
  BOOST_TEST(cluster.write({"y", R"("data":{"a":")" + half + "\"}"}).code == 201);
  check_refused(cluster.write({"z", R"("data":{"b":")" + half + "\"}"}),
                {.reason = StatusReason::RequestEntityTooLarge,
                 .code = 413,
                 .message = "Request entity too large: limit is 3145728"});
  BOOST_TEST(cluster.write({"z", R"("data":{"b":"x"})"}).code == 200);
}

BOOST_AUTO_TEST_CASE(an_apply_in_a_namespace_that_is_not_there_is_not_found) {
  AppliedCluster cluster;
  Request request = apply_of(configuration(""));
  request.namespace_ = "absent";
  check_refused(cluster.send(request), {.reason = StatusReason::NotFound,
                                        .code = 404,
                                        .message = "namespaces \"absent\" not found",
                                        .details = {.name = "absent", .kind = "namespaces"}});
  BOOST_TEST(cluster.revision() == 2);
}

BOOST_AUTO_TEST_SUITE_END()
