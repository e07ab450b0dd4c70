#include "sim/apiserver/resource_definition.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <set>
#include <utility>

namespace watchlab::sim {

namespace {

namespace json = boost::json;

const json::value* part_of(const json::value& value, const char* pointer) {
  boost::system::error_code failure;
  return value.find_pointer(pointer, failure);
}

std::string text_at(const json::value& value, const char* pointer) {
  const json::value* const found = part_of(value, pointer);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

bool flag_at(const json::value& value, const char* pointer) {
  const json::value* const found = part_of(value, pointer);
  return found != nullptr && found->is_bool() && found->get_bool();
}

const json::array& list_at(const json::value& value, const char* pointer) {
  static const json::array kNone;
  const json::value* const found = part_of(value, pointer);
  return found != nullptr && found->is_array() ? found->get_array() : kNone;
}

std::vector<std::string> texts_at(const json::value& value, const char* pointer) {
  std::vector<std::string> texts;
  for (const json::value& each : list_at(value, pointer)) {
    texts.emplace_back(each.is_string() ? each.get_string() : json::string());
  }
  return texts;
}

const json::object* version_schema(const json::value& version) {
  const json::value* const schema = part_of(version, "/schema/openAPIV3Schema");
  return schema == nullptr ? nullptr : schema->if_object();
}

const json::value* storage_version(const json::value& spec) {
  const json::array& versions = list_at(spec, "/versions");
  const auto* const found =
      std::ranges::find_if(versions, [](const auto& each) { return flag_at(each, "/storage"); });
  return found == versions.end() ? nullptr : found;
}

/// Mirrors apiextensions-apiserver pkg/apiserver, defaultDeprecationWarning.
std::string deprecation_of(const json::value& spec, const json::value& version) {
  const json::value* const own = part_of(version, "/deprecationWarning");
  if (!flag_at(version, "/deprecated") || (own != nullptr && own->is_string())) {
    return flag_at(version, "/deprecated") ? std::string(own->get_string()) : "";
  }
  const std::string name = text_at(version, "/name");
  const std::string group = text_at(spec, "/group");
  const std::string kind = text_at(spec, "/names/kind");
  std::string better;
  for (const json::value& each : list_at(spec, "/versions")) {
    const std::string other = text_at(each, "/name");
    if (flag_at(each, "/served") && !flag_at(each, "/deprecated") && is_preferred(other, name) &&
        (better.empty() || is_preferred(other, better))) {
      better = other;
    }
  }
  const std::string warning = fmt::format("{}/{} {} is deprecated", group, name, kind);
  return better.empty() ? warning : fmt::format("{}; use {}/{} {}", warning, group, better, kind);
}

/// What one version says.
void take_version(const json::value& spec, const json::value& version, ResourceType& type) {
  type.resource.version = text_at(version, "/name");
  type.status_subresource = part_of(version, "/subresources/status") != nullptr;
  if (const json::value* const scale = part_of(version, "/subresources/scale");
      scale != nullptr && scale->is_object()) {
    type.scale = ScalePaths{.replicas = text_at(*scale, "/specReplicasPath"),
                            .status = text_at(*scale, "/statusReplicasPath"),
                            .selector = text_at(*scale, "/labelSelectorPath")};
  }
  if (const json::object* const schema = version_schema(version)) {
    type.schema = std::make_shared<const json::object>(*schema);
  }
  if (const json::array& columns = list_at(version, "/additionalPrinterColumns");
      !columns.empty()) {
    type.columns = std::make_shared<const json::array>(columns);
  }
  for (const json::value& each : list_at(version, "/selectableFields")) {
    const std::string path = text_at(each, "/jsonPath");
    type.selectable_fields.push_back(path.substr(std::min<std::size_t>(1, path.size())));
  }
  type.warning = deprecation_of(spec, version);
}

/// The paths of all schemas below one that have rules.
void find_rules(const json::object& schema, const std::string& path,
                std::vector<std::string>& found) {
  if (const json::value* const rules = schema.if_contains("x-kubernetes-validations");
      rules != nullptr && rules->is_array() && !rules->get_array().empty()) {
    found.push_back(path.empty() ? "the object itself" : path);
  }
  const auto below = [&](std::string_view name, const std::string& step) {
    const json::value* const part = schema.if_contains(name);
    if (part != nullptr && part->is_object()) {
      find_rules(part->get_object(), path + step, found);
    }
  };
  if (const json::value* const named = schema.if_contains("properties");
      named != nullptr && named->is_object()) {
    for (const auto& [name, value] : named->get_object()) {
      if (const json::object* const member = value.if_object()) {
        find_rules(
            *member,
            path.empty() ? std::string(name) : fmt::format("{}.{}", path, std::string_view(name)),
            found);
      }
    }
  }
  below("items", "[]");
  below("additionalProperties", ".*");
}

/// What a version's name says of its place: how stable it is, and its numbers. Mirrors apimachinery
/// version.CompareKubeAwareVersionStrings.
std::array<int, 4> rank_of(std::string_view version) {
  std::array<int, 4> rank{1, 0, 0, 0};
  const auto number_in = [](std::string_view text) {
    int number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() ? number : 0;
  };
  constexpr std::array<std::string_view, 2> kBefore{"alpha", "beta"};
  std::size_t at = version.size();
  rank[1] = 2;
  for (std::size_t i = 0; i < kBefore.size(); ++i) {
    if (const std::size_t found = version.find(kBefore[i]); found != std::string_view::npos) {
      at = found;
      rank[1] = static_cast<int>(i);
      rank[3] = number_in(version.substr(found + kBefore[i].size()));
    }
  }
  rank[2] = at > 1 ? number_in(version.substr(1, at - 1)) : 0;
  const bool is_known =
      version.starts_with('v') && rank[2] > 0 && (at == version.size() || rank[3] > 0);
  return is_known ? rank : std::array<int, 4>{0, 0, 0, 0};
}

}  // namespace

bool is_preferred(std::string_view version, std::string_view other) {
  const std::array<int, 4> one = rank_of(version);
  const std::array<int, 4> two = rank_of(other);
  return one == two ? version < other : one > two;
}

std::string storage_version_of(const json::value& spec) {
  const json::value* const stored = storage_version(spec);
  return stored == nullptr ? "" : text_at(*stored, "/name");
}

std::vector<ResourceType> types_defined_by(const json::value& spec,
                                           const std::optional<api::GroupVersionResource>& stored) {
  const ResourceType common{
      .resource = {text_at(spec, "/group"), "", text_at(spec, "/names/plural")},
      .kind = text_at(spec, "/names/kind"),
      .namespaced = text_at(spec, "/scope") != "Cluster",
      .counts_generations = true,
      .custom = true,
      .short_names = texts_at(spec, "/names/shortNames"),
      .categories = texts_at(spec, "/names/categories")};
  const std::string version = storage_version_of(spec);
  if (common.resource.group.empty() || common.resource.resource.empty() || common.kind.empty() ||
      version.empty()) {
    return {};
  }
  api::GroupVersionResource first{common.resource.group, version, common.resource.resource};
  StoredForm kept{.resource = stored.value_or(first), .version = version, .schema = nullptr};
  if (const json::object* const schema = version_schema(*storage_version(spec))) {
    kept.schema = std::make_shared<const json::object>(*schema);
  }
  const bool is_one = list_at(spec, "/versions").size() == 1 && kept.resource == first;
  const auto form = is_one ? nullptr : std::make_shared<const StoredForm>(std::move(kept));
  std::vector<ResourceType> types;
  for (const json::value& each : list_at(spec, "/versions")) {
    if (flag_at(each, "/served")) {
      ResourceType& type = types.emplace_back(common);
      take_version(spec, each, type);
      type.kept = form;
    }
  }
  return types;
}

std::vector<api::StatusCause> mistakes_in_versions(const json::value& spec) {
  const json::array& versions = list_at(spec, "/versions");
  std::vector<api::StatusCause> mistakes;
  std::set<std::string> names;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const std::string name = text_at(versions[i], "/name");
    const std::string field = fmt::format("spec.versions[{}].name", i);
    if (name.empty()) {
      mistakes.push_back({"FieldValueRequired", "Required value", field});
    } else if (!names.insert(name).second) {
      mistakes.push_back(
          {"FieldValueInvalid",
           fmt::format("Invalid value: \"{}\": must contain unique version names", name), field});
    }
  }
  if (std::ranges::count_if(versions, [](const auto& each) { return flag_at(each, "/storage"); }) !=
      1) {
    mistakes.push_back({"FieldValueInvalid",
                        fmt::format("Invalid value: {}: must have exactly one version marked as "
                                    "storage version",
                                    json::serialize(versions)),
                        "spec.versions"});
  }
  return mistakes;
}

std::vector<std::string> unheeded_parts(const json::value& spec, std::string_view name) {
  constexpr std::size_t kNamedMax = 5;
  std::vector<std::string> fields;
  for (const json::value& version : list_at(spec, "/versions")) {
    std::vector<std::string> found;
    if (const json::object* const schema = version_schema(version)) {
      find_rules(*schema, "", found);
    }
    for (const std::string& each : found) {
      fields.push_back(fmt::format("{} {}", text_at(version, "/name"), each));
    }
  }
  std::vector<std::string> parts;
  if (!fields.empty()) {
    const std::size_t more = fields.size() - std::min(fields.size(), kNamedMax);
    fields.resize(fields.size() - more);
    parts.push_back(fmt::format("watchlab does not evaluate the CEL rules of {}: {}{}", name,
                                fmt::join(fields, ", "),
                                more == 0 ? "" : fmt::format(" and {} more", more)));
  }
  if (text_at(spec, "/conversion/strategy") == "Webhook") {
    parts.push_back(
        fmt::format("watchlab does not call the conversion webhook of {}: its versions differ in "
                    "nothing but apiVersion",
                    name));
  }
  return parts;
}

}  // namespace watchlab::sim
