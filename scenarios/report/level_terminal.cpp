#include "scenarios/report/level_terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/predicate.hpp>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "scenarios/report/branch.hpp"
#include "sim/explain/wording.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::size_t kStepsShown = 3;
constexpr std::string_view kHelp =
    "  Enter      what the default order does, and on to your next decision\n"
    "  2          alternative 2 of this decision\n"
    "  17=2       alternative 2 of decision 17\n"
    "  go 17      decision 17; go 1 is the beginning\n"
    "  find TEXT  the next decision where TEXT can be done, or behind which it is done\n"
    "  steps      more of what was done before this decision\n"
    "  undo       takes the last choice back\n"
    "  quit       ends it";

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() && end == text.data() + text.size() && !text.empty()
             ? std::optional(number)
             : std::nullopt;
}

std::string without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  const std::size_t last = text.find_last_not_of(" \t\r");
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
}

std::string failure_of(const sim::RunResult& run) {
  return fmt::format("{}: {}", run.failure->kind, sim::with_short_places(run.failure->sentence));
}

/// Whether `part` is in the text, whatever the case of letters.
bool contains(const std::string& text, const std::string& part) {
  return boost::algorithm::icontains(text, part);
}

/// An answer that is no task's, in words.
std::string answer_text(const sim::WitnessedDecision& witnessed, std::size_t number) {
  if (witnessed.kind == sim::ChoiceKind::Handover) {
    return number == 0 ? "to none: the first task that comes gets it"
           : witnessed.options == 2
               ? "to the one that has waited longest"
               : fmt::format("to number {} of those that have waited longest", number);
  }
  if (witnessed.kind == sim::ChoiceKind::Order) {
    return std::array{"sorted", "the other way round",
                      "shuffled"}[std::min<std::size_t>(number, 2)];
  }
  return number == 0 ? "no" : witnessed.options == 2 ? "yes" : std::to_string(number);
}

}  // namespace

LevelTerminal::LevelTerminal(const Scenario& scenario, std::string schedule, Level level,
                             Terminal terminal)
    : scenario_(scenario), level_(std::move(level)), terminal_(std::move(terminal)) {
  see({.schedule = std::move(schedule)});
  if (seen_.witness.result.steps > kBranchStepsMax) {
    throw std::invalid_argument(
        fmt::format("the run has {} steps, and one of at most {} can be "
                    "played as a level",
                    seen_.witness.result.steps, kBranchStepsMax));
  }
  places_.back().decision = own_from(1);
}

void LevelTerminal::see(Place place) {
  seen_ = see_run(scenario_, place.schedule, Scope::AnyOrder);
  places_.push_back(std::move(place));
}

bool LevelTerminal::play() {
  show_level();
  while (!ended_) {
    if (result_of(level_, seen_.witness.result).is_won) {
      terminal_.say(fmt::format("Won: {}\n{}", failure_of(seen_.witness.result), level_.after));
      return true;
    }
    show_decision();
    const std::optional<std::string> line = terminal_.read();
    if (!line) {
      break;
    }
    try {
      obey(without_blanks(*line));
    } catch (const std::invalid_argument& refused) {
      terminal_.say(refused.what());
    }
  }
  terminal_.say("It is not won.");
  return false;
}

void LevelTerminal::show_level() const {
  terminal_.say(fmt::format(
      "{}. You are {}; {} may be made.\n{}\nTo win, the run has to fail: {}, and \"{}\" in its "
      "message. Enter is the default order, help says what else there is.",
      level_.title, level_.you_are,
      sim::counted(static_cast<std::size_t>(level_.choices), "choice"), without_blanks(level_.task),
      level_.goal.kind, level_.goal.says));
}

bool LevelTerminal::is_own(std::size_t decision) const {
  const bool is_of_network = seen_.witness.decisions[decision - 1].kind == sim::ChoiceKind::Value;
  return is_of_network ? level_.you_are.find("network") != std::string::npos
                       : level_.you_are.find("scheduler") != std::string::npos;
}

std::size_t LevelTerminal::own_from(std::size_t decision) const {
  while (decision <= seen_.witness.decisions.size() && !is_own(decision)) {
    ++decision;
  }
  return decision;
}

std::string LevelTerminal::alternative(std::size_t decision, std::size_t number) const {
  const sim::WitnessedDecision& witnessed = seen_.witness.decisions[decision - 1];
  if (number >= witnessed.actors.size()) {
    return answer_text(witnessed, number);
  }
  const std::uint32_t actor = witnessed.actors[number];
  std::string next;
  for (const TaskMoment& moment : seen_.tasks) {
    if (moment.step > witnessed.steps_before) {
      break;
    }
    next = moment.task == actor ? moment.next : next;
  }
  return fmt::format("{}{}{}", seen_.witness.name(actor), next.empty() ? "" : " ", next);
}

void LevelTerminal::show_steps(std::size_t from, std::size_t until) const {
  for (std::size_t i = from; i < std::min(until, seen_.witness.steps.size()); ++i) {
    terminal_.say(fmt::format("      step {}: {}", i + 1,
                              sim::describe(seen_.witness, seen_.witness.steps[i].done)));
  }
}

void LevelTerminal::show_decision() {
  const std::size_t decision = places_.back().decision;
  if (decision > seen_.witness.decisions.size()) {
    shown_until_ = seen_.witness.steps.size();
    show_end();
    return;
  }
  const sim::WitnessedDecision& witnessed = seen_.witness.decisions[decision - 1];
  const std::size_t recent =
      witnessed.steps_before > kStepsShown ? witnessed.steps_before - kStepsShown : 0;
  show_steps(std::max(recent, std::min(shown_until_, witnessed.steps_before)),
             witnessed.steps_before);
  shown_until_ = witnessed.steps_before;
  terminal_.say(fmt::format("decision {} of {}, after step {}: {}", decision,
                            seen_.witness.decisions.size(), witnessed.steps_before,
                            witnessed.what.empty() ? "which task runs next?" : witnessed.what));
  for (std::size_t i = 0; i < witnessed.options; ++i) {
    terminal_.say(
        fmt::format("  {} {}  {}", i == witnessed.index ? ">" : " ", i, alternative(decision, i)));
  }
}

void LevelTerminal::show_end() const {
  const sim::RunResult& run = seen_.witness.result;
  const LevelResult result = result_of(level_, run);
  terminal_.say(fmt::format(
      "The end of the run: it {}, after {}. undo, go N or quit?",
      result.is_broken ? fmt::format("fails as it should, but {} may be made", level_.choices)
      : run.failure    ? fmt::format("fails otherwise ({})", failure_of(run))
                       : "holds",
      sim::counted(result.choices, "choice")));
}

void LevelTerminal::take(std::size_t decision, std::uint32_t alternative) {
  if (decision == 0 || decision > seen_.witness.decisions.size()) {
    throw std::invalid_argument(
        fmt::format("the run has {}, and no number {}",
                    sim::counted(seen_.witness.decisions.size(), "decision"), decision));
  }
  if (!is_own(decision)) {
    throw std::invalid_argument(
        fmt::format("decision {} is not yours: you are {}", decision, level_.you_are));
  }
  if (alternative != seen_.witness.decisions[decision - 1].index) {
    see({.schedule = branch_schedule(scenario_, places_.back().schedule, {decision, alternative})});
  }
  go(decision + 1);
  const auto left = level_.choices - static_cast<std::int64_t>(seen_.witness.result.deviations);
  if (left < 0) {
    terminal_.say("Those are more choices than the level allows: undo takes the last one back.");
  }
}

void LevelTerminal::go(std::size_t decision) {
  places_.back().decision = own_from(std::max<std::size_t>(decision, 1));
}

bool LevelTerminal::has(std::size_t decision, const std::string& text) const {
  const sim::WitnessedDecision& witnessed = seen_.witness.decisions[decision - 1];
  if (contains(witnessed.what, text)) {
    return true;
  }
  for (std::size_t i = 0; i < witnessed.options; ++i) {
    if (contains(alternative(decision, i), text)) {
      return true;
    }
  }
  const std::size_t next = own_from(decision + 1);
  const std::size_t until = next > seen_.witness.decisions.size()
                                ? seen_.witness.steps.size()
                                : seen_.witness.decisions[next - 1].steps_before;
  for (std::size_t i = witnessed.steps_before; i < until; ++i) {
    if (contains(sim::describe(seen_.witness, seen_.witness.steps[i].done), text)) {
      return true;
    }
  }
  return false;
}

void LevelTerminal::find(const std::string& text) {
  const std::size_t here = places_.back().decision;
  for (std::size_t decision = own_from(here + 1); decision <= seen_.witness.decisions.size();
       decision = own_from(decision + 1)) {
    if (has(decision, text)) {
      places_.back().decision = decision;
      return;
    }
  }
  for (std::size_t decision = own_from(1); decision < here; decision = own_from(decision + 1)) {
    if (has(decision, text)) {
      throw std::invalid_argument(
          fmt::format("no later decision has '{}' in it; go {} is an earlier one", text, decision));
    }
  }
  throw std::invalid_argument(fmt::format("no decision has '{}' in it or behind it", text));
}

void LevelTerminal::obey(const std::string& line) {
  const std::size_t decision = places_.back().decision;
  const std::size_t blank = line.find(' ');
  const std::string verb = line.substr(0, blank);
  const std::string rest = blank == std::string::npos ? "" : without_blanks(line.substr(blank));
  const std::optional<std::size_t> number = number_in(rest);
  if (line.empty()) {
    go(std::min(decision, seen_.witness.decisions.size()) + 1);
  } else if (line.find('=') != std::string::npos) {
    const BranchPoint point = branch_point_from(line);
    take(point.decision, point.alternative);
  } else if (const auto answer = number_in(line)) {
    take(decision, static_cast<std::uint32_t>(*answer));
  } else if (verb == "go" && number) {
    go(*number);
  } else if (verb == "find" && !rest.empty()) {
    find(rest);
  } else if (line == "steps") {
    const std::size_t until = shown_until_;
    show_steps(until > 5 * kStepsShown ? until - 5 * kStepsShown : 0, until);
  } else if (line == "undo" && places_.size() > 1) {
    places_.pop_back();
    Place left = places_.back();
    places_.pop_back();
    see(std::move(left));
  } else if (line == "quit") {
    ended_ = true;
  } else {
    terminal_.say(kHelp);
  }
}

}  // namespace watchlab::scenarios
