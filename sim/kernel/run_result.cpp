#include "sim/kernel/run_result.hpp"

#include <fmt/format.h>

#include "sim/kernel/place_text.hpp"

namespace watchlab::sim {

std::string StepRecord::to_text() const {
  return fmt::format("{}: {}{}{} ({})", task, verb_for(kind), object.empty() ? "" : " ", object,
                     place_text(here));
}

}  // namespace watchlab::sim
