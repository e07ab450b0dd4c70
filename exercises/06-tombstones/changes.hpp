#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "exercises/06-tombstones/subject.hpp"
#include "exercises/toolkit/objects.hpp"

/// Short ways to read what a queue delivers.
namespace watchlab::exercise {

/// "Added demo@1, Deleted gone(demo@1)".
inline std::string text_of(const cache::Deltas& deltas) {
  std::string text;
  for (const cache::Delta& delta : deltas) {
    text.append(text.empty() ? "" : ", ").append(cache::to_string(delta.type)).append(" ");
    text.append(text_of(delta.object));
  }
  return text;
}

/// Pops until nothing is queued; gives what was delivered of the object with that key, in order, as
/// text.
inline std::string deltas_of(ChangeQueue& queue, const std::string& key) {
  cache::Deltas deltas;
  while (!queue.empty()) {
    for (const cache::Delta& delta : queue.pop()) {
      const api::ObjectPtr object = cache::object_of(delta.object);
      if (object != nullptr && api::key_of(object->metadata) == key) {
        deltas.push_back(delta);
      }
    }
  }
  return text_of(deltas);
}

/// "a@1 b@2": what is stored, by key.
inline std::string text_of_store(const ChangeQueue& queue) {
  std::vector<std::string> texts;
  for (const api::ObjectPtr& object : queue.stored()) {
    texts.push_back(text_of(object));
  }
  std::ranges::sort(texts);
  std::string text;
  for (const std::string& each : texts) {
    text.append(text.empty() ? "" : " ").append(each);
  }
  return text;
}

}  // namespace watchlab::exercise
