#pragma once

#include <string>

#include "core/api/label_selector.hpp"
#include "core/api/options.hpp"
#include "sim/apiserver/field_query.hpp"
#include "sim/apiserver/resource_type.hpp"

namespace watchlab::sim {

/// Which objects of a collection a request is about: a namespace, a label selector and a field
/// selector.
class ObjectFilter {
 public:
  /// Fails with a 400 Status for a selector that cannot be read, or that names a field which the
  /// collection does not offer.
  [[nodiscard]] static api::Result<ObjectFilter> from(const ResourceType& type,
                                                      const std::string& namespace_name,
                                                      const api::ListOptions& options);

  [[nodiscard]] bool matches(const api::Object& object) const;
  /// Whether anything but the namespace is asked for.
  [[nodiscard]] bool selects() const { return !labels_.is_everything() || !fields_.empty(); }
  [[nodiscard]] const std::string& namespace_name() const { return namespace_; }

 private:
  std::string namespace_;
  api::LabelSelector labels_;
  FieldQuery fields_;
};

}  // namespace watchlab::sim
