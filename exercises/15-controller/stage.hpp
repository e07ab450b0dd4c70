#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exercises/15-controller/plain_cluster.hpp"
#include "exercises/toolkit/worlds.hpp"

/// What the tests of your controller are made of.
namespace watchlab::exercise {

/// Which of the two informers.
enum class Kind : std::uint8_t { Sets, Pods };

/// Brings what happens on the server into the cache, notice by notice, each kind at its own pace.
class PlainCache final : public Cache {
 public:
  explicit PlainCache(runtime::Runtime& runtime) : runtime_(runtime) {}

  void connect(PlainServer& server, std::function<void(const Notice&)> notify) {
    server_ = &server;
    notify_ = std::move(notify);
    server.on_change([this] {
      for (Stream& stream : streams_) {
        stream.moments.push_back({server_->version(), server_->now(), runtime_.now()});
      }
    });
  }
  /// Holds back what an informer has to say, for twenty seconds at most.
  void hold(Kind kind, bool is_held = true) { stream(kind).is_held = is_held; }
  /// The watch breaks and a list takes its place: what happened since is seen in its sum alone.
  void relist(Kind kind) {
    Stream& listed = stream(kind);
    if (!listed.moments.empty()) {
      listed.moments = {listed.moments.back()};
    }
    listed.is_held = false;
    listed.is_list = true;
  }
  /// In bad weather informers are late and lists take the place of watches, as the schedule says.
  void set_bad_weather(bool is_bad) { is_bad_weather_ = is_bad; }
  /// Lists both kinds now.
  void catch_up() {
    const bool was_bad = std::exchange(is_bad_weather_, false);
    for (const Kind kind : {Kind::Sets, Kind::Pods}) {
      relist(kind);
      deliver(kind);
    }
    is_bad_weather_ = was_bad;
  }
  /// Everything that there is, as notices of a first list.
  void notify_of_all() {
    const Contents contents = contents_;
    for (const auto& [name, set] : contents.sets) {
      notify_({Change::Added, set, {}});
    }
    for (const auto& [name, pod] : contents.pods) {
      notify_({Change::Added, {}, pod});
    }
  }
  /// One turn of an informer: delivers what is due.
  void deliver(Kind kind) {
    Stream& delivered = stream(kind);
    while (!delivered.is_held && !delivered.moments.empty() && !is_late(delivered)) {
      if (is_bad_weather_ && runtime_.choose(4, "whether a list takes the place of a watch") == 1) {
        relist(kind);
      }
      const Moment moment = delivered.moments.front();
      delivered.moments.pop_front();
      const Change gone = std::exchange(delivered.is_list, false) ? Change::Gone : Change::Deleted;
      delivered.late = {};
      if (kind == Kind::Sets) {
        take_sets(moment.contents.sets, gone);
      } else {
        version_ = moment.version;
        take_pods(moment.contents.pods, gone);
      }
    }
  }

  /// What was last read of it.
  [[nodiscard]] const Contents& read() const { return read_; }
  [[nodiscard]] std::optional<Set> set(const std::string& name) const override {
    read_.sets.erase(name);
    const auto found = contents_.sets.find(name);
    if (found == contents_.sets.end()) {
      return std::nullopt;
    }
    read_.sets[name] = found->second;
    return found->second;
  }
  [[nodiscard]] PodList pods(const std::string& set_name) const override {
    const auto is_its = [&](const auto& each) { return each.second.set_name == set_name; };
    std::erase_if(read_.pods, is_its);
    PodList list{version_, {}};
    for (const auto& each : contents_.pods) {
      if (is_its(each)) {
        list.pods.push_back(each.second);
        read_.pods.insert(each);
      }
    }
    read_.versions[set_name] = version_;
    return list;
  }

 private:
  struct Moment {
    std::int64_t version = 0;
    Contents contents;
    runtime::TimePoint at;
  };
  struct Stream {
    std::deque<Moment> moments;  ///< that are still to be delivered
    bool is_held = false;
    bool is_list = false;
    std::optional<runtime::Duration> late;  ///< of the first one
  };

  [[nodiscard]] Stream& stream(Kind kind) { return streams_.at(static_cast<std::size_t>(kind)); }
  [[nodiscard]] bool is_late(Stream& delivered) {
    if (!is_bad_weather_) {
      return false;
    }
    if (!delivered.late) {
      constexpr std::array<int, 3> kSeconds{0, 3, 15};
      delivered.late = std::chrono::seconds(
          kSeconds.at(runtime_.choose(kSeconds.size(), "how late an informer is")));
    }
    return runtime_.now() < delivered.moments.front().at + *delivered.late;
  }
  void take_sets(std::map<std::string, Set> sets, Change gone) {
    const std::map<std::string, Set> before = std::exchange(contents_.sets, std::move(sets));
    const std::map<std::string, Set> after = contents_.sets;
    for (const auto& [name, set] : before) {
      if (!after.contains(name)) {
        notify_({gone, set, {}});
      }
    }
    for (const auto& [name, set] : after) {
      const auto found = before.find(name);
      if (found == before.end() || found->second.version != set.version) {
        notify_({found == before.end() ? Change::Added : Change::Updated, set, {}});
      }
    }
  }
  void take_pods(std::map<std::string, Pod> pods, Change gone) {
    const std::map<std::string, Pod> before = std::exchange(contents_.pods, std::move(pods));
    const std::map<std::string, Pod> after = contents_.pods;
    for (const auto& [name, pod] : before) {
      if (!after.contains(name)) {
        notify_({gone, {}, pod});
      }
    }
    for (const auto& [name, pod] : after) {
      if (!before.contains(name)) {
        notify_({Change::Added, {}, pod});
      }
    }
  }

  runtime::Runtime& runtime_;
  PlainServer* server_ = nullptr;
  std::function<void(const Notice&)> notify_;
  Contents contents_;
  mutable Contents read_;
  std::int64_t version_ = 0;
  std::array<Stream, 2> streams_;
  bool is_bad_weather_ = false;
};

/// A cluster with your controller: two informers and two workers.
class Stage {
 public:
  explicit Stage(runtime::Runtime& its_runtime)
      : runtime(its_runtime),
        cache(its_runtime),
        server(its_runtime, cache.read(), rules_),
        line_(its_runtime) {
    cache.connect(server, [this](const Notice& notice) { notify(notice); });
  }

  /// Puts a controller to work, and the informers before it, which have listed by now.
  void start() {
    controller = nullptr;
    cache.catch_up();
    controller = make_controller(runtime, cache, server);
    cache.notify_of_all();
    is_running_ = true;
    for (const Kind kind : {Kind::Sets, Kind::Pods}) {
      tasks_.push_back(runtime::spawn(runtime, "informer", [this, kind] {
        while (is_running_) {
          cache.deliver(kind);
          runtime::sleep_for(runtime, std::chrono::seconds(1));
        }
      }));
    }
    for (int i = 0; i < 2; ++i) {
      tasks_.push_back(runtime::spawn(runtime, "worker", [this] { work(); }));
    }
  }
  /// Ends everything but the cluster; `start` begins anew, with a controller that knows nothing.
  void stop() {
    is_running_ = false;
    line_.close();
    for (const runtime::Task& task : tasks_) {
      task.join();
    }
    tasks_.clear();
    check();
  }
  void restart() {
    stop();
    line_.open();
    start();
  }
  void wait(runtime::Duration time) {
    runtime::sleep_for(runtime, time);
    check();
  }
  void check() const { expect_equal(rules_.first(), ""); }
  void set_bad_weather(bool is_bad) {
    server.set_bad_weather(is_bad);
    cache.set_bad_weather(is_bad);
  }
  /// "blue 2 of 2, 2 reported": what the server has, of each set, and the pods of none.
  [[nodiscard]] std::string contents() const {
    std::string text;
    std::int64_t others = static_cast<std::int64_t>(server.now().pods.size());
    for (const auto& [name, set] : server.now().sets) {
      const std::int64_t pods = server.now().pods_of(set.id);
      others -= pods;
      text += (text.empty() ? "" : "; ") + name + " " + std::to_string(pods) + " of " +
              std::to_string(set.wanted) + ", " + std::to_string(set.reported) + " reported";
    }
    return others == 0 ? text : text + "; " + std::to_string(others) + " pods of no set";
  }
  /// All is as it is wanted, at the latest in a minute (K1).
  void expect_in_step() {
    set_bad_weather(false);
    cache.hold(Kind::Sets, false);
    cache.hold(Kind::Pods, false);
    wait(std::chrono::minutes(1));
    std::string wanted;
    for (const auto& [name, set] : server.now().sets) {
      const std::string number = std::to_string(set.wanted);
      wanted += (wanted.empty() ? "" : "; ") + name + " " + number + " of " + number + ", " +
                number + " reported";
    }
    expect_equal(contents(), wanted);
  }

 private:
  void notify(const Notice& notice) {
    if (controller != nullptr) {
      for (const std::string& key : controller->keys_for(notice)) {
        line_.add(key);
      }
    }
  }
  void work() {
    while (const std::optional<std::string> key = line_.take()) {
      const runtime::TimePoint began = runtime.now();
      const Outcome outcome = controller->reconcile(*key);
      if (runtime.now() - began > std::chrono::seconds(2)) {
        rules_.broken("K5: reconcile takes more than two seconds");
      }
      if (outcome == Outcome::Retry) {
        line_.add(*key, std::chrono::seconds(2));
      }
      line_.done(*key);
    }
  }

  Rules rules_;

 public:
  runtime::Runtime& runtime;
  PlainCache cache;
  PlainServer server;
  std::unique_ptr<Controller> controller;

 private:
  Line line_;
  bool is_running_ = false;
  std::vector<runtime::Task> tasks_;
};

/// Plays a script with a controller at work, and ends it.
inline void play(const std::function<void(Stage&)>& script) {
  in_every_world([&](runtime::Runtime& runtime) {
    Stage stage(runtime);
    stage.start();
    script(stage);
    stage.stop();
  });
}

}  // namespace watchlab::exercise
