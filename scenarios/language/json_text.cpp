#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <system_error>

#include "scenarios/language/values.hpp"
#include "scenarios/language/yaml_scalar.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

/// What all readers of YAML take a scalar without quotes for; a problem where they differ.
json::value scalar_from(const Node& node, ParseContext& context) {
  boost::system::error_code failure;
  json::value value = json::parse(node.text.empty() ? "null" : node.text, failure);
  if (!failure && !value.is_structured() && !value.is_string()) {
    return value;
  }
  if (is_read_as_other_than_text(node.text)) {
    context.problems.add(
        {node.place, fmt::format("{} without quotes is no text", node.text),
         fmt::format("\"{}\" for a text; a number as in 12 or 1.5, true or false for those",
                     node.text),
         ""});
  }
  return json::value(node.text);
}

json::value json_from(const Node& node, ParseContext& context) {
  switch (node.kind) {
    case Node::Kind::Scalar:
      return node.quoted ? json::value(node.text) : scalar_from(node, context);
    case Node::Kind::Sequence: {
      json::array items;
      for (const Node& item : node.items) {
        items.push_back(json_from(item, context));
      }
      return items;
    }
    case Node::Kind::Mapping:
      break;
  }
  json::object members;
  for (const Node::Entry& entry : node.entries) {
    members[entry.key] = json_from(entry.value, context);
  }
  return members;
}

Node node_from(const json::value& value) {
  Node node;
  if (const json::object* members = value.if_object()) {
    node.kind = Node::Kind::Mapping;
    for (const auto& [key, member] : *members) {
      node.entries.push_back({.key = key, .place = {}, .value = node_from(member)});
    }
  } else if (const json::array* items = value.if_array()) {
    node.kind = Node::Kind::Sequence;
    std::transform(items->begin(), items->end(), std::back_inserter(node.items), node_from);
  } else if (const json::string* text = value.if_string()) {
    node.text = *text;
    node.quoted = true;
  } else {
    node.text = value.is_null() ? "" : json::serialize(value);
  }
  return node;
}

}  // namespace

Codec<std::string> json_text(std::string title, Node::Kind kind) {
  const bool is_list = kind == Node::Kind::Sequence;
  const SchemaPtr schema = std::make_shared<Schema>(
      Schema{.kind = is_list ? Schema::Kind::AnyList : Schema::Kind::AnyMapping,
             .title = std::move(title)});
  auto read = [schema, kind](const Node& node, ParseContext& context) -> std::string {
    if (node.kind != kind) {
      put_wrong_kind(node, *schema, context);
      return kind == Node::Kind::Sequence ? "[]" : "{}";
    }
    return json::serialize(json_from(node, context));
  };
  // "" is what a key that was left out leaves.
  auto write = [](const std::string& text) -> std::optional<Node> {
    return text.empty() ? std::nullopt : std::optional(node_from(json::parse(text)));
  };
  return {schema, std::move(read), std::move(write)};
}

}  // namespace watchlab::scenarios
