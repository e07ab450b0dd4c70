// Breaks: it only watches, from the beginning each time, five seconds after the last watch.
#include <map>

#include "core/cache/first/reflector.hpp"
#include "exercises/08t-reflector-tests/subject.hpp"

namespace watchlab::exercise {
namespace {

/// The store of 2014 over a mirror.
class MirrorStore final : public cache::first::Store {
 public:
  explicit MirrorStore(Mirror& mirror) : mirror_(mirror) {}

  void add(const std::string& id, const api::ObjectPtr& object) override {
    objects_[id] = object;
    mirror_.put(object);
  }
  void update(const std::string& id, const api::ObjectPtr& object) override { add(id, object); }
  void remove(const std::string& id) override {
    if (const auto object = objects_.extract(id); !object.empty()) {
      mirror_.remove(object.mapped());
    }
  }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override {
    std::vector<api::ObjectPtr> objects;
    for (const auto& [id, object] : objects_) {
      objects.push_back(object);
    }
    return objects;
  }
  [[nodiscard]] api::ObjectPtr get(const std::string& id) const override {
    const auto found = objects_.find(id);
    return found != objects_.end() ? found->second : nullptr;
  }

 private:
  Mirror& mirror_;
  std::map<std::string, api::ObjectPtr> objects_;
};

class FirstReflector final : public Reflector {
 public:
  FirstReflector(runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source,
                 Mirror& mirror)
      : source_(std::move(source)),
        store_(mirror),
        reflector_(runtime, *source_, store_, {.expected_kind = "ConfigMap"}) {}

  void run(const runtime::StopToken& stop) override { reflector_.run(stop); }

 private:
  std::shared_ptr<cache::ListerWatcher> source_;
  MirrorStore store_;
  cache::first::Reflector reflector_;
};

}  // namespace

std::unique_ptr<Reflector> make_reflector(runtime::Runtime& runtime,
                                          std::shared_ptr<cache::ListerWatcher> source,
                                          Mirror& mirror) {
  return std::make_unique<FirstReflector>(runtime, std::move(source), mirror);
}

}  // namespace watchlab::exercise
