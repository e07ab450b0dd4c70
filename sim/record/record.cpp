#include "sim/record/record.hpp"

namespace watchlab::sim {

std::vector<std::string> cause_words() { return {"running", "key_error", "closed", "other"}; }

}  // namespace watchlab::sim
