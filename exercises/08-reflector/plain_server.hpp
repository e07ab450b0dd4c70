#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "exercises/08-reflector/subject.hpp"
#include "exercises/toolkit/objects.hpp"

/// A server for the tests of your reflector.
namespace watchlab::exercise {

/// Remembers the first rule that was broken: `Stage` fails by it.
class Rules {
 public:
  void broken(const std::string& how) {
    if (first_.empty()) {
      first_ = how;
    }
  }
  [[nodiscard]] const std::string& first() const { return first_; }

 private:
  std::string first_;
};

/// A watch of `PlainServer`: what is still to be delivered.
struct Stream {
  std::deque<Event> events;
  bool is_stopped = false;
};

/// A server with one collection. What its name says happens at once; a request takes 10 ms.
class PlainServer final : public Server {
 public:
  PlainServer(runtime::Runtime& runtime, Rules& rules)
      : runtime_(runtime), rules_(rules), mutex_(runtime, "server"), changed_(runtime, "news") {}

  void create(const std::string& name) { write(EventType::Added, name); }
  void update(const std::string& name) { write(EventType::Modified, name); }
  void remove(const std::string& name) { write(EventType::Deleted, name); }
  /// Writes to other collections: versions move on.
  void write_elsewhere(std::int64_t times) {
    const runtime::Lock lock(mutex_);
    version_ += times;
  }
  /// Sends a bookmark to the watches that are open.
  void bookmark() { send({EventType::Bookmark, object("", std::to_string(version_))}); }
  void end_watches() { send({EventType::Ended, nullptr}); }
  void break_watches() { send({EventType::Failed, nullptr}); }
  /// Forgets what came before; an open watch is told so, as one that has fallen behind is.
  void forget() {
    const runtime::Lock lock(mutex_);
    forgotten_ = version_;
    deliver({EventType::Gone, nullptr});
  }
  /// So many of the next ones fail.
  void fail_lists(int times) { set(lists_to_fail_, times); }
  void fail_watches(int times) { set(watches_to_fail_, times); }
  /// So many of the next watches end as soon as they are open.
  void shorten_watches(int times) { set(watches_to_end_, times); }
  /// So many of the next lists are forgotten by the server before a watch can begin at them.
  void forget_lists(int times) { set(lists_to_forget_, times); }
  /// The replicas get nothing new from now on.
  void freeze_replicas() {
    const runtime::Lock lock(mutex_);
    frozen_ = {.ok = true, .version = std::to_string(version_), .objects = all()};
  }

  [[nodiscard]] List list(const std::string& version) override {
    runtime::sleep_for(runtime_, kRequestTime);
    const runtime::Lock lock(mutex_);
    note_request("LIST");
    if (lists_to_fail_ > 0) {
      --lists_to_fail_;
      return {};
    }
    if (frozen_.ok && !version.empty()) {
      return number_of(version) <= number_of(frozen_.version) ? frozen_ : List();
    }
    const List list{.ok = true, .version = std::to_string(version_), .objects = all()};
    if (lists_to_forget_ > 0) {
      --lists_to_forget_;
      forgotten_ = ++version_;
    }
    return list;
  }
  [[nodiscard]] std::unique_ptr<Watch> watch(const std::string& version) override;

  /// "a@3 b@4": what it has, by name.
  [[nodiscard]] std::string contents() const {
    const runtime::Lock lock(mutex_);
    std::string text;
    for (const auto& [name, each] : objects_) {
      text.append(text.empty() ? "" : " ").append(text_of(each));
    }
    return text;
  }
  /// "LIST, WATCH 2": the requests so far.
  [[nodiscard]] std::string requests() const {
    const runtime::Lock lock(mutex_);
    std::string text;
    for (const std::string& each : requests_) {
      text.append(text.empty() ? "" : ", ").append(each);
    }
    return text;
  }
  [[nodiscard]] std::string last_request() const {
    const runtime::Lock lock(mutex_);
    return requests_.empty() ? "" : requests_.back();
  }
  [[nodiscard]] std::int64_t lists() const {
    const runtime::Lock lock(mutex_);
    return std::ranges::count(requests_, "LIST");
  }
  [[nodiscard]] std::int64_t watches_open() const {
    const runtime::Lock lock(mutex_);
    return open_streams();
  }

 private:
  friend class PlainWatch;
  static constexpr std::chrono::milliseconds kRequestTime{10};

  void set(int& times, int value) {
    const runtime::Lock lock(mutex_);
    times = value;
  }
  void write(EventType type, const std::string& name) {
    const runtime::Lock lock(mutex_);
    const Event event{type, object(name, std::to_string(++version_))};
    if (type == EventType::Deleted) {
      objects_.erase(name);
    } else {
      objects_[name] = event.object;
    }
    history_.push_back(event);
    deliver(event);
  }
  void send(const Event& event) {
    const runtime::Lock lock(mutex_);
    deliver(event);
  }

  // The lock must be held for these.
  void deliver(const Event& event) {
    for (const auto& stream : streams_) {
      if (!stream->is_stopped) {
        stream->events.push_back(event);
      }
    }
    changed_.notify_all();
  }
  [[nodiscard]] std::vector<api::ObjectPtr> all() const {
    std::vector<api::ObjectPtr> objects;
    for (const auto& [name, each] : objects_) {
      objects.push_back(each);
    }
    return objects;
  }
  [[nodiscard]] std::int64_t open_streams() const {
    return std::ranges::count_if(streams_, [](const auto& each) { return !each->is_stopped; });
  }
  void note_request(const std::string& what) {
    requests_.push_back(what);
    moments_.push_back(runtime_.now());
    while (moments_.front() + std::chrono::seconds(10) <= moments_.back()) {
      moments_.pop_front();
    }
    if (moments_.size() > 30) {
      rules_.broken("L5: more than thirty requests in ten seconds");
    }
  }
  [[nodiscard]] std::int64_t number_of(const std::string& version) const {
    if (version.size() > 9 || version.find_first_not_of("0123456789") != std::string::npos) {
      rules_.broken("L2: there is no version " + version);
      return 0;
    }
    return version.empty() ? 0 : std::stoll(version);
  }
  [[nodiscard]] std::deque<Event> first_events(std::int64_t version) const {
    std::deque<Event> events;
    if (version == 0) {
      for (const auto& [name, each] : objects_) {
        events.push_back({EventType::Added, each});
      }
    } else if (version < forgotten_) {
      events.push_back({EventType::Gone, nullptr});
    } else {
      for (const Event& each : history_) {
        if (number_of(each.object->metadata.resource_version) > version) {
          events.push_back(each);
        }
      }
    }
    return events;
  }

  runtime::Runtime& runtime_;
  Rules& rules_;
  mutable runtime::Mutex mutex_;
  runtime::CondVar changed_;
  std::map<std::string, api::ObjectPtr> objects_;
  std::vector<Event> history_;
  std::vector<std::shared_ptr<Stream>> streams_;
  std::vector<std::string> requests_;
  std::deque<runtime::TimePoint> moments_;  ///< of the last requests
  List frozen_;
  std::int64_t version_ = 0;
  std::int64_t forgotten_ = 0;
  int lists_to_fail_ = 0;
  int watches_to_fail_ = 0;
  int watches_to_end_ = 0;
  int lists_to_forget_ = 0;
};

/// What a client has of a stream.
class PlainWatch final : public Watch {
 public:
  PlainWatch(PlainServer& server, std::shared_ptr<Stream> stream)
      : server_(server), stream_(std::move(stream)) {}

  [[nodiscard]] Event next() override {
    runtime::Lock lock(server_.mutex_);
    while (stream_->events.empty() && !stream_->is_stopped) {
      server_.changed_.wait(lock);
    }
    if (stream_->is_stopped) {
      return {};
    }
    const Event event = stream_->events.front();
    if (event.object != nullptr) {
      stream_->events.pop_front();
    } else {
      stream_->events = {{EventType::Ended, nullptr}};
    }
    return event;
  }
  void stop() override {
    const runtime::Lock lock(server_.mutex_);
    stream_->is_stopped = true;
    server_.changed_.notify_all();
  }

 private:
  PlainServer& server_;
  std::shared_ptr<Stream> stream_;
};

inline std::unique_ptr<Watch> PlainServer::watch(const std::string& version) {
  runtime::sleep_for(runtime_, kRequestTime);
  const runtime::Lock lock(mutex_);
  note_request("WATCH " + version);
  if (open_streams() > 0) {
    rules_.broken("L6: a watch is opened, and the one before it was not stopped");
  }
  const auto stream = std::make_shared<Stream>();
  if (watches_to_fail_ > 0) {
    --watches_to_fail_;
    stream->events.push_back({EventType::Failed, nullptr});
  } else {
    stream->events = first_events(number_of(version));
  }
  if (watches_to_end_ > 0) {
    --watches_to_end_;
    stream->events.push_back({EventType::Ended, nullptr});
  }
  streams_.push_back(stream);
  return std::make_unique<PlainWatch>(*this, stream);
}

}  // namespace watchlab::exercise
