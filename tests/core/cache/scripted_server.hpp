#pragma once

#include <fmt/format.h>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/cache/list_watch.hpp"
#include "core/cache/reflector.hpp"
#include "core/cache/store.hpp"
#include "core/runtime/task.hpp"
#include "core/watch/fake_watcher.hpp"
#include "tests/support/campaign.hpp"
#include "tests/support/objects.hpp"

/// What the tests of reflector, controller and informers share: a server that answers by script and
/// a store that keeps minutes.
namespace watchlab::tests {

using namespace std::chrono_literals;

using WatcherPtr = std::shared_ptr<watch::Watcher>;

inline api::Error error_of_kind(api::ErrorKind kind) {
  return {.kind = kind, .message = "scripted", .status = {}};
}
inline api::Error refused() { return error_of_kind(api::ErrorKind::ConnectionRefused); }
inline api::Error status_error(api::StatusReason reason) {
  return api::error_from(api::failure(reason, "scripted"));
}

inline api::ObjectList listing(std::string version, std::vector<api::ObjectPtr> items = {},
                               std::string continue_token = "") {
  api::ObjectList list;
  list.resource_version = std::move(version);
  list.items = std::move(items);
  list.continue_token = std::move(continue_token);
  return list;
}

inline watch::Event event(watch::EventType type, api::ObjectPtr object) {
  return {.type = type, .object = std::move(object), .status = nullptr};
}
inline watch::Event added(std::string_view key, std::string version) {
  return event(watch::EventType::Added, object(key, std::move(version)));
}
inline watch::Event modified(std::string_view key, std::string version) {
  return event(watch::EventType::Modified, object(key, std::move(version)));
}
inline watch::Event deleted(std::string_view key, std::string version) {
  return event(watch::EventType::Deleted, object(key, std::move(version)));
}
inline watch::Event bookmark(std::string version) {
  return event(watch::EventType::Bookmark, object("", std::move(version)));
}
/// The bookmark that ends a streamed list, if it has the value for it.
inline watch::Event mark(std::string version, const std::string& value = "true") {
  api::Object object{.api_version = "v1", .kind = "ConfigMap"};
  object.metadata.resource_version = std::move(version);
  object.metadata.annotations[std::string(api::kInitialEventsEnd)] = value;
  return event(watch::EventType::Bookmark, std::make_shared<const api::Object>(object));
}
inline watch::Event error_event(api::StatusReason reason) {
  return {.type = watch::EventType::Error,
          .object = nullptr,
          .status = std::make_shared<const api::Status>(api::failure(reason, "scripted"))};
}

/// How a scripted stream continues after its events.
enum class Ending : std::uint8_t { Open, Closed };

/// A server that gives each list and each watch the next answer of its script. The last list answer
/// is given again and again; watches beyond the script are open and quiet.
class ScriptedServer : public cache::ListerWatcher {
 public:
  using ListAnswer = std::function<api::Result<api::ObjectList>(const runtime::StopToken& stop,
                                                                const api::ListOptions& options)>;
  using WatchAnswer = std::function<api::Result<WatcherPtr>(const runtime::StopToken& stop,
                                                            const api::ListOptions& options)>;
  /// A request as it arrived, and when, counted from the server's start.
  struct Request {
    bool is_watch = false;
    api::ListOptions options;
    runtime::Duration at{};
  };

  explicit ScriptedServer(runtime::Runtime& runtime) : runtime_(runtime), start_(runtime.now()) {}

  void answer_list(api::Result<api::ObjectList> answer) {
    on_list([answer](const auto&, const auto&) { return answer; });
  }
  void on_list(ListAnswer answer) { lists_.push_back(std::move(answer)); }
  void refuse_watch(api::Error error) {
    on_watch([error](const auto&, const auto&) -> api::Result<WatcherPtr> { return error; });
  }
  void on_watch(WatchAnswer answer) { watches_.push_back(std::move(answer)); }
  /// A stream of these events, which are there at once.
  void stream(const std::vector<watch::Event>& events, Ending ending = Ending::Open) {
    on_watch([this, events, ending](const auto&, const auto&) -> api::Result<WatcherPtr> {
      const auto watcher = open_stream();
      for (const watch::Event& each : events) {
        watcher->action(each);
      }
      if (ending == Ending::Closed) {
        watcher->stop();
      }
      return WatcherPtr(watcher);
    });
  }
  /// A stream that is closed by the server after so long.
  void stream_for(runtime::Duration life) {
    on_watch([this, life](const auto&, const auto&) -> api::Result<WatcherPtr> {
      const auto watcher = open_stream();
      runtime::spawn(runtime_, "server-timeout", [this, watcher, life] {
        runtime::sleep_for(runtime_, life);
        watcher->stop();
      });
      return WatcherPtr(watcher);
    });
  }

  [[nodiscard]] api::Result<api::ObjectList> list(const runtime::StopToken& stop,
                                                  const api::ListOptions& options) override {
    record(false, options);
    if (!lists_.empty()) {
      last_list_ = std::move(lists_.front());
      lists_.pop_front();
    }
    const ListAnswer answer = last_list_;
    return answer(stop, options);
  }
  [[nodiscard]] api::Result<WatcherPtr> watch(const runtime::StopToken& stop,
                                              const api::ListOptions& options) override {
    record(true, options);
    if (watches_.empty()) {
      return WatcherPtr(open_stream());
    }
    const WatchAnswer answer = std::move(watches_.front());
    watches_.pop_front();
    return answer(stop, options);
  }

  /// The watcher of the latest stream, for events by hand.
  [[nodiscard]] watch::RaceFreeFakeWatcher& latest_stream() {
    const std::scoped_lock lock(mutex_);
    return *streams_.back();
  }
  [[nodiscard]] std::size_t streams() const {
    const std::scoped_lock lock(mutex_);
    return streams_.size();
  }
  [[nodiscard]] bool all_streams_stopped() const {
    const std::scoped_lock lock(mutex_);
    for (const auto& stream : streams_) {
      if (!stream->is_stopped()) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] std::vector<Request> requests() const {
    const std::scoped_lock lock(mutex_);
    return requests_;
  }
  /// "list 0, watch 10, watch 12": what was asked for, in order.
  [[nodiscard]] std::string story() const {
    std::string text;
    for (const Request& request : requests()) {
      text += fmt::format(
          "{}{} {}", text.empty() ? "" : ", ", request.is_watch ? "watch" : "list",
          request.options.resource_version.empty() ? "latest" : request.options.resource_version);
    }
    return text;
  }

 private:
  std::shared_ptr<watch::RaceFreeFakeWatcher> open_stream() {
    const auto stream = std::make_shared<watch::RaceFreeFakeWatcher>(runtime_);
    const std::scoped_lock lock(mutex_);
    streams_.push_back(stream);
    return stream;
  }
  void record(bool is_watch, const api::ListOptions& options) {
    const runtime::TimePoint now = runtime_.now();
    const std::scoped_lock lock(mutex_);
    requests_.push_back({.is_watch = is_watch, .options = options, .at = now - start_});
  }

  runtime::Runtime& runtime_;
  runtime::TimePoint start_;
  std::deque<ListAnswer> lists_;
  ListAnswer last_list_;
  std::deque<WatchAnswer> watches_;
  std::vector<std::shared_ptr<watch::RaceFreeFakeWatcher>> streams_;
  mutable std::mutex mutex_;  // Not the runtime's: keeping minutes is no operation of the story.
  std::vector<Request> requests_;
};

/// A store that writes down what it receives, and can be made to fail.
class MinutesStore : public cache::ReflectorStore {
 public:
  api::Result<void> add(const cache::Item& item) override { return note("add " + text_of(item)); }
  api::Result<void> update(const cache::Item& item) override {
    return note("update " + text_of(item));
  }
  api::Result<void> remove(const cache::Item& item) override {
    return note("remove " + text_of(item));
  }
  api::Result<void> replace(std::span<const api::ObjectPtr> items,
                            const std::string& resource_version) override {
    std::string text = "replace";
    for (const api::ObjectPtr& item : items) {
      text.append(" ").append(text_of(item));
    }
    return note(text + " rv " + resource_version);
  }
  api::Result<void> resync() override { return note("resync"); }

  /// What it received, with ", " between.
  [[nodiscard]] const std::string& minutes() const { return minutes_; }
  /// Refuses what begins with this from now on; "" refuses nothing.
  void refuse(std::string beginning) { refused_ = std::move(beginning); }

 private:
  api::Result<void> note(const std::string& what) {
    minutes_.append(minutes_.empty() ? "" : ", ").append(what);
    if (!refused_.empty() && what.starts_with(refused_)) {
      return error_of_kind(api::ErrorKind::Other);
    }
    return {};
  }

  std::string minutes_;
  std::string refused_;
};

/// A reflector between a scripted server and a store that keeps minutes.
struct ReflectorStage {
  explicit ReflectorStage(runtime::Runtime& runtime_in)
      : runtime(runtime_in),
        server(std::make_shared<ScriptedServer>(runtime)),
        store(std::make_shared<MinutesStore>()) {}

  cache::Reflector& reflector() {
    if (!made) {
      made = std::make_unique<cache::Reflector>(runtime, server, store, options);
    }
    return *made;
  }
  /// Runs the reflector for so long, stops it and waits for its end.
  void run_for(runtime::Duration duration) {
    runtime::StopSource stop(runtime);
    const runtime::Task task = runtime::spawn(
        runtime, "reflector", [this, token = stop.token()] { reflector().run(token); });
    runtime::sleep_for(runtime, duration);
    stop.stop();
    task.join();
  }
  /// One cycle, stopped by the watch behind the script. It ends without an error, whatever was
  /// refused before.
  void cycle_until_stopped() {
    runtime::StopSource stop(runtime);
    server->on_watch([&](const auto&, const auto&) {
      stop.stop();
      return api::Result<WatcherPtr>(std::make_shared<watch::RaceFreeFakeWatcher>(runtime));
    });
    expect(reflector().list_and_watch(stop.token()).ok(), "the cycle ends without an error");
  }

  runtime::Runtime& runtime;
  std::shared_ptr<ScriptedServer> server;
  std::shared_ptr<MinutesStore> store;
  cache::ReflectorOptions options;
  std::unique_ptr<cache::Reflector> made;
};

}  // namespace watchlab::tests
