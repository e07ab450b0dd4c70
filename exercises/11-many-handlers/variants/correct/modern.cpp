// Breaks: changes stay in one line, come in batches, and a whole list or resync is one of them.
#include "core/features/release_profile.hpp"
#include "exercises/11-many-handlers/variants/informer_of_core.hpp"

namespace watchlab::exercise {

std::unique_ptr<Informer> make_informer(runtime::Runtime& runtime,
                                        std::shared_ptr<cache::ListerWatcher> source) {
  return std::make_unique<InformerOfCore>(
      runtime, std::move(source),
      cache::SharedIndexInformerOptions{.machine = *features::find_machine("modern")});
}

}  // namespace watchlab::exercise
