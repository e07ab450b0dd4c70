// Breaks: a list and a resync come out as one change each. client-go 0.36 on.
#include "core/cache/real_fifo.hpp"
#include "exercises/16-state-it/variants/kept_queue.hpp"

namespace watchlab::exercise {
namespace {

/// The consumer compares a list with its store: the queue does not know that.
std::vector<Change> changes_of_list(const std::vector<api::ObjectPtr>& list,
                                    const KeptStore& store) {
  std::vector<Change> changes;
  std::map<std::string, api::ObjectPtr> missing = store.objects;
  for (const api::ObjectPtr& object : list) {
    changes.push_back({api::key_of(object->metadata), object});
    missing.erase(changes.back().name);
  }
  for (const auto& [name, object] : missing) {
    changes.push_back({name, nullptr});
  }
  return changes;
}

std::vector<Change> changes_of(const cache::Delta& delta, const KeptStore& store) {
  if (delta.type == cache::DeltaType::ReplacedAll) {
    return changes_of_list(std::get<cache::ReplacedAllInfo>(*delta.info).objects, store);
  }
  if (delta.type != cache::DeltaType::SyncAll) {
    return change_of(delta);
  }
  std::vector<Change> changes;
  for (const auto& [name, object] : store.objects) {
    changes.push_back({name, object});
  }
  return changes;
}

}  // namespace

std::unique_ptr<ChangeQueue> make_queue(runtime::Runtime& runtime) {
  return std::make_unique<KeptQueue<cache::RealFIFO>>(
      runtime,
      [](const KeptStore*, std::shared_ptr<Depth> depth) -> cache::RealFIFOOptions {
        return {.atomic_events = true, .metrics = std::move(depth)};
      },
      changes_of);
}

}  // namespace watchlab::exercise
