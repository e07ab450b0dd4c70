#include "sim/apiserver/object_names.hpp"

#include <fmt/format.h>

#include "core/api/names.hpp"

namespace watchlab::sim {

namespace {

constexpr std::size_t kLabelMax = 63;
constexpr std::size_t kNameMax = 253;

bool is_path_segment(std::string_view text) {
  return !text.empty() && text != "." && text != ".." &&
         text.find_first_of("/%") == std::string_view::npos;
}

}  // namespace

std::string broken_rule_of_name(const ResourceType& type, std::string_view name) {
  const std::string& resource = type.resource.resource;
  const bool is_core = type.resource.group.empty();
  const bool is_service = is_core && resource == "services";
  const bool is_label = is_service || (is_core && resource == "namespaces");
  const bool is_bundle = type.resource.group == "certificates.k8s.io" &&
                         resource == "clustertrustbundles";  // after its signer: "a.io/b:name"
  if (type.resource.group == "rbac.authorization.k8s.io" || is_bundle) {
    return is_path_segment(name) ? ""
                                 : "a part of a path: not '.' or '..', and without '/' and '%'";
  }
  const std::size_t longest = is_label ? kLabelMax : kNameMax;
  if (name.size() > longest) {
    return fmt::format("no more than {} characters", longest);
  }
  if (is_service) {
    return api::is_dns_label(name) && name.front() >= 'a'
               ? ""
               : "a lowercase RFC 1035 label: letters, digits and '-', with a letter at the start "
                 "and a letter or a digit at the end";
  }
  if (is_label) {
    return api::is_dns_label(name)
               ? ""
               : "a lowercase RFC 1123 label: letters, digits and '-', with a letter or a digit at "
                 "both ends";
  }
  return api::is_dns_subdomain(name) ? ""
                                     : "a lowercase RFC 1123 subdomain: letters, digits, '-' and "
                                       "'.', with a letter or a digit at both ends";
}

}  // namespace watchlab::sim
