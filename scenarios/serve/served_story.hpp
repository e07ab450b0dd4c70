#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/runtime/task.hpp"
#include "scenarios/language/play.hpp"
#include "scenarios/language/runner.hpp"
#include "scenarios/language/scenario.hpp"
#include "sim/http/http_front.hpp"
#include "sim/http/http_server.hpp"

namespace watchlab::scenarios {

/// Where a client from outside finds the server of its story.
struct ClientEndpoint {
  std::string name;
  std::string url;    ///< below which all requests are its own
  std::string token;  ///< that it has to show; "" for none
};

struct ServedStoryOptions {
  std::string token;  ///< what clients must show that have none of their own; "" for nothing
  /// A command is the client from outside, so that the story must come to its end: within a minute,
  /// unless it says otherwise.
  bool has_command = false;
  /// Notified of all requests and writes; may be null.
  std::shared_ptr<sim::ExchangeObserver> observer = nullptr;
  /// Gets what the story's clients of the kind program print, a line each; on any thread.
  std::function<void(const std::string&)> print;
};

/// What came of a served story.
struct StoryVerdict {
  std::string broken;                       ///< what is wrong, a line each; "" when all held
  bool is_mistake = false;                  ///< of the story, which asked for something impossible
  std::vector<std::string> seen;            ///< the last requests that the server has seen
  std::vector<std::string> unfired_faults;  ///< a line each
  double seconds = 0;                       ///< from its beginning until this was known

  [[nodiscard]] bool held() const { return broken.empty(); }
};

/// How many tasks the story's own clients have at most at a time; each is a thread.
[[nodiscard]] std::size_t tasks_of(const Scenario& scenario);

/// The system has refused what a story takes: threads, memory or files. The sentence says what.
struct RefusedBySystem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A story in real time, for clients that come from outside over real HTTP: its server, its own
/// clients, its script and its expectations. The script is played by a task of its own, the server
/// is served by the caller's thread; nothing else is shared than the story's host, which has a
/// lock.
///
///     ServedStory story(scenario, {.token = token});
///     HttpFront front(story.front_options());
///     HttpServer server(front, place);
///     story.open_ports(server);
///     story.begin([&] { server.post(…); });
///     server.run();                           // the clients come
///     StoryVerdict verdict = story.finish();
class ServedStory {
 public:
  /// Throws `sim::StoryError` when the story cannot begin, or cannot be served, `RefusedBySystem`
  /// when the system has no threads for it. They are kept until it ends, so that it gets those that
  /// it needs later, too.
  ServedStory(const Scenario& scenario, ServedStoryOptions options);
  ServedStory(const ServedStory&) = delete;
  ServedStory& operator=(const ServedStory&) = delete;
  ~ServedStory();

  /// Ends its tasks, which may call `on_over` until then. What served the story goes after this and
  /// before the destructor: the story's server needs its runtime to the end.
  void leave();

  /// The server of the story, with names for its clients; the caller adds the rest.
  [[nodiscard]] sim::HttpFrontOptions front_options();
  /// Gives a port to each client that wants one of its own. Before `begin`.
  void open_ports(sim::HttpServer& server);
  /// Where its clients from outside find the server, once that has its ports.
  [[nodiscard]] std::vector<ClientEndpoint> places(const sim::HttpServer& server) const;

  /// Begins to play. `on_over` is called by the story's task when its end has come, as `until`
  /// says; with `until: quiet` that is not before `end_of_outside`.
  void begin(std::function<void()> on_over);
  /// Nothing more will come from outside. What the script waits for may still come in that time.
  /// Any thread may call it, at any time.
  void end_of_outside(runtime::Duration grace_period);
  /// Ends the story, once it is over or will be soon, and looks at what it expects. Once.
  [[nodiscard]] StoryVerdict finish();

  /// What it is and how far it is, as the JSON of an object. Any thread may call it.
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] const Scenario& scenario() const { return scenario_; }

 private:
  void play() noexcept;
  [[nodiscard]] bool has_crashed() const;
  [[nodiscard]] StoryVerdict crashed_verdict() const;
  void await_ending();
  [[nodiscard]] std::string whose(sim::HttpRequest& http, std::uint16_t port) const;
  [[nodiscard]] bool fits(const sim::StoryClientOptions& client, const sim::HttpRequest& http,
                          std::uint16_t port) const;
  [[nodiscard]] std::vector<std::string> lines_of(std::vector<sim::Exchange> exchanges,
                                                  const std::vector<sim::NamedEntry>& named) const;
  [[nodiscard]] std::string unrecognised() const;

  Scenario scenario_;
  std::string token_;
  std::vector<sim::StoryClientOptions> outside_;
  std::map<std::string, std::uint16_t> ports_;  // by client
  struct Progress;
  std::shared_ptr<Progress> progress_;  // of the story's task, for others
  std::unique_ptr<runtime::ThreadRuntime> runtime_;
  runtime::TimePoint began_;
  std::unique_ptr<sim::Story> story_;
  std::function<void()> on_over_;
  std::promise<void> outside_over_;
  std::optional<runtime::Task> task_;
};

}  // namespace watchlab::scenarios
