#include "scenarios/serve/served_story.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>
#include <mutex>
#include <set>
#include <utility>

#include "scenarios/language/document.hpp"
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
        print(fmt::format("{}: {}", to_string(delta.type),
                          delta.key.substr(delta.key.find('/') + 1)));
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

/// Where the file says `until`; the file alone when it cannot be read again.
std::string place_of_ending(const Scenario& scenario) {
  Problems problems;
  const std::string text = read_text_file(scenario.path, problems);
  const Node root = problems.empty() ? parse_document(text, problems) : Node();
  const Node* const until = problems.empty() ? root.find("until") : nullptr;
  const std::string file = scenario.path.empty() ? scenario.name : scenario.path;
  return until == nullptr ? file : fmt::format("{}:{}", file, until->place.line);
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
};

ServedStory::ServedStory(const Scenario& scenario, ServedStoryOptions served)
    : scenario_(scenario),
      token_(std::move(served.token)),
      outside_(external_clients(scenario_)),
      runtime_(sim::make_served_runtime()),
      progress_(std::make_unique<Progress>()) {
  refuse_what_cannot_be_served(scenario_);
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
  story_ = std::make_unique<sim::Story>(*runtime_, std::move(options));
}

ServedStory::~ServedStory() {
  if (story_ != nullptr) {
    end_of_outside({});
    if (task_) {
      task_->join();
    }
    story_->abandon();
  }
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

std::vector<ClientPlace> ServedStory::places(const sim::HttpServer& server) const {
  std::vector<ClientPlace> places;
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
         (by.token.empty() ||
          sim::field_of(http.fields, "Authorization") == "Bearer " + by.token) &&
         sim::field_of(http.fields, "User-Agent").find(by.user_agent) != std::string_view::npos;
}

/// A client that is known by its token is let in with it, whatever the others must show.
std::string ServedStory::whose(sim::HttpRequest& http, std::uint16_t port) const {
  const bool has_path = http.target.starts_with(kClients);
  for (const sim::StoryClientOptions& client : outside_) {
    const std::string below = std::string(kClients) + client.name;
    const bool is_below = http.target == below || http.target.starts_with(below + "/") ||
                          http.target.starts_with(below + "?");
    if (is_below) {
      http.target.erase(0, below.size());
      http.target.insert(0, http.target.starts_with('/') ? "" : "/");
    }
    if (is_below || (!has_path && fits(client, http, port))) {
      const std::string& own = client.recognised_by.token;
      if (!own.empty() && !token_.empty() &&
          sim::field_of(http.fields, "Authorization") == "Bearer " + own) {
        set_field(http.fields, "Authorization", "Bearer " + token_);
      }
      return client.name;
    }
  }
  const bool takes_all = outside_.size() == 1 && !outside_[0].recognised_by.says_something();
  return takes_all && !has_path ? outside_[0].name : "";
}

void ServedStory::begin(std::function<void()> on_over) {
  on_over_ = std::move(on_over);
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

std::vector<std::string> ServedStory::requests_seen() const {
  const std::vector<sim::Exchange> exchanges = story_->host()->exchanges();
  std::vector<std::string> seen;
  const std::size_t first = exchanges.size() > kShownMax ? exchanges.size() - kShownMax : 0;
  for (std::size_t i = first; i < exchanges.size(); ++i) {
    const sim::Exchange& each = exchanges[i];
    const double at = std::chrono::duration<double>(each.sent - began_).count();
    std::string line =
        fmt::format("{:8.3f}s  {}: {} {} → {}", at, each.request.client, request_text(each.request),
                    sim::qualified_name(each.request.resource), answer_text(each));
    if (each.end) {
      line += fmt::format(", {} after {} events", to_string(*each.end), each.events);
    }
    seen.push_back(std::move(line));
  }
  return seen;
}

/// Which of the clients from outside have asked nothing, and who has asked at all; "" when all
/// have.
std::string ServedStory::unrecognised() const {
  std::set<std::string> asked;
  for (const sim::Exchange& each : story_->host()->exchanges()) {
    asked.insert(each.request.client);
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

StoryVerdict ServedStory::finish() {
  end_of_outside({});
  if (task_) {
    task_->join();
  }
  StoryVerdict verdict{.seen = requests_seen()};
  const std::string silent = unrecognised();
  story_->abandon();
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
  const std::lock_guard lock(progress_->mutex);
  story_.reset();
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
