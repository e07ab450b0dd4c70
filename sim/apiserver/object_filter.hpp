#pragma once

#include <functional>
#include <string>

#include "core/api/object.hpp"
#include "core/api/options.hpp"
#include "core/api/result.hpp"

namespace watchlab::sim {

/// Which objects of a collection a request is about: a namespace, a label selector and a field
/// selector.
class ObjectFilter {
 public:
  /// Fails with a 400 Status for a selector that cannot be read.
  [[nodiscard]] static api::Result<ObjectFilter> from(const std::string& namespace_name,
                                                      const api::ListOptions& options);

  [[nodiscard]] bool matches(const api::Object& object) const;
  /// Whether anything but the namespace is asked for.
  [[nodiscard]] bool selects() const { return selects_; }
  [[nodiscard]] const std::string& namespace_name() const { return namespace_; }

 private:
  std::string namespace_;
  bool selects_ = false;
  std::function<bool(const api::Object&)> selector_;
};

}  // namespace watchlab::sim
