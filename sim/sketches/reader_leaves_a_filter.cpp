#include <utility>

#include "core/watch/filter.hpp"
#include "core/watch/race_free_fake_watcher.hpp"
#include "sim/sketches/example_event.hpp"
#include "sim/sketches/sketch.hpp"

namespace watchlab::sim {
namespace {

void play(runtime::Runtime& runtime) {
  const auto source = std::make_shared<watch::RaceFreeFakeWatcher>(runtime);
  const auto filtered = watch::filter(runtime, source, [](watch::Event event) {
    return std::optional<watch::Event>(std::move(event));
  });
  source->action(added_event("first"));
  source->action(added_event("second"));
  (void)filtered->result_channel().receive();
  filtered->stop();
}

}  // namespace

Sketch reader_leaves_a_filter() {
  return {.name = "reader_leaves_a_filter",
          .doc = "A reader takes one event of a filtered watch, stops it, and does not read on.",
          .play = play};
}

}  // namespace watchlab::sim
