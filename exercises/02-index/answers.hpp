#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "exercises/02-index/subject.hpp"
#include "exercises/toolkit/objects.hpp"

/// Short ways to ask an index and to read what it says.
namespace watchlab::exercise {

/// An index by the labels' values: an object stands under the value of each of its labels.
inline std::vector<std::string> label_values(const api::ObjectPtr& object) {
  std::vector<std::string> values;
  for (const auto& [name, value] : object->metadata.labels) {
    values.push_back(value);
  }
  return values;
}

/// The texts, sorted, with a blank between.
inline std::string sorted(std::vector<std::string> texts) {
  std::ranges::sort(texts);
  std::string text;
  for (const std::string& each : texts) {
    text.append(text.empty() ? "" : " ").append(each);
  }
  return text;
}

/// "a@1 b@2", or "error": what was answered, whatever its order.
inline std::string answer(const api::Result<IndexedStore::Objects>& objects) {
  if (!objects) {
    return "error";
  }
  std::vector<std::string> texts;
  for (const api::ObjectPtr& object : *objects) {
    texts.push_back(text_of(object));
  }
  return sorted(std::move(texts));
}
inline std::string answer(const api::Result<std::vector<std::string>>& texts) {
  return texts ? sorted(*texts) : "error";
}

/// A store with an index "labels" by the labels' values.
inline std::unique_ptr<IndexedStore> make_labelled_store(runtime::Runtime& runtime) {
  auto store = make_store(runtime);
  runtime::ensure(store->add_index("labels", label_values).ok(), "the name is free");
  return store;
}

}  // namespace watchlab::exercise
