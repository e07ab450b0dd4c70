#include "sim/kinds/kind_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <utility>

#include "sim/kinds/kind_additions.hpp"
#include "sim/kinds/value_place.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

bool is_message_of_members(const KindField& field) {
  return field.type == FieldType::Message && field.message->value == ValueKind::Members;
}

/// A schema within a schema, a list of schemas, or another value where one belongs.
bool may_hold_schemas(const KindField& field) {
  return field.type == FieldType::Message && field.message->value >= ValueKind::SchemaOrFlag;
}

bool holds_nothing(const json::value& value) {
  return value.is_null() || (value.is_array() && value.get_array().empty()) ||
         (value.is_object() && value.get_object().empty());
}

bool is_zero_scalar(const json::value& value) {
  return (value.is_string() && value.get_string().empty()) ||
         (value.is_bool() && !value.get_bool()) || (value.is_int64() && value.get_int64() == 0) ||
         (value.is_uint64() && value.get_uint64() == 0) ||
         (value.is_double() && value.get_double() == 0);
}

/// Whether Go cannot tell the value from none: a field has no pointer, and the value is its zero.
bool is_unset(const KindField& field, const json::value* value) {
  if (value == nullptr || value->is_null()) {
    return true;
  }
  const bool is_plain = field.form == FieldForm::One && !field.optional;
  return is_plain && field.type < FieldType::Bytes && is_zero_scalar(*value);
}

/// How much is added to one object, in bytes of JSON: as much as any may have that is stored.
constexpr std::size_t kAddedMax = std::size_t{3} << 20;

/// One object of members, from its beginning to its end.
class Shaping {
 public:
  /// `added` counts what has been added to the whole object; beyond the limit its parts stay as
  /// they are.
  Shaping(const json::object& source, const ShapeOptions& options, std::size_t& added)
      : source_(source), options_(options), added_(added) {}

  json::object take(const KindMessage& message, bool is_root) {
    add_fields(message, is_root);
    return std::move(made_);
  }

 private:
  void add_fields(const KindMessage& message, bool is_root) {
    for (const KindField& field : message.fields) {
      if (field.name.empty()) {
        add_fields(*field.message, false);
      } else if (!is_root || !options_.without_metadata || field.name != "metadata") {
        add_field(message, field);
      }
    }
  }

  void add_field(const KindMessage& message, const KindField& field) {
    const json::value* value = source_.if_contains(field.name);
    std::optional<json::value> added;
    if (is_unset(field, value)) {
      added = addition_to(message, field);
      value = added ? &*added : nullptr;
    }
    if (value == nullptr) {
      add_zero(field);
    } else if (!(field.omits_empty && field.form != FieldForm::One && holds_nothing(*value))) {
      made_[field.name] = in_shape(field, *value);
    }
  }

  /// What a server adds to what is unset; nothing when it adds none.
  std::optional<json::value> addition_to(const KindMessage& message, const KindField& field) {
    if (options_.kind.empty()) {
      return std::nullopt;
    }
    if (std::optional<json::value> worked_out =
            computed_addition({options_.kind, message.name, field.name}, source_)) {
      return worked_out->is_null() ? std::nullopt : std::move(worked_out);
    }
    for (const KindAddition& each : field.added) {
      if (each.neighbour.empty() || word_of(each.neighbour) == each.word) {
        added_ += field.name.size() + each.json.size();
        return json::parse(each.json);
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string_view word_of(std::string_view neighbour) const {
    if (neighbour == "@") {
      return options_.kind;
    }
    const bool as_sent = neighbour.starts_with('<');
    const json::value* const made = as_sent ? nullptr : made_.if_contains(neighbour);
    const json::value* const found =
        made != nullptr ? made : source_.if_contains(neighbour.substr(as_sent ? 1 : 0));
    return found != nullptr && found->is_string() ? std::string_view(found->get_string())
                                                  : std::string_view();
  }

  /// What Go writes of a field that is unset.
  void add_zero(const KindField& field) {
    const bool by_pointer = field.optional || field.form != FieldForm::One ||
                            field.type == FieldType::Bytes || field.type == FieldType::TextItems;
    const bool is_message = !by_pointer && field.type == FieldType::Message;
    if (field.omits_zero || (field.omits_empty && !is_message)) {
      return;
    }
    added_ += field.name.size();
    json::value& zero = made_[field.name];
    if (by_pointer) {
      return;  // null
    }
    if (is_message_of_members(field)) {
      zero = Shaping({}, options_, added_).take(*field.message, false);
    } else if (is_message) {
      const ValueKind kind = field.message->value;
      zero = kind == ValueKind::Quantity      ? json::value("0")
             : kind == ValueKind::IntOrString ? json::value(0)
                                              : json::value();
    } else if (field.type == FieldType::Text) {
      zero = "";
    } else if (field.type == FieldType::Flag) {
      zero = false;
    } else {
      zero = 0;
    }
  }

  json::value in_shape(const KindField& field, const json::value& value) {
    if (!is_message_of_members(field) && !may_hold_schemas(field)) {
      return value;
    }
    if (field.form == FieldForm::List && value.is_array()) {
      json::array list;
      for (const json::value& each : value.get_array()) {
        list.push_back(one_in_shape(field, each));
      }
      return list;
    }
    if (field.form == FieldForm::Map && value.is_object()) {
      json::object map;
      for (const auto& [key, each] : value.get_object()) {
        map[key] = one_in_shape(field, each);
      }
      return map;
    }
    return one_in_shape(field, value);
  }

  json::value one_in_shape(const KindField& field, const json::value& value) {
    if (!value.is_object() || added_ > kAddedMax) {
      return may_hold_schemas(field) && value.is_array() ? schemas_in_shape(value.get_array())
                                                         : value;
    }
    const KindMessage& message = may_hold_schemas(field) ? schema_message() : *field.message;
    return Shaping(value.get_object(), options_, added_).take(message, false);
  }

  json::value schemas_in_shape(const json::array& schemas) {
    json::array list;
    for (const json::value& each : schemas) {
      list.push_back(
          each.is_object()
              ? Shaping(each.get_object(), options_, added_).take(schema_message(), false)
              : each);
    }
    return list;
  }

  static const KindMessage& schema_message() {
    return KindTable::newest().message("apiextensions/v1.JSONSchemaProps");
  }

  const json::object& source_;
  const ShapeOptions& options_;
  std::size_t& added_;
  json::object made_;
};

/// Finds what does not fit, with the path to it.
class Fitting {
 public:
  void look(const json::object& object, const KindMessage& message, const Place& place) {
    for (const auto& [name, value] : object) {
      const Place here(place, name);
      const bool is_type = place.is_root() && (name == "apiVersion" || name == "kind");
      if (const KindField* const field = find_field(message, name)) {
        look_at_field(*field, message, value, here);
      } else if (!is_type) {
        unknown_.add(here);
      }
    }
  }

  Misfits take() {
    found_.unknown = unknown_.take();
    return std::move(found_);
  }

 private:
  void look_at_field(const KindField& field, const KindMessage& message, const json::value& value,
                     const Place& place) {
    if (value.is_null()) {
      return;
    }
    owner_ = message.name.substr(message.name.rfind('.') + 1);
    if (field.form == FieldForm::List) {
      if (!value.is_array()) {
        misfit(value, place, "[]" + go_type_of(field));
        return;
      }
      for (std::size_t i = 0; i < value.get_array().size(); ++i) {
        look_at_one(field, value.get_array()[i], {place, i});
      }
    } else if (field.form == FieldForm::Map) {
      if (!value.is_object()) {
        misfit(value, place, "map[string]" + go_type_of(field));
        return;
      }
      for (const auto& [key, each] : value.get_object()) {
        look_at_one(field, each, is_message_of_members(field) ? Place(place, key) : place);
      }
    } else {
      look_at_one(field, value, place);
    }
  }

  void look_at_one(const KindField& field, const json::value& value, const Place& place) {
    if (value.is_null()) {
      return;
    }
    bool fits = true;
    switch (field.type) {
      case FieldType::Text:
      case FieldType::Bytes:
        fits = value.is_string();
        break;
      case FieldType::Flag:
        fits = value.is_bool();
        break;
      case FieldType::Int32:
      case FieldType::Int64:
        fits = value.is_int64();
        break;
      case FieldType::Double:
        fits = value.is_number();
        break;
      case FieldType::TextItems:
        fits = value.is_array();
        break;
      case FieldType::Message:
        fits = field.message->value != ValueKind::Members || value.is_object();
        if (fits && value.is_object() && field.message->value == ValueKind::Members) {
          const std::string_view owner = owner_;
          look(value.get_object(), *field.message, place);
          owner_ = owner;
        }
        break;
    }
    if (!fits) {
      misfit(value, place, go_type_of(field));
    }
  }

  static std::string go_type_of(const KindField& field) {
    switch (field.type) {
      case FieldType::Flag:
        return "bool";
      case FieldType::Int32:
        return "int32";
      case FieldType::Int64:
        return "int64";
      case FieldType::Double:
        return "float64";
      case FieldType::Bytes:
        return "[]uint8";
      case FieldType::TextItems:
        return "[]string";
      case FieldType::Message: {
        const std::string_view name = field.message->name;
        const std::size_t dot = name.rfind('.');
        const std::size_t slash = name.rfind('/', dot);
        return std::string(name.substr(slash + 1));  // as in "v1.PodSpec"
      }
      default:
        return "string";
    }
  }

  void misfit(const json::value& value, const Place& place, const std::string& type) {
    if (!found_.mistyped.empty()) {
      return;
    }
    const std::string what = value.is_string()   ? "string"
                             : value.is_bool()   ? "bool"
                             : value.is_array()  ? "array"
                             : value.is_object() ? "object"
                             : value.is_double() ? "number " + json::serialize(value)
                                                 : "number";
    const std::string path = place.text();
    found_.mistyped_at = path;
    found_.wanted = type;
    found_.given = value.is_string()   ? "a text"
                   : value.is_bool()   ? "a truth value"
                   : value.is_array()  ? "a list"
                   : value.is_object() ? "a mapping"
                                       : "a number";
    std::string without_places;
    bool inside = false;
    for (const char each : path) {
      inside = each == '[' || (inside && each != ']');
      if (!inside && each != ']') {
        without_places += each;
      }
    }
    found_.mistyped = fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of type {}",
                                  what, owner_, without_places, type);
  }

  Misfits found_;
  NamedPlaces unknown_;
  std::string_view owner_;  // the Go type whose field is looked at
};

}  // namespace

json::object shaped(const json::object& object, const KindMessage& message,
                    const ShapeOptions& options) {
  std::size_t added = 0;
  return Shaping(object, options, added).take(message, true);
}

Misfits misfits_in(const json::object& object, const KindMessage& message) {
  Fitting fitting;
  fitting.look(object, message, {});
  return fitting.take();
}

}  // namespace watchlab::sim
