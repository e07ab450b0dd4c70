#pragma once

#include <string>
#include <string_view>

#include "core/api/result.hpp"

namespace watchlab::sim {

/// The media type in which Go clients send built-in objects.
inline constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

/// A body of that type as JSON: an envelope with a kind, and the object of that kind. Fails with a
/// Status: 400 for bytes that are no such thing, 415 for a kind that cannot be read, with what to
/// do instead. ConfigMap, Namespace, Secret and DeleteOptions can be read.
[[nodiscard]] api::Result<std::string> json_from_protobuf(std::string_view bytes);

}  // namespace watchlab::sim
