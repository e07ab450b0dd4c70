// Breaks: changes are grouped by object, and a list that brings nothing new can be repeated to all.
#include "exercises/11-many-handlers/variants/informer_of_core.hpp"

namespace watchlab::exercise {

std::unique_ptr<Informer> make_informer(runtime::Runtime& runtime,
                                        std::shared_ptr<cache::ListerWatcher> source) {
  return std::make_unique<InformerOfCore>(runtime, std::move(source),
                                          cache::SharedIndexInformerOptions());
}

}  // namespace watchlab::exercise
