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
      .required("because", &sim::Waiver::because, text("a reason"), "Why it does not hold here.");
  return table.codec();
}

}  // namespace

Codec<Exploration> exploration_grammar() {
  Table<Exploration> table("an exploration", "How explore plays this scenario by default.");
  table
      .optional("strategy", &Exploration::strategy,
                word("a strategy", names_of(sim::strategy_catalogue())),
                "How schedules are chosen; random if left out.")
      .optional("schedules", &Exploration::schedules, integer("a number of schedules", 1, kMany),
                "How many; 1000 if left out.")
      .optional("seed", &Exploration::seed, integer("a seed", 0, kMany), "1 if left out.")
      .optional(
          "steps", &Exploration::steps, integer("a number of steps", 1, kMany),
          "A run that takes more has no end. If left out 100000, or, if that is more, 100 for "
          "each bulk object and each client or handler.")
      .optional("preemptions", &Exploration::preemptions,
                integer("a number of preemptions", 0, kMany), "No bound if left out.")
      .optional("early_advances", &Exploration::early_advances,
                integer("a number of jumps", 0, 1000),
                "How often time may jump while tasks are ready; 0 if left out.");
  return table.codec();
}

Codec<Scenario> scenario_grammar() {
  Table<Scenario> table("a scenario", "A story about list and watch, with what shall come of it.");
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
                "How messages travel. wire: as HTTP over streams of bytes, which some faults need. "
                "direct: as values, and never otherwise. If left out: direct, unless the option "
                "--transport of run is given.")
      .optional("server", &Scenario::server, server_grammar(), "The API server at the beginning.")
      .optional("clients", &Scenario::clients, list_of("a list of clients", client_grammar()),
                "Who lists and watches.")
      .optional("program", &Scenario::program, word("a program", names_of(program_catalogue())),
                "Instead of clients: a small program on the runtime alone.")
      .optional("script", &Scenario::script, list_of("a list of steps", step_grammar()),
                "What happens, one step after another.")
      .optional("until", &Scenario::until, ending_grammar(),
                "When the story is over: quiet (if left out), scripted, a time, or a condition.")
      .optional("within", &Scenario::within, limit_grammar(),
                "The most virtual time that the story may take; 1h if left out.")
      .optional("expect", &Scenario::expectations,
                list_of("a list of expectations", expectation_grammar()),
                "What shall have come of it.")
      .optional("waived", &Scenario::waived, list_of("a list of waivers", waiver_grammar()),
                "Invariants that are not checked, each with its reason; all others are.")
      .optional("questions", &Scenario::questions,
                list_of("a list of questions", question_grammar()),
                "What a page to step through the run asks before it shows the answers.")
      .optional("explore", &Scenario::explore, exploration_grammar(),
                "How explore plays this scenario unless set otherwise.")
      .optional("schedule", &Scenario::schedule, schedule_grammar(),
                "The schedule that run plays; the undisturbed one if left out.");
  return table.codec();
}

}  // namespace watchlab::scenarios
