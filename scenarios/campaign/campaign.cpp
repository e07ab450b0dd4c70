#include "scenarios/campaign/campaign.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <stdexcept>

#include "scenarios/campaign/joined_threads.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::chrono::milliseconds kLookEvery(200);
/// How often one job evaluates whether something new has become improbable, in runs.
constexpr std::size_t kEvaluateEvery = 64;

/// What the jobs of a campaign know of each other.
class Jobs {
 public:
  Jobs(const CampaignOptions& options, std::size_t count);

  void play(std::size_t job, const std::function<void(runtime::Runtime&)>& body);
  [[nodiscard]] CampaignResult result();

 private:
  [[nodiscard]] bool may_play(std::size_t job, const sim::ExploreResult& so_far);
  [[nodiscard]] sim::ExploreOptions options_for(std::size_t job);
  [[nodiscard]] bool is_time_to_look(std::size_t job, const sim::ExploreResult& so_far);
  void look();
  void stop_soon();
  void note(std::size_t job, const sim::ExploreResult& part);
  [[nodiscard]] bool is_to_be_saved(std::size_t job, const sim::ExploreResult& so_far);
  void keep(std::size_t job, const sim::ExploreResult& part);
  void save(std::size_t job, const sim::ExploreResult& part);
  [[nodiscard]] bool ends_campaign(const sim::Failure& failure) const {
    return !options_.explore.continues || failure.kind == "divergence";
  }
  [[nodiscard]] std::size_t upcoming(std::size_t job, std::size_t next_run) const;
  [[nodiscard]] sim::ExploreResult sum(const std::vector<sim::ExploreResult>& parts) const;

  const CampaignOptions& options_;
  const bool evaluates_;  ///< on all runs together, instead of the strategy on those of one part
  std::mutex mutex_;
  std::size_t begun_;               ///< all numbers that any job has begun lie below
  std::size_t stop_at_ = SIZE_MAX;  ///< no job begins this number or a later one
  bool interrupted_ = false;
  bool saturated_ = false;
  std::vector<sim::ExploreResult> parts_;
  std::vector<sim::ExploreResult> so_far_;  ///< as each job last reported
  std::vector<JobState> begins_;            ///< where the present exploration of each job began
  std::vector<JobState> saved_;             ///< where each job stood when it was last saved
  std::size_t saves_due_ = 0;               ///< how often it was time to save
  std::vector<std::size_t> saves_;          ///< how many of these each job has heeded
  std::vector<std::chrono::steady_clock::time_point> looked_at_;
  std::vector<std::exception_ptr> errors_;
};

Jobs::Jobs(const CampaignOptions& options, std::size_t count)
    : options_(options),
      evaluates_(options.explore.unseen_below > 0 && (count > 1 || !options.states.empty())),
      begun_(options.explore.first_run),
      parts_(count),
      so_far_(count),
      begins_(options.states),
      saves_(count),
      looked_at_(count),
      errors_(count) {
  if (begins_.empty()) {
    begins_.assign(count, {.next_run = options.explore.first_run});
  }
  saved_ = begins_;
  for (std::size_t job = 0; job < count; ++job) {
    so_far_[job] = begins_[job].so_far;
    begun_ = std::max(begun_, begins_[job].next_run);
    for (const sim::DistinctFailure& failure : begins_[job].so_far.failures) {
      if (ends_campaign(failure.first)) {
        stop_at_ = std::min(stop_at_, failure.first_run);
      }
    }
  }
}

/// The number of the run that this job plays next.
std::size_t Jobs::upcoming(std::size_t job, std::size_t next_run) const {
  const std::size_t stride = options_.explore.shards * parts_.size();
  const std::size_t rest = options_.explore.shard + options_.explore.shards * job;
  return next_run + (rest + stride - next_run % stride) % stride;
}

/// What one job has begun the others catch up with: below that nothing is left out.
void Jobs::stop_soon() { stop_at_ = std::min(stop_at_, begun_); }

bool Jobs::is_time_to_look(std::size_t job, const sim::ExploreResult& so_far) {
  if (evaluates_ && parts_.size() == 1) {
    const std::size_t executions = begins_[job].so_far.executions + so_far.executions;
    return executions > 0 && executions % kEvaluateEvery == 0;
  }
  const auto now = std::chrono::steady_clock::now();
  if ((!options_.progress && !evaluates_ && !options_.save) || now < looked_at_[job] + kLookEvery) {
    return false;
  }
  looked_at_[job] = now;
  return true;
}

/// What is too dear to do before each run.
void Jobs::look() {
  const sim::ExploreResult whole = sum(so_far_);
  if (options_.progress) {
    options_.progress(whole);
  }
  if (evaluates_ && !saturated_ &&
      whole.coverage.unseen_at_most() < options_.explore.unseen_below) {
    saturated_ = true;
    stop_soon();
  }
}

/// Keeps all that a job has come to; `part` is what its present exploration has.
void Jobs::note(std::size_t job, const sim::ExploreResult& part) {
  sim::ExploreResult whole = begins_[job].so_far;
  add_to(whole, part);
  whole.exhausted = part.exhausted;
  whole.saturated = part.saturated;
  whole.explored = part.explored;
  whole.stopped = part.stopped;
  whole.next_run = part.next_run;
  so_far_[job] = std::move(whole);
}

/// Whether a job has found something that is not saved yet, or it was time to save since it was.
bool Jobs::is_to_be_saved(std::size_t job, const sim::ExploreResult& so_far) {
  if (!options_.save) {
    return false;
  }
  if (options_.save_due && options_.save_due()) {
    ++saves_due_;
  }
  const auto is_new = [&](const sim::DistinctFailure& failure) {
    return sim::find_failure(saved_[job].so_far.failures, failure.first) == nullptr;
  };
  const bool has_played = so_far.next_run > begins_[job].next_run;
  return has_played && (saves_[job] < saves_due_ ||
                        std::any_of(so_far.failures.begin(), so_far.failures.end(), is_new));
}

void Jobs::keep(std::size_t job, const sim::ExploreResult& part) {
  saved_[job] = {.next_run = part.next_run, .so_far = so_far_[job]};
}

/// Saves where all jobs stand: this one by now, the others as they last reported.
void Jobs::save(std::size_t job, const sim::ExploreResult& part) {
  note(job, part);
  saves_[job] = saves_due_;
  keep(job, part);
  for (std::size_t other = 0; other < saved_.size(); ++other) {
    saved_[other] = {.next_run = std::max(so_far_[other].next_run, begins_[other].next_run),
                     .so_far = so_far_[other]};
  }
  options_.save(saved_);
}

bool Jobs::may_play(std::size_t job, const sim::ExploreResult& so_far) {
  const std::scoped_lock lock(mutex_);
  begun_ = std::max(begun_, so_far.next_run);  // a child of this process may have played some
  if (is_time_to_look(job, so_far)) {
    note(job, so_far);
    look();
  }
  if (!interrupted_ && options_.keep_going && !options_.keep_going()) {
    interrupted_ = true;
    stop_soon();
  }
  const std::size_t run = upcoming(job, so_far.next_run);
  if (run >= stop_at_) {
    return false;
  }
  if (is_to_be_saved(job, so_far)) {
    save(job, so_far);
  }
  begun_ = std::max(begun_, run + 1);
  return true;
}

sim::ExploreOptions Jobs::options_for(std::size_t job) {
  sim::ExploreOptions options = options_.explore;
  options.shard += options.shards * job;
  options.shards *= parts_.size();
  options.first_run = begins_[job].next_run;
  if (evaluates_) {
    options.coverage = true;
    options.unseen_below = 0;
  }
  options.keep_going = [this, job](const sim::ExploreResult& so_far) {
    return may_play(job, so_far);
  };
  return options;
}

void Jobs::play(std::size_t job, const std::function<void(runtime::Runtime&)>& body) {
  sim::ExploreResult part;
  try {
    part = sim::explore(options_for(job), body);
  } catch (const std::exception&) {
    errors_[job] = std::current_exception();
  }
  const std::scoped_lock lock(mutex_);
  if (!part.stopped.empty()) {  // the process is what has grown
    interrupted_ = true;
    stop_soon();
  }
  note(job, part);
  parts_[job] = so_far_[job];
  keep(job, part);
  if (options_.save && part.failure && ends_campaign(*part.failure)) {
    save(job, part);  // it may take long to explain and to print
  }
  if (errors_[job]) {
    stop_at_ = 0;
  } else if (part.failure && ends_campaign(*part.failure)) {
    stop_at_ = std::min(stop_at_, part.next_run - 1);
  }
}

sim::ExploreResult Jobs::sum(const std::vector<sim::ExploreResult>& parts) const {
  sim::ExploreResult whole;
  whole.exhausted = true;
  whole.saturated = true;
  for (const sim::ExploreResult& part : parts) {
    add_to(whole, part);
    whole.stopped = whole.stopped.empty() ? part.stopped : whole.stopped;
    whole.exhausted = whole.exhausted && part.exhausted;
    whole.saturated = whole.saturated && part.saturated;
    whole.explored += part.explored / static_cast<double>(parts.size());
    whole.next_run = std::max(whole.next_run, part.next_run);
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
  if (stop_at_ != SIZE_MAX && !is_tree_search(options_.explore.strategy)) {
    result.whole.next_run = std::max(stop_at_, options_.explore.first_run);
  }
  result.states = saved_;
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
  const std::string& strategy = options.explore.strategy;
  const std::size_t count = is_tree_search(strategy) || strategy == "fifo" ? 1 : options.jobs;
  if (!options.states.empty() && options.states.size() != count) {
    throw std::invalid_argument("a campaign continues with as many jobs as it had");
  }
  Jobs jobs(options, count);
  std::vector<std::function<void(runtime::Runtime&)>> bodies;
  for (std::size_t job = 0; job < count; ++job) {
    bodies.push_back(make_body());
  }
  if (count == 1) {
    jobs.play(0, bodies[0]);
  } else {
    JoinedThreads threads;
    for (std::size_t job = 0; job < count; ++job) {
      threads.start([&jobs, &bodies, job] { jobs.play(job, bodies[job]); });
    }
  }
  return jobs.result();
}

}  // namespace watchlab::scenarios
