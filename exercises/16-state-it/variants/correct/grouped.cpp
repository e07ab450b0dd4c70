// Breaks: the order of two objects; one pop takes all changes of an object. client-go to 0.32.
#include "core/cache/delta_fifo.hpp"
#include "exercises/16-state-it/variants/kept_queue.hpp"

namespace watchlab::exercise {

std::unique_ptr<ChangeQueue> make_queue(runtime::Runtime& runtime) {
  return std::make_unique<KeptQueue<cache::DeltaFIFO>>(
      runtime,
      [](const KeptStore* store, std::shared_ptr<Depth> depth) -> cache::DeltaFIFOOptions {
        return {.known_objects = store, .emit_replaced = true, .metrics = std::move(depth)};
      },
      [](const cache::Delta& delta, const KeptStore&) { return change_of(delta); });
}

}  // namespace watchlab::exercise
