#include "scenarios/fuzz/fuzz_run.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "scenarios/fuzz/known_live.hpp"
#include "scenarios/language/play.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/signature.hpp"
#include "sim/story/client_kinds.hpp"
#include "sim/story/story.hpp"

namespace watchlab::scenarios {
namespace {

/// Of "story_7:3: the rest" the rest.
std::string without_place(const std::string& line) {
  const std::size_t end = line.find(": ");
  const std::size_t space = line.find(' ');
  const bool has_place = end != std::string::npos && end < space && end > 0 &&
                         std::isdigit(static_cast<unsigned char>(line[end - 1])) != 0;
  return has_place ? line.substr(end + 2) : line;
}

}  // namespace

BrokenClause broken_clause_in(const std::string& line) {
  const std::string text = without_place(line);
  const std::size_t end = text.find(": ");
  const std::size_t space = text.find(' ');
  const bool has_number = space != std::string::npos && space > 1 && space < end &&
                          std::isupper(static_cast<unsigned char>(text[0])) != 0 &&
                          std::isdigit(static_cast<unsigned char>(text[1])) != 0;
  const bool has_name = end != std::string::npos && text.find(' ', space + 1) > end;
  if (!has_number || !has_name) {
    return {.clause = "", .words = text};
  }
  return {.clause = text.substr(0, end), .words = text.substr(end + 2)};
}

namespace {

/// How the first line of a broken expectation ends.
constexpr std::string_view kSeen = "; seen:";
constexpr std::array<const char*, 4> kStrategies{"random", "pct", "pos", "random"};

sim::ExploreOptions options_for(const Scenario& scenario, const char* strategy) {
  sim::ExploreOptions options;
  options.strategy = strategy;
  options.seed = static_cast<std::uint64_t>(scenario.explore.seed);
  options.steps_max = static_cast<std::size_t>(scenario.explore.steps);
  options.scenario = scenario.hash;
  return options;
}

/// With an ellipsis for what stands in quotes; what a word has, as "story's", is no quote.
std::string without_names(const std::string& line) {
  std::string kept;
  bool quoted = false;
  bool in_word = false;
  for (const char c : line) {
    const bool is_quote = c == '\'' && (quoted || !in_word);
    quoted = is_quote ? !quoted : quoted;
    in_word = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_quote && quoted) {
      kept += "…";
    } else if (!quoted && !is_quote) {
      kept += c;
    }
  }
  return kept;
}

}  // namespace

bool is_own_refusal(const Scenario& scenario, const sim::Failure& failure) {
  // Behind the place of the step. What the program has printed may have these words, too.
  const std::string_view sentence = failure.sentence;
  const std::string_view place =
      sentence.substr(0, std::min(sentence.find(sim::kRefusedWrite), sentence.size()));
  return failure.kind == "exception" && place.size() < sentence.size() && place.ends_with(": ") &&
         place.find('\n') == std::string_view::npos &&
         std::ranges::any_of(scenario.clients, [](const sim::StoryClientOptions& client) {
           return traits_of(client.kind).in_lockstep;
         });
}

FuzzRun fuzz_story(const Scenario& scenario, std::uint64_t seed, const FuzzRunOptions& options) {
  FuzzRun run;
  const auto body = body_of(scenario, Scope::AnyOrder);
  const auto play = [&](const char* strategy, std::size_t schedules) {
    sim::ExploreOptions how = options_for(scenario, strategy);
    how.schedules_max = schedules;
    if (options.keep_going) {
      how.keep_going = [&](const sim::ExploreResult&) {
        run.interrupted = !options.keep_going();
        return !run.interrupted;
      };
    }
    const sim::ExploreResult result = sim::explore(how, body);
    run.runs += result.executions;
    if (result.failure && is_own_refusal(scenario, *result.failure)) {
      run.own_refusal = result.failure;
    } else if (result.failure) {
      FuzzFailure found{fuzz_signature_of(*result.failure), *result.failure,
                        known_fix_of(scenario, *result.failure)};
      if (found.known.empty() || !run.found) {
        run.found = std::move(found);
      }
    }
  };
  play("fifo", 1);
  const bool continues = !run.interrupted && (!run.found || !run.found->known.empty());
  if (continues && options.schedules > 0) {
    play(kStrategies.at(seed % kStrategies.size()), options.schedules);
  }
  return run;
}

std::string fuzz_signature_of(const sim::Failure& failure) {
  std::string first = failure.sentence.substr(0, failure.sentence.find('\n'));
  const bool is_expectation = first.ends_with(kSeen);  // the lines that follow are of this run
  first.resize(first.size() - (is_expectation ? kSeen.size() : 0));
  const BrokenClause text = broken_clause_in(first);
  if (failure.kind == "violation" && !text.clause.empty()) {
    return "violation|" + text.clause;
  }
  if (text.words.starts_with("the story waits for quiet")) {
    return "violation|never quiet";
  }
  sim::Failure placeless = failure;
  placeless.sentence =
      without_names(text.clause.empty() ? text.words : text.clause + ": " + text.words) +
      (is_expectation ? "" : failure.sentence.substr(first.size()));
  return sim::signature_of(placeless);
}

}  // namespace watchlab::scenarios
