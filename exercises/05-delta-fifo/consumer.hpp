#pragma once

#include <set>
#include <string>
#include <vector>

#include "exercises/05-delta-fifo/subject.hpp"
#include "exercises/toolkit/objects.hpp"

/// What the tests of your queue are made of.
namespace watchlab::exercise {

/// "Added demo@1, Deleted demo@2".
inline std::string text_of(const Changes& changes) {
  std::string text;
  for (const Change& change : changes) {
    const char* type = change.type == ChangeType::Added     ? "Added "
                       : change.type == ChangeType::Updated ? "Updated "
                                                            : "Deleted ";
    text.append(text.empty() ? "" : ", ").append(type).append(text_of(change.object));
  }
  return text;
}

/// The texts, with a blank between.
inline std::string joined(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& each : texts) {
    text.append(text.empty() ? "" : " ").append(each);
  }
  return text;
}

/// Pops and keeps the keys of what exists. It has no lock: the queue's must do.
class Consumer final : public Known {
 public:
  [[nodiscard]] bool has(const std::string& key) const override { return keys_.contains(key); }

  /// Knows the object from before.
  void know(const std::string& key) { keys_.insert(key); }
  /// Pops once; what was delivered, as text, or "closed".
  std::string pop(DeltaQueue& queue) {
    std::string deltas = "closed";
    const bool popped = queue.pop([&](const std::string& key, const Changes& changes) {
      deltas = text_of(changes);
      if (changes.back().type == ChangeType::Deleted) {
        keys_.erase(key);
      } else {
        keys_.insert(key);
      }
    });
    return popped ? deltas : "closed";
  }

 private:
  std::set<std::string> keys_;
};

}  // namespace watchlab::exercise
