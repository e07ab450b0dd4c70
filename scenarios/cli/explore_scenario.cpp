#include "scenarios/cli/explore_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "scenarios/campaign/campaign.hpp"
#include "scenarios/campaign/ticker.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/resume_file.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/command_line/console.hpp"
#include "scenarios/command_line/interrupt.hpp"
#include "scenarios/language/document.hpp"
#include "scenarios/language/parse.hpp"
#include "sim/explain/explain.hpp"
#include "sim/explore/strategy_catalogue.hpp"

namespace watchlab::scenarios {
namespace {

/// More schedules than anyone waits for, so that the time is the only limit.
constexpr std::size_t kUntilTimeIsUp = 1'000'000'000;

/// The file's own exploration, with what the command line says instead.
CampaignOptions campaign_for(const Scenario& scenario, const ExploreArguments& arguments) {
  const Exploration& own = scenario.explore;
  CampaignOptions campaign;
  sim::ExploreOptions& options = campaign.explore;
  options.strategy = arguments.strategy.value_or(own.strategy);
  options.schedules_max = arguments.schedules.value_or(
      arguments.time.count() > 0 ? kUntilTimeIsUp : static_cast<std::size_t>(own.schedules));
  options.seed = arguments.seed.value_or(static_cast<std::uint64_t>(own.seed));
  options.steps_max = static_cast<std::size_t>(own.steps);
  options.preemptions_max = arguments.preemptions.value_or(static_cast<int>(own.preemptions));
  options.early_advances_max =
      arguments.early_advances.value_or(static_cast<int>(own.early_advances));
  options.pct_depth = arguments.pct_depth.value_or(options.pct_depth);
  options.scenario = scenario.hash;
  options.coverage = true;
  options.first_run = arguments.from;
  options.unseen_below = part_of(arguments.until_unseen).value_or(0);
  options.continues = arguments.continues;
  std::tie(options.shard, options.shards) = shard_of(arguments.shard).value();
  campaign.jobs = arguments.jobs;
  return campaign;
}

/// Throws `std::invalid_argument` for an option of other strategies than the one that is played.
void refuse_other_strategies(const std::string& strategy, const ExploreArguments& arguments) {
  struct Row {
    const char* option;
    bool is_given;
    std::vector<std::string> strategies;
  };
  std::vector<std::string> sampling = names_of(sim::strategy_catalogue());
  std::erase_if(sampling, is_tree_search);
  const Row rows[] = {{"--preemptions", arguments.preemptions.has_value(), {"dfs"}},
                      {"--pct-depth", arguments.pct_depth.has_value(), {"pct", "portfolio"}},
                      {"--shard", !arguments.shard.empty(), sampling},
                      {"--from", arguments.from > 0, sampling}};
  for (const auto& [option, is_given, strategies] : rows) {
    if (is_given && std::ranges::find(strategies, strategy) == strategies.end()) {
      throw std::invalid_argument(
          fmt::format("{} does not go with the strategy {}; it goes with {}", option, strategy,
                      one_of(strategies)));
    }
  }
}

/// A search varies the last choices first, and a program in Go has hundreds: it would not come to
/// those that matter. Throws `std::invalid_argument`.
void refuse_to_search_goroutines(const Scenario& scenario, const std::string& strategy) {
  for (const sim::StoryClientOptions& client : scenario.clients) {
    if (client.chosen && is_tree_search(strategy)) {
      throw std::invalid_argument(
          fmt::format("the strategy {} does not go with '{}', whose goroutines are chosen: it "
                      "varies the last of their hundreds of choices first; random, pct, pos and "
                      "portfolio go with it",
                      strategy, client.name));
    }
  }
}

/// Continues where an earlier exploration has stopped, if there was one.
void begin_at(const SearchState& state, CampaignOptions& campaign) {
  campaign.states = state.jobs;
  if (!state.jobs.empty()) {
    campaign.jobs = state.jobs.size();
    campaign.explore.first_run = state.from;
  }
}

CampaignRecord record_of(const Scenario& scenario, const CampaignOptions& campaign,
                         const CampaignResult& result) {
  const sim::ExploreOptions& options = campaign.explore;
  const sim::ExploreResult& whole = result.whole;
  CampaignRecord record;
  record.entry = {.name = display_name(scenario.path),
                  .path = scenario.path,
                  .held = !whole.failure,
                  .executions = whole.executions};
  const bool begun_before = options.first_run > 0 || !campaign.states.empty();
  if (whole.executions == 0 && !whole.failure && !whole.exhausted && !begun_before) {
    record.entry.held = false;
    record.entry.kind = ReportEntry::kNotPlayed;
    record.entry.sentence = "it ended before the first schedule was played";
  }
  record.strategy = options.strategy;
  record.seed = options.seed;
  record.parts = {{.shard = options.shard,
                   .shards = options.shards,
                   .from = options.first_run,
                   .to = whole.next_run,
                   .end = whole.exhausted          ? RunRange::kExhausted
                          : !whole.interrupted     ? RunRange::kPlayed
                          : Interrupt::requested() ? RunRange::kStopped
                                                   : RunRange::kInterrupted}};
  record.schedules = options.schedules_max;
  record.digest = whole.digest;
  record.blocked = whole.blocked;
  record.failing_run = whole.failure ? result.failing_run : 0;
  record.explored = whole.explored;
  if (is_tree_search(options.strategy)) {  // the others never say that nothing is left
    record.relative_to = whole.relative_to;
  }
  record.coverage = whole.coverage;
  record.settings = run_settings_of(scenario, options);
  return record;
}

void add_failure(Explored& explored, const Scenario& scenario, const sim::Failure& failure,
                 Console* progress) {
  ReportEntry& entry = explored.record.entry;
  entry.kind = failure.kind;
  entry.sentence = failure.sentence;
  entry.schedule = failure.schedule;
  entry.steps = failure.steps;
  entry.command = replay_line(scenario, failure.schedule);
  const sim::Schedule schedule = schedule_for(scenario, failure.schedule);
  explored.failing = replay_scenario(scenario, schedule, true).result;
  explored.happened = events_before(scenario, explored.failing);
  explored.why = why_in_short(scenario, failure.schedule, progress);
}

/// Says how to continue, when there is something to continue from.
void keep_the_rest(Explored& explored, ExploreProgress& file, const SearchState& state) {
  explored.earlier = file.earlier_line();
  if (explored.is_stopped) {
    file.save(state);
    explored.record.resume = file.can_continue() ? file.line() : "";
    explored.resume_file = file.can_continue() ? file.path() : "";
  } else {
    explored.finished_file = file.own_file();
  }
  explored.problem = file.problem();
}

std::function<std::function<void(runtime::Runtime&)>()> bodies_of(const Scenario& scenario) {
  return [&scenario] { return body_of(scenario, Scope::AnyOrder); };
}

std::size_t expectations_left_out(const Scenario& scenario) {
  return static_cast<std::size_t>(std::ranges::count_if(
      scenario.expectations, [](const std::string& why) { return !why.empty(); },
      &sim::Expectation::depends_on_order));
}

/// What shows how far a campaign is, on the console.
std::function<void(const sim::ExploreResult&)> shown_on(Console& console, const Scenario& scenario,
                                                        const ExploreArguments& arguments,
                                                        std::size_t schedules) {
  return [&, schedules, watch = Stopwatch()](const sim::ExploreResult& so_far) {
    const double left = std::chrono::duration<double>(arguments.time).count() - watch.seconds();
    const std::string far = arguments.time.count() > 0
                                ? fmt::format("{:.0f} s left", std::max(left, 0.0))
                                : fmt::format("{} of {} schedules", so_far.executions, schedules);
    console.progress(fmt::format("{}{}: {}: {}", arguments.among, far, scenario.name,
                                 progress_text(so_far, watch.seconds())));
  };
}

Explored explore_scenario(const Scenario& scenario, const ExploreArguments& arguments,
                          Console* progress) {
  CampaignOptions campaign = campaign_for(scenario, arguments);
  const std::string& strategy = campaign.explore.strategy;
  refuse_other_strategies(strategy, arguments);
  refuse_to_search_goroutines(scenario, strategy);
  const std::string line = same_exploration(scenario, arguments.names_one);
  std::optional<ExploreProgress> file;
  SearchState before;
  if (!is_tree_search(strategy)) {
    file.emplace(scenario, campaign, arguments.resume, line);
    before = file->read();
    begin_at(before, campaign);
  } else if (!arguments.resume.empty()) {
    throw std::invalid_argument(
        fmt::format("--resume does not go with the strategy {}, which begins again", strategy));
  }
  const Stopwatch watch;
  const auto state_of = [&](const std::vector<JobState>& jobs) {
    return SearchState{campaign.explore.first_run, before.seconds + watch.seconds(), jobs};
  };
  campaign.keep_going = until_stopped(arguments.time);
  if (progress != nullptr) {
    campaign.progress = shown_on(*progress, scenario, arguments, campaign.explore.schedules_max);
  }
  if (file) {
    campaign.save_due = [ticker = Ticker(arguments.save_every)]() mutable {
      return ticker.is_due();
    };
    campaign.save = [&](const std::vector<JobState>& jobs) { file->save(state_of(jobs)); };
  }
  Explored explored;
  explored.left_out = expectations_left_out(scenario);
  CampaignResult result = run_campaign(campaign, bodies_of(scenario));
  explored.record = record_of(scenario, campaign, result);
  explored.record.entry.seconds = before.seconds + watch.seconds();
  explored.result = std::move(result.whole);
  explored.is_stopped =
      explored.result.interrupted && (!explored.result.failure || arguments.continues);
  explored.stopped_by_signal = explored.is_stopped && Interrupt::requested();
  if (file) {
    keep_the_rest(explored, *file, state_of(result.states));
  } else if (explored.is_stopped) {
    explored.again = line;
  }
  if (explored.result.failure) {
    add_failure(explored, scenario, *explored.result.failure, progress);
  }
  return explored;
}

Explored bad_input(const std::string& path, std::string sentence) {
  return {.record = {.entry = bad_input_entry(path, std::move(sentence))}, .bad_input = true};
}

}  // namespace

std::vector<ReportEntry> failure_entries(const Explored& explored) {
  std::vector<ReportEntry> entries;
  const std::string& line = explored.record.entry.command;
  for (const sim::DistinctFailure& each : explored.result.failures) {
    const std::string before = line.substr(0, line.rfind('\'', line.size() - 2));
    entries.push_back({.name = explored.record.entry.name,
                       .path = explored.record.entry.path,
                       .held = false,
                       .kind = each.first.kind,
                       .sentence = each.first.sentence,
                       .schedule = each.first.schedule,
                       .command = fmt::format("{}'{}'", before, each.first.schedule),
                       .steps = each.first.steps,
                       .more = {{"count", std::uint64_t{each.count}},
                                {"first_run", std::uint64_t{each.first_run}}}});
  }
  return entries;
}

void check(const ExploreArguments& arguments) {
  if (!shard_of(arguments.shard)) {
    throw std::invalid_argument(fmt::format(
        "--shard '{}' is no shard; expected one of so many, like 0/4 to 3/4", arguments.shard));
  }
  if (!arguments.until_unseen.empty() && !part_of(arguments.until_unseen)) {
    throw std::invalid_argument(
        fmt::format("--until-unseen '{}' is no probability; expected one like 0.1% or 0.001",
                    arguments.until_unseen));
  }
  if (!arguments.memory.empty()) {
    throw std::invalid_argument(
        "--memory changes nothing in a story, which uses no atomic of watchlab/std; a C++ program "
        "asks for weak memory by ExploreOptions::memory (docs/library.md)");
  }
  if (!arguments.strategy) {
    return;
  }
  refuse_other_strategies(*arguments.strategy, arguments);
  if (is_tree_search(*arguments.strategy) &&
      arguments.save_every != ExploreArguments().save_every) {
    throw std::invalid_argument(
        fmt::format("--save-every does not go with the strategy {}, of which nothing is saved",
                    *arguments.strategy));
  }
}

Explored explore_file(const CatalogueEntry& file, const ExploreArguments& arguments,
                      Console* progress) {
  if (!file.parsed.scenario) {
    return bad_input(file.path, problem_text(file));
  }
  try {
    const Scenario moved = on_the_named_machine(arguments.machine, *file.parsed.scenario);
    const Scenario asked = over_the_named(arguments.transport, moved);
    if (std::string problem = unplayable_without_bytes(asked); !problem.empty()) {
      return bad_input(file.path, std::move(problem));
    }
    return explore_scenario(asked, arguments, progress);
  } catch (const std::invalid_argument& failure) {
    return bad_input(file.path, fmt::format("watchlab explore: {}", failure.what()));
  }
}

}  // namespace watchlab::scenarios
