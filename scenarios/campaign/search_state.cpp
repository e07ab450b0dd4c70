#include <fmt/format.h>

#include <boost/json.hpp>
#include <stdexcept>

#include "scenarios/campaign/campaign.hpp"
#include "scenarios/campaign/sealed.hpp"

namespace watchlab::scenarios {
namespace {

using boost::json::value_to;

boost::json::object object_of(const sim::DistinctFailure& failure) {
  return {{"kind", failure.first.kind},         {"sentence", failure.first.sentence},
          {"schedule", failure.first.schedule}, {"steps", failure.first.steps},
          {"first_run", failure.first_run},     {"count", failure.count}};
}

sim::DistinctFailure failure_of(const boost::json::value& value) {
  return {.first = {.kind = value_to<std::string>(value.at("kind")),
                    .sentence = value_to<std::string>(value.at("sentence")),
                    .schedule = value_to<std::string>(value.at("schedule")),
                    .steps = value_to<std::size_t>(value.at("steps"))},
          .first_run = value_to<std::size_t>(value.at("first_run")),
          .count = value_to<std::size_t>(value.at("count"))};
}

boost::json::object object_of(const JobState& job) {
  boost::json::array failures;
  for (const sim::DistinctFailure& failure : job.so_far.failures) {
    failures.push_back(object_of(failure));
  }
  return {{"next_run", job.next_run},
          {"executions", job.so_far.executions},
          {"digest", job.so_far.digest},
          {"blocked", job.so_far.blocked},
          {"decisions", job.so_far.decisions},
          {"restarts", job.so_far.restarts},
          {"relative_to", boost::json::value_from(job.so_far.relative_to)},
          {"coverage", job.so_far.coverage.to_sketch()},
          {"failures", std::move(failures)}};
}

JobState job_of(const boost::json::value& value) {
  JobState job{.next_run = value_to<std::size_t>(value.at("next_run"))};
  job.so_far.next_run = job.next_run;
  job.so_far.executions = value_to<std::size_t>(value.at("executions"));
  job.so_far.digest = value_to<std::uint64_t>(value.at("digest"));
  job.so_far.blocked = value_to<std::size_t>(value.at("blocked"));
  job.so_far.decisions = value_to<std::size_t>(value.at("decisions"));
  job.so_far.restarts = value_to<std::size_t>(value.at("restarts"));
  job.so_far.relative_to = value_to<std::vector<std::string>>(value.at("relative_to"));
  job.so_far.coverage = sim::Coverage::from_sketch(value_to<std::string>(value.at("coverage")));
  for (const boost::json::value& failure : value.at("failures").as_array()) {
    job.so_far.failures.push_back(failure_of(failure));
  }
  return job;
}

}  // namespace

std::string search_state_text(const SearchState& state, const Settings& settings) {
  boost::json::array jobs;
  for (const JobState& job : state.jobs) {
    jobs.push_back(object_of(job));
  }
  const boost::json::object body{
      {"from", state.from}, {"seconds", state.seconds}, {"jobs", std::move(jobs)}};
  return progress_text(
      {.command = "explore", .settings = settings, .body = boost::json::serialize(body)});
}

SearchState read_search_state(const std::string& path, const Settings& settings) {
  const std::string text = read_progress(path, "explore", settings);
  try {
    boost::json::parse_options options;
    options.allow_invalid_utf8 = true;  // a failure's message may quote anything
    const boost::json::value body = boost::json::parse(text, {}, options);
    SearchState state{.from = value_to<std::size_t>(body.at("from")),
                      .seconds = value_to<double>(body.at("seconds"))};
    for (const boost::json::value& job : body.at("jobs").as_array()) {
      state.jobs.push_back(job_of(job));
    }
    return state;
  } catch (const std::exception& failure) {
    throw std::invalid_argument(
        fmt::format("{}: this is not where an exploration has stopped: {}", path, failure.what()));
  }
}

void add_to(sim::ExploreResult& whole, const sim::ExploreResult& part) {
  whole.executions += part.executions;
  whole.digest ^= part.digest;
  whole.blocked += part.blocked;
  whole.decisions += part.decisions;
  whole.restarts += part.restarts;
  whole.coverage.merge(part.coverage);
  for (const std::string& clause : part.relative_to) {
    sim::add_clause(whole.relative_to, clause);
  }
  for (const sim::DistinctFailure& failure : part.failures) {
    sim::add_failure(whole.failures, failure);
  }
}

}  // namespace watchlab::scenarios
