#include "sim/apiserver/json_patch.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;
using Path = std::vector<std::string>;

api::Error unreadable() {
  return api::error_from(status_bodies::bad_request("the patch cannot be read"));
}

api::Error not_applicable(const std::string& why) {
  return api::error_from(
      api::failure(api::StatusReason::Invalid,
                   "the server rejected our request due to an error in our request: " + why));
}

std::optional<json::value> parsed_value(const std::string& text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  return error ? std::nullopt : std::optional(std::move(value));
}

void merge(json::value& target, const json::value& patch) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  json::object& members = target.is_object() ? target.get_object() : target.emplace_object();
  for (const auto& [name, value] : patch.get_object()) {
    if (value.is_null()) {
      members.erase(name);
    } else {
      merge(members[name], value);
    }
  }
}

void merge_strategically(json::value& target, const json::value& patch);

/// Whether an element of a list only says that one of its key goes.
bool is_deletion(const json::value& element) {
  const json::value* directive =
      element.is_object() ? element.get_object().if_contains("$patch") : nullptr;
  return directive != nullptr && *directive == "delete";
}

/// A list that is not there yet: there is nothing to delete from it.
json::array new_list(const json::array& patch) {
  json::array list;
  for (const json::value& element : patch) {
    if (!is_deletion(element)) {
      merge_strategically(list.emplace_back(nullptr), element);
    }
  }
  return list;
}

void merge_lists(json::array& target, const json::array& patch, std::string_view key) {
  for (const json::value& element : patch) {
    const json::value* name = element.is_object() ? element.get_object().if_contains(key) : nullptr;
    auto* found = std::find_if(target.begin(), target.end(), [&](const json::value& each) {
      const auto* other = each.is_object() ? each.get_object().if_contains(key) : nullptr;
      return name != nullptr && other != nullptr && *other == *name;
    });
    if (is_deletion(element)) {
      if (found != target.end()) {
        target.erase(found);
      }
    } else if (found != target.end()) {
      merge_strategically(*found, element);
    } else {
      target.push_back(element);
    }
  }
}

void merge_strategically(json::value& target, const json::value& patch) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  json::object& members = target.is_object() ? target.get_object() : target.emplace_object();
  for (const auto& [name, value] : patch.get_object()) {
    const std::optional<std::string_view> key = merge_key_of({name.data(), name.size()});
    json::value* present = members.if_contains(name);
    if (value.is_null()) {
      members.erase(name);
    } else if (key && value.is_array() && present != nullptr && present->is_array()) {
      merge_lists(present->get_array(), value.get_array(), *key);
    } else if (key && value.is_array()) {
      members[name] = new_list(value.get_array());
    } else {
      merge_strategically(members[name], value);
    }
  }
}

/// The steps of a JSON pointer; nothing when it is none.
std::optional<Path> path_of(std::string_view pointer) {
  Path path;
  if (!pointer.empty() && pointer.front() != '/') {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      path.emplace_back();
    } else if (pointer[i] == '~') {
      // "~0" and "~1" stand for "~" and "/"; nothing else may follow (RFC 6901, section 3).
      const char sign = i + 1 < pointer.size() ? pointer[++i] : '\0';
      if (sign != '0' && sign != '1') {
        return std::nullopt;
      }
      path.back().push_back(sign == '1' ? '/' : '~');
    } else {
      path.back().push_back(pointer[i]);
    }
  }
  return path;
}

/// An index is "0", or digits of which the first is none (RFC 6901, section 4).
std::optional<std::size_t> index_in(const json::array& list, const std::string& step) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  const bool whole = error == std::errc() && end == step.data() + step.size() &&
                     (step.size() == 1 || step.front() != '0');
  return whole && index <= list.size() ? std::optional(index) : std::nullopt;
}

/// What a path leads to; null when it leads nowhere.
json::value* find(json::value& document, const Path& path, std::size_t steps) {
  json::value* at = &document;
  for (std::size_t i = 0; i < steps && at != nullptr; ++i) {
    if (at->is_object()) {
      at = at->get_object().if_contains(path[i]);
    } else if (at->is_array()) {
      const std::optional<std::size_t> index = index_in(at->get_array(), path[i]);
      at = index && *index < at->get_array().size() ? &at->get_array()[*index] : nullptr;
    } else {
      at = nullptr;
    }
  }
  return at;
}

bool add(json::value& document, const Path& path, json::value value) {
  if (path.empty()) {
    document = std::move(value);
    return true;
  }
  json::value* parent = find(document, path, path.size() - 1);
  if (parent != nullptr && parent->is_object()) {
    parent->get_object()[path.back()] = std::move(value);
    return true;
  }
  if (parent == nullptr || !parent->is_array()) {
    return false;
  }
  json::array& list = parent->get_array();
  const std::optional<std::size_t> index =
      path.back() == "-" ? std::optional(list.size()) : index_in(list, path.back());
  if (index) {
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
  }
  return index.has_value();
}

bool remove(json::value& document, const Path& path) {
  if (path.empty() || find(document, path, path.size()) == nullptr) {
    return false;
  }
  json::value& parent = *find(document, path, path.size() - 1);
  if (parent.is_object()) {
    parent.get_object().erase(path.back());
  } else {
    json::array& list = parent.get_array();
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(*index_in(list, path.back())));
  }
  return true;
}

/// One operation of a JSON patch, read.
struct PatchOperation {
  std::string name;
  Path path;
  std::optional<Path> from;
  const json::value* value = nullptr;
};

std::optional<PatchOperation> operation_of(const json::value& text) {
  const auto member = [&](const char* name) {
    const json::value* found = text.is_object() ? text.get_object().if_contains(name) : nullptr;
    return found != nullptr && found->is_string() ? std::optional<std::string>(found->get_string())
                                                  : std::nullopt;
  };
  const std::optional<std::string> name = member("op");
  const std::optional<std::string> path = member("path");
  const std::optional<Path> steps = path ? path_of(*path) : std::nullopt;
  if (!name || !steps) {
    return std::nullopt;
  }
  PatchOperation operation{*name, *steps, std::nullopt, text.get_object().if_contains("value")};
  if (const std::optional<std::string> from = member("from")) {
    operation.from = path_of(*from);
  }
  const bool needs_value = *name == "add" || *name == "replace" || *name == "test";
  const bool needs_from = *name == "move" || *name == "copy";
  const bool known = needs_value || needs_from || *name == "remove";
  const bool complete =
      (!needs_value || operation.value != nullptr) && (!needs_from || operation.from.has_value());
  return known && complete ? std::optional(std::move(operation)) : std::nullopt;
}

bool apply(json::value& document, const PatchOperation& operation) {
  if (operation.name == "add") {
    return add(document, operation.path, *operation.value);
  }
  if (operation.name == "remove") {
    return remove(document, operation.path);
  }
  json::value* at = find(document, operation.path, operation.path.size());
  if (operation.name == "test") {
    return at != nullptr && *at == *operation.value;
  }
  if (operation.name == "replace") {
    if (at != nullptr) {
      *at = *operation.value;
    }
    return at != nullptr;
  }
  const json::value* source = find(document, *operation.from, operation.from->size());
  if (source == nullptr) {
    return false;
  }
  json::value moved = *source;
  return (operation.name == "copy" || remove(document, *operation.from)) &&
         add(document, operation.path, std::move(moved));
}

api::Result<std::string> merged(const std::string& document, const std::string& patch,
                                void (*how)(json::value&, const json::value&)) {
  std::optional<json::value> target = parsed_value(document);
  const std::optional<json::value> change = parsed_value(patch);
  if (!target || !change || !change->is_object()) {
    return unreadable();
  }
  how(*target, *change);
  return json::serialize(*target);
}

}  // namespace

api::Result<std::string> merge_patched(const std::string& document, const std::string& patch) {
  return merged(document, patch, merge);
}

api::Result<std::string> strategic_patched(const std::string& document, const std::string& patch) {
  return merged(document, patch, merge_strategically);
}

api::Result<std::string> json_patched(const std::string& document, const std::string& patch) {
  std::optional<json::value> target = parsed_value(document);
  const std::optional<json::value> operations = parsed_value(patch);
  if (!target || !operations || !operations->is_array()) {
    return unreadable();
  }
  for (const json::value& each : operations->get_array()) {
    const std::optional<PatchOperation> operation = operation_of(each);
    if (!operation) {
      return unreadable();
    }
    if (!apply(*target, *operation)) {
      return not_applicable("the operation \"" + operation->name + "\" does not fit the object");
    }
  }
  return json::serialize(*target);
}

}  // namespace watchlab::sim
