#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What clients say about the form of bodies, in the fields Accept and Content-Type.
namespace watchlab::sim {

/// In what form a client wants to see objects. Mirrors the `as` of apiserver's media types.
enum class BodyForm : std::uint8_t {
  Plain,     ///< as they are
  Table,     ///< rows and columns for people: meta.k8s.io Table
  Metadata,  ///< their metadata alone: meta.k8s.io PartialObjectMetadata
  Done,      ///< nothing of them: a Status says that it was done, with 201
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

/// What a client takes.
struct AcceptedForm {
  BodyForm form = BodyForm::Plain;
  bool protobuf = false;  ///< and in what: this, or JSON

  bool operator==(const AcceptedForm&) const = default;
};

/// The first that the field asks for and that there is: as JSON, or as protobuf, where what is
/// asked for can be that (`has_protobuf`) or its metadata alone is asked for. Nothing when there is
/// none. A client that says nothing takes what comes.
[[nodiscard]] std::optional<AcceptedForm> accepted_in(std::string_view accept, bool has_protobuf);

/// Which version of the aggregated discovery the field asks for, "v2" or "v2beta1", before anything
/// else that would do; "" for the form of old.
[[nodiscard]] std::string aggregated_discovery_in(std::string_view accept);

/// Whether a client that says this in Accept-Encoding takes a body that is packed by gzip.
[[nodiscard]] bool takes_gzip(std::string_view accept_encoding);
/// Packs bytes by gzip, quickly rather than well, in as many pieces as they come.
class Gzip {
 public:
  /// What one keeps while it packs.
  static constexpr std::size_t kKept = std::size_t{300} << 10;

  Gzip();
  ~Gzip();
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  /// What can be said of them by now; all of it with the last ones.
  [[nodiscard]] std::string add(std::string_view bytes, bool last);

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};
/// The bytes packed in one go.
[[nodiscard]] std::string gzipped(std::string_view bytes);

}  // namespace watchlab::sim
