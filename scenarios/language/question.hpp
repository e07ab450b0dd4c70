#pragma once

#include <string>
#include <vector>

#include "core/runtime/time.hpp"
#include "scenarios/language/values.hpp"
#include "sim/record/record.hpp"

/// Questions about a run that the run itself answers.
namespace watchlab::scenarios {

/// What of a run's record answers a question.
struct Measure {
  std::string layer;  ///< requests, deltas or calls
  std::string of;     ///< a client or handler; "" for all
  std::string verb;   ///< "LIST", "Sync", "update"; "" for all
  runtime::Duration from{0};
  runtime::Duration until = runtime::Duration::max();
  std::string show = "count";  ///< count or lines

  bool operator==(const Measure&) const = default;
};

/// What a page asks before it shows the answer.
struct Question {
  std::string ask;
  Measure measure;

  bool operator==(const Question&) const = default;
};

/// `of` says what the measure's `of` may be.
[[nodiscard]] Codec<Measure> measure_grammar(Codec<std::string> of);
[[nodiscard]] Codec<Question> question_grammar();

/// The answer: a count, or lines like "Sync default/red" with commas between them.
[[nodiscard]] std::string measured_by(const Measure& measure, const sim::Record& record);

/// The words that its lines may begin with: "Sync" and the like.
[[nodiscard]] std::vector<std::string> verbs_of(const Measure& measure);
/// Whether an object's "namespace/name" stands behind them.
[[nodiscard]] bool shows_keys(const Measure& measure);

/// The parts of a page that would give the answer away: those of the measure's layer.
[[nodiscard]] std::vector<std::string> panels_of(const Measure& measure);

}  // namespace watchlab::scenarios
