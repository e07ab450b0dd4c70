#include <fmt/format.h>

#include <boost/json.hpp>
#include <cstring>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <stdexcept>
#include <utility>

#include "core/client/tls_channel.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/status_bodies.hpp"
#include "sim/http/kind_protobuf.hpp"
#include "sim/kinds/kind_moment.hpp"
#include "sim/kinds/kind_shape.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

constexpr int kWireDepthMax = 64;
/// How many objects within objects a body may have: an empty one is two bytes on the wire, and
/// hundreds in memory.
constexpr std::size_t kMessagesMax = 100'000;

/// How far the reading of a body has come.
struct Reading {
  std::size_t* messages;  ///< how many more may come
  int depth = 0;

  [[nodiscard]] Reading below() const { return {messages, depth + 1}; }
};

/// One field on the wire: a number, or bytes.
struct WireField {
  std::uint32_t tag = 0;
  std::uint64_t number = 0;
  std::string_view bytes;
  bool is_number = false;
};

/// Calls `take` with each field of a message. Throws `protozero::exception` for bytes that are
/// none.
template <typename Take>
void for_each_field(std::string_view bytes, Take take) {
  protozero::pbf_reader reader(bytes.data(), bytes.size());
  while (reader.next()) {
    WireField field{.tag = reader.tag()};
    switch (reader.wire_type()) {
      case protozero::pbf_wire_type::varint:
        field.number = reader.get_uint64();
        field.is_number = true;
        break;
      case protozero::pbf_wire_type::fixed64:
        field.number = reader.get_fixed64();
        field.is_number = true;
        break;
      case protozero::pbf_wire_type::length_delimited: {
        const protozero::data_view view = reader.get_view();
        field.bytes = {view.data(), view.size()};
        break;
      }
      default:
        reader.skip();
    }
    take(field);
  }
}

json::value value_in(const KindMessage& message, std::string_view bytes, Reading at);
api::Result<json::object> object_in_envelope(std::string_view bytes, Reading at);

double double_of(std::uint64_t bits) {
  double number = 0;
  static_assert(sizeof number == sizeof bits);
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

json::value texts_in(std::string_view bytes) {
  json::array texts;
  for_each_field(bytes, [&](const WireField& each) { texts.push_back(json::string(each.bytes)); });
  return texts;
}

json::value one_value(const KindField& field, const WireField& wire, Reading at) {
  switch (field.type) {
    case FieldType::Text:
      return json::string(wire.bytes);
    case FieldType::Flag:
      return wire.number != 0;
    case FieldType::Int32:
      return static_cast<std::int32_t>(wire.number);
    case FieldType::Int64:
      return static_cast<std::int64_t>(wire.number);
    case FieldType::Double:
      return double_of(wire.number);
    case FieldType::Bytes:
      return json::string(client::to_base64(wire.bytes));
    case FieldType::TextItems:
      return texts_in(wire.bytes);
    case FieldType::Message:
      return value_in(*field.message, wire.bytes, at.below());
  }
  return nullptr;
}

void add_entry(json::object& map, const KindField& field, std::string_view bytes, Reading at) {
  std::string_view key;
  json::value value = field.type == FieldType::Text ? json::value("") : json::value();
  for_each_field(bytes, [&](const WireField& part) {
    if (part.tag == 1) {
      key = part.bytes;
    } else {
      value = one_value(field, part, at);
    }
  });
  map[key] = std::move(value);
}

void add_numbers(json::array& list, const KindField& field, std::string_view packed,
                 Reading reading) {
  protozero::data_view rest(packed.data(), packed.size());
  const char* at = rest.data();
  const char* const end = rest.data() + rest.size();
  while (at < end) {
    WireField each{.number = protozero::decode_varint(&at, end), .is_number = true};
    list.push_back(one_value(field, each, reading));
  }
}

bool is_numeric(FieldType type) {
  return type == FieldType::Int32 || type == FieldType::Int64 || type == FieldType::Flag;
}

void add_field(json::object& into, const KindField& field, const WireField& wire, Reading at) {
  if (wire.is_number != (is_numeric(field.type) || field.type == FieldType::Double) &&
      field.form == FieldForm::One) {
    throw protozero::unknown_pbf_wire_type_exception();
  }
  if (field.name.empty()) {
    json::value members = value_in(*field.message, wire.bytes, at.below());
    for (auto& [name, value] : members.as_object()) {
      into[name] = std::move(value);
    }
    return;
  }
  json::value& member = into[field.name];
  if (field.form == FieldForm::Map) {
    add_entry(member.is_object() ? member.get_object() : member.emplace_object(), field, wire.bytes,
              at);
  } else if (field.form == FieldForm::List) {
    json::array& list = member.is_array() ? member.get_array() : member.emplace_array();
    if (is_numeric(field.type) && !wire.is_number) {
      add_numbers(list, field, wire.bytes, at);
    } else {
      list.push_back(one_value(field, wire, at));
    }
  } else {
    member = one_value(field, wire, at);
  }
}

const KindField* field_numbered(const KindMessage& message, std::uint32_t number) {
  for (const KindField* const each : message.by_number) {
    if (each->number == number) {
      return each;
    }
  }
  return nullptr;
}

json::object members_in(const KindMessage& message, std::string_view bytes, Reading at) {
  json::object made;
  for_each_field(bytes, [&](const WireField& wire) {
    if (const KindField* const field = field_numbered(message, wire.tag)) {
      add_field(made, *field, wire, at);
    }
  });
  return made;
}

/// Null for Go's zero.
json::value moment_in(std::string_view bytes, bool micros) {
  constexpr std::uint64_t kNanosPerSecond = 1'000'000'000;
  if (bytes.empty()) {
    return nullptr;
  }
  KindMoment moment;
  for_each_field(bytes, [&](const WireField& part) {
    if (part.tag == 1) {
      moment.seconds = static_cast<std::int64_t>(part.number);
    } else if (part.number >= kNanosPerSecond) {
      throw protozero::exception();
    } else {
      moment.nanos = static_cast<std::int32_t>(part.number);
    }
  });
  constexpr std::int64_t kZeroOfGo = -62'135'596'800;
  if (moment.seconds == kZeroOfGo) {
    return nullptr;
  }
  const std::string text = text_of(moment, micros);
  if (text.empty()) {
    throw protozero::exception();
  }
  return json::string(text);
}

json::value number_or_text_in(std::string_view bytes) {
  bool is_text = false;
  std::int32_t number = 0;
  std::string_view text;
  for_each_field(bytes, [&](const WireField& part) {
    if (part.tag == 1) {
      is_text = part.number == 1;
    } else if (part.tag == 2) {
      number = static_cast<std::int32_t>(part.number);
    } else {
      text = part.bytes;
    }
  });
  return is_text ? json::value(json::string(text)) : json::value(number);
}

/// JSON inside of protobuf, or an object in an envelope of its own.
json::value json_in(std::string_view bytes, Reading at) {
  std::string_view raw;
  for_each_field(bytes, [&](const WireField& part) { raw = part.tag == 1 ? part.bytes : raw; });
  if (raw.empty()) {
    return nullptr;
  }
  if (raw.starts_with(kProtobufMagic)) {
    api::Result<json::object> inner = object_in_envelope(raw, at.below());
    if (!inner) {
      throw protozero::exception();
    }
    return *std::move(inner);
  }
  boost::system::error_code failure;
  json::value value = json::parse(raw, failure, {}, {.max_depth = kJsonDepthMax});
  if (failure) {
    throw protozero::exception();
  }
  return value;
}

json::value schema_in(std::string_view bytes, ValueKind kind, Reading at) {
  const KindMessage& schema = KindTable::newest().message("apiextensions/v1.JSONSchemaProps");
  const std::uint32_t place = kind == ValueKind::SchemaOrFlag ? 2 : 1;
  json::value made;
  json::array list;
  for_each_field(bytes, [&](const WireField& part) {
    if (part.tag == place) {
      made = value_in(schema, part.bytes, at.below());
    } else if (kind == ValueKind::SchemaOrFlag) {
      made = made.is_object() ? std::move(made) : json::value(part.number != 0);
    } else if (kind == ValueKind::SchemaOrTexts) {
      list.push_back(json::string(part.bytes));
    } else {
      list.push_back(value_in(schema, part.bytes, at.below()));
    }
  });
  return list.empty() ? made : json::value(std::move(list));
}

json::value value_in(const KindMessage& message, std::string_view bytes, Reading at) {
  if (at.depth > kWireDepthMax) {
    throw protozero::exception();
  }
  if ((*at.messages)-- == 0) {
    throw std::length_error("messages");
  }
  switch (message.value) {
    case ValueKind::Members:
      return members_in(message, bytes, at);
    case ValueKind::Time:
    case ValueKind::MicroTime:
      return moment_in(bytes, message.value == ValueKind::MicroTime);
    case ValueKind::Quantity: {
      std::string_view text = "0";
      for_each_field(bytes, [&](const WireField& part) { text = part.bytes; });
      return json::string(text);
    }
    case ValueKind::IntOrString:
      return number_or_text_in(bytes);
    case ValueKind::Json:
      return json_in(bytes, at);
    case ValueKind::SchemaOrFlag:
    case ValueKind::SchemaOrList:
    case ValueKind::SchemaOrTexts:
      return schema_in(bytes, message.value, at);
  }
  return nullptr;
}

struct Envelope {
  std::string api_version;
  std::string kind;
  std::string_view raw;
};

std::optional<Envelope> envelope_in(std::string_view bytes) {
  if (!bytes.starts_with(kProtobufMagic)) {
    return std::nullopt;
  }
  Envelope envelope;
  try {
    for_each_field(bytes.substr(kProtobufMagic.size()), [&](const WireField& field) {
      if (field.tag == 2) {
        envelope.raw = field.bytes;
      } else if (field.tag == 1) {
        for_each_field(field.bytes, [&](const WireField& part) {
          (part.tag == 1 ? envelope.api_version : envelope.kind) = part.bytes;
        });
      }
    });
  } catch (const protozero::exception&) {
    return std::nullopt;
  }
  return envelope;
}

api::Result<json::object> object_in_envelope(std::string_view bytes, Reading at) {
  const std::optional<Envelope> envelope = envelope_in(bytes);
  if (!envelope) {
    return api::error_from(
        status_bodies::bad_request("the body is no protobuf envelope of Kubernetes"));
  }
  const KindMessage* const message =
      KindTable::newest().message_of(envelope->api_version, envelope->kind);
  if (message == nullptr) {
    return api::error_from(
        api::failure(api::StatusReason::UnsupportedMediaType,
                     fmt::format("there is no protobuf of the kind {} in {}; send JSON instead",
                                 envelope->kind, envelope->api_version)));
  }
  try {
    json::object object = members_in(*message, envelope->raw, at);
    json::object made{{"kind", envelope->kind}, {"apiVersion", envelope->api_version}};
    for (auto& [name, value] : shaped(object, *message)) {
      made[name] = std::move(value);
    }
    return made;
  } catch (const protozero::exception&) {
    return api::error_from(status_bodies::bad_request("the protobuf of the body is broken"));
  } catch (const std::length_error&) {
    return api::error_from(
        api::failure(api::StatusReason::RequestEntityTooLarge,
                     fmt::format("the body has more than {} messages", kMessagesMax)));
  }
}

}  // namespace

api::Result<std::string> json_from_protobuf(std::string_view bytes) {
  std::size_t messages = kMessagesMax;
  const api::Result<json::object> object = object_in_envelope(bytes, {&messages});
  return object ? api::Result<std::string>(json::serialize(*object)) : object.error();
}

}  // namespace watchlab::sim
