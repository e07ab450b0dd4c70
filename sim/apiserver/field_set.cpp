#include "sim/apiserver/field_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

namespace watchlab::sim {

namespace {

namespace json = boost::json;

/// "name=\"web\"": what is between the brackets for an element with a key.
std::string key_text(std::string_view key) {
  boost::system::error_code error;
  const json::value members = json::parse(key, error);
  std::string text;
  if (!error && members.is_object()) {
    for (const auto& [name, value] : members.get_object()) {
      text += fmt::format("{}{}={}", text.empty() ? "" : ",", std::string_view(name),
                          json::serialize(value));
    }
  }
  return text;
}

bool begins_with(const FieldPath& path, const FieldPath& start) {
  return path.size() >= start.size() && std::equal(start.begin(), start.end(), path.begin());
}

void read_below(const json::object& node, const FieldPath& path, FieldSet& set) {
  if (!path.empty() && (node.empty() || node.contains("."))) {
    set.insert(path);
  }
  for (const auto& [step, below] : node) {
    if (step != "." && below.is_object()) {
      FieldPath longer = path;
      longer.emplace_back(step);
      read_below(below.get_object(), longer, set);
    }
  }
}

}  // namespace

std::string path_text(const FieldPath& path) {
  std::string text;
  for (const std::string& step : path) {
    const std::string_view rest =
        std::string_view(step).substr(std::min<std::size_t>(2, step.size()));
    if (step.starts_with("f:")) {
      text.append(".").append(rest);
    } else if (step.starts_with("k:")) {
      text += fmt::format("[{}]", key_text(rest));
    } else {
      text += fmt::format("[={}]", rest);
    }
  }
  return text;
}

FieldSet FieldSet::from_json(std::string_view text) {
  boost::system::error_code error;
  const json::value root = json::parse(text, error);
  FieldSet set;
  if (!error && root.is_object()) {
    read_below(root.get_object(), {}, set);
  }
  return set;
}

std::string FieldSet::to_json() const {
  json::object root;
  for (const FieldPath& path : paths_) {
    json::object* node = &root;
    for (const std::string& step : path) {
      // An owned field gets its "." only now that something below it is known.
      const FieldPath here(path.begin(), path.begin() + (&step - path.data()));
      if (!here.empty() && paths_.contains(here)) {
        node->emplace(".", json::object());
      }
      node = &node->emplace(step, json::object()).first->value().get_object();
    }
  }
  return json::serialize(root);
}

bool FieldSet::reaches(const FieldPath& path) const {
  const auto found = paths_.lower_bound(path);
  return found != paths_.end() && begins_with(*found, path);
}

void FieldSet::add(const FieldSet& other) {
  paths_.insert(other.paths_.begin(), other.paths_.end());
}

void FieldSet::subtract(const FieldSet& other) {
  std::erase_if(paths_, [&other](const FieldPath& path) { return other.contains(path); });
}

FieldSet FieldSet::shared_with(const FieldSet& other) const {
  FieldSet shared;
  for (const FieldPath& path : paths_) {
    if (other.contains(path)) {
      shared.insert(path);
    }
  }
  return shared;
}

}  // namespace watchlab::sim
