#include "scenarios/serve/posted_stories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <variant>

#include "scenarios/language/parse.hpp"
#include "scenarios/serve/injected_faults.hpp"
#include "scenarios/serve/kubeconfig.hpp"
#include "scenarios/serve/served_story.hpp"
#include "scenarios/serve/yaml_body.hpp"
#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

/// How many may be played at a time; each has two threads and those of its own clients.
constexpr std::ptrdiff_t kPlayedMax = 32;
/// How long what the script waits for may still come when a caller ends a story.
constexpr runtime::Duration kLastWrites = std::chrono::seconds(5);

/// How much is kept of what came of stories that are over.
constexpr std::size_t kOutcomesMax = std::size_t{4} << 20;

/// How many objects all stories that are played may have in bulk; each takes about a kilobyte.
constexpr std::int64_t kBulkMax = 100'000;
/// The limit for the objects of each story, in bytes: all stories together may take 2 GiB.
constexpr std::size_t kStoreMax = (std::size_t{2} << 30) / kPlayedMax;
/// How many API servers it may have; each has caches of its own, which every write goes through.
constexpr std::size_t kReplicasMax = 32;

std::size_t faults_of(const Scenario& scenario) {
  std::size_t faults = 0;
  for (const Step& step : scenario.script) {
    faults +=
        static_cast<std::size_t>(std::ranges::count_if(step.actions, [](const Action& action) {
          return std::holds_alternative<FaultAction>(action);
        }));
  }
  return faults;
}

json::array array_of(const std::vector<std::string>& lines) {
  return json::array(lines.begin(), lines.end());
}

/// A story with its server, as long as it is played.
struct Stage {
  Stage(const Scenario& scenario, const sim::HttpServerOptions& place, const std::string& token)
      : story(scenario, {.token = token, .has_command = true}),
        front(front_options(token, place.tls)),
        server(front, place) {
    front.add_pages(control_pages(front, {.story = &story}));
    story.open_ports(server);
  }

  sim::HttpFrontOptions front_options(const std::string& token, bool is_tls) {
    sim::HttpFrontOptions options = story.front_options();
    options.token = token;
    options.is_local = token.empty();
    options.is_tls = is_tls;
    options.json_from_yaml = json_from_yaml;
    options.store_max = kStoreMax;
    return options;
  }

  ServedStory story;
  sim::HttpFront front;
  sim::HttpServer server;
};

/// What a story has come to, added to what was said of it while it was played.
json::object with_verdict(json::object made, const StoryVerdict& verdict) {
  made["state"] = verdict.held() ? "held" : "failed";
  made["failure"] = verdict.broken;
  made["seconds"] = verdict.seconds;
  made["seen"] = array_of(verdict.seen);
  made["unfiredFaults"] = array_of(verdict.unfired_faults);
  return made;
}

}  // namespace

/// A story that is played, and then what came of it, as text. The thread of its server is also that
/// which looks at what came of it, and which takes down all the rest.
class PostedStories::Playing {
 public:
  Playing(const Scenario& scenario, const sim::HttpServerOptions& place, const std::string& token,
          const std::function<void()>& on_over)
      : name_(scenario.name),
        tasks_(tasks_of(scenario)),
        bulk_objects_(scenario.server.bulk_objects),
        on_over_(on_over),
        stage_(std::make_unique<Stage>(scenario, place, token)) {
    describe_places(token);
    thread_ = std::thread([this] { play(); });  // which may be refused, so nothing plays yet
    sim::HttpServer& server = stage_->server;
    try {
      stage_->story.begin([&server] { server.stop(); });
    } catch (...) {
      server.stop();
      thread_.join();
      throw;
    }
  }
  Playing(const Playing&) = delete;
  Playing& operator=(const Playing&) = delete;
  ~Playing() {
    {
      const std::lock_guard lock(mutex_);
      if (stage_) {
        stage_->story.end_of_outside({});
        stage_->server.stop();
      }
    }
    join();
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool is_over() const {
    const std::lock_guard lock(mutex_);
    return stage_ == nullptr;
  }
  [[nodiscard]] std::size_t tasks() const { return tasks_; }
  [[nodiscard]] std::int64_t bulk_objects() const { return bulk_objects_; }
  /// Of what came of it.
  [[nodiscard]] std::size_t bytes() const { return outcome_.size(); }
  void end() {
    const std::lock_guard lock(mutex_);
    if (stage_) {
      stage_->story.end_of_outside(kLastWrites);
    }
  }
  /// Once it is over, gives back the thread, which is the last that it has.
  void join() {
    if (thread_.joinable()) {
      thread_.join();
    }
  }

  [[nodiscard]] std::string describe() const {
    const std::lock_guard lock(mutex_);
    return stage_ ? json::serialize(describe_stage()) : outcome_;
  }
  /// The same, with the kubeconfig by which all of its clients find it.
  [[nodiscard]] std::string introduce() const {
    const std::lock_guard lock(mutex_);
    json::object made = stage_ ? describe_stage() : json::parse(outcome_).as_object();
    made["kubeconfig"] = kubeconfig_;
    return json::serialize(made);
  }

 private:
  void describe_places(const std::string& token) {
    const sim::HttpServer& server = stage_->server;
    const std::string authority = server.authority();
    std::vector<ServerAccess> others;
    for (const ClientEndpoint& each : stage_->story.places(server)) {
      others.push_back(
          {.server = each.url, .authority = authority, .token = each.token, .name = each.name});
      places_.push_back(json::object{{"name", each.name}, {"server", each.url}});
    }
    kubeconfig_ =
        kubeconfig_text({.server = server.url(), .authority = authority, .token = token}, others);
  }

  /// With the lock held.
  [[nodiscard]] json::object describe_stage() const {
    json::object made = json::parse(stage_->story.describe()).as_object();
    made.erase("path");
    made["state"] = "running";
    made["server"] = stage_->server.url();
    made["clients"] = places_;
    return made;
  }

  void play() {
    StoryVerdict verdict;
    try {
      stage_->server.run();
      verdict = stage_->story.finish();
    } catch (const std::exception& failure) {
      verdict.broken = failure.what();
    }
    std::unique_ptr<Stage> over;  // goes without the lock, so that nobody waits for it
    {
      const std::lock_guard lock(mutex_);
      outcome_ = json::serialize(with_verdict(describe_stage(), verdict));
      over = std::move(stage_);
    }
    over.reset();
    if (on_over_) {
      on_over_();
    }
  }

  std::string name_;
  std::size_t tasks_;
  std::int64_t bulk_objects_;
  const std::function<void()>& on_over_;  // of PostedStories
  json::array places_;
  std::string kubeconfig_;
  mutable std::mutex mutex_;      // of these two
  std::unique_ptr<Stage> stage_;  // null when it is over
  std::string outcome_;
  std::thread thread_;
};

PostedStories::PostedStories(sim::HttpServerOptions place, std::string token, std::size_t tasks_max,
                             std::function<void()> on_over)
    : place_(std::move(place)),
      token_(std::move(token)),
      tasks_max_(tasks_max),
      on_over_(std::move(on_over)) {
  place_.port = 0;
}

/// Gives back what those have that are over, and forgets the oldest of them when what came of all
/// takes too much.
void PostedStories::clear() {
  std::size_t bytes = 0;
  for (const auto& each : stories_) {
    if (each->is_over()) {
      each->join();
      bytes += each->bytes();
    }
  }
  std::erase_if(stories_, [&bytes](const auto& each) {
    const bool is_forgotten = bytes > kOutcomesMax && each->is_over();
    bytes -= is_forgotten ? each->bytes() : 0;
    return is_forgotten;
  });
}

PostedStories::~PostedStories() = default;

PostedStories::Playing* PostedStories::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(stories_, [&](const auto& each) { return each->name() == name; });
  return found == stories_.end() ? nullptr : found->get();
}

/// Why the story is too large to begin now; "" for no reason.
std::string PostedStories::refusal_of_size(const Scenario& scenario) const {
  std::size_t running = 0;
  std::int64_t there = 0;
  for (const auto& each : stories_) {
    running += each->is_over() ? 0 : each->tasks();
    there += each->is_over() ? 0 : each->bulk_objects();
  }
  if (const std::size_t tasks = tasks_of(scenario); running + tasks > tasks_max_) {
    return fmt::format(
        "the clients of this story have about {} tasks, {} run already, and at most {} may run at "
        "a time; serve --tasks-max raises that",
        tasks, running, tasks_max_);
  }
  if (const std::int64_t objects = scenario.server.bulk_objects; there + objects > kBulkMax) {
    return fmt::format(
        "this story has {} objects in bulk, {} are there already, and at most {} may be at a time",
        objects, there, kBulkMax);
  }
  if (const std::size_t replicas = scenario.server.replicas.size(); replicas > kReplicasMax) {
    return fmt::format("this story has {} replicas, and one that is posted has at most {}",
                       replicas, kReplicasMax);
  }
  const std::size_t faults = faults_of(scenario);
  return faults <= kFaultsMax
             ? ""
             : fmt::format("this story has {} faults, and one that is posted has at most {}",
                           faults, kFaultsMax);
}

api::Result<std::string> PostedStories::begin(const std::string& text) {
  const Parsed parsed = parse_scenario(text);
  if (!parsed.scenario) {
    std::string message;
    for (const Problem& problem : parsed.problems) {
      message += (message.empty() ? "" : "\n") + scenarios::describe("story", problem);
    }
    return api::error_from(sim::status_bodies::bad_request(std::move(message)));
  }
  clear();
  const Playing* const known = find(parsed.scenario->name);
  if (known != nullptr && !known->is_over()) {
    return api::error_from(
        api::failure(api::StatusReason::Conflict,
                     fmt::format("a story named {} is played; DELETE ends it", known->name())));
  }
  const auto played =
      std::ranges::count_if(stories_, [](const auto& each) { return !each->is_over(); });
  if (played >= kPlayedMax) {
    return api::error_from(
        api::failure(api::StatusReason::TooManyRequests,
                     fmt::format("{} stories are played, and no more can be at a time", played)));
  }
  if (std::string refusal = refusal_of_size(*parsed.scenario); !refusal.empty()) {
    return api::error_from(api::failure(api::StatusReason::TooManyRequests, std::move(refusal)));
  }
  try {
    auto made = std::make_unique<Playing>(*parsed.scenario, place_, token_, on_over_);
    std::erase_if(stories_, [known](const auto& each) { return each.get() == known; });
    stories_.push_back(std::move(made));
  } catch (const sim::StoryError& mistake) {
    return api::error_from(sim::status_bodies::bad_request(mistake.what()));
  } catch (const std::runtime_error& failure) {  // RefusedBySystem, or no port or thread for it
    return api::error_from(
        api::failure(api::StatusReason::TooManyRequests,
                     fmt::format("{}; the story has not begun", failure.what())));
  }
  return stories_.back()->introduce();
}

std::string PostedStories::describe(std::string_view name) {
  clear();
  const Playing* const known = find(name);
  return known == nullptr ? "" : known->describe();
}

std::vector<std::string> PostedStories::names() const {
  std::vector<std::string> names;
  std::ranges::transform(stories_, std::back_inserter(names),
                         [](const auto& each) { return each->name(); });
  return names;
}

std::string PostedStories::describe_all() {
  clear();
  std::string items;
  for (const auto& each : stories_) {
    items += (items.empty() ? "" : ",") + each->describe();
  }
  return items;
}

std::string PostedStories::end(std::string_view name) {
  clear();
  Playing* const known = find(name);
  if (known == nullptr) {
    return "";
  }
  known->end();
  return known->describe();
}

}  // namespace watchlab::scenarios
