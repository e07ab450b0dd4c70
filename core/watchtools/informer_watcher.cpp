#include "core/watchtools/informer_watcher.hpp"

#include <utility>

#include "core/runtime/recover.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/runtime/task.hpp"
#include "core/watchtools/event_processor.hpp"

namespace watchlab::watchtools {
namespace {

using runtime::Channel;
using runtime::Location;

/// As a `watch::ProxyWatcher`, whose stop an informer understands.
class StoppingWatch : public watch::Watcher {
 public:
  StoppingWatch(runtime::Runtime& runtime, Channel<watch::Event> result, Location here)
      : source_(runtime, here), result_(std::move(result)) {}

  void stop(Location here) override { source_.stop(here); }
  [[nodiscard]] const Channel<watch::Event>& result_channel() const override { return result_; }
  [[nodiscard]] runtime::StopToken token() const { return source_.token(); }

 private:
  runtime::StopSource source_;
  Channel<watch::Event> result_;
};

}  // namespace

InformerWatcher new_indexer_informer_watcher(runtime::Runtime& runtime,
                                             std::shared_ptr<cache::ListerWatcher> lister_watcher,
                                             cache::ReflectorOptions reflector, Location here) {
  return new_indexer_informer_watcher(runtime, std::move(lister_watcher),
                                      features::ReleaseProfile(), std::move(reflector), here);
}

InformerWatcher new_indexer_informer_watcher(runtime::Runtime& runtime,
                                             std::shared_ptr<cache::ListerWatcher> lister_watcher,
                                             features::ReleaseProfile machine,
                                             cache::ReflectorOptions reflector, Location here) {
  const Channel<watch::Event> events(runtime, 0, "informer_watcher.result", here);
  const auto watcher = std::make_shared<StoppingWatch>(runtime, events, here);
  const auto processor = std::make_shared<EventProcessor>(runtime, events, here);
  reflector.resync_period = runtime::Duration::zero();
  const cache::Informer informer =
      cache::new_informer_with_options(runtime, {.lister_watcher = std::move(lister_watcher),
                                                 .handler = make_pushing_handler(processor),
                                                 .reflector = std::move(reflector),
                                                 .machine = std::move(machine)});
  Channel<runtime::Unit> done(runtime, 0, "informer_watcher.done", here);
  runtime::spawn(
      runtime, "event_processor", [processor] { processor->run(); }, here);
  runtime::spawn(
      runtime, "informer_watcher",
      [controller = informer.controller, processor, done, stop = watcher->token()]() mutable {
        runtime::run_then([&] { controller->run(stop); },
                          [&] {
                            processor->stop();
                            done.close();
                          });
      },
      here);
  return {.indexer = informer.store,
          .controller = informer.controller,
          .watcher = watcher,
          .done = done};
}

}  // namespace watchlab::watchtools
