#include <algorithm>
#include <utility>

#include "scenarios/language/grammar.hpp"
#include "scenarios/language/table.hpp"
#include "scenarios/programs/catalogue.hpp"
#include "sim/explore/strategy_catalogue.hpp"
#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/kernel/schedule.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::int64_t kMany = 1'000'000'000;

Codec<std::string> name_grammar() {
  return checked<std::string>(
      text("the name of a scenario"),
      [](const std::string& found, Place place, ParseContext& context) {
        const auto allowed = [](char c) {
          return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
        };
        if (!std::all_of(found.begin(), found.end(), allowed)) {
          context.problems.add({place, "the name '" + found + "'",
                                "lower-case letters, digits and underscores", ""});
        }
      });
}

Codec<std::string> story_grammar() {
  return checked<std::string>(text("a story of two lines"), [](const std::string& found,
                                                               Place place, ParseContext& context) {
    if (std::count(found.begin(), found.end(), '\n') > 4) {
      context.problems.add({place, "a long story", "about two lines", ""});
    }
  });
}

Codec<std::string> schedule_grammar() {
  return checked<std::string>(
      text("a schedule"), [](const std::string& found, Place place, ParseContext& context) {
        try {
          static_cast<void>(sim::Schedule::parse(found));
        } catch (const sim::InvalidSchedule& problem) {
          context.problems.add({place, problem.what(), "the line that a failure has printed", ""});
        }
      });
}

Codec<runtime::Duration> limit_grammar() {
  return checked<runtime::Duration>(
      duration(), [](runtime::Duration found, Place place, ParseContext& context) {
        if (found == runtime::Duration::zero()) {
          context.problems.add({place, "no time for the story", "more than 0s", ""});
        }
      });
}

/// An ending that is no condition.
Codec<Ending> short_ending() {
  return word_or_duration(
      choice<Ending>("an ending",
                     {{"quiet", Ending{}}, {"scripted", {.kind = Ending::Kind::Scripted}}}),
      "quiet, scripted, a duration or a condition",
      [](runtime::Duration at) { return Ending{.kind = Ending::Kind::At, .at = at}; },
      [](const Ending& ending) {
        return ending.kind == Ending::Kind::At ? std::optional(ending.at) : std::nullopt;
      });
}

Codec<Ending> ending_grammar() {
  auto condition = converted(
      condition_grammar(),
      [](sim::Condition found) {
        return Ending{.kind = Ending::Kind::Condition, .condition = std::move(found)};
      },
      [](const Ending& ending) {
        const bool is_one = ending.kind == Ending::Kind::Condition;
        return is_one ? std::optional(ending.condition) : std::nullopt;
      });
  return or_short(short_ending(), std::move(condition));
}

Codec<sim::Waiver> waiver_grammar() {
  Table<sim::Waiver> table("a waiver", "An invariant that this scenario does not check.");
  table
      .required("invariant", &sim::Waiver::invariant,
                word("an invariant", names_of(sim::invariant_catalogue())), "Which one.")
      .required(
          "because", &sim::Waiver::because,
          checked<std::string>(text("a reason"),
                               [](const std::string& found, Place place, ParseContext& context) {
                                 if (found.empty()) {
                                   context.problems.add({place, "an empty reason",
                                                         "why the invariant is not true in "
                                                         "this story",
                                                         ""});
                                 }
                               }),
          "Why it is not true here.")
      .example("because: an event is dropped on purpose");
  return table.codec();
}

}  // namespace

Codec<Exploration> exploration_grammar() {
  Table<Exploration> table("an exploration", "How explore plays this scenario by default.");
  table
      .optional("strategy", &Exploration::strategy,
                word("a strategy", names_of(sim::strategy_catalogue())),
                "How to choose schedules; default random.")
      .optional("schedules", &Exploration::schedules, integer("a number of schedules", 1, kMany),
                "How many schedules; default 1000.")
      .optional("seed", &Exploration::seed, integer("a seed", 0, kMany), "Default 1.")
      .optional("steps", &Exploration::steps, integer("a number of steps", 1, kMany),
                "A run that takes more steps counts as endless. Default: 100000, or 100 per bulk "
                "object and per client or handler if that is more.")
      .optional("preemptions", &Exploration::preemptions,
                integer("a number of preemptions", 0, kMany), "Default: no bound.")
      .optional("early_advances", &Exploration::early_advances,
                integer("a number of jumps", 0, 1000),
                "How often time may jump while tasks are ready; default 0.");
  return table.codec();
}

Codec<Scenario> scenario_grammar() {
  Table<Scenario> table("a scenario", "A story about list and watch, with its expected outcome.");
  table
      .key(
          {"apiVersion", "The version of this language.", Presence::Required},
          word("a version of the language", {"watchlab/v1"}), [](Scenario&, const std::string&) {},
          [](const Scenario&) { return "watchlab/v1"; })
      .example("apiVersion: watchlab/v1")
      .required("name", &Scenario::name, name_grammar(), "The file's name, without .yaml.")
      .example("name: missed_delete")
      .required("story", &Scenario::story, story_grammar(), "What happens and why, in two lines.")
      .example("story: A client misses a delete while its watch is down.")
      .optional("transport", &Scenario::transport,
                choice<sim::Transport>("a transport", {{"direct", sim::Transport::Direct},
                                                       {"wire", sim::Transport::Wire}}),
                "How messages travel. wire: as HTTP over byte streams, which some faults need. "
                "direct: always as values. Default: direct, unless run gets --transport.")
      .optional("server", &Scenario::server, server_grammar(), "The API server's initial state.")
      .optional("clients", &Scenario::clients, list_of("a list of clients", client_grammar()),
                "Who lists and watches.")
      .optional("program", &Scenario::program, word("a program", names_of(program_catalogue())),
                "Instead of clients: a small program that uses only the runtime.")
      .optional("script", &Scenario::script, list_of("a list of steps", step_grammar()),
                "What happens, one step after another.")
      .optional("until", &Scenario::until, ending_grammar(),
                "When the story ends: quiet (the default), scripted, a time, or a condition.")
      .optional("within", &Scenario::within, limit_grammar(),
                "The most virtual time that the story may take; default 1h.")
      .optional("expect", &Scenario::expectations,
                list_of("a list of expectations", expectation_grammar()), "The expected outcome.")
      .optional("waived", &Scenario::waived, list_of("a list of waivers", waiver_grammar()),
                "Invariants that are not checked, each with a reason. All others are checked.")
      .optional(
          "questions", &Scenario::questions, list_of("a list of questions", question_grammar()),
          "Questions that the page for stepping through the run asks before it shows the answers.")
      .optional("explore", &Scenario::explore, exploration_grammar(), "Defaults for explore.")
      .optional("schedule", &Scenario::schedule, schedule_grammar(),
                "The schedule that run plays; the default order if omitted.");
  return table.codec();
}

}  // namespace watchlab::scenarios
