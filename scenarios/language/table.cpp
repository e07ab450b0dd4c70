#include "scenarios/language/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <utility>

namespace watchlab::scenarios {
namespace {

std::vector<std::string> names_of(const Schema& schema, Presence presence) {
  return names_of(std::views::filter(
      schema.fields, [presence](const FieldSchema& field) { return field.presence == presence; }));
}

void check_one_of(const Node& node, const Schema& schema, ParseContext& context) {
  const std::vector<std::string> names = names_of(schema, Presence::OneOf);
  if (names.empty()) {
    return;
  }
  const Node::Entry* first = nullptr;
  for (const Node::Entry& entry : node.entries) {
    if (std::find(names.begin(), names.end(), entry.key) == names.end()) {
      continue;
    }
    if (first != nullptr) {
      context.problems.add(
          {entry.place, fmt::format("'{}' beside '{}' in {}", entry.key, first->key, schema.title),
           std::ranges::count(names, "atomic") > 0
               ? "a step for each, or both in 'atomic: [...]' at one instant"
               : "only one of them",
           ""});
    }
    first = &entry;
  }
  if (first == nullptr) {
    context.problems.add(
        {node.place, fmt::format("{} that says nothing", schema.title), one_of(names), ""});
  }
}

/// One problem for all keys that are missing.
void check_required(const Node& node, const Schema& schema, ParseContext& context) {
  std::string missing;
  std::string examples;
  for (const FieldSchema& field : schema.fields) {
    if (field.presence == Presence::Required && node.find(field.name) == nullptr) {
      missing += fmt::format("{}'{}'", missing.empty() ? "" : " and ", field.name);
      examples += examples.empty() ? "" : " and ";
      examples += field.example.empty() ? field.name : fmt::format("'{}'", field.example);
    }
  }
  if (!missing.empty()) {
    context.problems.add(
        {node.place, fmt::format("{} without {}", schema.title, missing), examples, ""});
  }
}

/// "name:app" and "name=app" are keys without a value, and not what their author means; "-name" is
/// no entry of a list.
std::optional<Problem> key_joined_to_its_value(const Node::Entry& entry, const Schema& schema,
                                               std::span<const std::string> names) {
  const std::string what = fmt::format("'{}' in {}", entry.key, schema.title);
  const std::size_t end = entry.key.find_first_of(":=");
  if (end != std::string::npos && std::ranges::count(names, entry.key.substr(0, end)) > 0) {
    return Problem{entry.place, what,
                   fmt::format("a ':' and a space, as in '{}: {}'", entry.key.substr(0, end),
                               entry.key.substr(end + 1)),
                   ""};
  }
  if (entry.key.starts_with('-') && std::ranges::count(names, entry.key.substr(1)) > 0) {
    return Problem{entry.place, what, fmt::format("'- {}', with a space", entry.key.substr(1)), ""};
  }
  return std::nullopt;
}

}  // namespace

bool check_keys(const Node& node, const Schema& schema, ParseContext& context) {
  if (node.kind != Node::Kind::Mapping) {
    put_wrong_kind(node, schema, context);
    return false;
  }
  const std::vector<std::string> names = names_of(schema.fields);
  bool unknown = false;
  for (const Node::Entry& entry : node.entries) {
    const auto field = std::ranges::find_if(
        schema.fields, [&](const FieldSchema& each) { return each.is_called(entry.key); });
    if (field == schema.fields.end()) {
      unknown = true;
      if (auto joined = key_joined_to_its_value(entry, schema, names)) {
        context.problems.add(*std::move(joined));
        continue;
      }
      context.problems.add({entry.place,
                            fmt::format("unknown key '{}' in {}", entry.key, schema.title),
                            one_of(names), nearest_name(entry.key, names)});
    } else if (field->name != entry.key) {
      context.renamings.push_back({entry.place, entry.key, field->name, schema.title});
      if (node.find(field->name) != nullptr) {
        context.problems.add(
            {entry.place,
             fmt::format("'{}' beside '{}', which it was called before", entry.key, field->name),
             "only " + field->name, ""});
      }
    }
  }
  if (unknown) {
    return true;  // what seems to be missing may be what has a wrong name
  }
  check_required(node, schema, context);
  check_one_of(node, schema, context);
  return true;
}

}  // namespace watchlab::scenarios
