// Breaks: one pop takes one change, in the order in which they came. client-go 0.33 to 0.35.
#include "core/cache/real_fifo.hpp"
#include "exercises/16-state-it/variants/kept_queue.hpp"

namespace watchlab::exercise {

std::unique_ptr<ChangeQueue> make_queue(runtime::Runtime& runtime) {
  return std::make_unique<KeptQueue<cache::RealFIFO>>(
      runtime,
      [](const KeptStore* store, std::shared_ptr<Depth> depth) -> cache::RealFIFOOptions {
        return {.known_objects = store, .metrics = std::move(depth)};
      },
      [](const cache::Delta& delta, const KeptStore&) { return change_of(delta); });
}

}  // namespace watchlab::exercise
