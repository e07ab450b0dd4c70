#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "scenarios/language/scenario.hpp"
#include "sim/explore/signature.hpp"
#include "sim/kernel/run_result.hpp"

namespace watchlab::scenarios {

struct SmallerOptions {
  std::string name = "";  ///< of the smaller scenario; "" for the same as before
  std::size_t runs_max = 20'000;
  std::function<bool()> keep_going = {};  ///< false keeps what is small by then; unset for none
  std::size_t tries = 8;  ///< random schedules for each candidate, when the known one does not fit
  /// What makes two failures the same.
  std::function<std::string(const sim::Failure&)> signature = sim::signature_of;
  /// Whether a scenario that holds undisturbed has to keep holding undisturbed, so that what
  /// remains is still the race.
  bool keeps_race = true;
  /// Called with each scenario that was read from a text, before it is played: brings in what its
  /// text does not say, as the file that it stands in.
  std::function<void(Scenario&)> complete = {};
  /// Whether a smaller scenario still asks for what may be asked. Where this is given, writes may
  /// be taken away that a broken expectation would else protect.
  std::function<bool(const Scenario&)> admits = {};
};

/// A failing scenario without what the failure does not need.
struct SmallerScenario {
  std::string text;           ///< of a file; the schedule stands in it, if it needs one
  sim::Failure failure;       ///< the same mistake
  std::size_t removed = 0;    ///< values of the document: steps, faults, clients, options …
  std::size_t remaining = 0;  ///< steps of the script
  std::size_t runs = 0;       ///< that it took
};

/// Of a story with programs outside: what its text does not say and a smaller one needs, the file
/// beside which they are run and what was built.
void complete_like(const Scenario& original, Scenario& smaller);

/// Takes away from a scenario's text whatever can be taken away while it fails in the same way:
/// expectations first, then steps of the script in batches that halve, then single actions and
/// faults, clients, objects and options; last, the schedule is shrunk. A fault goes with its
/// healing or stays with it, and the time of a step that goes is given to the next one. When it
/// fails undisturbed and the failure is a broken expectation, no write is taken away, because
/// without writes expectations break for a simpler reason. `schedule` fails with the text as it is.
/// Throws `std::invalid_argument` when it does not, and for a text that is no scenario.
[[nodiscard]] SmallerScenario smaller_scenario(const std::string& text, const std::string& schedule,
                                               const SmallerOptions& options = {});

}  // namespace watchlab::scenarios
