#include "scenarios/cli/explore_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "scenarios/campaign/campaign.hpp"
#include "scenarios/campaign/every.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/resume_file.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/command_line/console.hpp"
#include "scenarios/language/document.hpp"
#include "scenarios/language/parse.hpp"
#include "sim/explain/explain.hpp"

namespace watchlab::scenarios {
namespace {

/// The file's own exploration, with what the command line says instead.
CampaignOptions campaign_for(const Scenario& scenario, const ExploreArguments& arguments) {
  const Exploration& own = scenario.explore;
  CampaignOptions campaign;
  sim::ExploreOptions& options = campaign.explore;
  options.strategy = arguments.strategy.value_or(own.strategy);
  options.schedules_max = arguments.schedules.value_or(static_cast<std::size_t>(own.schedules));
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
  const bool plays_part = arguments.give > 0 || !arguments.part.empty();
  options.parts_max = plays_part ? std::max<std::size_t>(arguments.give, 1) : 0;
  return campaign;
}

/// Throws `std::invalid_argument` for an option of other strategies than the one that is played.
void refuse_other_strategies(const std::string& strategy, const ExploreArguments& arguments) {
  struct Row {
    const char* option;
    bool is_given;
    std::vector<std::string> strategies;
  };
  const Row rows[] = {{"--preemptions", arguments.preemptions.has_value(), {"dfs"}},
                      {"--pct-depth", arguments.pct_depth.has_value(), {"pct", "portfolio"}}};
  for (const auto& [option, is_given, strategies] : rows) {
    if (is_given && std::ranges::find(strategies, strategy) == strategies.end()) {
      throw std::invalid_argument(
          fmt::format("{} does not go with the strategy {}; it goes with {}", option, strategy,
                      one_of(strategies)));
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
                   .end = whole.exhausted     ? RunRange::kExhausted
                          : whole.interrupted ? RunRange::kInterrupted
                                              : RunRange::kPlayed}};
  record.schedules = options.schedules_max;
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

void add_failure(Explored& explored, const Scenario& scenario, const sim::Failure& failure) {
  ReportEntry& entry = explored.record.entry;
  entry.kind = failure.kind;
  entry.sentence = failure.sentence;
  entry.schedule = failure.schedule;
  entry.steps = failure.steps;
  entry.command = replay_line(scenario, failure.schedule);
  const sim::Schedule schedule = schedule_for(scenario, failure.schedule);
  explored.failing = replay_scenario(scenario, schedule, true).result;
  explored.happened = events_before(scenario, explored.failing);
  explored.why = sim::explain_in_short(failure.schedule, body_of(scenario, Scope::AnyOrder));
}

/// When a campaign that runs on the command line ends, and when it is saved.
void add_times(CampaignOptions& campaign, const ExploreArguments& arguments) {
  campaign.keep_going = until_stopped(arguments.time);
  campaign.save_due = [every = Every(arguments.save_every)]() mutable { return every.is_due(); };
}

/// Says how to continue, when there is something to continue from.
void keep_the_rest(Explored& explored, ExploreProgress& file, const SearchState& state,
                   bool continues) {
  const sim::ExploreResult& whole = explored.result;
  explored.earlier = file.earlier_line();
  if (whole.interrupted && (!whole.failure || continues)) {
    file.save(state);
    explored.record.resume = file.can_continue() ? file.line() : "";
    explored.resume_file = file.can_continue() ? file.path() : "";
    explored.stopped_by_signal = Interrupt::requested();
  } else {
    explored.finished_file = file.own_file();
  }
  explored.problem = file.problem();
}

std::function<std::function<void(runtime::Runtime&)>()> bodies_of(const Scenario& scenario) {
  return [&scenario] { return body_of(scenario, Scope::AnyOrder); };
}

/// What has to be the same wherever a part of a search is played. The hash of a scenario says
/// nothing of what it expects, so its text counts, too.
Settings part_settings_of(const Scenario& scenario, const sim::ExploreOptions& options) {
  Settings settings = run_settings_of(scenario, options);
  const std::string text = read_file(scenario.path).value_or("");
  const auto [number, commit] = program_version();
  settings.emplace_back("strategy", options.strategy);
  settings.emplace_back("seed", std::to_string(options.seed));
  settings.emplace_back("text", fmt::format("{:016x}", checksum_of(text)));
  settings.emplace_back("build", fmt::format("{} {}", number, commit));
  return settings;
}

/// The same as `run_campaign`; what is refused is refused in the name of the part's file.
CampaignResult play_part(const CampaignOptions& campaign, const Scenario& scenario,
                         const std::string& file) {
  try {
    return run_campaign(campaign, bodies_of(scenario));
  } catch (const std::invalid_argument& refused) {
    throw std::invalid_argument(file.empty() ? refused.what()
                                             : fmt::format("{}: {}", file, refused.what()));
  }
}

std::size_t expectations_left_out(const Scenario& scenario) {
  return static_cast<std::size_t>(std::ranges::count_if(
      scenario.expectations, [](const std::string& why) { return !why.empty(); },
      &sim::Expectation::depends_on_order));
}

/// Plays a part, and gives away what is left of it. Keeps nothing: it is repeated when it is lost.
Explored explore_part(const Scenario& scenario, CampaignOptions campaign,
                      const ExploreArguments& arguments) {
  const Settings settings = part_settings_of(scenario, campaign.explore);
  const SearchPart part =
      arguments.part.empty() ? SearchPart() : read_part(arguments.part, settings);
  campaign.states = {{.tree = part.state}};
  const Stopwatch watch;
  add_times(campaign, arguments);
  campaign.save_due = nullptr;
  CampaignResult result = play_part(campaign, scenario, arguments.part);
  Explored explored;
  explored.left_out = expectations_left_out(scenario);
  explored.record = record_of(scenario, campaign, result);
  explored.record.entry.seconds = watch.seconds();
  explored.record.played = {part.id};
  for (const SearchPart& left : parts_left(part.id, result.whole)) {
    explored.record.left.push_back(left.id);
    explored.parts.push_back(part_text(left, settings));
  }
  std::ranges::sort(explored.record.left);
  explored.record.failures = result.whole.failures;
  explored.result = std::move(result.whole);
  // Of a part that has come to its end only `merge` can say that the search has.
  explored.result.exhausted = explored.record.is_exhausted();
  explored.result.explored = explored.record.explored = explored.result.exhausted ? 1 : 0;
  if (explored.result.failure) {
    add_failure(explored, scenario, *explored.result.failure);
  }
  return explored;
}

Explored explore_scenario(const Scenario& scenario, const ExploreArguments& arguments,
                          Console* progress) {
  CampaignOptions campaign = campaign_for(scenario, arguments);
  refuse_other_strategies(campaign.explore.strategy, arguments);
  if (campaign.explore.parts_max > 0) {
    return explore_part(scenario, std::move(campaign), arguments);
  }
  ExploreProgress file(scenario, campaign, arguments.resume, arguments.machine);
  const SearchState before = file.read();
  begin_at(before, campaign);
  const Stopwatch watch;
  const auto state_of = [&](const std::vector<JobState>& jobs) {
    return SearchState{campaign.explore.first_run, before.seconds + watch.seconds(), jobs};
  };
  add_times(campaign, arguments);
  if (progress != nullptr) {
    campaign.progress = [&](const sim::ExploreResult& so_far) {
      const double left = std::chrono::duration<double>(arguments.time).count() - watch.seconds();
      const std::string far = arguments.time.count() > 0
                                  ? fmt::format("{:.0f} s left", std::max(left, 0.0))
                                  : fmt::format("{} of {} schedules", so_far.executions,
                                                campaign.explore.schedules_max);
      progress->progress(
          fmt::format("{}: {}: {}", far, scenario.name, progress_text(so_far, watch.seconds())));
    };
  }
  campaign.save = [&](const std::vector<JobState>& jobs) { file.save(state_of(jobs)); };
  Explored explored;
  explored.left_out = expectations_left_out(scenario);
  CampaignResult result = run_campaign(campaign, bodies_of(scenario));
  explored.record = record_of(scenario, campaign, result);
  explored.record.entry.seconds = before.seconds + watch.seconds();
  explored.result = std::move(result.whole);
  keep_the_rest(explored, file, state_of(result.states), arguments.continues);
  if (explored.result.failure) {
    add_failure(explored, scenario, *explored.result.failure);
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
        "asks for weak memory by ExploreOptions::memory (docs/std.md)");
  }
  if (arguments.strategy) {
    refuse_other_strategies(*arguments.strategy, arguments);
  }
  const bool plays_part = arguments.give > 0 || !arguments.part.empty();
  const std::pair<bool, const char*> alone[] = {
      {arguments.save_every != ExploreArguments().save_every, "--save-every"},
      {arguments.jobs > 1, "--jobs"},
      {!arguments.shard.empty(), "--shard"},
      {arguments.from > 0, "--from"},
      {!arguments.resume.empty(), "--resume"},
      {!arguments.until_unseen.empty(), "--until-unseen"}};
  for (const auto& [given, name] : alone) {
    if (plays_part && given) {
      throw std::invalid_argument(fmt::format("{} and {} do not go together",
                                              arguments.give > 0 ? "--give" : "--part", name));
    }
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
