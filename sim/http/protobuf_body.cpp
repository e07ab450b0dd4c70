#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <optional>
#include <vector>

#include "sim/apiserver/status_bodies.hpp"
#include "sim/http/media_types.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

constexpr std::string_view kMagic("k8s\0", 4);

/// One field of a message: a number, or bytes.
struct ProtoField {
  std::uint64_t tag = 0;
  std::uint64_t number = 0;
  std::string_view bytes;
};

/// Takes messages of protobuf apart, within their bytes whatever these are.
class ProtoReader {
 public:
  explicit ProtoReader(std::string_view bytes) : rest_(bytes) {}

  /// The next field; nothing at the end, and after what is no field.
  std::optional<ProtoField> next() {
    if (rest_.empty()) {
      return std::nullopt;
    }
    const std::optional<std::uint64_t> key = varint();
    if (!key) {
      return std::nullopt;
    }
    ProtoField field{.tag = *key >> 3U};
    switch (*key & 7U) {
      case 0:
        if (const auto number = varint()) {
          field.number = *number;
          return field;
        }
        return std::nullopt;
      case 1:
        return taken(field, sizeof(std::uint64_t));
      case 2: {
        const std::optional<std::uint64_t> length = varint();
        return length ? taken(field, *length) : std::nullopt;
      }
      case 5:
        return taken(field, sizeof(std::uint32_t));
      default:
        broken_ = true;
        return std::nullopt;
    }
  }
  /// Whether it ended before the bytes did.
  [[nodiscard]] bool broken() const { return broken_; }

 private:
  std::optional<std::uint64_t> varint() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      number |= std::uint64_t{byte & 0x7FU} << shift;
      if ((byte & 0x80U) == 0) {
        return number;
      }
    }
    broken_ = true;
    return std::nullopt;
  }

  std::optional<ProtoField> taken(ProtoField field, std::uint64_t length) {
    if (length > rest_.size()) {
      broken_ = true;
      return std::nullopt;
    }
    field.bytes = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return field;
  }

  std::string_view rest_;
  bool broken_ = false;
};

std::string in_base64(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::size_t kGroup = 3;  // bytes that make four letters
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += kGroup) {
    std::uint32_t bits = 0;
    for (std::size_t j = i; j < i + kGroup; ++j) {
      bits = bits << 8U | (j < bytes.size() ? static_cast<unsigned char>(bytes[j]) : 0U);
    }
    const std::size_t letters = std::min(kGroup, bytes.size() - i) + 1;
    for (std::size_t j = 0; j <= kGroup; ++j) {
      text += j < letters ? kLetters[bits >> (6 * (kGroup - j)) & 0x3FU] : '=';
    }
  }
  return text;
}

/// How the value of a field is shown.
enum class Shows : std::uint8_t { Text, Flag, Texts, Bytes, TextList, Metadata };

struct ProtoRow {
  std::string_view kind;  ///< "" for the metadata of all kinds
  std::uint64_t tag;
  std::string_view name;
  Shows shows;
};

/// The fields of the messages that are read, as apimachinery's generated.proto numbers them.
constexpr std::array kRows{
    ProtoRow{"", 1, "name", Shows::Text},
    ProtoRow{"", 2, "generateName", Shows::Text},
    ProtoRow{"", 3, "namespace", Shows::Text},
    ProtoRow{"", 5, "uid", Shows::Text},
    ProtoRow{"", 6, "resourceVersion", Shows::Text},
    ProtoRow{"", 11, "labels", Shows::Texts},
    ProtoRow{"", 12, "annotations", Shows::Texts},
    ProtoRow{"", 14, "finalizers", Shows::TextList},
    ProtoRow{"ConfigMap", 1, "metadata", Shows::Metadata},
    ProtoRow{"ConfigMap", 2, "data", Shows::Texts},
    ProtoRow{"ConfigMap", 3, "binaryData", Shows::Bytes},
    ProtoRow{"ConfigMap", 4, "immutable", Shows::Flag},
    ProtoRow{"Namespace", 1, "metadata", Shows::Metadata},
    ProtoRow{"Secret", 1, "metadata", Shows::Metadata},
    ProtoRow{"Secret", 2, "data", Shows::Bytes},
    ProtoRow{"Secret", 3, "type", Shows::Text},
    ProtoRow{"Secret", 4, "stringData", Shows::Texts},
    ProtoRow{"Secret", 5, "immutable", Shows::Flag},
    ProtoRow{"DeleteOptions", 4, "propagationPolicy", Shows::Text},
    ProtoRow{"DeleteOptions", 5, "dryRun", Shows::TextList},
};

std::optional<json::object> message_fields(std::string_view kind, std::string_view bytes);

bool add_entry(json::object& into, std::string_view name, const ProtoField& field, bool encoded) {
  ProtoReader reader(field.bytes);
  std::string key;
  std::string value;
  while (const std::optional<ProtoField> part = reader.next()) {
    (part->tag == 1 ? key : value) = part->bytes;
  }
  json::value& entries = into[name];
  if (entries.is_null()) {
    entries.emplace_object();
  }
  entries.as_object()[key] = encoded ? in_base64(value) : value;
  return !reader.broken();
}

bool add_field(json::object& into, const ProtoRow& row, const ProtoField& field) {
  switch (row.shows) {
    case Shows::Text:
      if (!field.bytes.empty()) {  // what is unset is sent as an empty text
        into[row.name] = field.bytes;
      }
      return true;
    case Shows::Flag:
      into[row.name] = field.number != 0;
      return true;
    case Shows::Texts:
      return add_entry(into, row.name, field, false);
    case Shows::Bytes:
      return add_entry(into, row.name, field, true);
    case Shows::TextList: {
      json::value& items = into[row.name];
      if (items.is_null()) {
        items.emplace_array();
      }
      items.as_array().push_back(json::string(field.bytes));
      return true;
    }
    case Shows::Metadata: {
      std::optional<json::object> metadata = message_fields("", field.bytes);
      if (metadata) {
        into[row.name] = *std::move(metadata);
      }
      return metadata.has_value();
    }
  }
  return false;
}

/// Nothing for bytes that are no message.
std::optional<json::object> message_fields(std::string_view kind, std::string_view bytes) {
  json::object made;
  ProtoReader reader(bytes);
  while (const std::optional<ProtoField> field = reader.next()) {
    for (const ProtoRow& row : kRows) {
      if (row.kind == kind && row.tag == field->tag && !add_field(made, row, *field)) {
        return std::nullopt;
      }
    }
  }
  return reader.broken() ? std::nullopt : std::optional(std::move(made));
}

struct Envelope {
  std::string api_version;
  std::string kind;
  std::string_view raw;
};

std::optional<Envelope> envelope_in(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) {
    return std::nullopt;
  }
  Envelope envelope;
  ProtoReader reader(bytes.substr(kMagic.size()));
  while (const std::optional<ProtoField> field = reader.next()) {
    if (field->tag == 2) {
      envelope.raw = field->bytes;
    } else if (field->tag == 1) {
      ProtoReader meta(field->bytes);
      while (const std::optional<ProtoField> part = meta.next()) {
        (part->tag == 1 ? envelope.api_version : envelope.kind) = part->bytes;
      }
    }
  }
  return reader.broken() ? std::nullopt : std::optional(std::move(envelope));
}

}  // namespace

api::Result<std::string> json_from_protobuf(std::string_view bytes) {
  const std::optional<Envelope> envelope = envelope_in(bytes);
  if (!envelope) {
    return api::error_from(
        status_bodies::bad_request("the body is no protobuf envelope of Kubernetes"));
  }
  const bool known = std::ranges::any_of(
      kRows, [&](const ProtoRow& row) { return !row.kind.empty() && row.kind == envelope->kind; });
  if (!known) {
    return api::error_from(api::failure(
        api::StatusReason::UnsupportedMediaType,
        fmt::format("watchlab reads no protobuf of the kind {}; send JSON instead: kubectl create "
                    "… --dry-run=client -o yaml | kubectl apply -f -, or ContentType "
                    "\"application/json\" in the client's configuration",
                    envelope->kind)));
  }
  std::optional<json::object> object = message_fields(envelope->kind, envelope->raw);
  if (!object) {
    return api::error_from(status_bodies::bad_request("the protobuf of the body is broken"));
  }
  (*object)["apiVersion"] = envelope->api_version;
  (*object)["kind"] = envelope->kind;
  return json::serialize(*object);
}

}  // namespace watchlab::sim
