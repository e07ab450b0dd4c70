#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <protozero/pbf_writer.hpp>
#include <utility>

#include "core/client/tls_channel.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/http/kind_protobuf.hpp"
#include "sim/kinds/kind_moment.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

std::string message_bytes(const KindMessage& message, const json::value& value);

/// The numbers and texts of JSON as what a field holds; zero for what is none.
std::int64_t integer_of(const json::value& value) {
  if (value.is_double()) {
    return static_cast<std::int64_t>(value.get_double());
  }
  return value.is_uint64() ? static_cast<std::int64_t>(value.get_uint64())
                           : (value.is_int64() ? value.get_int64() : 0);
}

std::string_view text_value(const json::value& value) {
  return value.is_string() ? std::string_view(value.get_string()) : std::string_view();
}

const json::array& elements_of(const json::value& value) {
  static const json::array kNone;
  return value.is_array() ? value.get_array() : kNone;
}

std::string texts_bytes(const json::value& value) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  for (const json::value& each : elements_of(value)) {
    const std::string_view text = text_value(each);
    writer.add_string(1, text.data(), text.size());
  }
  return bytes;
}

/// One value, whatever form the field has.
void write_value(protozero::pbf_writer& writer, std::uint32_t tag, const KindField& field,
                 const json::value& value) {
  switch (field.type) {
    case FieldType::Text: {
      const std::string_view text = text_value(value);
      writer.add_string(tag, text.data(), text.size());
      break;
    }
    case FieldType::Flag:
      writer.add_bool(tag, value.is_bool() && value.get_bool());
      break;
    case FieldType::Int32:
    case FieldType::Int64:
      writer.add_int64(tag, integer_of(value));
      break;
    case FieldType::Double:
      writer.add_double(
          tag, value.is_double() ? value.get_double() : static_cast<double>(integer_of(value)));
      break;
    case FieldType::Bytes:
      writer.add_bytes(tag, client::from_base64(text_value(value)).value_or(""));
      break;
    case FieldType::TextItems:
      writer.add_message(tag, texts_bytes(value));
      break;
    case FieldType::Message:
      writer.add_message(tag, message_bytes(*field.message, value));
      break;
  }
}

/// In the order of the keys, as Go's generated code does.
void write_map(protozero::pbf_writer& writer, const KindField& field, const json::object& map) {
  std::map<std::string_view, const json::value*> sorted;
  for (const auto& [key, value] : map) {
    sorted.emplace(key, &value);
  }
  for (const auto& [key, value] : sorted) {
    std::string entry;
    protozero::pbf_writer entry_writer(entry);
    entry_writer.add_string(1, key.data(), key.size());
    write_value(entry_writer, 2, field, *value);
    writer.add_message(field.number, entry);
  }
}

/// What is unset is written as zero, unless Go has a pointer or a slice for it.
bool is_written(const KindField& field, const json::value& value) {
  const bool by_pointer =
      field.optional || field.type == FieldType::Bytes || field.type == FieldType::TextItems;
  return !by_pointer || !value.is_null();
}

void write_field(protozero::pbf_writer& writer, const KindField& field, const json::value& value) {
  if (field.form == FieldForm::Map) {
    if (value.is_object()) {
      write_map(writer, field, value.get_object());
    }
  } else if (field.form == FieldForm::List) {
    for (const json::value& each : elements_of(value)) {
      write_value(writer, field.number, field, each);
    }
  } else if (is_written(field, value)) {
    write_value(writer, field.number, field, value);
  }
}

std::string members_bytes(const KindMessage& message, const json::value& value) {
  static const json::value kUnset;
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  for (const KindField* const field : message.by_number) {
    const json::object* const object = value.if_object();
    const json::value* const member =
        object == nullptr ? nullptr
                          : (field->name.empty() ? &value : object->if_contains(field->name));
    write_field(writer, *field, member == nullptr ? kUnset : *member);
  }
  return bytes;
}

/// The zero of Go's time has no bytes.
std::string moment_bytes(const json::value& value, bool micros) {
  constexpr std::int32_t kNanosPerMicro = 1'000;
  const std::optional<KindMoment> moment = kind_moment_from(text_value(value));
  std::string bytes;
  if (moment) {
    protozero::pbf_writer writer(bytes);
    writer.add_int64(1, moment->seconds);
    writer.add_int32(2, micros ? moment->nanos / kNanosPerMicro * kNanosPerMicro : 0);
  }
  return bytes;
}

std::string number_or_text_bytes(const json::value& value) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  const std::string_view text = text_value(value);
  writer.add_int64(1, value.is_string() ? 1 : 0);
  writer.add_int32(2, static_cast<std::int32_t>(integer_of(value)));
  writer.add_string(3, text.data(), text.size());
  return bytes;
}

std::string json_bytes(const json::value& value) {
  std::string bytes;
  if (!value.is_null()) {
    protozero::pbf_writer(bytes).add_bytes(1, json::serialize(value));
  }
  return bytes;
}

std::string quantity_bytes(const json::value& value) {
  std::string text = value.is_string() ? std::string(value.get_string()) : json::serialize(value);
  std::string bytes;
  protozero::pbf_writer(bytes).add_string(1, value.is_null() ? "0" : text);
  return bytes;
}

/// A schema, or what may stand in its place.
std::string schema_bytes(const json::value& value, ValueKind kind) {
  const KindMessage& schema = KindTable::newest().message("apiextensions/v1.JSONSchemaProps");
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  const bool is_flag = kind == ValueKind::SchemaOrFlag;
  if (is_flag) {
    writer.add_bool(1, !value.is_bool() || value.get_bool());
  }
  if (value.is_object()) {
    writer.add_message(is_flag ? 2 : 1, message_bytes(schema, value));
  }
  for (const json::value& each : elements_of(value)) {
    writer.add_message(2, kind == ValueKind::SchemaOrTexts ? std::string(text_value(each))
                                                           : message_bytes(schema, each));
  }
  return bytes;
}

std::string message_bytes(const KindMessage& message, const json::value& value) {
  switch (message.value) {
    case ValueKind::Members:
      return members_bytes(message, value);
    case ValueKind::Time:
    case ValueKind::MicroTime:
      return moment_bytes(value, message.value == ValueKind::MicroTime);
    case ValueKind::Quantity:
      return quantity_bytes(value);
    case ValueKind::IntOrString:
      return number_or_text_bytes(value);
    case ValueKind::Json:
      return json_bytes(value);
    case ValueKind::SchemaOrFlag:
    case ValueKind::SchemaOrList:
    case ValueKind::SchemaOrTexts:
      return schema_bytes(value, message.value);
  }
  return {};
}

std::string_view member_text(const json::object& object, std::string_view member) {
  const json::value* const found = object.if_contains(member);
  return found == nullptr ? std::string_view() : text_value(*found);
}

/// The message of what is in a list that says that of itself; null when it is no list of a kind
/// that is known.
const KindMessage* listed_message(std::string_view api_version, std::string_view kind) {
  constexpr std::string_view kEnd = "List";
  return kind.ends_with(kEnd) ? KindTable::newest().message_of(
                                    api_version, kind.substr(0, kind.size() - kEnd.size()))
                              : nullptr;
}

std::string list_bytes(const KindMessage& listed, const json::object& list) {
  const json::value* const metadata = list.if_contains("metadata");
  const json::value* const items = list.if_contains("items");
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  writer.add_message(1, message_bytes(KindTable::newest().message("meta/v1.ListMeta"),
                                      metadata == nullptr ? json::value() : *metadata));
  if (items != nullptr && items->is_array()) {
    for (const json::value& each : items->get_array()) {
      writer.add_message(2, message_bytes(listed, each));
    }
  }
  return bytes;
}

std::string enveloped(std::string_view api_version, std::string_view kind, const std::string& raw) {
  std::string type;
  protozero::pbf_writer type_writer(type);
  type_writer.add_string(1, api_version.data(), api_version.size());
  type_writer.add_string(2, kind.data(), kind.size());
  std::string bytes(kProtobufMagic);
  protozero::pbf_writer writer(bytes);
  writer.add_message(1, type);
  writer.add_message(2, raw);
  writer.add_string(3, "");
  writer.add_string(4, "");
  return bytes;
}

std::optional<std::string> object_bytes(const json::value& value) {
  const json::object* const object = value.if_object();
  if (object == nullptr) {
    return std::nullopt;
  }
  const std::string_view api_version = member_text(*object, "apiVersion");
  const std::string_view kind = member_text(*object, "kind");
  if (const KindMessage* const message = KindTable::newest().message_of(api_version, kind)) {
    return enveloped(api_version, kind, message_bytes(*message, value));
  }
  const KindMessage* const listed = listed_message(api_version, kind);
  return listed == nullptr
             ? std::nullopt
             : std::optional(enveloped(api_version, kind, list_bytes(*listed, *object)));
}

std::optional<json::value> parsed_json(std::string_view text) {
  boost::system::error_code failure;
  json::value value = json::parse(text, failure, {}, {.max_depth = kJsonDepthMax});
  return failure ? std::nullopt : std::optional(std::move(value));
}

}  // namespace

std::optional<std::string> protobuf_from_json(std::string_view json) {
  const std::optional<json::value> value = parsed_json(json);
  return value ? object_bytes(*value) : std::nullopt;
}

std::string protobuf_list_beginning(std::string_view json, std::size_t items_bytes) {
  constexpr char kRaw = 2 << 3 | 2;
  const json::value value = json::parse(json);
  const json::object& list = value.as_object();
  const std::string_view api_version = member_text(list, "apiVersion");
  const std::string_view kind = member_text(list, "kind");
  const std::string own = list_bytes(*listed_message(api_version, kind), list);
  std::string bytes = enveloped(api_version, kind, "");
  bytes.resize(bytes.rfind(std::string{kRaw, '\0'} + protobuf_list_ending()));
  bytes += kRaw;
  for (std::size_t left = own.size() + items_bytes;;) {
    constexpr std::size_t kMore = 0x80;
    constexpr unsigned kBits = 7;
    const std::size_t low = left % kMore;
    left >>= kBits;
    bytes += static_cast<char>(low | (left > 0 ? kMore : 0));
    if (left == 0) {
      return bytes + own;
    }
  }
}

std::string protobuf_list_item(std::string_view api_version, std::string_view kind,
                               std::string_view json) {
  std::string bytes;
  protozero::pbf_writer(bytes).add_message(
      2, message_bytes(*listed_message(api_version, kind),
                       parsed_json(json).value_or(json::value(json::object()))));
  return bytes;
}

std::string protobuf_list_ending() { return {3 << 3 | 2, '\0', 4 << 3 | 2, '\0'}; }

std::optional<std::string> protobuf_event_from_json(std::string_view json) {
  constexpr unsigned kByte = 8;
  constexpr unsigned kLengthBytes = 4;
  const std::optional<json::value> value = parsed_json(json);
  const json::value* const object =
      value && value->is_object() ? value->get_object().if_contains("object") : nullptr;
  const std::optional<std::string> body = object == nullptr ? std::nullopt : object_bytes(*object);
  if (!body) {
    return std::nullopt;
  }
  std::string raw;
  protozero::pbf_writer(raw).add_bytes(1, *body);
  std::string event;
  protozero::pbf_writer writer(event);
  const std::string_view type = member_text(value->get_object(), "type");
  writer.add_string(1, type.data(), type.size());
  writer.add_message(2, raw);
  std::string frame;
  for (unsigned i = kLengthBytes; i-- > 0;) {
    frame.push_back(static_cast<char>(event.size() >> (i * kByte) & 0xFFU));
  }
  return frame + event;
}

bool has_protobuf(std::string_view api_version, std::string_view kind) {
  return KindTable::newest().message_of(api_version, kind) != nullptr ||
         listed_message(api_version, kind) != nullptr;
}

}  // namespace watchlab::sim
