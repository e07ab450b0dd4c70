#include "scenarios/serve/kubeconfig.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <optional>

#include "core/client/tls_channel.hpp"
#include "scenarios/serve/yaml_body.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/status_bodies.hpp"
#include "sim/network/http_names.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

/// The text at a member; "" when there is none.
std::string text_in(const json::value& from, std::string_view member) {
  const json::object* const object = from.if_object();
  const json::value* const value = object == nullptr ? nullptr : object->if_contains(member);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : "";
}

/// What `list` of the file has under that name: `{name: NAME, KIND: {…}}`. Null when it has none.
json::value named(const json::value& file, std::string_view list, const std::string& name) {
  const json::object& root = file.as_object();
  const json::value* const items = root.if_contains(list);
  if (items == nullptr || !items->is_array()) {
    return nullptr;
  }
  const std::string_view kind = list.substr(0, list.size() - 1);
  for (const json::value& item : items->as_array()) {
    if (item.is_object() && text_in(item, "name") == name && item.as_object().contains(kind)) {
      return item.as_object().at(kind);
    }
  }
  return nullptr;
}

api::Error wrong(const std::string& what) {
  return api::error_from(sim::status_bodies::bad_request("the kubeconfig " + what));
}

}  // namespace

std::string kubeconfig_text(const ServerAccess& access, const std::vector<ServerAccess>& others) {
  std::string clusters;
  std::string users;
  std::string contexts;
  const auto add = [&](const ServerAccess& each) {
    const std::string user =
        each.token.empty() ? "{}" : "{token: " + json::serialize(json::string(each.token)) + "}";
    const std::string authority = each.authority.empty() ? ""
                                                         : ", certificate-authority-data: " +
                                                               client::to_base64(each.authority);
    clusters += fmt::format("- name: {}\n  cluster: {{server: \"{}\"{}}}\n", each.name, each.server,
                            authority);
    users += fmt::format("- name: {}\n  user: {}\n", each.name, user);
    contexts += fmt::format("- name: {0}\n  context: {{cluster: {0}, user: {0}}}\n", each.name);
  };
  add(access);
  for (const ServerAccess& each : others) {
    add(each);
  }
  return fmt::format(
      "apiVersion: v1\nkind: Config\nclusters:\n{}users:\n{}contexts:\n{}current-context: {}\n",
      clusters, users, contexts, access.name);
}

api::Result<ServerAccess> access_from(std::string_view kubeconfig) {
  const api::Result<sim::ReadBody> text = json_from_yaml(kubeconfig);
  if (!text) {
    return text.error();
  }
  const json::value file = json::parse(text->json, {}, {.max_depth = sim::kJsonDepthMax});
  const std::string current = text_in(file, "current-context");
  const json::value context = named(file, "contexts", current);
  const json::value cluster = named(file, "clusters", text_in(context, "cluster"));
  const json::value user = named(file, "users", text_in(context, "user"));
  ServerAccess access{.server = text_in(cluster, "server"), .token = text_in(user, "token")};
  if (access.server.empty()) {
    return wrong("names no server in its current context");
  }
  const std::optional<std::string> authority =
      client::from_base64(text_in(cluster, "certificate-authority-data"));
  if (!authority) {
    return wrong("has a certificate-authority-data that is no base64");
  }
  access.authority = *authority;
  return access;
}

}  // namespace watchlab::scenarios
