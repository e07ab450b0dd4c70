#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "exercises/08-reflector/plain_server.hpp"
#include "exercises/toolkit/worlds.hpp"

/// What the tests of your reflector are made of.
namespace watchlab::exercise {

/// A store that looks at what it is given: no object goes back or comes twice (L2).
class PlainStore final : public Store {
 public:
  explicit PlainStore(Rules& rules) : rules_(rules) {}

  void put(const api::ObjectPtr& object) override {
    note("put", object);
    if (advance(object, 1)) {
      objects_[object->metadata.name] = object;
    }
  }
  void remove(const api::ObjectPtr& object) override {
    note("remove", object);
    if (advance(object, 1)) {
      objects_.erase(object->metadata.name);
    }
  }
  void replace(const std::vector<api::ObjectPtr>& objects) override {
    note("replace", nullptr);
    objects_.clear();
    for (const api::ObjectPtr& each : objects) {
      if (advance(each, 0)) {
        objects_[each->metadata.name] = each;
      }
    }
  }

  /// From now on nothing may be written.
  void close() { is_closed_ = true; }
  /// "a@3 b@4": what it has, by name.
  [[nodiscard]] std::string contents() const {
    std::string text;
    for (const auto& [name, each] : objects_) {
      text.append(text.empty() ? "" : " ").append(text_of(each));
    }
    return text;
  }
  /// "replace, put a@3, remove a@4": what was written so far.
  [[nodiscard]] const std::string& writes() const { return writes_; }

 private:
  void note(const std::string& what, const api::ObjectPtr& object) {
    writes_.append(writes_.empty() ? "" : ", ").append(what);
    if (object != nullptr) {
      writes_.append(" ").append(text_of(object));
    }
    if (is_closed_) {
      rules_.broken("L7: the store is written when run has returned");
    }
  }
  /// Whether it is an object whose version is so much newer than the last one.
  bool advance(const api::ObjectPtr& object, std::int64_t by) {
    if (object == nullptr || object->metadata.name.empty()) {
      rules_.broken("L2: what is written is no object");
      return false;
    }
    std::int64_t& last = last_[object->metadata.name];
    const std::int64_t version = std::stoll(object->metadata.resource_version);
    if (version < last + by) {
      rules_.broken("L2: " + text_of(object) + " is written after version " + std::to_string(last));
    }
    last = std::max(last, version);
    return true;
  }

  Rules& rules_;
  std::map<std::string, api::ObjectPtr> objects_;
  std::map<std::string, std::int64_t> last_;  ///< version of each object that was ever there
  std::string writes_;
  bool is_closed_ = false;
};

/// A server, a store, and your reflector between them.
class Stage {
 public:
  explicit Stage(runtime::Runtime& its_runtime)
      : runtime(its_runtime),
        server(its_runtime, rules_),
        store(rules_),
        reflector(make_reflector(its_runtime, server, store)) {}

  void start() {
    client_ = runtime::spawn(runtime, "client", [this] {
      reflector->run();
      store.close();
    });
  }
  void wait(runtime::Duration time) {
    runtime::sleep_for(runtime, time);
    check();
  }
  void check() const { expect_equal(rules_.first(), ""); }
  /// The store is like the server.
  void expect_in_step() const {
    check();
    expect_equal(store.contents(), server.contents());
  }
  /// Stops the reflector, as L7 says.
  void stop() {
    const runtime::TimePoint asked = runtime.now();
    reflector->stop();
    if (client_.valid()) {
      client_.join();
    }
    expect(runtime.now() - asked <= std::chrono::seconds(1), "run returns within a second (L7)");
    expect_equal(server.watches_open(), 0);
    check();
  }

 private:
  Rules rules_;

 public:
  runtime::Runtime& runtime;
  PlainServer server;
  PlainStore store;
  std::unique_ptr<Reflector> reflector;

 private:
  runtime::Task client_;
};

/// Plays a script on a stage that has the object "early", and stops the reflector at the end.
inline void play(const std::function<void(Stage&)>& script) {
  in_every_world([&](runtime::Runtime& runtime) {
    Stage stage(runtime);
    stage.server.create("early");
    script(stage);
    stage.stop();
  });
}

}  // namespace watchlab::exercise
