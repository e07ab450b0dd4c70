#include "scenarios/serve/story_desk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "scenarios/language/parse.hpp"
#include "scenarios/serve/fault_desk.hpp"
#include "scenarios/serve/kubeconfig.hpp"
#include "scenarios/serve/served_story.hpp"
#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

/// How many may be played at a time; each has two threads and those of its own clients.
constexpr std::ptrdiff_t kPlayedMax = 32;
/// How long what the script waits for may still come when a caller ends a story.
constexpr runtime::Duration kLastWrites = std::chrono::seconds(5);

/// How many objects a story may have in bulk; each takes about a kilobyte.
constexpr std::int64_t kBulkMax = 100'000;

/// About how many tasks, each with a thread, the story's own clients have.
std::size_t tasks_of(const Scenario& scenario) {
  constexpr std::size_t kEach = 4;         // its reflector, its controller, their timers
  constexpr std::size_t kEachHandler = 2;  // one takes the events in, one hands them over
  std::size_t tasks = 0;
  for (const sim::StoryClientOptions& client : scenario.clients) {
    tasks += kEach + kEachHandler * std::max<std::size_t>(client.handlers.size(), 1) +
             static_cast<std::size_t>(std::max<std::int64_t>(client.workers, 0));
  }
  return tasks;
}

json::array array_of(const std::vector<std::string>& lines) {
  return json::array(lines.begin(), lines.end());
}

}  // namespace

/// A story with its server. The thread of the server is also that which looks at what came of it.
class StoryDesk::Playing {
 public:
  Playing(const Scenario& scenario, const sim::HttpServerOptions& place, const std::string& token)
      : name_(scenario.name),
        tasks_(tasks_of(scenario)),
        story_(scenario, {.token = token, .has_command = true}),
        front_(front_options(token)),
        server_(front_, place) {
    front_.add_pages(control_pages(front_, {.story = &story_}));
    story_.open_ports(server_);
    describe_places(token);
    story_.begin([this] { server_.stop(); });
    thread_ = std::thread([this] { play(); });
  }
  Playing(const Playing&) = delete;
  Playing& operator=(const Playing&) = delete;
  ~Playing() {
    story_.end_of_outside({});
    server_.stop();
    thread_.join();
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool is_over() const {
    const std::lock_guard lock(mutex_);
    return verdict_.has_value();
  }
  [[nodiscard]] std::size_t tasks() const { return tasks_; }
  void end() { story_.end_of_outside(kLastWrites); }

  [[nodiscard]] json::object describe() const {
    const std::lock_guard lock(mutex_);
    json::object made = json::parse(story_.describe()).as_object();
    made.erase("path");
    made["state"] = !verdict_ ? "running" : verdict_->held() ? "held" : "failed";
    made["server"] = server_.url();
    made["clients"] = places_;
    if (verdict_) {
      made["failure"] = verdict_->broken;
      made["seconds"] = verdict_->seconds;
      made["seen"] = array_of(verdict_->seen);
      made["unfiredFaults"] = array_of(verdict_->unfired_faults);
    }
    return made;
  }
  /// By which all of its clients find it.
  [[nodiscard]] const std::string& kubeconfig() const { return kubeconfig_; }

 private:
  sim::HttpFrontOptions front_options(const std::string& token) {
    sim::HttpFrontOptions options = story_.front_options();
    options.token = token;
    options.is_local = token.empty();
    options.json_from_yaml = json_from_yaml;
    return options;
  }

  void describe_places(const std::string& token) {
    const std::string authority = server_.authority();
    std::vector<ServerAccess> others;
    for (const ClientPlace& each : story_.places(server_)) {
      others.push_back(
          {.server = each.url, .authority = authority, .token = each.token, .name = each.name});
      places_.push_back(json::object{{"name", each.name}, {"server", each.url}});
    }
    kubeconfig_ =
        kubeconfig_text({.server = server_.url(), .authority = authority, .token = token}, others);
  }

  void play() {
    server_.run();
    StoryVerdict verdict = story_.finish();
    const std::lock_guard lock(mutex_);
    verdict_ = std::move(verdict);
  }

  std::string name_;
  std::size_t tasks_;
  ServedStory story_;
  sim::HttpFront front_;
  sim::HttpServer server_;
  json::array places_;
  std::string kubeconfig_;
  mutable std::mutex mutex_;  // of the verdict
  std::optional<StoryVerdict> verdict_;
  std::thread thread_;
};

StoryDesk::StoryDesk(sim::HttpServerOptions place, std::string token, std::size_t tasks_max)
    : place_(std::move(place)), token_(std::move(token)), tasks_max_(tasks_max) {
  place_.port = 0;
}

StoryDesk::~StoryDesk() = default;

StoryDesk::Playing* StoryDesk::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(stories_, [&](const auto& each) { return each->name() == name; });
  return found == stories_.end() ? nullptr : found->get();
}

/// Why the story is too large to begin now; "" for no reason.
std::string StoryDesk::refusal_of_size(const Scenario& scenario) const {
  std::size_t running = 0;
  for (const auto& each : stories_) {
    running += each->is_over() ? 0 : each->tasks();
  }
  if (const std::size_t tasks = tasks_of(scenario); running + tasks > tasks_max_) {
    return fmt::format(
        "the clients of this story have about {} tasks, {} run already, and at most {} may run at "
        "a "
        "time; serve --tasks-max raises that",
        tasks, running, tasks_max_);
  }
  return scenario.server.bulk_objects <= kBulkMax
             ? ""
             : fmt::format("a story that is posted has at most {} objects in bulk", kBulkMax);
}

api::Result<std::string> StoryDesk::begin(const std::string& text) {
  const Parsed parsed = parse_scenario(text);
  if (!parsed.scenario) {
    std::string message;
    for (const Problem& problem : parsed.problems) {
      message += (message.empty() ? "" : "\n") + scenarios::describe("story", problem);
    }
    return api::error_from(sim::status_bodies::bad_request(std::move(message)));
  }
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
    auto made = std::make_unique<Playing>(*parsed.scenario, place_, token_);
    std::erase_if(stories_, [known](const auto& each) { return each.get() == known; });
    stories_.push_back(std::move(made));
  } catch (const sim::StoryError& mistake) {
    return api::error_from(sim::status_bodies::bad_request(mistake.what()));
  } catch (const std::runtime_error& failure) {
    return api::error_from(api::failure(api::StatusReason::ServiceUnavailable, failure.what()));
  }
  json::object described = stories_.back()->describe();
  described["kubeconfig"] = stories_.back()->kubeconfig();
  return json::serialize(described);
}

std::string StoryDesk::describe(std::string_view name) const {
  const Playing* const known = find(name);
  return known == nullptr ? "" : json::serialize(known->describe());
}

std::vector<std::string> StoryDesk::names() const {
  std::vector<std::string> names;
  std::ranges::transform(stories_, std::back_inserter(names),
                         [](const auto& each) { return each->name(); });
  return names;
}

std::string StoryDesk::describe_all() const {
  std::string items;
  for (const auto& each : stories_) {
    items += (items.empty() ? "" : ",") + json::serialize(each->describe());
  }
  return items;
}

std::string StoryDesk::end(std::string_view name) {
  Playing* const known = find(name);
  if (known == nullptr) {
    return "";
  }
  known->end();
  return json::serialize(known->describe());
}

}  // namespace watchlab::scenarios
