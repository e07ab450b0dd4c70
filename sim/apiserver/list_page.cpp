#include "sim/apiserver/list_page.hpp"

#include <utility>

#include "sim/apiserver/continue_token.hpp"

namespace watchlab::sim {

bool ListPage::offer(const std::string& key, const api::ObjectPtr& object) {
  if (limit_ > 0 && static_cast<std::int64_t>(list_.items.size()) == limit_) {
    ++remaining_;
    // With a selector nobody can say how many of the rest will match, so nobody counts them.
    return !filter_.selects();
  }
  if (filter_.matches(*object)) {
    list_.items.push_back(object);
    last_key_ = key;
  }
  return true;
}

api::ObjectList ListPage::finish(Revision revision) && {
  list_.resource_version = revision_text(revision);
  if (remaining_ > 0) {
    list_.continue_token = encode({revision, last_key_ + std::string(1, '\0')});
    if (!filter_.selects()) {
      list_.remaining_item_count = remaining_;
    }
  }
  return std::move(list_);
}

}  // namespace watchlab::sim
