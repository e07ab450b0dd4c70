#include "sim/explain/explain.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "sim/explain/wording.hpp"

namespace watchlab::sim {
namespace {

std::string indented(const std::string& text) {
  std::string result = "  ";
  for (const char letter : text) {
    result += letter;
    if (letter == '\n') {
      result += "  ";
    }
  }
  return result;
}

/// Whether the other way round of the pair is that the notification reaches the waiter.
bool shows(const CriticalPair& pair, const LostWakeup& lost, const Witness& witness) {
  if (pair.step != lost.notified) {
    return false;
  }
  if (lost.taker) {
    return pair.instead == witness.name(lost.waiter);
  }
  return pair.second && pair.second->actor == lost.waiter &&
         pair.second->kind == OperationKind::CondWait;
}

/// What went wrong, and of a check that failed which task found it so.
std::string headline(const Witness& witness, bool lost_wakeup) {
  const Failure& failure = *witness.result.failure;
  std::string text = with_short_places(failure.sentence);
  if (failure.race) {
    text.resize(text.find('\n'));  // a section of its own has the accesses
  }
  constexpr std::string_view kGuess = "perhaps a lost wake-up: ";  // of the kernel
  for (std::size_t at = text.find(kGuess); at != std::string::npos && !lost_wakeup;
       at = text.find(kGuess)) {
    text.erase(at, kGuess.size());
  }
  return failure.kind == "violation" && !witness.steps.empty()
             ? fmt::format("{}: {}", witness.name(witness.steps.back().done.actor), text)
             : text;
}

std::string section(std::string_view title, const std::string& text) {
  return text.empty() ? "" : fmt::format("{}\n{}\n\n", title, indented(text));
}

/// Which goroutines of a program outside went before their turn, if the schedule orders them.
std::string goroutines_text(const RunResult& result) {
  constexpr std::size_t shown_max = 12;
  std::string text;
  std::size_t count = 0;
  for (const NoteRecord& note : result.notes) {
    if (note.kind == "goroutine" && ++count <= shown_max) {
      text += fmt::format("{}{}. {}: {}", count > 1 ? "\n" : "", count, note.subject, note.by);
    }
  }
  return count > shown_max
             ? fmt::format("{}\n… and {} more; shrink leaves out those that are not needed", text,
                           count - shown_max)
             : text;
}

}  // namespace

std::string Explanation::in_short() const {
  std::string text;
  if (lost_wakeup) {
    text += section("The lost wake-up:", lost_wakeup->to_string(witness));
  }
  if (race) {
    text += section("The data race:", race->to_string(witness));
  }
  if (pair) {
    text += section("What makes the difference:", pair->to_string(witness));
  }
  text += section("Goroutines that went before their turn:", goroutines_text(witness.result));
  while (text.ends_with('\n')) {
    text.pop_back();
  }
  return text;
}

std::string Explanation::to_string(const ExplainOptions& options) const {
  std::string text = section("What went wrong:", headline(witness, lost_wakeup.has_value()));
  const std::string difference = in_short();
  text += !difference.empty() ? difference
          : interrupted       ? "The search for what makes the difference was stopped."
                              : "No single change of order makes this run pass.";
  text += "\n\n";
  text += fmt::format("What happened:\n{}\n\n",
                      !options.story.empty()
                          ? options.story
                          : columns_text(witness, {.rows_max = options.rows_max,
                                                   .last_step = options.last_step,
                                                   .toolkit = false,
                                                   .lane_width = options.lane_width}));
  if (!likelihood.empty()) {
    text += section("How likely it fails in this way, when only this much of the run is fixed:",
                    likelihood_text(witness, likelihood));
  }
  return text + "Schedule: " + witness.result.schedule;
}

std::optional<Explanation> explain(std::string_view schedule,
                                   const std::function<void(runtime::Runtime&)>& body,
                                   const ExplainOptions& options) {
  Numbering objects;
  Explanation found;
  found.witness = witness(schedule, body, objects);
  if (!found.witness.result.failure) {
    return std::nullopt;
  }
  const auto keep_going = [&] {
    found.interrupted = found.interrupted || (options.keep_going && !options.keep_going());
    return !found.interrupted;
  };
  found.lost_wakeup = find_lost_wakeup(found.witness);
  found.race = find_data_race(found.witness);
  found.pair = find_critical_pair(found.witness, body, objects,
                                  {.runs_max = options.pair_runs_max, .keep_going = keep_going});
  if (found.lost_wakeup && !found.lost_wakeup->certain &&
      !(found.pair && shows(*found.pair, *found.lost_wakeup, found.witness))) {
    found.lost_wakeup.reset();
  }
  if (options.likelihood.endings > 0 && !found.interrupted) {
    LikelihoodOptions likelihood = options.likelihood;
    likelihood.keep_going = keep_going;
    found.likelihood = likelihood_curve(found.witness, body, likelihood);
  }
  return found;
}

std::string explain_in_short(std::string_view schedule,
                             const std::function<void(runtime::Runtime&)>& body) {
  try {
    const auto found =
        explain(schedule, body, {.pair_runs_max = kQuickRuns, .likelihood = {.endings = 0}});
    return found ? found->in_short() : "";
  } catch (const std::invalid_argument&) {
    return "";
  }
}

}  // namespace watchlab::sim
