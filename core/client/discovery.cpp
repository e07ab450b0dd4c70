#include "core/client/discovery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

namespace watchlab::client {

namespace {

namespace json = boost::json;

api::Result<json::value> page_at(RestClient& client, const runtime::StopToken& stop,
                                 const std::string& path) {
  const api::Result<RestAnswer> answer = client.request(stop, {.path = path});
  if (!answer) {
    return answer.error();
  }
  boost::system::error_code failure;
  json::value page = json::parse(answer->body, failure);
  if (failure || !page.is_object()) {
    return api::Error{api::ErrorKind::Decode, path + " of the server is no JSON object", {}};
  }
  return page;
}

/// The text under a member; "" when there is none.
std::string member_text(const json::value& from, std::string_view member) {
  const json::object* const object = from.if_object();
  const json::value* const value = object == nullptr ? nullptr : object->if_contains(member);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : "";
}

/// Calls `take` with each element of a member that is an array.
template <typename Take>
void each_in(const json::value& from, std::string_view member, Take take) {
  const json::object* const object = from.if_object();
  const json::value* const value = object == nullptr ? nullptr : object->if_contains(member);
  if (value != nullptr && value->is_array()) {
    for (const json::value& each : value->as_array()) {
      take(each);
    }
  }
}

/// Adds what the server has in a version of a group.
api::Result<void> add_version(RestClient& client, const runtime::StopToken& stop,
                              const std::string& group_version,
                              std::vector<ServedResource>& found) {
  const std::size_t slash = group_version.find('/');
  const bool is_core = slash == std::string::npos;
  const std::string group = is_core ? "" : group_version.substr(0, slash);
  const std::string version = is_core ? group_version : group_version.substr(slash + 1);
  const api::Result<json::value> page =
      page_at(client, stop, (is_core ? "/api/" : "/apis/") + group_version);
  if (!page) {
    return page.error();
  }
  each_in(*page, "resources", [&](const json::value& each) {
    const std::string name = member_text(each, "name");
    if (name.empty() || name.find('/') != std::string::npos) {
      return;  // a part of an object, such as its status
    }
    const json::value* const namespaced = each.as_object().if_contains("namespaced");
    ServedResource served{
        .resource = {group, version, name},
        .kind = member_text(each, "kind"),
        .namespaced = namespaced != nullptr && namespaced->is_bool() && namespaced->as_bool(),
        .singular = member_text(each, "singularName")};
    each_in(each, "shortNames", [&](const json::value& text) {
      if (text.is_string()) {
        served.short_names.emplace_back(text.as_string());
      }
    });
    found.push_back(std::move(served));
  });
  return {};
}

bool is_called(const ServedResource& served, std::string_view name) {
  const std::string& plural = served.resource.resource;
  return name == plural || name == served.singular || name == served.kind ||
         name == plural + "." + served.resource.group ||
         name == plural + "." + served.resource.version + "." + served.resource.group ||
         std::find(served.short_names.begin(), served.short_names.end(), name) !=
             served.short_names.end();
}

/// The names that begin as the one that was asked for, or all when none does.
std::string names_near(const std::vector<ServedResource>& all, std::string_view name) {
  std::string near;
  std::string every;
  for (const ServedResource& served : all) {
    const std::string& plural = served.resource.resource;
    every += (every.empty() ? "" : ", ") + plural;
    if (plural.substr(0, 2) == name.substr(0, 2)) {
      near += (near.empty() ? "" : ", ") + plural;
    }
  }
  return near.empty() ? every : near;
}

}  // namespace

api::Result<std::vector<ServedResource>> served_resources(RestClient& client,
                                                          const runtime::StopToken& stop) {
  std::vector<std::string> versions{"v1"};
  const api::Result<json::value> groups = page_at(client, stop, "/apis");
  if (!groups) {
    return groups.error();
  }
  each_in(*groups, "groups", [&](const json::value& group) {
    const json::object* const object = group.if_object();
    const json::value* const preferred =
        object == nullptr ? nullptr : object->if_contains("preferredVersion");
    if (preferred != nullptr) {
      versions.push_back(member_text(*preferred, "groupVersion"));
    }
  });
  std::vector<ServedResource> found;
  for (const std::string& version : versions) {
    if (const api::Result<void> added = add_version(client, stop, version, found); !added) {
      return added.error();
    }
  }
  return found;
}

api::Result<ServedResource> find_resource(RestClient& client, const runtime::StopToken& stop,
                                          const std::string& name) {
  const api::Result<std::vector<ServedResource>> all = served_resources(client, stop);
  if (!all) {
    return all.error();
  }
  const auto found = std::find_if(
      all->begin(), all->end(), [&](const ServedResource& each) { return is_called(each, name); });
  if (found == all->end()) {
    return api::Error{
        api::ErrorKind::Other,
        fmt::format("the server has no resource '{}'; there are: {}", name, names_near(*all, name)),
        {}};
  }
  return *found;
}

}  // namespace watchlab::client
