#pragma once

#include <functional>
#include <memory>

#include "core/api/options.hpp"
#include "sim/faults/fault.hpp"

namespace watchlab::sim {

/// A fault that changes the lists which the server answers and lets all else pass. `change` is
/// given a copy; the code of the answer stays.
[[nodiscard]] std::unique_ptr<Fault> list_fault(std::function<void(api::ObjectList&)> change);

}  // namespace watchlab::sim
