#include "sim/story/record.hpp"

namespace watchlab::sim {

std::vector<std::string> answer_words() {
  return {"ok",          "pending",      "refused",   "reset",        "eof",      "timeout",
          "cancelled",   "expired",      "gone",      "too_large_rv", "too_many", "internal",
          "unavailable", "unauthorized", "forbidden", "not_found",    "invalid",  "other"};
}

std::vector<std::string> end_words() {
  return {"open", "closed", "cut", "expired", "error", "stopped"};
}

std::vector<std::string> cause_words() { return {"running", "key_error", "closed", "other"}; }

}  // namespace watchlab::sim
