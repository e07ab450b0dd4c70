#include "sim/linearizability/model.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace watchlab::sim::linearizability {

void refuse_method(const Model& model, const Request& asked) {
  throw std::invalid_argument(fmt::format("a {} has no method '{}'", model.name(), asked.method));
}

}  // namespace watchlab::sim::linearizability
