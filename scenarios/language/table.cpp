#include "scenarios/language/table.hpp"

#include <fmt/format.h>

namespace watchlab::scenarios {
namespace {

std::vector<std::string> names_of(const Shape& shape) {
  std::vector<std::string> names;
  for (const FieldShape& field : shape.fields) {
    names.push_back(field.name);
  }
  return names;
}

std::vector<std::string> names_of(const Shape& shape, Presence presence) {
  std::vector<std::string> names;
  for (const FieldShape& field : shape.fields) {
    if (field.presence == presence) {
      names.push_back(field.name);
    }
  }
  return names;
}

void check_one_of(const Node& node, const Shape& shape, Reading& reading) {
  const std::vector<std::string> names = names_of(shape, Presence::OneOf);
  if (names.empty()) {
    return;
  }
  const Node::Entry* first = nullptr;
  for (const Node::Entry& entry : node.entries) {
    if (std::find(names.begin(), names.end(), entry.key) == names.end()) {
      continue;
    }
    if (first != nullptr) {
      reading.problems.add(
          {entry.place, fmt::format("'{}' beside '{}' in {}", entry.key, first->key, shape.title),
           fmt::format("one of {}", one_of(names)), ""});
    }
    first = &entry;
  }
  if (first == nullptr) {
    reading.problems.add(
        {node.place, fmt::format("{} that says nothing", shape.title), one_of(names), ""});
  }
}

}  // namespace

bool check_keys(const Node& node, const Shape& shape, Reading& reading) {
  if (node.kind != Node::Kind::Mapping) {
    put_wrong_kind(node, shape, reading);
    return false;
  }
  const std::vector<std::string> names = names_of(shape);
  bool unknown = false;
  for (const Node::Entry& entry : node.entries) {
    if (std::find(names.begin(), names.end(), entry.key) == names.end()) {
      unknown = true;
      reading.problems.add({entry.place,
                            fmt::format("unknown key '{}' in {}", entry.key, shape.title),
                            one_of(names), nearest_name(entry.key, names)});
    }
  }
  for (const std::string& name : names_of(shape, Presence::Required)) {
    if (node.find(name) == nullptr) {
      reading.problems.add(
          {node.place, fmt::format("{} without '{}'", shape.title, name), name, ""});
    }
  }
  if (!unknown) {
    check_one_of(node, shape, reading);
  }
  return true;
}

}  // namespace watchlab::scenarios
