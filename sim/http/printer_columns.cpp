#include "sim/http/printer_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <utility>

#include "core/api/json.hpp"
#include "sim/apiserver/managed_fields.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;
using Values = std::vector<const json::value*>;

/// The name at the beginning of a path, which it shortens; `\.` is a dot in it.
std::string take_name(std::string_view& path) {
  std::string name;
  while (!path.empty() && path.front() != '.' && path.front() != '[') {
    path.remove_prefix(path.starts_with("\\.") ? 1 : 0);
    name += path.front();
    path.remove_prefix(1);
  }
  return name;
}

bool is_quoted(std::string_view text) {
  return text.size() > 1 && (text.front() == '\'' || text.front() == '"') &&
         text.back() == text.front();
}

Values members(const Values& from, std::string_view name) {
  Values found;
  for (const json::value* const each : from) {
    const json::value* const member =
        each->is_object() ? each->get_object().if_contains(name) : nullptr;
    if (member != nullptr) {
      found.push_back(member);
    }
  }
  return found;
}

/// The elements of which `is_wanted`, asked with each and its place, says so.
Values elements(const Values& from, const auto& is_wanted) {
  Values found;
  for (const json::value* const each : from) {
    const json::array* const list = each->if_array();
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      if (is_wanted(list->at(i), i)) {
        found.push_back(&list->at(i));
      }
    }
  }
  return found;
}

/// `?(@.type=="Ready")`: the elements in which a path leads to that value.
Values filtered(const Values& from, std::string_view condition) {
  const std::size_t equal = condition.find("==");
  if (!condition.starts_with("?(@") || !condition.ends_with(')') ||
      equal == std::string_view::npos) {
    return {};
  }
  const auto trimmed = [](std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return text.substr(0, text.find_last_not_of(' ') + 1);
  };
  const std::string_view path = trimmed(condition.substr(3, equal - 3));
  const std::string_view wanted =
      trimmed(condition.substr(equal + 2, condition.size() - equal - 3));
  return elements(from, [&](const json::value& each, std::size_t) {
    const Values found = values_at(each, path);
    return found.size() == 1 &&
           (found[0]->is_string() && is_quoted(wanted)
                ? std::string_view(found[0]->get_string()) == wanted.substr(1, wanted.size() - 2)
                : json::serialize(*found[0]) == wanted);
  });
}

/// What stands between brackets: a name, an index, all, or a condition.
Values chosen(const Values& from, std::string_view inside) {
  if (is_quoted(inside)) {
    return members(from, inside.substr(1, inside.size() - 2));
  }
  if (inside == "*") {
    return elements(from, [](const json::value&, std::size_t) { return true; });
  }
  std::size_t index = 0;
  const auto read = std::from_chars(inside.data(), inside.data() + inside.size(), index);
  if (read.ec == std::errc() && read.ptr == inside.data() + inside.size()) {
    return elements(from, [&](const json::value&, std::size_t i) { return i == index; });
  }
  return filtered(from, inside);
}

/// Mirrors apiextensions-apiserver pkg/registry/customresource/tableconvertor, cellForJSONValue.
std::string cell_of(const json::value& value, std::string_view type, runtime::TimePoint now) {
  if (type == "string") {
    return value.is_string() ? json::serialize(value)
                             : json::serialize(json::string(json::serialize(value)));
  }
  if (type == "date" && value.is_string()) {
    const auto moment = moment_from(value.get_string());
    return json::serialize(json::string(moment ? human_duration(now - *moment) : "<invalid>"));
  }
  if (type == "integer" && value.is_double()) {
    return std::to_string(static_cast<std::int64_t>(value.get_double()));
  }
  const bool fits = ((type == "integer" || type == "number") && value.is_number()) ||
                    (type == "boolean" && value.is_bool());
  return fits ? json::serialize(value) : "null";
}

std::string column_text(const json::value& column, std::string_view name) {
  const json::value* const found =
      column.is_object() ? column.get_object().if_contains(name) : nullptr;
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

TableColumn column_of(const json::value& described) {
  const json::value* const priority =
      described.is_object() ? described.get_object().if_contains("priority") : nullptr;
  TableColumn column{.name = column_text(described, "name"),
                     .type = column_text(described, "type"),
                     .description = column_text(described, "description")};
  if (column.description.empty()) {
    column.description = fmt::format("Custom resource definition column (in JSONPath format): {}",
                                     column_text(described, "jsonPath"));
  }
  column.priority =
      priority != nullptr && priority->is_int64() ? static_cast<int>(priority->get_int64()) : 0;
  column.cell = [path = column_text(described, "jsonPath"),
                 type = column.type](const CellSource& source) {
    boost::system::error_code failure;
    const json::value object =
        json::parse(api::to_json(source.object), failure, {}, {.max_depth = kJsonDepthMax});
    const Values found = failure ? Values() : values_at(object, path);
    return found.empty() ? "null" : cell_of(*found.front(), type, source.now);
  };
  return column;
}

}  // namespace

std::vector<TableColumn> printer_columns(const json::array& described) {
  std::vector<TableColumn> columns{columns_of({}).front()};
  for (const json::value& each : described) {
    columns.push_back(column_of(each));
  }
  return columns;
}

Values values_at(const json::value& object, std::string_view path) {
  if (path.starts_with('{') && path.ends_with('}')) {
    path = path.substr(1, path.size() - 2);
  }
  Values found{&object};
  while (!path.empty() && !found.empty()) {
    if (path.front() == '[') {
      const std::size_t end = path.find(']');
      if (end == std::string_view::npos) {
        return {};
      }
      found = chosen(found, path.substr(1, end - 1));
      path.remove_prefix(end + 1);
      continue;
    }
    path.remove_prefix(path.front() == '.' ? 1 : 0);
    if (const std::string name = take_name(path); !name.empty()) {
      found = members(found, name);
    }
  }
  return found;
}

}  // namespace watchlab::sim
