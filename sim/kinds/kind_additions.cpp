#include "sim/kinds/kind_additions.hpp"

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/json.hpp>
#include <string>

namespace watchlab::sim {

namespace {

namespace json = boost::json;

using Addition = std::optional<json::value>;

std::string_view text_beside(const json::object& object, std::string_view member) {
  const json::value* const found = object.if_contains(member);
  return found != nullptr && found->is_string() ? std::string_view(found->get_string())
                                                : std::string_view();
}

bool is_set(const json::object& object, std::string_view member) {
  const json::value* const found = object.if_contains(member);
  return found != nullptr && !found->is_null();
}

/// An image without a tag is always asked for anew, as is the newest one.
Addition pull_policy(const json::object& container) {
  const std::string_view image = text_beside(container, "image");
  const std::string_view name = image.substr(image.rfind('/') + 1);
  const std::size_t digest = name.find('@');
  const std::size_t colon = name.find(':');
  const bool is_newest = digest == std::string_view::npos &&
                         (colon == std::string_view::npos || name.substr(colon + 1) == "latest");
  return json::value(is_newest ? "Always" : "IfNotPresent");
}

/// A volume that does not say where it is is an empty folder.
Addition empty_folder(const json::object& volume) {
  const bool has_source = std::ranges::any_of(volume, [](const auto& member) {
    return member.key() != "name" && !member.value().is_null();
  });
  return has_source ? json::value() : json::value(json::object());
}

Addition policy_types(const json::object& policy) {
  json::array types{"Ingress"};
  if (const json::value* const egress = policy.if_contains("egress");
      egress != nullptr && egress->is_array() && !egress->get_array().empty()) {
    types.push_back("Egress");
  }
  return json::value(std::move(types));
}

Addition job_completions(const json::object& job) {
  return is_set(job, "parallelism") ? json::value() : json::value(1);
}

Addition target_port(const json::object& port) {
  const json::value* const number = port.if_contains("port");
  return number == nullptr ? json::value() : *number;
}

/// What is limited and not asked for is asked for as far as it is limited.
Addition asked_resources(const json::object& resources) {
  const json::value* const limits = resources.if_contains("limits");
  return limits != nullptr && limits->is_object() && !limits->get_object().empty() ? *limits
                                                                                   : json::value();
}

Addition other_account_name(const json::object& pod, std::string_view other) {
  const std::string_view name = text_beside(pod, other);
  return name.empty() ? json::value() : json::value(name);
}

Addition name_from_kind(const json::object& names, bool is_small, std::string_view end) {
  std::string name(text_beside(names, "kind"));
  if (is_small) {
    boost::algorithm::to_lower(name);
  }
  return name.empty() ? json::value() : json::value(name + std::string(end));
}

Addition family_policy(const json::object& service) {
  const json::value* const families = service.if_contains("ipFamilies");
  const bool two = families != nullptr && families->is_array() && families->get_array().size() > 1;
  return text_beside(service, "type") == "ExternalName"
             ? json::value()
             : json::value(two ? "RequireDualStack" : "SingleStack");
}

Addition ip_families(const json::object& service) {
  if (text_beside(service, "type") == "ExternalName") {
    return json::value();
  }
  return text_beside(service, "ipFamilyPolicy") == "RequireDualStack"
             ? json::value(json::array{"IPv4", "IPv6"})
             : json::value(json::array{"IPv4"});
}

}  // namespace

Addition computed_addition(const KindPlace& place, const json::object& object) {
  struct Row {
    std::string_view message;
    std::string_view field;
    Addition (*add)(const json::object& object);
    std::string_view kind = {};  ///< of the objects that it is for; "" for all
  };
  static constexpr std::array kRows{
      Row{"core/v1.Container", "imagePullPolicy", pull_policy},
      Row{"core/v1.EphemeralContainerCommon", "imagePullPolicy", pull_policy},
      Row{"core/v1.VolumeSource", "emptyDir", empty_folder},
      Row{"networking/v1.NetworkPolicySpec", "policyTypes", policy_types},
      Row{"batch/v1.JobSpec", "completions", job_completions, "Job"},
      Row{"core/v1.ServicePort", "targetPort", target_port},
      Row{"core/v1.ResourceRequirements", "requests", asked_resources},
      Row{"core/v1.PodSpec", "serviceAccount",
          [](const json::object& pod) { return other_account_name(pod, "serviceAccountName"); }},
      Row{"core/v1.PodSpec", "serviceAccountName",
          [](const json::object& pod) { return other_account_name(pod, "serviceAccount"); }},
      Row{"core/v1.ServiceSpec", "ipFamilyPolicy", family_policy},
      Row{"core/v1.ServiceSpec", "ipFamilies", ip_families},
      Row{"apiextensions/v1.CustomResourceDefinitionNames", "singular",
          [](const json::object& names) { return name_from_kind(names, true, ""); }},
      Row{"apiextensions/v1.CustomResourceDefinitionNames", "listKind",
          [](const json::object& names) { return name_from_kind(names, false, "List"); }},
  };
  const auto* const row = std::ranges::find_if(kRows, [&](const Row& each) {
    return each.field == place.field && each.message == place.message &&
           (each.kind.empty() || each.kind == place.kind);
  });
  return row == kRows.end() ? std::nullopt : row->add(object);
}

}  // namespace watchlab::sim
