#include <memory>

#include "core/runtime/mutex.hpp"
#include "core/watch/stream_watcher.hpp"
#include "sim/sketches/sketch.hpp"

namespace watchlab::sim {
namespace {

/// A stream of which not even the first event makes sense.
class TornDecoder : public watch::Decoder {
 public:
  api::Result<watch::Event> decode() override {
    return api::Error{
        .kind = api::ErrorKind::Decode, .message = "invalid character in an event", .status = {}};
  }
  void close(runtime::Location /*here*/) override {}
};

void play(runtime::Runtime& runtime) {
  watch::StreamWatcher watcher(runtime, std::make_unique<TornDecoder>());
  watcher.stop();  // and nobody reads any more
}

}  // namespace

Sketch stop_meets_a_torn_stream() {
  return {.name = "stop_meets_a_torn_stream",
          .doc = "A reader stops its watch in the moment in which the stream turns out to be torn.",
          .play = play};
}

}  // namespace watchlab::sim
