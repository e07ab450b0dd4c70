#include "sim/apiserver/object_filter.hpp"

#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {

api::Result<ObjectFilter> ObjectFilter::from(const std::string& namespace_name,
                                             const api::ListOptions& options) {
  if (!options.label_selector.empty() || !options.field_selector.empty()) {
    return api::error_from(status_bodies::bad_request("selectors are not served"));
  }
  ObjectFilter filter;
  filter.namespace_ = namespace_name;
  return filter;
}

bool ObjectFilter::matches(const api::Object& object) const {
  return (namespace_.empty() || object.metadata.namespace_ == namespace_) &&
         (!selector_ || selector_(object));
}

}  // namespace watchlab::sim
