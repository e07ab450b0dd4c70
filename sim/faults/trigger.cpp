#include "sim/faults/trigger.hpp"

#include <algorithm>

namespace watchlab::sim {

bool Trigger::holds_for(const Passage& passage, Revision store_revision) const {
  const Request& request = passage.request;
  if (!client.empty() && client != request.client) {
    return false;
  }
  if (!verbs.empty() && std::find(verbs.begin(), verbs.end(), request.verb) == verbs.end()) {
    return false;
  }
  if (!resource.empty() && resource != request.resource.resource) {
    return false;
  }
  if (!key.empty()) {
    const bool same = passage.event != nullptr && passage.event->object != nullptr &&
                      api::key_of(passage.event->object->metadata) == key;
    if (!same) {
      return false;
    }
  }
  if ((from && passage.now < *from) || (until && passage.now >= *until)) {
    return false;
  }
  return store_revision >= from_revision && (!condition || condition(passage));
}

}  // namespace watchlab::sim
