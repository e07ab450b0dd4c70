#pragma once

#include <string>

#include "core/api/object.hpp"
#include "sim/story/options.hpp"

/// Objects, and what was changed about them, as a script says it. What a server sets by itself is
/// left out: revisions, uids, times.
namespace watchlab::scenarios {

/// The object by its name, its namespace and its kind.
[[nodiscard]] sim::ObjectSketch named_like(const api::Object& object);
/// The same with its content.
[[nodiscard]] sim::ObjectSketch sketch_from(const api::Object& object);

/// A change of an object.
struct ObjectChange {
  std::string merge;         ///< a JSON merge patch (RFC 7396)
  bool only_status = false;  ///< it touches nothing but the status
};
[[nodiscard]] ObjectChange change_between(const api::Object& before, const api::Object& after);

}  // namespace watchlab::scenarios
