// Breaks: it lists, watches from the list's revision, and pauses longer after each failure.
#include "core/cache/reflector.hpp"
#include "exercises/08t-reflector-tests/subject.hpp"

namespace watchlab::exercise {
namespace {

/// What a reflector of today writes into, over a mirror.
class MirrorStore final : public cache::ReflectorStore {
 public:
  explicit MirrorStore(Mirror& mirror) : mirror_(mirror) {}

  api::Result<void> add(const cache::Item& item) override { return update(item); }
  api::Result<void> update(const cache::Item& item) override {
    mirror_.put(cache::object_of(item));
    return {};
  }
  api::Result<void> remove(const cache::Item& item) override {
    mirror_.remove(cache::object_of(item));
    return {};
  }
  api::Result<void> replace(std::span<const api::ObjectPtr> items,
                            const std::string& /*resource_version*/) override {
    mirror_.replace({items.begin(), items.end()});
    return {};
  }
  api::Result<void> resync() override { return {}; }

 private:
  Mirror& mirror_;
};

class ClassicReflector final : public Reflector {
 public:
  ClassicReflector(runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source,
                   Mirror& mirror)
      : reflector_(runtime, std::move(source), std::make_shared<MirrorStore>(mirror),
                   {.api_version = "v1", .kind = "ConfigMap"}) {}

  void run(const runtime::StopToken& stop) override { reflector_.run(stop); }

 private:
  cache::Reflector reflector_;
};

}  // namespace

std::unique_ptr<Reflector> make_reflector(runtime::Runtime& runtime,
                                          std::shared_ptr<cache::ListerWatcher> source,
                                          Mirror& mirror) {
  return std::make_unique<ClassicReflector>(runtime, std::move(source), mirror);
}

}  // namespace watchlab::exercise
