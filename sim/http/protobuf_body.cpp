#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <optional>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <vector>

#include "sim/apiserver/stamps.hpp"
#include "sim/apiserver/status_bodies.hpp"
#include "sim/http/media_types.hpp"
#include "sim/network/http_names.hpp"

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

/// Calls `take` with each field of a message. Throws `protozero::exception` for bytes that are
/// none.
template <typename Take>
void for_each_field(std::string_view bytes, Take take) {
  protozero::pbf_reader reader(bytes.data(), bytes.size());
  while (reader.next()) {
    ProtoField field{.tag = reader.tag()};
    if (reader.wire_type() == protozero::pbf_wire_type::varint) {
      field.number = reader.get_uint64();
    } else if (reader.wire_type() == protozero::pbf_wire_type::length_delimited) {
      const protozero::data_view view = reader.get_view();
      field.bytes = {view.data(), view.size()};
    } else {
      reader.skip();
    }
    take(field);
  }
}

/// How the value of a field is shown.
enum class Shows : std::uint8_t {
  Text,
  Number,
  Flag,
  Texts,
  Bytes,
  TextList,
  Time,
  Micros,
  Message
};

struct ProtoRow {
  std::string_view message;  ///< a kind, or a part of several
  std::uint64_t tag;
  std::string_view name;
  Shows shows;
  std::string_view part = "";  ///< of a Message: which one
};

/// The fields of the messages that are read, as apimachinery's generated.proto numbers them.
constexpr std::array kRows{
    ProtoRow{"meta", 1, "name", Shows::Text},
    ProtoRow{"meta", 2, "generateName", Shows::Text},
    ProtoRow{"meta", 3, "namespace", Shows::Text},
    ProtoRow{"meta", 5, "uid", Shows::Text},
    ProtoRow{"meta", 6, "resourceVersion", Shows::Text},
    ProtoRow{"meta", 11, "labels", Shows::Texts},
    ProtoRow{"meta", 12, "annotations", Shows::Texts},
    ProtoRow{"meta", 14, "finalizers", Shows::TextList},
    ProtoRow{"ConfigMap", 1, "metadata", Shows::Message, "meta"},
    ProtoRow{"ConfigMap", 2, "data", Shows::Texts},
    ProtoRow{"ConfigMap", 3, "binaryData", Shows::Bytes},
    ProtoRow{"ConfigMap", 4, "immutable", Shows::Flag},
    ProtoRow{"Namespace", 1, "metadata", Shows::Message, "meta"},
    ProtoRow{"Secret", 1, "metadata", Shows::Message, "meta"},
    ProtoRow{"Secret", 2, "data", Shows::Bytes},
    ProtoRow{"Secret", 3, "type", Shows::Text},
    ProtoRow{"Secret", 4, "stringData", Shows::Texts},
    ProtoRow{"Secret", 5, "immutable", Shows::Flag},
    ProtoRow{"Lease", 1, "metadata", Shows::Message, "meta"},
    ProtoRow{"Lease", 2, "spec", Shows::Message, "lease spec"},
    ProtoRow{"lease spec", 1, "holderIdentity", Shows::Text},
    ProtoRow{"lease spec", 2, "leaseDurationSeconds", Shows::Number},
    ProtoRow{"lease spec", 3, "acquireTime", Shows::Micros},
    ProtoRow{"lease spec", 4, "renewTime", Shows::Micros},
    ProtoRow{"lease spec", 5, "leaseTransitions", Shows::Number},
    ProtoRow{"lease spec", 6, "strategy", Shows::Text},
    ProtoRow{"lease spec", 7, "preferredHolder", Shows::Text},
    ProtoRow{"Event", 1, "metadata", Shows::Message, "meta"},
    ProtoRow{"Event", 2, "involvedObject", Shows::Message, "reference"},
    ProtoRow{"Event", 3, "reason", Shows::Text},
    ProtoRow{"Event", 4, "message", Shows::Text},
    ProtoRow{"Event", 5, "source", Shows::Message, "source"},
    ProtoRow{"Event", 6, "firstTimestamp", Shows::Time},
    ProtoRow{"Event", 7, "lastTimestamp", Shows::Time},
    ProtoRow{"Event", 8, "count", Shows::Number},
    ProtoRow{"Event", 9, "type", Shows::Text},
    ProtoRow{"Event", 10, "eventTime", Shows::Micros},
    ProtoRow{"Event", 11, "series", Shows::Message, "series"},
    ProtoRow{"Event", 12, "action", Shows::Text},
    ProtoRow{"Event", 13, "related", Shows::Message, "reference"},
    ProtoRow{"Event", 14, "reportingComponent", Shows::Text},
    ProtoRow{"Event", 15, "reportingInstance", Shows::Text},
    // The same kind of the group events.k8s.io.
    ProtoRow{"events.k8s.io/Event", 1, "metadata", Shows::Message, "meta"},
    ProtoRow{"events.k8s.io/Event", 2, "eventTime", Shows::Micros},
    ProtoRow{"events.k8s.io/Event", 3, "series", Shows::Message, "series"},
    ProtoRow{"events.k8s.io/Event", 4, "reportingController", Shows::Text},
    ProtoRow{"events.k8s.io/Event", 5, "reportingInstance", Shows::Text},
    ProtoRow{"events.k8s.io/Event", 6, "action", Shows::Text},
    ProtoRow{"events.k8s.io/Event", 7, "reason", Shows::Text},
    ProtoRow{"events.k8s.io/Event", 8, "regarding", Shows::Message, "reference"},
    ProtoRow{"events.k8s.io/Event", 9, "related", Shows::Message, "reference"},
    ProtoRow{"events.k8s.io/Event", 10, "note", Shows::Text},
    ProtoRow{"events.k8s.io/Event", 11, "type", Shows::Text},
    ProtoRow{"reference", 1, "kind", Shows::Text},
    ProtoRow{"reference", 2, "namespace", Shows::Text},
    ProtoRow{"reference", 3, "name", Shows::Text},
    ProtoRow{"reference", 4, "uid", Shows::Text},
    ProtoRow{"reference", 5, "apiVersion", Shows::Text},
    ProtoRow{"reference", 6, "resourceVersion", Shows::Text},
    ProtoRow{"reference", 7, "fieldPath", Shows::Text},
    ProtoRow{"source", 1, "component", Shows::Text},
    ProtoRow{"source", 2, "host", Shows::Text},
    ProtoRow{"series", 1, "count", Shows::Number},
    ProtoRow{"series", 2, "lastObservedTime", Shows::Micros},
    ProtoRow{"SelfSubjectAccessReview", 2, "spec", Shows::Message, "access"},
    ProtoRow{"access", 1, "resourceAttributes", Shows::Message, "resource attributes"},
    ProtoRow{"access", 2, "nonResourceAttributes", Shows::Message, "path attributes"},
    ProtoRow{"resource attributes", 1, "namespace", Shows::Text},
    ProtoRow{"resource attributes", 2, "verb", Shows::Text},
    ProtoRow{"resource attributes", 3, "group", Shows::Text},
    ProtoRow{"resource attributes", 4, "version", Shows::Text},
    ProtoRow{"resource attributes", 5, "resource", Shows::Text},
    ProtoRow{"resource attributes", 6, "subresource", Shows::Text},
    ProtoRow{"resource attributes", 7, "name", Shows::Text},
    ProtoRow{"path attributes", 1, "path", Shows::Text},
    ProtoRow{"path attributes", 2, "verb", Shows::Text},
    ProtoRow{"SelfSubjectRulesReview", 2, "spec", Shows::Message, "rules"},
    ProtoRow{"rules", 1, "namespace", Shows::Text},
    ProtoRow{"SelfSubjectReview", 1, "metadata", Shows::Message, "meta"},
    ProtoRow{"DeleteOptions", 1, "gracePeriodSeconds", Shows::Number},
    ProtoRow{"DeleteOptions", 2, "preconditions", Shows::Message, "preconditions"},
    ProtoRow{"DeleteOptions", 4, "propagationPolicy", Shows::Text},
    ProtoRow{"DeleteOptions", 5, "dryRun", Shows::TextList},
    ProtoRow{"preconditions", 1, "uid", Shows::Text},
    ProtoRow{"preconditions", 2, "resourceVersion", Shows::Text},
};

/// The message of a kind, or "" when it cannot be read.
std::string message_of_kind(std::string_view api_version, const std::string& kind) {
  const bool grouped = kind == "Event" && api_version.starts_with("events.k8s.io/");
  const std::string message = grouped ? "events.k8s.io/Event" : kind;
  const bool known = std::ranges::find(kRows, message, &ProtoRow::message) != kRows.end();
  const bool part = !kind.empty() && kind.front() >= 'a' && kind.front() <= 'z';
  return known && !part && kind.find('/') == std::string::npos ? message : "";
}

/// A moment in RFC 3339; null for one that is not set. Throws `protozero::exception` for others.
json::value moment_in(std::string_view bytes, bool micros) {
  constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
  constexpr std::int64_t kLastSecond = 253'402'300'799;  // of the year 9999
  constexpr std::int64_t kNanosPerMicro = 1'000;
  std::int64_t seconds = 0;
  std::int64_t nanos = 0;
  for_each_field(bytes, [&](const ProtoField& field) {
    (field.tag == 1 ? seconds : nanos) = static_cast<std::int64_t>(field.number);
  });
  if (nanos < 0 || nanos >= kNanosPerSecond || seconds > kLastSecond) {
    throw protozero::exception();
  }
  if (seconds < 0) {  // the zero value of Go's time
    return nullptr;
  }
  std::string text = timestamp(runtime::TimePoint(std::chrono::seconds(seconds)));
  if (micros) {
    text.insert(text.size() - 1, fmt::format(".{:06}", nanos / kNanosPerMicro));
  }
  return json::string(text);
}

json::object message_fields(std::string_view message, std::string_view bytes);

void add_entry(json::object& into, std::string_view name, const ProtoField& field, bool encoded) {
  std::string key;
  std::string value;
  for_each_field(field.bytes,
                 [&](const ProtoField& part) { (part.tag == 1 ? key : value) = part.bytes; });
  json::value& entries = into[name];
  if (entries.is_null()) {
    entries.emplace_object();
  }
  entries.as_object()[key] = encoded ? to_base64(value) : value;
}

void add_field(json::object& into, const ProtoRow& row, const ProtoField& field) {
  switch (row.shows) {
    case Shows::Text:
      if (!field.bytes.empty()) {  // what is unset is sent as an empty text
        into[row.name] = field.bytes;
      }
      break;
    case Shows::Number:
      into[row.name] = static_cast<std::int64_t>(field.number);
      break;
    case Shows::Flag:
      into[row.name] = field.number != 0;
      break;
    case Shows::Texts:
      add_entry(into, row.name, field, false);
      break;
    case Shows::Bytes:
      add_entry(into, row.name, field, true);
      break;
    case Shows::TextList: {
      json::value& items = into[row.name];
      if (items.is_null()) {
        items.emplace_array();
      }
      items.as_array().push_back(json::string(field.bytes));
      break;
    }
    case Shows::Time:
    case Shows::Micros:
      into[row.name] = moment_in(field.bytes, row.shows == Shows::Micros);
      break;
    case Shows::Message:
      into[row.name] = message_fields(row.part, field.bytes);
      break;
  }
}

/// Throws `protozero::exception` for bytes that are no message.
json::object message_fields(std::string_view message, std::string_view bytes) {
  json::object made;
  for_each_field(bytes, [&](const ProtoField& field) {
    for (const ProtoRow& row : kRows) {
      if (row.message == message && row.tag == field.tag) {
        add_field(made, row, field);
      }
    }
  });
  return made;
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
  try {
    for_each_field(bytes.substr(kMagic.size()), [&](const ProtoField& field) {
      if (field.tag == 2) {
        envelope.raw = field.bytes;
      } else if (field.tag == 1) {
        for_each_field(field.bytes, [&](const ProtoField& part) {
          (part.tag == 1 ? envelope.api_version : envelope.kind) = part.bytes;
        });
      }
    });
  } catch (const protozero::exception&) {
    return std::nullopt;
  }
  return envelope;
}

}  // namespace

api::Result<std::string> json_from_protobuf(std::string_view bytes) {
  const std::optional<Envelope> envelope = envelope_in(bytes);
  if (!envelope) {
    return api::error_from(
        status_bodies::bad_request("the body is no protobuf envelope of Kubernetes"));
  }
  const std::string message = message_of_kind(envelope->api_version, envelope->kind);
  if (message.empty()) {
    return api::error_from(api::failure(
        api::StatusReason::UnsupportedMediaType,
        fmt::format("watchlab reads no protobuf of the kind {}; send JSON instead: kubectl create "
                    "… --dry-run=client -o yaml | kubectl apply -f -, or ContentType "
                    "\"application/json\" in the client's configuration",
                    envelope->kind)));
  }
  try {
    json::object object = message_fields(message, envelope->raw);
    object["apiVersion"] = envelope->api_version;
    object["kind"] = envelope->kind;
    return json::serialize(object);
  } catch (const protozero::exception&) {
    return api::error_from(status_bodies::bad_request("the protobuf of the body is broken"));
  }
}

}  // namespace watchlab::sim
