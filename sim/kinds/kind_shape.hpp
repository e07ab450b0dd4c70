#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/kinds/kind_table.hpp"

namespace boost::json {
class object;
}  // namespace boost::json

/// Objects of built-in kinds as a real server has them after it has read them: into Go's types, and
/// out again. What the types do not have is gone, what they cannot leave out is there, and the
/// members stand in their order.
namespace watchlab::sim {

struct ShapeOptions {
  /// Of the object, with which some additions go; "" to add nothing that is unset.
  std::string_view kind{};
  /// Whether it is an object without its metadata, which is kept elsewhere.
  bool without_metadata = false;
};

/// The object, or the part of one that is such a message. Values of another type than the field's
/// stay as they are: `misfits_in` finds them.
[[nodiscard]] boost::json::object shaped(const boost::json::object& object,
                                         const KindMessage& message,
                                         const ShapeOptions& options = {});

/// What does not fit into a message.
struct Misfits {
  /// The paths of members that it does not have: "spec.containers[0].foo"; of many only the first.
  std::vector<std::string> unknown;
  /// What is wrong with the first value of another type, as Go's reader says it: "json: cannot
  /// unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32"; or "".
  std::string mistyped;
  std::string mistyped_at;  ///< its path
  std::string wanted;       ///< the type of its field, as Go names it: "int32"
  std::string given;        ///< what it is, with an article: "a text"
};

/// Members `apiVersion` and `kind` fit into any object.
[[nodiscard]] Misfits misfits_in(const boost::json::object& object, const KindMessage& message);

}  // namespace watchlab::sim
