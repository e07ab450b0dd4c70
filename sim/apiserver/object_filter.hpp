#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/field_selector.hpp"
#include "core/api/label_selector.hpp"
#include "core/api/object.hpp"
#include "core/api/options.hpp"
#include "core/api/result.hpp"
#include "sim/apiserver/resource_type.hpp"

namespace watchlab::sim {

/// Selects objects by their fields, as the servers of some collections do: any field of the body
/// can be named, where `api::FieldSelector` knows only what every collection offers. All conditions
/// must hold; an absent field reads as "". Which fields a collection offers is up to
/// `ObjectFilter`.
class FieldQuery {
 public:
  /// As `api::parse_field_requirements`; each must name a field. Fails with a 400 Status.
  [[nodiscard]] static api::Result<FieldQuery> parse(std::string_view text);

  [[nodiscard]] bool matches(const api::Object& object) const;
  [[nodiscard]] bool empty() const { return conditions_.empty(); }
  [[nodiscard]] const std::vector<api::FieldRequirement>& conditions() const { return conditions_; }

 private:
  std::vector<api::FieldRequirement> conditions_;
};

/// The text of a field: of the metadata, or by its path in the body; numbers and booleans as JSON
/// writes them. "" when there is none.
[[nodiscard]] std::string field_of(const api::Object& object, std::string_view path);

/// Whether the options select one object by its name and its place (L25): that is read by itself,
/// so that it has no pages. Mirrors apiserver pkg/storage/selection_predicate.go, MatchesSingle.
[[nodiscard]] bool names_one_object(const ResourceType& type, const std::string& namespace_name,
                                    const api::ListOptions& options);

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
