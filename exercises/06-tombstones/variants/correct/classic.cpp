// Breaks: one pop takes all changes of an object. DeltaFIFO and a store, as in client-go to 1.35.
#include "core/cache/cache.hpp"
#include "core/cache/delta_fifo.hpp"
#include "core/runtime/ensure.hpp"
#include "exercises/06-tombstones/subject.hpp"

namespace watchlab::exercise {
namespace {

class ClassicQueue final : public ChangeQueue {
 public:
  ClassicQueue(runtime::Runtime& runtime, const std::vector<api::ObjectPtr>& stored)
      : store_(runtime, cache::deletion_handling_meta_namespace_key),
        queue_(runtime, {.known_objects = &store_, .emit_replaced = true}) {
    for (const api::ObjectPtr& object : stored) {
      check(store_.add(object));
    }
  }

  void add(const api::ObjectPtr& object) override { check(queue_.add(object)); }
  void update(const api::ObjectPtr& object) override { check(queue_.update(object)); }
  void remove(const api::ObjectPtr& object) override { check(queue_.remove(object)); }
  void replace(const std::vector<api::ObjectPtr>& list) override {
    check(queue_.replace(list, "0"));
  }
  void resync() override { check(queue_.resync()); }
  [[nodiscard]] cache::Deltas pop() override {
    const cache::Popped popped = queue_.pop([this](const cache::PopItem& item, bool) {
      for (const cache::Delta& delta : std::get<cache::Deltas>(item)) {
        const bool gone = delta.type == cache::DeltaType::Deleted;
        check(gone ? store_.remove(delta.object) : store_.update(delta.object));
      }
      return cache::Processed();
    });
    check(popped.outcome);
    return std::get<cache::Deltas>(popped.item);
  }
  [[nodiscard]] bool has_synced() const override { return queue_.has_synced(); }
  [[nodiscard]] bool empty() const override { return queue_.list_keys().empty(); }
  [[nodiscard]] std::vector<api::ObjectPtr> stored() const override { return store_.list(); }

 private:
  static void check(const api::Result<void>& result) {
    runtime::ensure(result.ok(), "an object with a name has a key, and the queue is never closed");
  }

  cache::Cache store_;
  cache::DeltaFIFO queue_;
};

}  // namespace

std::unique_ptr<ChangeQueue> make_queue(runtime::Runtime& runtime,
                                        std::vector<api::ObjectPtr> stored) {
  return std::make_unique<ClassicQueue>(runtime, stored);
}

}  // namespace watchlab::exercise
