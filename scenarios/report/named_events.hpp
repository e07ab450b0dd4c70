#pragma once

#include <cstddef>
#include <vector>

#include "scenarios/report/page_data.hpp"
#include "scenarios/report/seen_run.hpp"

namespace watchlab::scenarios {

/// Which of the events show a named entry, such as a request and its answer, in their order. None
/// where the run has written nothing down about it.
[[nodiscard]] std::vector<std::size_t> events_of(const sim::NamedEntry& entry, const PageData& data,
                                                 const SeenRun& seen);

}  // namespace watchlab::scenarios
