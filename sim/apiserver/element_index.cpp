#include "sim/apiserver/element_index.hpp"

#include <boost/json.hpp>

namespace watchlab::sim {

namespace json = boost::json;

ElementIndex::ElementIndex(const json::array& list, std::optional<std::string_view> key)
    : key_(key) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    add(list[i], i);
  }
}

void ElementIndex::add(const json::value& element, std::size_t place) {
  if (const json::value* const identity = identity_of(element)) {
    places_.try_emplace(json::serialize(*identity), place);
  }
}

std::optional<std::size_t> ElementIndex::find(const json::value& element) const {
  const json::value* const identity = identity_of(element);
  const auto found = identity == nullptr ? places_.end() : places_.find(json::serialize(*identity));
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

const json::value* ElementIndex::identity_of(const json::value& element) const {
  if (!key_) {
    return &element;
  }
  return element.is_object() ? element.get_object().if_contains(*key_) : nullptr;
}

}  // namespace watchlab::sim
