#include <memory>
#include <utility>

#include "core/watch/fake_watcher.hpp"
#include "core/watch/filter.hpp"
#include "scenarios/programs/programs.hpp"

namespace watchlab::scenarios {

void leave_a_filtered_watch(runtime::Runtime& runtime) {
  const auto source = std::make_shared<watch::FakeWatcher>(runtime);
  const std::shared_ptr<watch::Watcher> filtered = watch::filter(
      runtime, source, [](watch::Event event) -> std::optional<watch::Event> { return event; });
  source->add(std::make_shared<const api::Object>());
  // Whoever stops a watch does not read it any more.
  filtered->stop();
}

}  // namespace watchlab::scenarios
