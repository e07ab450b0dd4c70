#include "sim/http/object_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/json.hpp>
#include <utility>

#include "core/api/names.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/served_version.hpp"
#include "sim/apiserver/status_bodies.hpp"
#include "sim/apiserver/structural_schema.hpp"
#include "sim/http/kind_rules.hpp"
#include "sim/kinds/value_place.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

using Causes = std::vector<api::StatusCause>;

/// Of a great many mistakes only the first are named: nobody reads more, and each takes memory.
void add_cause(Causes& causes, std::string_view reason, std::string message, std::string field) {
  constexpr std::size_t kCausesMax = 1000;
  if (causes.size() < kCausesMax) {
    causes.push_back({std::string(reason), std::move(message), std::move(field)});
  }
}

/// Null when there is none.
const json::value* part_of(const json::object& object, std::string_view path) {
  const json::object* within = &object;
  const json::value* found = nullptr;
  while (!path.empty() && within != nullptr) {
    const std::size_t end = std::min(path.find('.'), path.size());
    found = within->if_contains(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
    within = found == nullptr ? nullptr : found->if_object();
  }
  return path.empty() && found != nullptr && !found->is_null() ? found : nullptr;
}

std::string shown_part(const json::value* value) {
  return value == nullptr ? "null" : json::serialize(*value);
}

bool is_same(const json::value* one, const json::value* other) {
  return one == nullptr || other == nullptr ? one == other : *one == *other;
}

/// Lists that may not be empty, beside those of texts.
bool needs_elements(const KindMessage& message, const KindField& field) {
  return field.type != FieldType::Message ||
         (message.name == "core/v1.PodSpec" && field.name == "containers") ||
         (message.name == "core/v1.NodeSelector" && field.name == "nodeSelectorTerms");
}

/// Texts that are in every object of theirs and may be empty.
bool may_be_empty(const KindMessage& message, const KindField& field) {
  static constexpr std::array kRows{
      std::pair("core/v1.HTTPHeader", "value"), std::pair("core/v1.Sysctl", "value"),
      std::pair("meta/v1.Condition", "message"), std::pair("meta/v1.GroupResource", "group")};
  return std::ranges::any_of(kRows, [&](const auto& row) {
    return message.name == row.first && field.name == row.second;
  });
}

bool is_empty_part(const json::value* value) {
  const json::string* const text = value == nullptr ? nullptr : value->if_string();
  const json::array* const list = value == nullptr ? nullptr : value->if_array();
  return value == nullptr || value->is_null() || (text != nullptr && text->empty()) ||
         (list != nullptr && list->empty());
}

/// What the table says of fields: those that must be there, and those with a choice of words.
class FieldCheck {
 public:
  void check(const json::object& object, const KindMessage& message, const Place& place) {
    for (const KindField& field : message.fields) {
      if (field.name.empty()) {
        check(object, *field.message, place);
      } else if (!place.is_root() || (field.name != "status" && field.name != "metadata")) {
        check_field(object, message, field, {place, field.name});
      }
    }
  }

  [[nodiscard]] Causes take() { return std::move(causes_); }

 private:
  void check_field(const json::object& object, const KindMessage& message, const KindField& field,
                   const Place& here) {
    const json::value* const value = object.if_contains(field.name);
    const bool is_there = value != nullptr && !value->is_null();
    if (field.required && lacks(message, field, value)) {
      add_cause(causes_, "FieldValueRequired", "Required value", here.text());
      return;
    }
    if (is_there && !field.words.empty() && field.type == FieldType::Text) {
      check_words(*value, field, here);
    }
    if (field.type != FieldType::Message || field.message->value != ValueKind::Members) {
      return;
    }
    if (!is_there && field.form == FieldForm::One && !field.optional) {
      check({}, *field.message, here);  // which is there, with nothing in it
    }
    descend(value, field, here);
  }

  static bool lacks(const KindMessage& message, const KindField& field, const json::value* value) {
    if (field.form == FieldForm::List) {
      return needs_elements(message, field) && is_empty_part(value);
    }
    if (field.form == FieldForm::One && field.type == FieldType::Text) {
      return is_empty_part(value) && !may_be_empty(message, field);
    }
    return field.type == FieldType::Message && field.optional && is_empty_part(value);
  }

  void check_words(const json::value& value, const KindField& field, const Place& here) {
    const json::array one{value};
    const json::array& all = value.is_array() ? value.get_array() : one;
    for (const json::value& each : all) {
      const std::string_view word = each.is_string() ? std::string_view(each.get_string()) : "";
      const std::string listed = fmt::format(",{},", field.words);
      if (!word.empty() && listed.find(fmt::format(",{},", word)) == std::string::npos) {
        std::string words = fmt::format("\"{}\"", field.words);
        for (std::size_t at = words.find(','); at != std::string::npos;
             at = words.find(',', at + 4)) {
          words.replace(at, 1, "\", \"");
        }
        add_cause(causes_, "FieldValueNotSupported",
                  fmt::format("Unsupported value: \"{}\": supported values: {}", word, words),
                  here.text());
      }
    }
  }

  void descend(const json::value* value, const KindField& field, const Place& here) {
    if (value == nullptr) {
      return;
    }
    if (const json::array* const list = value->if_array()) {
      for (std::size_t i = 0; i < list->size(); ++i) {
        if (const json::object* const each = list->at(i).if_object()) {
          check(*each, *field.message, {here, i});
        }
      }
    } else if (const json::object* const one = value->if_object()) {
      if (field.form == FieldForm::One) {
        check(*one, *field.message, here);
      }
    }
  }

  Causes causes_;
};

constexpr std::string_view kLabelRule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
    "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr std::string_view kKeyRule =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end "
    "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::size_t kLabelMax = 63;

void check_key(Causes& causes, const std::string& key, const std::string& field) {
  const std::string_view name = std::string_view(key).substr(key.find('/') + 1);
  const std::string prefix = key.substr(0, key.size() - name.size());
  const bool is_good =
      !name.empty() && name.size() <= kLabelMax && api::is_label_text(name) &&
      (prefix.empty() || api::is_dns_subdomain(prefix.substr(0, prefix.size() - 1)));
  if (!is_good) {
    add_cause(causes, "FieldValueInvalid", fmt::format("Invalid value: \"{}\": {}", key, kKeyRule),
              field);
  }
}

void check_labels(Causes& causes, const api::ObjectMeta& metadata) {
  for (const auto& [key, value] : metadata.labels) {
    check_key(causes, key, "metadata.labels");
    if (!value.empty() && value.size() > kLabelMax) {
      add_cause(causes, "FieldValueInvalid",
                fmt::format("Invalid value: \"{}\": must be no more than 63 bytes", value),
                "metadata.labels");
    } else if (!value.empty() && !api::is_label_text(value)) {
      add_cause(causes, "FieldValueInvalid",
                fmt::format("Invalid value: \"{}\": {}", value, kLabelRule), "metadata.labels");
    }
  }
  for (const auto& [key, value] : metadata.annotations) {
    check_key(causes, key, "metadata.annotations");
  }
}

/// A set of pods must select those that it makes.
void check_selector(Causes& causes, const json::object& body, std::string kind) {
  const json::value* const wanted = part_of(body, "spec.selector.matchLabels");
  const json::value* const labels = part_of(body, "spec.template.metadata.labels");
  const json::object* const all = wanted == nullptr ? nullptr : wanted->if_object();
  const json::value* const expressions = part_of(body, "spec.selector.matchExpressions");
  if ((all == nullptr || all->empty()) && is_empty_part(expressions)) {
    if (part_of(body, "spec.selector") != nullptr) {
      boost::algorithm::to_lower(kind);
      causes.push_back({"FieldValueInvalid",
                        "Invalid value: {}: empty selector is invalid for " + kind,
                        "spec.selector"});
    }
    return;
  }
  const json::object* const found = labels == nullptr ? nullptr : labels->if_object();
  const bool fits = all == nullptr || std::ranges::all_of(*all, [&](const auto& each) {
                      const json::value* const value =
                          found == nullptr ? nullptr : found->if_contains(each.key());
                      return value != nullptr && *value == each.value();
                    });
  if (!fits) {
    causes.push_back({"FieldValueInvalid",
                      fmt::format("Invalid value: {}: `selector` does not match template `labels`",
                                  shown_part(labels)),
                      "spec.template.metadata.labels"});
  }
}

/// What can never change once it is there.
struct FixedField {
  std::string_view resource;  ///< "deployments.apps"
  std::string_view path;
};

constexpr std::array kFixedFields{
    FixedField{"deployments.apps", "spec.selector"},
    FixedField{"replicasets.apps", "spec.selector"},
    FixedField{"daemonsets.apps", "spec.selector"},
    FixedField{"jobs.batch", "spec.selector"},
    FixedField{"jobs.batch", "spec.completionMode"},
    FixedField{"secrets", "type"},
    FixedField{"rolebindings.rbac.authorization.k8s.io", "roleRef"},
    FixedField{"clusterrolebindings.rbac.authorization.k8s.io", "roleRef"},
    FixedField{"storageclasses.storage.k8s.io", "provisioner"},
    FixedField{"endpointslices.discovery.k8s.io", "addressType"},
    FixedField{"priorityclasses.scheduling.k8s.io", "value"},
    FixedField{"ingressclasses.networking.k8s.io", "spec.controller"},
};

void check_fixed(Causes& causes, const std::string& resource, const json::object& before,
                 const json::object& next) {
  for (const FixedField& each : kFixedFields) {
    const json::value* const value = part_of(next, each.path);
    if (each.resource == resource && !is_same(part_of(before, each.path), value)) {
      const bool is_role = each.path == "roleRef";
      causes.push_back({"FieldValueInvalid",
                        fmt::format("Invalid value: {}: {}", shown_part(value),
                                    is_role ? "cannot change roleRef" : "field is immutable"),
                        std::string(each.path)});
    }
  }
  // Maps and secrets can say that they stay as they are.
  const bool holds_data = resource == "configmaps" || resource == "secrets";
  if (holds_data &&
      is_same(part_of(before, "immutable"), part_of(json::object{{"a", true}}, "a"))) {
    for (const char* member : {"immutable", "data", "binaryData"}) {
      if (!is_same(part_of(before, member), part_of(next, member))) {
        causes.push_back({"FieldValueForbidden",
                          "Forbidden: field is immutable when `immutable` is set", member});
      }
    }
  }
}

/// The spec of a pod without the fields that may be updated.
json::object fixed_spec(const json::object& body, bool has_node) {
  const json::value* const found = part_of(body, "spec");
  json::object spec = found != nullptr && found->is_object() ? found->get_object() : json::object();
  for (const char* member : {"activeDeadlineSeconds", "terminationGracePeriodSeconds",
                             "tolerations", "ephemeralContainers", "schedulingGates"}) {
    spec.erase(member);
  }
  if (!has_node) {
    spec.erase("nodeName");
  }
  for (const char* list : {"containers", "initContainers"}) {
    json::value* const containers = spec.if_contains(list);
    if (containers == nullptr || !containers->is_array()) {
      continue;
    }
    for (json::value& each : containers->get_array()) {
      if (each.is_object()) {
        each.get_object().erase("image");
      }
    }
  }
  return spec;
}

void check_pod_update(Causes& causes, const json::object& before, const json::object& next) {
  const bool has_node = !is_empty_part(part_of(before, "spec.nodeName"));
  if (fixed_spec(before, has_node) != fixed_spec(next, has_node)) {
    causes.push_back({"FieldValueForbidden",
                      "Forbidden: pod updates may not change fields other than "
                      "`spec.containers[*].image`,`spec.initContainers[*].image`,"
                      "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing "
                      "tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 "
                      "if it was previously negative)",
                      "spec"});
  }
}

bool is_written_apart_from_status(const json::object& before, const json::object& next) {
  const auto without_status = [](json::object body) {
    body.erase("status");
    return body;
  };
  return without_status(before) != without_status(next);
}

/// Of the schemas of a CustomResourceDefinition.
void check_patterns(Causes& causes, const json::object& body) {
  const json::value* const versions = part_of(body, "spec.versions");
  const json::array* const all = versions == nullptr ? nullptr : versions->if_array();
  for (std::size_t i = 0; all != nullptr && i < all->size(); ++i) {
    const json::object* const version = all->at(i).if_object();
    const json::value* const schema =
        version == nullptr ? nullptr : part_of(*version, "schema.openAPIV3Schema");
    if (schema != nullptr && schema->is_object()) {
      const Causes found = pattern_mistakes_in(
          schema->get_object(), fmt::format("spec.versions[{}].schema.openAPIV3Schema", i));
      causes.insert(causes.end(), found.begin(), found.end());
    }
  }
}

bool makes_pods_that_it_selects(const std::string& resource) {
  return resource == "deployments.apps" || resource == "replicasets.apps" ||
         resource == "statefulsets.apps" || resource == "daemonsets.apps";
}

}  // namespace

std::optional<api::Status> refusal_of_object(const ResourceType& type, const api::Object* before,
                                             const api::Object& next) {
  Causes causes;
  const json::object body = object_in(next.body);
  const Kind* const kind = built_in_kind(type);
  const std::string resource = qualified_name(type.resource);
  if (before == nullptr || before->metadata.labels != next.metadata.labels ||
      before->metadata.annotations != next.metadata.annotations) {
    check_labels(causes, next.metadata);
  }
  const bool is_new_body = before == nullptr || !same_body(before->body, next.body);
  if (kind != nullptr && is_new_body && kind->kind != "Event") {
    FieldCheck fields;
    fields.check(body, *kind->message, {});
    const Causes found = fields.take();
    causes.insert(causes.end(), found.begin(), found.end());
    if (makes_pods_that_it_selects(resource)) {
      check_selector(causes, body, type.kind);
    } else if (kind->kind == "CustomResourceDefinition") {
      check_patterns(causes, body);
    }
    if (before != nullptr) {
      check_fixed(causes, resource, object_in(before->body), body);
      if (resource == "pods") {
        check_pod_update(causes, object_in(before->body), body);
      }
      // Who writes a status is not told what is wrong with the rest.
      if (!is_written_apart_from_status(object_in(before->body), body)) {
        std::erase_if(causes, [](const auto& cause) { return !cause.field.starts_with("status"); });
      }
    }
  }
  const Causes found = schema_mistakes(type, before, next);
  causes.insert(causes.end(), found.begin(), found.end());
  if (causes.empty()) {
    return std::nullopt;
  }
  return status_bodies::invalid_object(type.resource, type.kind, next.metadata.name,
                                       std::move(causes));
}

}  // namespace watchlab::sim
