#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "scenarios/report/page_data.hpp"
#include "scenarios/report/seen_run.hpp"

/// What a picture of a run is drawn from.
namespace watchlab::scenarios {

/// The notes of a run, with those that pictures know beside them (see sim/trace/pictures.hpp):
/// where calls return, what workers have, what is full, which steps decide, and where the run
/// failed.
[[nodiscard]] std::vector<sim::NoteRecord> picture_notes(const Scenario& scenario,
                                                         const SeenRun& seen,
                                                         const std::vector<TurningPoint>& turns);

/// The notes around those steps, with a note wherever others are left out.
[[nodiscard]] std::vector<sim::NoteRecord> around(const std::vector<sim::NoteRecord>& notes,
                                                  const std::vector<std::size_t>& steps);

/// The numbers of the steps around those, of a run that has `count`.
[[nodiscard]] std::set<std::size_t> steps_around(const std::vector<std::size_t>& steps,
                                                 std::size_t count);

}  // namespace watchlab::scenarios
