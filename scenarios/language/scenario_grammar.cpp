#include <algorithm>
#include <utility>

#include "scenarios/language/grammar.hpp"
#include "scenarios/language/table.hpp"
#include "scenarios/programs/catalogue.hpp"
#include "sim/explore/strategy_catalogue.hpp"
#include "sim/invariants/invariant_catalogue.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::int64_t many = 1'000'000'000;

Parser<std::string> name_grammar() {
  const Parser<std::string> name = text("the name of a scenario");
  auto read = [name](const Node& node, ParseContext& context) {
    std::string found = name.read(node, context);
    const auto allowed = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    if (!std::all_of(found.begin(), found.end(), allowed)) {
      context.problems.add({node.place, "the name '" + found + "'",
                            "lower-case letters, digits and underscores", ""});
    }
    return found;
  };
  return {name.schema, std::move(read)};
}

Parser<std::string> story_grammar() {
  const Parser<std::string> story = text("a story of two lines");
  auto read = [story](const Node& node, ParseContext& context) {
    std::string found = story.read(node, context);
    if (std::count(found.begin(), found.end(), '\n') > 4) {
      context.problems.add({node.place, "a long story", "about two lines", ""});
    }
    return found;
  };
  return {story.schema, std::move(read)};
}

Parser<Ending> ending_grammar() {
  const Parser<std::string> brief = word("an ending", {"quiet", "scripted"});
  auto schema = std::make_shared<Schema>(Schema{.kind = Schema::Kind::Either,
                                                .title = "an ending",
                                                .doc = "quiet, scripted, a duration or a condition",
                                                .alternatives = {brief.schema, duration().schema}});
  auto read = [time = duration(), schema](const Node& node, ParseContext& context) {
    Ending ending;
    if (node.text == "scripted") {
      ending.kind = Ending::Kind::Scripted;
    } else if (!node.text.empty() && node.text.front() >= '0' && node.text.front() <= '9') {
      ending = {.kind = Ending::Kind::At, .at = time.read(node, context)};
    } else if (node.text != "quiet") {
      context.problems.add(
          {node.place, "'" + node.text + "' is no ending", schema->doc,
           nearest_name(node.text, std::vector<std::string>{"quiet", "scripted"})});
    }
    return ending;
  };
  auto condition = converted(condition_grammar(), [](sim::Condition found) {
    return Ending{.kind = Ending::Kind::Condition, .condition = std::move(found)};
  });
  return or_short<Ending>({schema, std::move(read)}, std::move(condition));
}

std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const sim::StrategyEntry& entry : sim::strategy_catalogue()) {
    names.emplace_back(entry.name);
  }
  return names;
}

std::vector<std::string> invariant_names() {
  std::vector<std::string> names;
  for (const sim::Invariant& invariant : sim::invariant_catalogue()) {
    names.emplace_back(invariant.name);
  }
  return names;
}

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const Program& program : program_catalogue()) {
    names.emplace_back(program.name);
  }
  return names;
}

Parser<sim::Transport> transport_grammar() {
  return converted(word("a transport", {"direct", "wire"}), [](const std::string& name) {
    return name == "wire" ? sim::Transport::Wire : sim::Transport::Direct;
  });
}

Parser<sim::Waiver> waiver_grammar() {
  Table<sim::Waiver> table("a waiver", "An invariant that this scenario does not check.");
  table
      .required("invariant", &sim::Waiver::invariant, word("an invariant", invariant_names()),
                "Which one.")
      .required("because", &sim::Waiver::because, text("a reason"), "Why it does not hold here.");
  return table.parser();
}

}  // namespace

Parser<Exploration> exploration_grammar() {
  Table<Exploration> table("an exploration", "How explore plays this scenario by default.");
  table
      .optional("strategy", &Exploration::strategy, word("a strategy", strategy_names()),
                "How schedules are chosen; random if left out.")
      .optional("schedules", &Exploration::schedules, integer("a number of schedules", 1, many),
                "How many; 1000 if left out.")
      .optional("seed", &Exploration::seed, integer("a seed", 0, many), "1 if left out.")
      .optional(
          "steps", &Exploration::steps, integer("a number of steps", 1, many),
          "A run that takes more is a livelock. If left out 100000, or, if that is more, 100 for "
          "each object of a crowd and each client or handler.")
      .optional("preemptions", &Exploration::preemptions,
                integer("a number of preemptions", 0, many), "No bound if left out.")
      .optional("early_advances", &Exploration::early_advances,
                integer("a number of jumps", 0, 1000),
                "How often time may jump while tasks are ready; 0 if left out.");
  return table.parser();
}

Parser<Scenario> scenario_grammar() {
  Table<Scenario> table("a scenario", "A story about list and watch, with what shall come of it.");
  table
      .required_with(
          "apiVersion", word("a version of the language", {"watchlab/v1"}),
          [](Scenario&, const std::string&) {}, "The version of this language.")
      .required("name", &Scenario::name, name_grammar(), "The file's name, without .yaml.")
      .required("story", &Scenario::story, story_grammar(), "What happens and why, in two lines.")
      .optional_with(
          "transport", transport_grammar(),
          [](Scenario& scenario, sim::Transport transport) { scenario.transport = transport; },
          "How messages travel. wire: as HTTP over streams of bytes, which some faults need. "
          "direct: as values, and never otherwise. If left out: direct, unless run is told.")
      .optional("server", &Scenario::server, server_grammar(), "The API server at the beginning.")
      .optional("clients", &Scenario::clients, list_of("a list of clients", client_grammar()),
                "Who lists and watches.")
      .optional("program", &Scenario::program, word("a program", program_names()),
                "Instead of clients: a small program on the runtime alone.")
      .optional("script", &Scenario::script, list_of("a list of steps", step_grammar()),
                "What happens, one step after another.")
      .optional("until", &Scenario::until, ending_grammar(),
                "When the story is over: quiet (if left out), scripted, a time, or a condition.")
      .optional("within", &Scenario::within, duration(),
                "The most virtual time that the story may take; 1h if left out.")
      .optional("expect", &Scenario::expectations,
                list_of("a list of expectations", expectation_grammar()),
                "What shall have come of it.")
      .optional("waived", &Scenario::waived, list_of("a list of waivers", waiver_grammar()),
                "Invariants that are not checked, each with its reason; all others are.")
      .optional("explore", &Scenario::explore, exploration_grammar(),
                "How explore plays this scenario unless told otherwise.")
      .optional("schedule", &Scenario::schedule, text("a schedule"),
                "The schedule that run plays; the undisturbed one if left out.");
  return table.parser();
}

}  // namespace watchlab::scenarios
