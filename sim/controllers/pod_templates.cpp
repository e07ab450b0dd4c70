#include "sim/controllers/pod_templates.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "sim/apiserver/managed_fields.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

bool meets(const json::object& rule, const api::Labels& labels) {
  const auto found = labels.find(text_in(rule, "key"));
  const bool is_there = found != labels.end();
  const std::string op = text_in(rule, "operator");
  const json::value* const values = rule.if_contains("values");
  const bool is_one = is_there && values != nullptr && values->is_array() &&
                      std::ranges::find(values->get_array(), json::value(found->second)) !=
                          values->get_array().end();
  return op == "In"       ? is_one
         : op == "NotIn"  ? !is_one
         : op == "Exists" ? is_there
                          : op == "DoesNotExist" && !is_there;
}

}  // namespace

void add_controller(api::ObjectMeta& metadata, const OwnerKind& kind, const api::Object& owner) {
  json::object members = object_in(metadata.other_members);
  json::value& listed = members["ownerReferences"];
  json::array& owners = listed.is_array() ? listed.get_array() : listed.emplace_array();
  owners.push_back({{"apiVersion", kind.api_version},
                    {"kind", kind.kind},
                    {"name", owner.metadata.name},
                    {"uid", owner.metadata.uid},
                    {"controller", true},
                    {"blockOwnerDeletion", true}});
  metadata.other_members = json::serialize(members);
}

std::string controller_of(const api::ObjectMeta& metadata) {
  for (const Owner& owner : owners_of(metadata)) {
    if (owner.controls) {
      return owner.uid;
    }
  }
  return "";
}

api::Labels labels_below(const json::object& body, std::string_view pointer) {
  const json::value* const listed = value_below(body, pointer);
  api::Labels labels;
  for (const auto& [key, value] :
       listed != nullptr && listed->is_object() ? listed->get_object() : json::object()) {
    labels[std::string(key)] = value.is_string() ? std::string(value.get_string()) : "";
  }
  return labels;
}

api::Object pod_of_template(const OwnerKind& kind, const api::Object& owner,
                            const json::object& body) {
  api::Object pod{.api_version = "v1", .kind = "Pod"};
  pod.metadata.generate_name = owner.metadata.name + "-";
  pod.metadata.namespace_ = owner.metadata.namespace_;
  pod.metadata.labels = labels_below(body, "/spec/template/metadata/labels");
  pod.metadata.annotations = labels_below(body, "/spec/template/metadata/annotations");
  add_controller(pod.metadata, kind, owner);
  json::object members{{"status", {{"phase", "Pending"}}}};
  if (const json::value* const spec = value_below(body, "/spec/template/spec")) {
    members["spec"] = *spec;
  }
  pod.body = json::serialize(members);
  return pod;
}

bool selects(const json::object& selector, const api::Labels& labels) {
  const api::Labels wanted = labels_below(selector, "/matchLabels");
  const json::value* const rules = value_below(selector, "/matchExpressions");
  const bool has_rules = rules != nullptr && rules->is_array() && !rules->get_array().empty();
  if (wanted.empty() && !has_rules) {
    return false;
  }
  return std::ranges::all_of(wanted,
                             [&](const auto& each) {
                               const auto found = labels.find(each.first);
                               return found != labels.end() && found->second == each.second;
                             }) &&
         (!has_rules || std::ranges::all_of(rules->get_array(), [&](const json::value& each) {
           return each.is_object() && meets(each.get_object(), labels);
         }));
}

bool is_active_pod(const api::Object& pod, const json::object& body) {
  const std::string phase = text_below(body, "/status/phase");
  return phase != "Succeeded" && phase != "Failed" && pod.metadata.deletion_timestamp.empty();
}

bool is_ready_pod(const json::object& body) {
  const json::value* const conditions = value_below(body, "/status/conditions");
  return conditions != nullptr && conditions->is_array() &&
         std::ranges::any_of(conditions->get_array(), [](const json::value& each) {
           const json::object* const condition = each.if_object();
           return condition != nullptr && text_in(*condition, "type") == "Ready" &&
                  text_in(*condition, "status") == "True";
         });
}

}  // namespace watchlab::sim
