#include "scenarios/language/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

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
           fmt::format("one of {}", one_of(names)), ""});
    }
    first = &entry;
  }
  if (first == nullptr) {
    context.problems.add(
        {node.place, fmt::format("{} that says nothing", schema.title), one_of(names), ""});
  }
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
  for (const std::string& name : names_of(schema, Presence::Required)) {
    if (node.find(name) == nullptr) {
      context.problems.add(
          {node.place, fmt::format("{} without '{}'", schema.title, name), name, ""});
    }
  }
  if (!unknown) {
    check_one_of(node, schema, context);
  }
  return true;
}

}  // namespace watchlab::scenarios
