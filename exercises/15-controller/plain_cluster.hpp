#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "exercises/15-controller/subject.hpp"

/// A server and a cache for the tests of your controller.
namespace watchlab::exercise {

/// Sets and pods at a moment.
struct Contents {
  std::map<std::string, Set> sets;
  std::map<std::string, Pod> pods;
  std::map<std::string, std::int64_t> versions;  ///< of pods, by the name of the set

  [[nodiscard]] std::int64_t pods_of(std::int64_t set_id) const {
    return std::ranges::count_if(pods,
                                 [&](const auto& each) { return each.second.set_id == set_id; });
  }
};

/// Remembers the first promise that was broken.
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

/// A server that reports each change, and looks at what a controller asks for. In bad weather
/// requests fail as the schedule says. For simulated worlds: it has no lock, because no task is
/// interrupted inside it.
class PlainServer final : public Server {
 public:
  /// `read` is what the controller has last read from the cache.
  PlainServer(runtime::Runtime& runtime, const Contents& read, Rules& rules)
      : runtime_(runtime), read_(read), rules_(rules) {}

  /// What users do. A set that is there gets another number.
  void want(const std::string& name, std::int64_t wanted) {
    const auto [place, is_new] = now_.sets.try_emplace(name);
    Set& set = place->second;
    set.name = name;
    set.id = is_new ? ++last_id_ : set.id;
    before_[set.id] = {runtime_.now(), is_new ? wanted : set.wanted};
    set.wanted = wanted;
    set.version = ++version_;
    changed_();
  }
  void remove_set(const std::string& name) {
    now_.sets.erase(name);
    ++version_;
    changed_();
  }
  /// Deletes the first pod of the set, if there is one.
  void remove_pod(const std::string& set_name) {
    const auto found = std::ranges::find_if(
        now_.pods, [&](const auto& each) { return each.second.set_name == set_name; });
    if (found != now_.pods.end()) {
      now_.pods.erase(found);
      ++version_;
      changed_();
    }
  }
  /// One more pod of the set, which the controller before this one has created.
  void inherit_pod(const std::string& set_name) { (void)add_pod(now_.sets.at(set_name)); }
  /// So many of the next requests that write fail, after so many that do not.
  void fail(int times, int after = 0) {
    to_fail_ = times;
    to_pass_ = after;
  }
  void set_bad_weather(bool is_bad) { is_bad_weather_ = is_bad; }
  void on_change(std::function<void()> changed) { changed_ = std::move(changed); }

  [[nodiscard]] const Contents& now() const { return now_; }
  [[nodiscard]] std::int64_t version() const { return version_; }
  [[nodiscard]] std::int64_t requests() const { return requests_; }

  [[nodiscard]] std::optional<Set> find_set(const std::string& name) override {
    begin_request();
    const auto found = now_.sets.find(name);
    return found != now_.sets.end() ? std::optional(found->second) : std::nullopt;
  }
  [[nodiscard]] Created create_pod(std::int64_t set_id) override {
    if (fails()) {
      return {Answer::Failed, {}};
    }
    const Set* const set = set_of(now_, set_id);
    if (set == nullptr) {
      return {Answer::Missing, {}};
    }
    if (now_.pods_of(set_id) >= wanted_of(*set).second) {
      rules_.broken("K2: " + set->name + " gets a pod too many");
    }
    created_.push_back(add_pod(*set));
    return {Answer::Done, created_.back()};
  }
  [[nodiscard]] Answer delete_pod(const std::string& name) override {
    if (fails()) {
      return Answer::Failed;
    }
    const auto found = now_.pods.find(name);
    const auto cached = read_.pods.find(name);
    if (found == now_.pods.end() && cached == read_.pods.end()) {
      return Answer::Missing;
    }
    const Pod pod = found != now_.pods.end() ? found->second : cached->second;
    if (const Set* const set = set_of(now_, pod.set_id); set != nullptr) {
      if (!deleted_.contains(name) && known_pods_of(pod.set_id) <= wanted_of(*set).first) {
        rules_.broken("K3: " + name + " is deleted too early");
      }
    }
    deleted_.insert(name);
    if (found == now_.pods.end()) {
      return Answer::Missing;
    }
    now_.pods.erase(found);
    ++version_;
    changed_();
    return Answer::Done;
  }
  [[nodiscard]] Answer report(const Set& set, std::int64_t reported) override {
    if (fails()) {
      return Answer::Failed;
    }
    const auto found = now_.sets.find(set.name);
    if (found == now_.sets.end() || found->second.id != set.id) {
      return Answer::Missing;
    }
    if (found->second.version != set.version) {
      return Answer::Conflict;
    }
    if (found->second.reported == reported) {
      rules_.broken("K4: what is reported already is written again");
    }
    found->second.reported = reported;
    found->second.version = ++version_;
    changed_();
    return Answer::Done;
  }

 private:
  static const Set* set_of(const Contents& contents, std::int64_t id) {
    const auto found =
        std::ranges::find_if(contents.sets, [&](const auto& each) { return each.second.id == id; });
    return found != contents.sets.end() ? &found->second : nullptr;
  }
  /// The least and the most that can be taken for wanted: by the server of this second, and by what
  /// was read from the cache.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> wanted_of(const Set& set) const {
    std::pair<std::int64_t, std::int64_t> wanted{set.wanted, set.wanted};
    const auto include = [&](std::int64_t other) {
      wanted = {std::min(wanted.first, other), std::max(wanted.second, other)};
    };
    if (const auto& [moment, before] = before_.at(set.id);
        runtime_.now() - moment <= std::chrono::seconds(1)) {
      include(before);
    }
    if (const Set* const cached = set_of(read_, set.id); cached != nullptr) {
      include(cached->wanted);
    }
    return wanted;
  }
  Pod add_pod(const Set& set) {
    Pod pod{set.name + "-" + std::to_string(++last_pod_), set.name, set.id, ++version_};
    now_.pods[pod.name] = pod;
    changed_();
    return pod;
  }
  /// As K3 says.
  [[nodiscard]] std::int64_t known_pods_of(std::int64_t set_id) const {
    std::set<std::string> names;
    for (const auto& [name, pod] : read_.pods) {
      if (pod.set_id == set_id) {
        names.insert(name);
      }
    }
    for (const Pod& pod : created_) {
      const auto noticed = read_.versions.find(pod.set_name);
      if (pod.set_id == set_id &&
          (noticed == read_.versions.end() || pod.version > noticed->second)) {
        names.insert(pod.name);
      }
    }
    std::erase_if(names, [&](const std::string& name) { return deleted_.contains(name); });
    return static_cast<std::int64_t>(names.size());
  }
  void begin_request() {
    ++requests_;
    runtime::sleep_for(runtime_, std::chrono::milliseconds(10));
  }
  [[nodiscard]] bool fails() {
    begin_request();
    if (is_bad_weather_) {
      return runtime_.choose(4, "whether a request fails") == 1;
    }
    if (to_pass_ > 0) {
      --to_pass_;
      return false;
    }
    return to_fail_ > 0 && to_fail_-- > 0;
  }

  runtime::Runtime& runtime_;
  const Contents& read_;
  Rules& rules_;
  std::function<void()> changed_ = [] {};
  Contents now_;
  std::map<std::int64_t, std::pair<runtime::TimePoint, std::int64_t>>
      before_;  ///< wanted, until when
  std::vector<Pod> created_;
  std::set<std::string> deleted_;  ///< by the controller
  std::int64_t version_ = 0;
  std::int64_t last_id_ = 0;
  std::int64_t last_pod_ = 0;
  std::int64_t requests_ = 0;
  int to_fail_ = 0;
  int to_pass_ = 0;
  bool is_bad_weather_ = false;
};

/// What waits for workers: a key waits once, and no two workers have it.
class Line {
 public:
  explicit Line(runtime::Runtime& runtime)
      : runtime_(runtime), mutex_(runtime, "line"), changed_(runtime, "line has changed") {}

  void add(const std::string& key, runtime::Duration delay = runtime::Duration::zero()) {
    const runtime::Lock lock(mutex_);
    const auto place = due_.try_emplace(key, runtime_.now() + delay).first;
    place->second = std::min(place->second, runtime_.now() + delay);
    changed_.notify_all();
  }
  /// Waits for a key; nothing when the line is closed.
  [[nodiscard]] std::optional<std::string> take() {
    runtime::Lock lock(mutex_);
    while (!is_closed_) {
      const auto next = next_due();
      if (next == due_.end()) {
        changed_.wait(lock);
      } else if (next->second > runtime_.now()) {
        (void)changed_.wait_until(lock, next->second);
      } else {
        std::string key = next->first;
        due_.erase(next);
        taken_.insert(key);
        return key;
      }
    }
    return std::nullopt;
  }
  void done(const std::string& key) {
    const runtime::Lock lock(mutex_);
    taken_.erase(key);
    changed_.notify_all();
  }
  void close() {
    const runtime::Lock lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
  }
  /// Empty, and open again.
  void open() {
    const runtime::Lock lock(mutex_);
    is_closed_ = false;
    due_.clear();
  }

 private:
  using Due = std::map<std::string, runtime::TimePoint>;

  /// Of the keys that no worker has.
  [[nodiscard]] Due::iterator next_due() {
    auto next = due_.end();
    for (auto each = due_.begin(); each != due_.end(); ++each) {
      if (!taken_.contains(each->first) && (next == due_.end() || each->second < next->second)) {
        next = each;
      }
    }
    return next;
  }

  runtime::Runtime& runtime_;
  runtime::Mutex mutex_;
  runtime::CondVar changed_;
  Due due_;
  std::set<std::string> taken_;
  bool is_closed_ = false;
};

}  // namespace watchlab::exercise
