#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/result.hpp"
#include "sim/kinds/kind_table.hpp"

/// Objects of built-in kinds as the protobuf that Go clients and servers send each other: JSON and
/// back, by the table of kinds. What is written is what a real server would write, to the byte.
namespace watchlab::sim {

/// The media type in which Go clients send built-in objects.
inline constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";
/// With what a body of that type begins.
inline constexpr std::string_view kProtobufMagic("k8s\0", 4);

/// A body of that type as JSON: an envelope with a kind, and the object of that kind. Fails with a
/// Status: 400 for bytes that are no such thing, 415 for a kind that is not built in.
[[nodiscard]] api::Result<std::string> json_from_protobuf(std::string_view bytes);

/// The JSON of an object, a list or a Status as such a body; nothing for what has a kind that is
/// not built in, or is no JSON.
[[nodiscard]] std::optional<std::string> protobuf_from_json(std::string_view json);

/// The parts of a list as such a body, for one that is not made in one go: what comes before its
/// items, by the JSON of the list without them and the bytes that they will have, each of the
/// items, by the kind of the list and its JSON, and what comes behind them.
[[nodiscard]] std::string protobuf_list_beginning(std::string_view json, std::size_t items_bytes);
[[nodiscard]] std::string protobuf_list_item(std::string_view api_version, std::string_view kind,
                                             std::string_view json);
[[nodiscard]] std::string protobuf_list_ending();

/// The JSON of an event of a watch as a frame of a stream of that type; nothing as above.
[[nodiscard]] std::optional<std::string> protobuf_event_from_json(std::string_view json);

/// Whether objects of that kind, and lists of them, can be written so.
[[nodiscard]] bool has_protobuf(std::string_view api_version, std::string_view kind);

}  // namespace watchlab::sim
