#pragma once

#include <memory>

#include "core/cache/list_watch.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/stop_token.hpp"
#include "exercises/toolkit/mirror.hpp"

namespace watchlab::exercise {

/// Keeps a mirror like the server's ConfigMaps. How it does that, whether it lists, how long it
/// pauses, is its own business. The promises:
///
/// - **R1** What the server has when it starts, and each change while its watch is open, is in the
///   mirror within a second.
/// - **R2** Whatever a correct server and network may do, it continues: a watch that ends or
///   breaks, a request that is refused or answered with a failure, an ERROR event, a 410. Within
///   two minutes after all works again, every object that the server has is in the mirror, in its
///   newest state (C3). All works when what was injected is healed, and no request or watch hangs:
///   to heal does not answer one that hangs already. Under faults that docs/faults.md calls
///   illegal, and for what they have changed or hidden, R4 alone is promised. When such a fault is
///   healed, R1 to R3 hold again for what is written afterwards.
/// - **R3** It never goes back: what it puts of one object is never older than what it put before
///   (C1). The same again is allowed.
/// - **R4** It keeps to ConfigMaps: an event with an object of another kind, or with none, changes
///   nothing. A bookmark is no object.
/// - **R5** It spares a server in trouble: at most twenty requests in any ten seconds.
/// - **R6** When it is stopped, `run` returns within a second, whatever it is doing, and no watch
///   stays open (C14). The server notices about a millisecond later that one was closed;
///   `cluster.stop()` waits for that.
///
/// Not promised: that an object goes away from the mirror when it was deleted while no watch was
/// open. Why not? See Notes in README.md.
class Reflector {
 public:
  Reflector() = default;
  Reflector(const Reflector&) = delete;
  Reflector& operator=(const Reflector&) = delete;
  virtual ~Reflector() = default;

  /// Mirrors until it is stopped. One task calls it, once.
  virtual void run(const runtime::StopToken& stop) = 0;
};

/// A reflector from `source`, which lists and watches ConfigMaps, into `mirror`, which must outlive
/// it. Each variant of this exercise has its own.
[[nodiscard]] std::unique_ptr<Reflector> make_reflector(
    runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source, Mirror& mirror);

}  // namespace watchlab::exercise
