#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"

/// What clients say about the form of bodies, in the fields Accept and Content-Type.
namespace watchlab::sim {

/// In what form a client wants to see objects. Mirrors the `as` of apiserver's media types.
enum class BodyForm : std::uint8_t {
  Plain,     ///< as they are
  Table,     ///< rows and columns for people: meta.k8s.io Table
  Metadata,  ///< their metadata alone: meta.k8s.io PartialObjectMetadata
  Scale,     ///< how many replicas they have: autoscaling Scale
};

/// One of several media types: "application/json;as=Table;v=v1;g=meta.k8s.io".
struct MediaType {
  std::string name;  ///< "application/json", in small letters
  std::vector<std::pair<std::string, std::string>> parameters;

  /// "" when it has no such parameter.
  [[nodiscard]] std::string_view parameter(std::string_view key) const;
  /// Whether it can be JSON: that, or a pattern that it fits.
  [[nodiscard]] bool takes_json() const;
};

/// The types that a field names, in its order; quality values do not reorder them, as in Go.
[[nodiscard]] std::vector<MediaType> media_types_in(std::string_view field);

/// The first form that the field asks for and that there is as JSON; nothing when there is none. A
/// client that says nothing takes what comes.
[[nodiscard]] std::optional<BodyForm> form_in(std::string_view accept);

/// Which version of the aggregated discovery the field asks for, "v2" or "v2beta1", before anything
/// else that would do; "" for the form of old.
[[nodiscard]] std::string aggregated_discovery_in(std::string_view accept);

/// Whether a client that says this in Accept-Encoding takes a body that is packed by gzip.
[[nodiscard]] bool takes_gzip(std::string_view accept_encoding);
/// The bytes packed by gzip, quickly rather than well.
[[nodiscard]] std::string gzipped(std::string_view bytes);

/// The media type in which Go clients send built-in objects.
inline constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

/// A body of that type as JSON: an envelope with a kind, and the object of that kind. Fails with a
/// Status: 400 for bytes that are no such thing, 415 for a kind that cannot be read, with what to
/// do instead. ConfigMap, Namespace, Secret, Lease, Event and DeleteOptions can be read.
[[nodiscard]] api::Result<std::string> json_from_protobuf(std::string_view bytes);

}  // namespace watchlab::sim
