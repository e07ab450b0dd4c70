#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scenarios/report/page_data.hpp"
#include "scenarios/report/seen_run.hpp"

/// What a picture of a run is drawn from.
namespace watchlab::scenarios {

/// What of a run is to be drawn.
struct PictureFilter {
  std::vector<std::string> clients;  ///< none stands for all
  std::vector<std::string> keys;     ///< "default/demo" or "demo"; none stands for all
  std::vector<std::string> kinds;    ///< of notes, that the picture has a place for; none: all
  std::string object;                ///< what names this anywhere; "" for all
  std::optional<std::size_t> from;   ///< a step
  std::optional<std::size_t> to;
  std::optional<std::size_t> last;  ///< so many notes
};

/// The step that an argument means: its number, or a moment since the start such as 20s; of a
/// moment the first step that is not before it. Throws `std::invalid_argument`, with the option's
/// name.
[[nodiscard]] std::size_t step_at(const SeenRun& seen, const std::string& option,
                                  const std::string& argument);

/// Names of clients that were asked for and are none. Throws `std::invalid_argument` with the
/// nearest one.
void refuse_unknown_clients(const Scenario& scenario, const std::vector<std::string>& clients);

/// What went wrong, in one line; "" when nothing did.
[[nodiscard]] std::string failure_line(const Scenario& scenario, const SeenRun& seen);
/// The step at which that is to be seen: where the record first shows it, or where the run ended.
[[nodiscard]] std::size_t failure_step(const SeenRun& seen);

/// The notes of a run, with those that pictures know beside them (see sim/trace/pictures.hpp):
/// where calls return, what workers have, what is full, and where the run failed.
[[nodiscard]] std::vector<sim::NoteRecord> picture_notes(const Scenario& scenario,
                                                         const SeenRun& seen);

/// Those that the filter asks for; faults and the failure are always among them.
[[nodiscard]] std::vector<sim::NoteRecord> filtered(std::vector<sim::NoteRecord> notes,
                                                    const Scenario& scenario,
                                                    const PictureFilter& filter);

/// The notes around those steps, with a note wherever others are left out.
[[nodiscard]] std::vector<sim::NoteRecord> around(const std::vector<sim::NoteRecord>& notes,
                                                  const std::vector<std::size_t>& steps);

/// The numbers of the steps around those, of a run that has `count`.
[[nodiscard]] std::set<std::size_t> steps_around(const std::vector<std::size_t>& steps,
                                                 std::size_t count);

}  // namespace watchlab::scenarios
