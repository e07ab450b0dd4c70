#include "scenarios/campaign/campaign.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace watchlab::scenarios {
namespace {

constexpr std::chrono::milliseconds kLookEvery(200);

/// What the jobs of a campaign know of each other.
class Jobs {
 public:
  explicit Jobs(const CampaignOptions& options, std::size_t count)
      : options_(options),
        searches_(is_tree_search(options.explore.strategy)),
        parts_(count),
        so_far_(count),
        looked_at_(count),
        errors_(count) {}

  void play(std::size_t job, const std::function<void(runtime::Runtime&)>& body);
  [[nodiscard]] CampaignResult result();

 private:
  [[nodiscard]] bool may_play(std::size_t job, const sim::ExploreResult& so_far);
  [[nodiscard]] sim::ExploreOptions options_for(std::size_t job);
  void look(std::size_t job, const sim::ExploreResult& so_far);
  void stop_soon();
  [[nodiscard]] bool ends_campaign(const sim::Failure& failure) const {
    return !options_.explore.continues || failure.kind == "divergence";
  }
  [[nodiscard]] std::size_t upcoming(std::size_t job, std::size_t next_run) const;
  [[nodiscard]] sim::ExploreResult sum(const std::vector<sim::ExploreResult>& parts) const;

  const CampaignOptions& options_;
  const bool searches_;
  std::mutex mutex_;
  std::size_t begun_ = 0;           ///< all numbers that any job has begun lie below
  std::size_t stop_at_ = SIZE_MAX;  ///< no job begins this number or a later one
  bool interrupted_ = false;
  bool saturated_ = false;
  std::vector<sim::ExploreResult> parts_;
  std::vector<sim::ExploreResult> so_far_;  ///< as each job last told
  std::vector<std::chrono::steady_clock::time_point> looked_at_;
  std::vector<std::exception_ptr> errors_;
};

/// The number of the run that this job plays next.
std::size_t Jobs::upcoming(std::size_t job, std::size_t next_run) const {
  const std::size_t stride = options_.explore.shards * parts_.size();
  const std::size_t rest = options_.explore.shard + options_.explore.shards * job;
  return next_run + (rest + stride - next_run % stride) % stride;
}

/// What one job has begun the others catch up with: below that nothing is left out.
void Jobs::stop_soon() { stop_at_ = std::min(stop_at_, searches_ ? 0 : begun_); }

/// What is too dear to do before each run.
void Jobs::look(std::size_t job, const sim::ExploreResult& so_far) {
  const auto now = std::chrono::steady_clock::now();
  const bool judges = parts_.size() > 1 && options_.explore.unseen_below > 0;
  if ((!options_.progress && !judges) || now < looked_at_[job] + kLookEvery) {
    return;
  }
  looked_at_[job] = now;
  so_far_[job] = so_far;
  const sim::ExploreResult whole = sum(so_far_);
  if (options_.progress) {
    options_.progress(whole);
  }
  if (judges && !saturated_ && whole.coverage.unseen_at_most() < options_.explore.unseen_below) {
    saturated_ = true;
    stop_soon();
  }
}

bool Jobs::may_play(std::size_t job, const sim::ExploreResult& so_far) {
  const std::scoped_lock lock(mutex_);
  look(job, so_far);
  if (!interrupted_ && options_.keep_going && !options_.keep_going()) {
    interrupted_ = true;
    stop_soon();
  }
  const std::size_t run = searches_ ? so_far.next_run : upcoming(job, so_far.next_run);
  if (run >= stop_at_) {
    return false;
  }
  begun_ = std::max(begun_, run + 1);
  return true;
}

sim::ExploreOptions Jobs::options_for(std::size_t job) {
  sim::ExploreOptions options = options_.explore;
  options.shard += options.shards * job;
  options.shards *= parts_.size();
  if (!options_.states.empty()) {
    options.state = options_.states[job].tree;
    options.first_run = options_.states[job].next_run;
  }
  if (parts_.size() > 1) {
    options.coverage = options.coverage || options.unseen_below > 0;
    options.unseen_below = 0;
  }
  options.keep_going = [this, job](const sim::ExploreResult& so_far) {
    return may_play(job, so_far);
  };
  return options;
}

void Jobs::play(std::size_t job, const std::function<void(runtime::Runtime&)>& body) {
  try {
    if (!options_.states.empty() && options_.states[job].tree.empty()) {
      parts_[job].exhausted = true;
      parts_[job].explored = 1;
      parts_[job].next_run = options_.states[job].next_run;
    } else {
      parts_[job] = sim::explore(options_for(job), body);
    }
  } catch (const std::exception&) {
    errors_[job] = std::current_exception();
  }
  const std::scoped_lock lock(mutex_);
  so_far_[job] = parts_[job];
  if (errors_[job]) {
    stop_at_ = 0;
  } else if (parts_[job].failure && ends_campaign(*parts_[job].failure)) {
    stop_at_ = std::min(stop_at_, searches_ ? 0 : parts_[job].next_run - 1);
  }
}

sim::ExploreResult Jobs::sum(const std::vector<sim::ExploreResult>& parts) const {
  sim::ExploreResult whole;
  whole.exhausted = true;
  whole.saturated = true;
  for (const sim::ExploreResult& part : parts) {
    whole.executions += part.executions;
    whole.blocked += part.blocked;
    whole.decisions += part.decisions;
    whole.restarts += part.restarts;
    whole.exhausted = whole.exhausted && part.exhausted;
    whole.saturated = whole.saturated && part.saturated;
    whole.explored += part.explored / static_cast<double>(parts.size());
    whole.next_run = std::max(whole.next_run, part.next_run);
    whole.coverage.merge(part.coverage);
    for (const sim::DistinctFailure& failure : part.failures) {
      sim::add_failure(whole.failures, failure);
    }
  }
  return whole;
}

CampaignResult Jobs::result() {
  for (const std::exception_ptr& error : errors_) {
    if (error) {
      std::rethrow_exception(error);
    }
  }
  CampaignResult result;
  result.whole = sum(parts_);
  result.whole.interrupted = interrupted_;
  result.whole.saturated = result.whole.saturated || saturated_;
  if (stop_at_ != SIZE_MAX && !searches_) {
    result.whole.next_run = std::max(stop_at_, options_.explore.first_run);
  }
  for (const sim::ExploreResult& part : parts_) {
    if (searches_) {
      result.states.push_back({.next_run = part.next_run, .tree = part.state});
    }
  }
  if (!result.whole.failures.empty()) {
    if (!options_.explore.continues) {
      result.whole.failures.resize(1);  // those of other jobs came later
    }
    result.failing_run = result.whole.failures.front().first_run;
    result.whole.failure = result.whole.failures.front().first;
  }
  return result;
}

}  // namespace

bool is_tree_search(const std::string& strategy) { return strategy == "dfs" || strategy == "dpor"; }

CampaignResult run_campaign(
    const CampaignOptions& options,
    const std::function<std::function<void(runtime::Runtime&)>()>& make_body) {
  const std::size_t count =
      options.explore.strategy == "dpor" || options.explore.strategy == "fifo" ? 1 : options.jobs;
  if (!options.states.empty() && options.states.size() != count) {
    throw std::invalid_argument("a search goes on with as many jobs as it had");
  }
  Jobs jobs(options, count);
  std::vector<std::function<void(runtime::Runtime&)>> bodies;
  for (std::size_t job = 0; job < count; ++job) {
    bodies.push_back(make_body());
  }
  if (count == 1) {
    jobs.play(0, bodies[0]);
  } else {
    std::vector<std::jthread> threads;
    for (std::size_t job = 0; job < count; ++job) {
      threads.emplace_back([&jobs, &bodies, job] { jobs.play(job, bodies[job]); });
    }
  }
  return jobs.result();
}

}  // namespace watchlab::scenarios
