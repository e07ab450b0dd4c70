#include <algorithm>
#include <boost/json.hpp>
#include <system_error>

#include "scenarios/language/values.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

/// What YAML takes a scalar without quotes for.
json::value scalar_from(const std::string& text) {
  boost::system::error_code failure;
  json::value value = json::parse(text.empty() ? "null" : text, failure);
  const bool is_scalar = !failure && !value.is_structured() && !value.is_string();
  return is_scalar ? value : json::value(text);
}

json::value json_from(const Node& node) {
  switch (node.kind) {
    case Node::Kind::Scalar:
      return node.quoted ? json::value(node.text) : scalar_from(node.text);
    case Node::Kind::Sequence: {
      json::array items;
      for (const Node& item : node.items) {
        items.push_back(json_from(item));
      }
      return items;
    }
    case Node::Kind::Mapping:
      break;
  }
  json::object members;
  for (const Node::Entry& entry : node.entries) {
    members[entry.key] = json_from(entry.value);
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
    return json::serialize(json_from(node));
  };
  // "" is what a key that was left out leaves.
  auto write = [](const std::string& text) -> std::optional<Node> {
    return text.empty() ? std::nullopt : std::optional(node_from(json::parse(text)));
  };
  return {schema, std::move(read), std::move(write)};
}

}  // namespace watchlab::scenarios
