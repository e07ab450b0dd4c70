#pragma once

#include <memory>

#include "core/cache/list_watch.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/runtime/time.hpp"
#include "exercises/toolkit/mirror.hpp"

namespace watchlab::exercise {

/// A reflector, a queue, a worker and a store, one behind the other. The reflector lists and
/// watches the server's ConfigMaps and puts what it learns into the queue. One worker takes objects
/// out, one at a time; each costs it `work` of virtual time; then it writes the object to the
/// store, or removes it there if it was deleted. How each part does this is its own business. The
/// promises:
///
/// - **T1** What the server has when it starts, and each change and deletion while its watch is
///   open, reaches the store: within a second, plus `work` for every object that waits or is being
///   worked on.
/// - **T2** The queue holds states, not events. While the watch stays open, an object that changes
///   many times while it waits is worked on once, in its last state.
/// - **T3** The store never goes back: what is written of one object is never older than what was
///   written before, and what was deleted does not come back.
/// - **T4** An object keeps its place in the queue: another change while it waits neither moves it
///   back nor holds up the others. Objects that began to wait at different times come out in that
///   order.
/// - **T5** It survives the end of a watch, and a server that has forgotten the past (410). Within
///   two minutes after everything works again, plus `work` for every object that waits, the store
///   equals the server: what was deleted meanwhile is gone, too.
/// - **T6** When it is stopped, `run` returns within a second plus `work`, and no watch stays open.
///   What still waits then need not be worked on.
class Pipeline {
 public:
  Pipeline() = default;
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;
  virtual ~Pipeline() = default;

  /// Works until it is stopped. One task calls it, once.
  virtual void run(const runtime::StopToken& stop) = 0;
};

/// A pipeline from `source`, which lists and watches ConfigMaps, into the store `mirror`, which
/// must outlive it. Each variant of this exercise has its own.
[[nodiscard]] std::unique_ptr<Pipeline> make_pipeline(runtime::Runtime& runtime,
                                                      std::shared_ptr<cache::ListerWatcher> source,
                                                      Mirror& mirror, runtime::Duration work);

}  // namespace watchlab::exercise
