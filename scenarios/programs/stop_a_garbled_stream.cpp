#include <memory>

#include "core/watch/stream_watcher.hpp"
#include "scenarios/programs/programs.hpp"

namespace watchlab::scenarios {
namespace {

/// A stream that makes no sense from its first byte on.
class Garbage : public watch::Decoder {
 public:
  api::Result<watch::Event> decode() override {
    return api::Error{.kind = api::ErrorKind::Decode, .message = "no JSON", .status = {}};
  }
  void close(runtime::Location /*here*/) override {}
};

}  // namespace

void stop_a_garbled_stream(runtime::Runtime& runtime) {
  watch::StreamWatcher watcher(runtime, std::make_unique<Garbage>());
  // Whoever stops a watch does not read it any more.
  watcher.stop();
}

}  // namespace watchlab::scenarios
