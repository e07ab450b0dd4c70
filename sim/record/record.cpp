#include "sim/record/record.hpp"

#include "sim/faults/fault_effects.hpp"

namespace watchlab::sim {

std::vector<std::string> answer_words() {
  std::vector<std::string> words{"ok", "pending"};
  for (const std::string_view word : failure_words()) {
    words.emplace_back(word);
  }
  words.emplace_back("other");
  return words;
}

std::vector<std::string> end_words() {
  return {"open", "closed", "cut", "expired", "error", "stopped"};
}

std::vector<std::string> cause_words() { return {"running", "key_error", "closed", "other"}; }

}  // namespace watchlab::sim
