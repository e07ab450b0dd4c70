#include "scenarios/serve/served_story.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>
#include <iterator>
#include <mutex>
#include <new>
#include <set>
#include <system_error>
#include <utility>

#include "scenarios/language/document.hpp"
#include "scenarios/language/plain_text.hpp"
#include "sim/explain/wording.hpp"
#include "sim/http/request_checks.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

/// For how long nothing may happen until the story's own clients are quiet: longer than the first
/// pause of a reflector that has lost its watch, which is at most 1.6 s.
constexpr runtime::Duration kQuietFor = std::chrono::seconds(2);
/// How long a story with a command may take that does not say it.
constexpr runtime::Duration kWithin = std::chrono::minutes(1);
/// By how much a delay that is expected may be missed: less than the 0.8 s that a reflector pauses
/// at least when it does not continue at once.
constexpr runtime::Duration kTolerance = std::chrono::milliseconds(500);
/// What must be there to allocate when a story begins, beside its threads: where memory is limited
/// by addresses, these take most of it.
constexpr std::size_t kHeadroom = std::size_t{64} << 20;
/// How many requests a failure shows.
constexpr std::size_t kShownMax = 20;
constexpr std::string_view kClients = "/clients/";

/// Prints what programs print: the type of each delta that they pop, and the object's name.
sim::Recorder::Written printer_of(const Scenario& scenario,
                                  std::function<void(const std::string&)> print) {
  std::set<std::string> programs;
  for (const sim::StoryClientOptions& client : scenario.clients) {
    if (client.kind == sim::ClientKind::Program) {
      programs.insert(client.name);
    }
  }
  return [programs, print = std::move(print),
          seen = std::size_t{0}](const sim::Record& record) mutable {
    for (; seen < record.deltas.size(); ++seen) {
      const sim::DeltaRecord& delta = record.deltas[seen];
      if (programs.contains(delta.client)) {
        print(visible_line(fmt::format("{}: {}", to_string(delta.type),
                                       delta.key.substr(delta.key.find('/') + 1))));
      }
    }
  };
}

bool has_clients_of_its_own(const Scenario& scenario) {
  return external_clients(scenario).size() < scenario.clients.size();
}

void refuse_what_cannot_be_served(const Scenario& scenario) {
  if (!scenario.program.empty()) {
    throw sim::StoryError(fmt::format("{}:1: the program '{}' has no server to serve",
                                      scenario.path, scenario.program));
  }
  for (const Step& step : scenario.script) {
    for (const Action& action : step.actions) {
      const auto* fault = std::get_if<FaultAction>(&action);
      if (std::holds_alternative<MoveAction>(action) || (fault != nullptr && fault->fault.choice)) {
        throw sim::StoryError(fmt::format(
            "{}:{}: {} only in a simulation", scenario.path, step.line,
            fault != nullptr ? "a schedule decides about a fault" : "clients move to a replica"));
      }
    }
  }
}

void set_field(sim::HttpFields& fields, std::string_view name, std::string value) {
  std::erase_if(fields,
                [&](const sim::HttpField& each) { return !sim::field_of({each}, name).empty(); });
  fields.push_back({std::string(name), std::move(value)});
}

}  // namespace

struct ServedStory::Progress {
  mutable std::mutex mutex;
  bool outside_over = false;
  bool over = false;
  bool mistake = false;
  std::size_t steps = 0;                     // that were played
  std::optional<runtime::TimePoint> met_at;  // when the condition of `until` came to hold
  std::string failure;
  bool crashed = false;  // a task has, and the story ends
  std::string crash;     // what is said of that

  /// True for the first one.
  bool take_crash(const runtime::TaskCrash& what) noexcept {
    const std::lock_guard lock(mutex);
    if (std::exchange(crashed, true)) {
      return false;
    }
    try {
      crash = fmt::format("the task '{}' has ended: {}", what.task, what.message);
    } catch (const std::bad_alloc&) {
      crash = "no memory";  // short enough to need none
    }
    return true;
  }
};

std::size_t tasks_of(const Scenario& scenario) {
  constexpr std::size_t kEachHandler = 2;  // takes events in, hands them over
  constexpr std::size_t kWire = 2;         // the server's end of its requests
  std::size_t tasks = 0;
  for (const sim::StoryClientOptions& client : scenario.clients) {
    const sim::ClientTraits& traits = sim::traits_of(client.kind);
    const bool has_handlers = traits.handlers == sim::HandlerCount::AnyNumber;
    const bool has_wire = !traits.external && scenario.transport == sim::Transport::Wire;
    tasks +=
        traits.tasks + (has_wire ? kWire : 0) + (client.runs_twice ? 1 : 0) +
        (has_handlers ? kEachHandler * std::max<std::size_t>(client.handlers.size(), 1) : 0) +
        (traits.has_workers ? static_cast<std::size_t>(std::max<std::int64_t>(client.workers, 0))
                            : 0);
  }
  return tasks;
}

ServedStory::ServedStory(const Scenario& scenario, ServedStoryOptions served)
    : scenario_(scenario),
      token_(std::move(served.token)),
      outside_(external_clients(scenario_)),
      progress_(std::make_shared<Progress>()),
      runtime_(sim::make_served_runtime(
          [this, progress = progress_](const runtime::TaskCrash& crash) noexcept {
            if (progress->take_crash(crash)) {  // later ones may come when this has gone
              end_of_outside({});
            }
          })) {
  refuse_what_cannot_be_served(scenario_);
  const std::size_t tasks =
      tasks_of(scenario_) + 2;  // and that of the script, and the controllers'
  try {
    runtime_->reserve(tasks);
    (void)std::make_unique_for_overwrite<char[]>(kHeadroom);
  } catch (const std::bad_alloc&) {
    throw RefusedBySystem(
        fmt::format("the system refuses the memory that the story '{}' takes", scenario_.name));
  } catch (const std::system_error& refusal) {
    throw RefusedBySystem(
        fmt::format("the system refuses the {} threads that the story '{}' takes: {}", tasks,
                    scenario_.name, refusal.code().message()));
  }
  for (sim::Expectation& each : scenario_.expectations) {
    sim::tolerate(each, kTolerance);
  }
  began_ = runtime_->now();
  sim::StoryOptions options = story_of(scenario_);
  options.real_time = true;
  options.quiet_for = kQuietFor;
  options.observer = std::move(served.observer);
  if (served.has_command && options.within == Scenario().within) {
    options.within = scenario_.within = kWithin;
  }
  if (served.print) {
    options.written = printer_of(scenario_, std::move(served.print));
  }
  auto story = std::make_unique<sim::Story>(*runtime_, std::move(options));
  const std::lock_guard lock(progress_->mutex);
  story_ = std::move(story);
}

void ServedStory::leave() {
  if (story_ == nullptr) {
    return;
  }
  end_of_outside({});
  if (task_) {
    task_->join();
  }
  if (has_crashed()) {
    (void)story_.release();
  } else {
    story_->abandon();
    story_.reset();
  }
}

ServedStory::~ServedStory() {
  leave();
  if (has_crashed()) {
    (void)runtime_.release();  // its tasks may wait for the one that has ended, and for ever
  }
}

bool ServedStory::has_crashed() const {
  const std::lock_guard lock(progress_->mutex);
  return progress_->crashed;
}

sim::HttpFrontOptions ServedStory::front_options() {
  return {.host = story_->host(),
          .client_names = [this](sim::HttpRequest& http,
                                 std::uint16_t port) { return whose(http, port); },
          .token = token_};
}

void ServedStory::open_ports(sim::HttpServer& server) {
  for (const sim::StoryClientOptions& client : outside_) {
    if (client.recognised_by.own_port) {
      ports_[client.name] = server.add_port();
    }
  }
}

std::vector<ClientEndpoint> ServedStory::places(const sim::HttpServer& server) const {
  std::vector<ClientEndpoint> places;
  for (const sim::StoryClientOptions& client : outside_) {
    const auto port = ports_.find(client.name);
    const std::string& token = client.recognised_by.token;
    places.push_back({.name = client.name,
                      .url = port != ports_.end()
                                 ? server.url(port->second)
                                 : server.url() + std::string(kClients) + client.name,
                      .token = token.empty() ? token_ : token});
  }
  return places;
}

bool ServedStory::fits(const sim::StoryClientOptions& client, const sim::HttpRequest& http,
                       std::uint16_t port) const {
  const sim::Recognition& by = client.recognised_by;
  const auto own = ports_.find(client.name);
  return by.says_something() && (!by.own_port || (own != ports_.end() && own->second == port)) &&
         (by.token.empty() || sim::bearer_token_of(http.fields) == by.token) &&
         sim::field_of(http.fields, "User-Agent").find(by.user_agent) != std::string_view::npos;
}

/// A client that is known by its token is let in with it, whatever the others must show. Of several
/// that fit it is the one that says most of the User-Agent: web2, and not web.
std::string ServedStory::whose(sim::HttpRequest& http, std::uint16_t port) const {
  const bool has_path = http.target.starts_with(kClients);
  const sim::StoryClientOptions* found = nullptr;
  for (const sim::StoryClientOptions& client : outside_) {
    const std::string below = std::string(kClients) + client.name;
    const bool is_below = http.target == below || http.target.starts_with(below + "/") ||
                          http.target.starts_with(below + "?");
    if (is_below) {
      http.target.erase(0, below.size());
      http.target.insert(0, http.target.starts_with('/') ? "" : "/");
      found = &client;
      break;
    }
    const std::size_t said = client.recognised_by.user_agent.size();
    if (!has_path && fits(client, http, port) &&
        (found == nullptr || said > found->recognised_by.user_agent.size())) {
      found = &client;
    }
  }
  if (found != nullptr) {
    const std::string& own = found->recognised_by.token;
    if (!own.empty() && !token_.empty() && sim::bearer_token_of(http.fields) == own) {
      set_field(http.fields, "Authorization", "Bearer " + token_);
    }
    return found->name;
  }
  const bool takes_all = outside_.size() == 1 && !outside_[0].recognised_by.says_something();
  return takes_all && !has_path ? outside_[0].name : "";
}

void ServedStory::begin(std::function<void()> on_over) {
  on_over_ = std::move(on_over);
  if (std::unique_lock lock(progress_->mutex); progress_->crashed) {
    lock.unlock();
    end_of_outside({});
  }
  task_ = runtime::spawn(*runtime_, "story", [this] { play(); });
}

/// The script and the ending; what goes wrong is kept for the verdict.
void ServedStory::play() noexcept {
  std::string failure;
  bool mistake = false;
  try {
    play_script(scenario_, *story_, [this] {
      const std::lock_guard lock(progress_->mutex);
      ++progress_->steps;
    });
    await_ending();
  } catch (const sim::StoryError& error) {
    failure = error.what();
    mistake = true;
  } catch (const std::exception& violation) {
    failure = violation.what();
  }
  {
    const std::lock_guard lock(progress_->mutex);
    progress_->over = true;
    progress_->mistake = mistake;
    progress_->failure = std::move(failure);
  }
  on_over_();
}

void ServedStory::await_ending() {
  const Ending& until = scenario_.until;
  if (until.kind == Ending::Kind::At) {
    std::set<std::string> outside;
    for (const sim::StoryClientOptions& client : outside_) {
      outside.insert(client.name);
    }
    // A program takes its time to be built and to start; that is no part of the story.
    if (outside.empty()) {
      story_->wait_until(until.at);
    } else {
      (void)story_->wait_since_a_request(outside, until.at);
    }
  } else if (until.kind == Ending::Kind::Condition) {
    if (!story_->wait_for(until.condition)) {
      throw sim::Violation(fmt::format("{}: the story waits for {}, which had not come at the end",
                                       place_of_ending(scenario_), sim::describe(until.condition)));
    }
    const std::lock_guard lock(progress_->mutex);
    progress_->met_at = runtime_->now();
  } else if (until.kind == Ending::Kind::Quiet) {
    outside_over_.get_future().wait();
    if (has_clients_of_its_own(scenario_)) {
      (void)story_->run_until_quiet();
    }
  }
}

void ServedStory::end_of_outside(runtime::Duration grace_period) {
  const std::lock_guard lock(progress_->mutex);
  if (!std::exchange(progress_->outside_over, true)) {
    outside_over_.set_value();
  }
  if (story_ != nullptr) {
    story_->interrupt(grace_period);
  }
}

/// The last of these requests, and before them those that an expectation is broken with.
std::vector<std::string> ServedStory::lines_of(std::vector<sim::Exchange> exchanges,
                                               const std::vector<sim::NamedEntry>& named) const {
  const auto is_named = [&](const sim::Exchange& each) {
    return std::ranges::any_of(named, [&](const sim::NamedEntry& entry) {
      return entry.sent == each.sent && entry.client == each.request.client;
    });
  };
  // What came while the record was being closed counts only where it is named.
  const std::uint64_t known = exchanges.empty() ? 0 : exchanges.back().number;
  std::ranges::copy_if(
      story_->host()->exchanges(), std::back_inserter(exchanges),
      [&](const sim::Exchange& each) { return each.number > known && is_named(each); });
  std::vector<std::string> seen;
  const std::size_t last = exchanges.size() > kShownMax ? exchanges.size() - kShownMax : 0;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    const sim::Exchange& each = exchanges[i];
    const bool breaks = is_named(each);
    if (i < last && !breaks) {
      ++left_out;
      continue;
    }
    if (left_out > 0 && !seen.empty()) {
      seen.push_back(fmt::format("       …    {} between", sim::counted(left_out, "request")));
    }
    left_out = 0;
    const double at = std::chrono::duration<double>(each.sent - began_).count();
    std::string line = fmt::format("{}{:7.3f}s  {}: {} {} → {}", breaks ? "▶" : " ", at,
                                   each.request.client, request_text(each.request),
                                   sim::qualified_name(each.request.resource), answer_text(each));
    if (each.end) {
      line += fmt::format(", {} after {} events", to_string(*each.end), each.events);
    }
    seen.push_back(visible_line(line));
  }
  return seen;
}

/// Which of the clients from outside have asked nothing, and who has asked at all; "" when all
/// have.
std::string ServedStory::unrecognised() const {
  std::set<std::string> asked;
  for (const sim::Exchange& each : story_->host()->exchanges()) {
    asked.insert(visible_line(each.request.client));
  }
  std::string silent;
  for (const sim::StoryClientOptions& client : outside_) {
    if (!asked.contains(client.name)) {
      silent += (silent.empty() ? "" : ", ") + client.name;
    }
  }
  return silent.empty()
             ? ""
             : fmt::format(
                   "no request was recognised as one of {}; requests came from {}", silent,
                   asked.empty() ? "no client at all" : fmt::format("{}", fmt::join(asked, ", ")));
}

/// A task of the story's own clients has ended with an exception: the story is over, and the server
/// goes on. What its clients have come to says nothing.
StoryVerdict ServedStory::crashed_verdict() const {
  StoryVerdict verdict{.seen = lines_of(story_->host()->exchanges(), {})};
  verdict.seconds = std::chrono::duration<double>(runtime_->now() - began_).count();
  const std::lock_guard lock(progress_->mutex);
  verdict.broken = progress_->crash;
  return verdict;
}

StoryVerdict ServedStory::finish() {
  end_of_outside({});
  if (task_) {
    task_->join();
  }
  if (has_crashed()) {
    return crashed_verdict();
  }
  const std::string silent = unrecognised();
  std::vector<sim::Exchange> exchanges = story_->host()->exchanges();
  story_->abandon();
  StoryVerdict verdict{.seen = lines_of(std::move(exchanges),
                                        breaking_entries(scenario_, Scope::AnyOrder, *story_))};
  verdict.is_mistake = progress_->mistake;
  verdict.broken = progress_->failure;
  const std::string claims =
      verdict.is_mistake ? "" : broken_claims(scenario_, Scope::AnyOrder, *story_);
  verdict.broken += (verdict.broken.empty() || claims.empty() ? "" : "\n") + claims;
  if (!verdict.broken.empty() && progress_->met_at) {
    verdict.broken +=
        fmt::format("\nthe story was over at {:.3f}s: {}",
                    std::chrono::duration<double>(*progress_->met_at - began_).count(),
                    sim::describe(scenario_.until.condition));
  }
  verdict.broken += verdict.broken.empty() || silent.empty() ? "" : "\n" + silent;
  verdict.unfired_faults = unfired_faults_in(scenario_, story_->record());
  verdict.seconds = std::chrono::duration<double>(runtime_->now() - began_).count();
  {
    const std::lock_guard lock(progress_->mutex);
    story_.reset();
  }
  runtime_->release();  // a story that is over is kept for what came of it, without threads
  return verdict;
}

std::string ServedStory::describe() const {
  const std::lock_guard lock(progress_->mutex);
  boost::json::object made{{"name", scenario_.name}, {"path", scenario_.path}};
  made["state"] = !progress_->failure.empty() ? "failed" : progress_->over ? "over" : "running";
  made["steps"] = progress_->steps;
  made["failure"] = progress_->failure;
  boost::json::array clients;
  for (const sim::StoryClientOptions& client : scenario_.clients) {
    clients.push_back({{"name", client.name}, {"kind", traits_of(client.kind).name}});
  }
  made["clients"] = std::move(clients);
  return boost::json::serialize(made);
}

}  // namespace watchlab::scenarios
