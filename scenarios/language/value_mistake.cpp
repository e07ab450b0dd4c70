// What people are told about a value that does not fit, and what they probably mean.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>

#include "scenarios/language/table.hpp"
#include "scenarios/language/yaml_line.hpp"
#include "scenarios/language/yaml_scalar.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::size_t kQuotedMax = 60;

/// A value in a message: shortened, so that one long line does not become another.
std::string shown(const std::string& text) {
  return text.size() <= kQuotedMax ? text : text.substr(0, kQuotedMax) + "…";
}

/// "1000" for "1_000", "1,000", "1k" and "0x3e8", "3" for "3 requests"; "" for no idea.
std::string nearest_integer(const std::string& text, const Schema& schema) {
  std::string digits = text.substr(0, text.find_first_not_of("0123456789_,'+xXabcdefABCDEF."));
  std::erase_if(digits,
                [](char c) { return std::string_view("_,'+").find(c) != std::string::npos; });
  const bool is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  std::int64_t value = 0;
  const char* begin = digits.data() + (is_hexadecimal ? 2 : 0);
  const char* const last = digits.data() + digits.size();
  const auto [end, failure] = std::from_chars(begin, last, value, is_hexadecimal ? 16 : 10);
  const std::string_view rest(end, static_cast<std::size_t>(last - end));
  if (failure != std::errc{} ||
      (rest.starts_with('.') && rest.find_first_not_of(".0") < rest.size())) {
    return "";
  }
  const std::size_t behind = text.find_first_not_of("0123456789_,'+");
  const bool is_thousands = behind + 1 == text.size() && std::tolower(text[behind]) == 'k';
  value *= is_thousands && value < *schema.maximum ? 1000 : 1;
  const bool fits = value >= *schema.minimum && value <= *schema.maximum;
  return fits ? std::to_string(value) : "";
}

/// "true" for what older YAML, or a hasty hand, takes for it.
std::string nearest_boolean(const std::string& text) {
  static const std::vector<std::string> kYes{"true", "yes", "on", "y"};
  static const std::vector<std::string> kNo{"false", "no", "off", "n"};
  const std::string yes = nearest_name(text, kYes);
  const std::string no = nearest_name(text, kNo);
  return !yes.empty() && no.empty() ? "true" : yes.empty() && !no.empty() ? "false" : "";
}

/// A key of such a mapping, one that it needs if there are any.
const FieldSchema* example_field(const Schema& schema) {
  const auto wanted = std::ranges::find_if(
      schema.fields, [](const FieldSchema& field) { return field.presence != Presence::Optional; });
  return schema.fields.empty()           ? nullptr
         : wanted == schema.fields.end() ? &schema.fields.front()
                                         : &*wanted;
}

/// The key that somebody means who writes this word in place of a mapping; null for none.
const FieldSchema* meant_field(const Schema& schema, const std::string& word) {
  const bool is_name = !word.empty() && std::isalpha(static_cast<unsigned char>(word.front())) != 0;
  const std::string name = is_name ? nearest_name(word, names_of(schema.fields)) : "";
  const auto found = std::ranges::find(schema.fields, name, &FieldSchema::name);
  return found == schema.fields.end() ? nullptr : &*found;
}

}  // namespace

std::string with_commas(const std::string& text,
                        const std::function<bool(const std::string&)>& is_right) {
  std::istringstream in(text);
  std::string all;
  std::size_t count = 0;
  for (std::string word; in >> word; ++count) {
    if (!is_right(word)) {
      return "";
    }
    all += (all.empty() ? "" : ", ") + word;
  }
  return count > 1 ? fmt::format("a ',' between them, as in [{}]", all) : "";
}

std::string example_of(const FieldSchema& field) {
  if (!field.example.empty()) {
    return field.example;
  }
  const Schema& value = *field.value;
  const std::string shown = value.kind == Schema::Kind::Choice     ? value.choices.front()
                            : value.kind == Schema::Kind::Duration ? "5s"
                            : value.kind == Schema::Kind::Integer
                                ? std::to_string(std::max<std::int64_t>(*value.minimum, 1))
                                : "...";
  return field.name + ": " + shown;
}

namespace {

/// Whether a text could be a value of that kind.
bool could_be(const Schema& schema, const std::string& text) {
  switch (schema.kind) {
    case Schema::Kind::Duration:
      return nanoseconds_in(text).has_value();
    case Schema::Kind::Integer:
      return text.find_first_not_of("0123456789") == std::string::npos;
    case Schema::Kind::Boolean:
      return text == "true" || text == "false";
    case Schema::Kind::Choice:
      return std::ranges::count(schema.choices, text) > 0;
    default:
      return schema.kind == Schema::Kind::Text || schema.kind == Schema::Kind::Either;
  }
}

/// "create: ...", of the key that is meant by a word, or "name: app" of one that the word is rather
/// a value of.
std::string example_key(const Schema& schema, const std::string& word) {
  if (const FieldSchema* const meant = meant_field(schema, word); meant != nullptr) {
    return meant->name + ": ...";
  }
  const FieldSchema* field = example_field(schema);
  if (field == nullptr) {
    return "key: ...";
  }
  // What may be left out is not what somebody means who writes one word, unless the word fits.
  const bool is_value = !word.empty() && word.find('\n') == std::string::npos;
  const auto takes = [&](const FieldSchema& each) {
    return each.value->kind != Schema::Kind::Text && each.value->kind != Schema::Kind::Either &&
           could_be(*each.value, word);
  };
  const bool is_sure = field->presence != Presence::Optional && could_be(*field->value, word);
  if (is_value && !is_sure) {
    const auto other = std::ranges::find_if(schema.fields, takes);
    field = other == schema.fields.end() ? field : &*other;
  }
  return fmt::format("{}: {}", field->name,
                     is_value && (is_sure || takes(*field)) ? shown(word) : "...");
}

/// A list as it would be written, of texts or of mappings.
std::string example_of_list(const Schema& schema, const std::string& text) {
  if (schema.item != nullptr && schema.item->kind == Schema::Kind::Mapping) {
    return fmt::format("a list, as in [{{{}}}]", example_key(*schema.item, text));
  }
  if (schema.item != nullptr && schema.item->title == "a word") {
    const std::string words = with_commas(text, [](const std::string& /*word*/) { return true; });
    if (!words.empty()) {
      return "a list" + words.substr(words.find(", as in "));
    }
  }
  const bool is_text = is_text_without_quotes(text);
  return fmt::format("a list, as in [{}]", is_text ? shown(text) : "a, b");
}

/// A sign before a key of the entries, as "+" in "+ name" and "1." in "1. name", which begins no
/// entry of a list in YAML;
/// "" for a key that begins otherwise.
std::string bullet_of(const std::string& key, const Schema& schema) {
  const std::string first = key.substr(0, key.find(' '));
  const bool is_sign =
      first != key && (std::ranges::none_of(first, is_word) || !number_bullet(key).empty());
  return is_sign && schema.item != nullptr && schema.item->kind == Schema::Kind::Mapping &&
                 meant_field(*schema.item, key.substr(first.size() + 1)) != nullptr
             ? first
             : "";
}

/// What would be a list in the place of a mapping: of its keys, or of what it has a name for.
std::string list_of_mapping(const Schema& schema, const Node& node) {
  const bool is_named = schema.item != nullptr && schema.item->kind == Schema::Kind::Mapping &&
                        !node.entries.empty() && meant_field(*schema.item, "name") != nullptr &&
                        std::ranges::none_of(node.entries, [&](const Node::Entry& entry) {
                          return meant_field(*schema.item, entry.key) != nullptr;
                        });
  const std::string bullet =
      node.entries.empty() ? "" : bullet_of(node.entries.front().key, schema);
  if (!bullet.empty()) {
    return fmt::format("'- ' in place of '{}'", bullet);
  }
  return is_named ? fmt::format("a list, as in [{{name: {}, ...}}]", node.entries.front().key)
         : node.in_brackets ? "[ and ] around it, or a '- ' before the first key of each entry"
                            : "a '- ' before the first key of each entry";
}

/// The keys that belong in the place of a value that is no mapping.
std::string keys_in_place_of(const Schema& schema, const Node& node) {
  const bool is_list = node.kind == Node::Kind::Sequence && !node.items.empty();
  const Node& first = is_list ? node.items.front() : node;
  if (is_list && first.kind == Node::Kind::Scalar) {  // [create, x]
    const FieldSchema* const meant = meant_field(schema, first.text);
    const bool has_value = node.items.size() == 2 && node.items[1].kind == Node::Kind::Scalar;
    if (meant != nullptr) {
      return fmt::format("'{}: {}', and no list", meant->name,
                         has_value ? shown(node.items[1].text) : "...");
    }
  }
  if (const auto said = key_without_colon(first.text, names_of(schema.fields)); said) {
    return fmt::format("'{}'", *said);
  }
  const std::string word = first.entries.empty() ? first.text : first.entries.front().key;
  const std::string example = example_key(schema, word);
  std::string others;
  for (const FieldSchema& field : schema.fields) {
    if (field.presence == Presence::Required && !example.starts_with(field.name + ":")) {
      others += fmt::format(" and '{}'", example_of(field));
    }
  }
  return fmt::format("keys, as in '{}'{}{}", example, others,
                     node.kind == Node::Kind::Sequence ? ", and no list" : "");
}

/// What would fit in the place of the value.
std::string shape_of(const Schema& schema, const Node& node) {
  const bool is_scalar = node.kind == Node::Kind::Scalar;
  const bool has_keys = schema.kind == Schema::Kind::Mapping || schema.kind == Schema::Kind::List;
  if (is_scalar && node.quoted && has_keys && node.text.empty()) {
    return shape_of(schema, {}) + ", without '|', '>' or quotes";
  }
  if (is_scalar && node.quoted && has_keys &&
      node.text.find_first_of("-:[{\n") < node.text.size()) {
    return "the same without '|', '>' or quotes";
  }
  switch (schema.kind) {
    case Schema::Kind::List:
    case Schema::Kind::AnyList:
      if (is_scalar && node.text.starts_with('-')) {
        return "a space behind the '-'";
      }
      if (const std::string bullet = number_bullet(node.text); !bullet.empty()) {
        return fmt::format("'- ' in place of '{}'", bullet);
      }
      return node.kind == Node::Kind::Mapping ? list_of_mapping(schema, node)
                                              : example_of_list(schema, node.text);
    case Schema::Kind::TextMap: {
      const std::string said = is_scalar ? key_within(node.text) : "";
      return fmt::format("keys with texts, as in {{{}}}",
                         said.empty() || said.ends_with("...") ? "a: b" : said);
    }
    case Schema::Kind::Mapping:
      return keys_in_place_of(schema, node);
    case Schema::Kind::AnyMapping:
      return "keys, as in {a: b}";
    default:
      if (schema.kind == Schema::Kind::Text && is_scalar && node.text.empty()) {
        return schema.title + " behind the ':'";
      }
      if (schema.kind == Schema::Kind::Text || schema.doc.empty()) {
        return is_scalar ? schema.title
                         : fmt::format("a text alone, and no {}",
                                       node.kind == Node::Kind::Sequence ? "list" : "keys");
      }
      return schema.doc;
  }
}

/// "a label belongs", "labels belong".
std::string belongs(const std::string& title) {
  const bool is_one = title.starts_with("a ") || title.starts_with("an ") ||
                      title.starts_with("the ") ||
                      !title.substr(0, title.find(" of ")).ends_with('s');
  return title + (is_one ? " belongs" : " belong");
}

}  // namespace

void put_wrong_kind(const Node& node, const Schema& schema, ParseContext& context) {
  if (context.excused.contains(&node)) {
    return;
  }
  const std::string first_line = node.text.substr(0, node.text.find('\n'));
  const std::string found = node.kind == Node::Kind::Sequence  ? "a list"
                            : node.kind == Node::Kind::Mapping ? "a mapping"
                            : node.text.empty() ? node.quoted ? "an empty text" : "nothing"
                                                : fmt::format("'{}'", shown(first_line));
  context.problems.add(
      {node.place, fmt::format("{} where {}", found, belongs(schema.title)), shape_of(schema, node),
       node.kind == Node::Kind::Scalar ? nearest_name(node.text, schema.choices) : ""});
}

void put_wrong_text(const Node& node, const Schema& schema, ParseContext& context) {
  if (context.excused.contains(&node)) {
    return;
  }
  if (node.text.empty() && !node.quoted) {
    return put_wrong_kind(node, schema, context);
  }
  const std::string nearest =
      schema.kind == Schema::Kind::Duration  ? nearest_duration(node.text)
      : schema.kind == Schema::Kind::Integer ? nearest_integer(node.text, schema)
      : schema.kind == Schema::Kind::Boolean ? nearest_boolean(node.text)
                                             : nearest_name(node.text, schema.choices);
  const bool is_quoted_value = node.quoted && nearest == node.text;
  const std::string whole =
      schema.kind == Schema::Kind::Duration && !nearest.empty() ? compound_duration(node.text) : "";
  const std::string several = with_commas(node.quoted ? "" : node.text, [&](const auto& word) {
    return std::ranges::count(schema.choices, word) > 0;
  });
  context.problems.add(
      {node.place,
       is_quoted_value
           ? fmt::format("'{}' in quotes is a text, and not {}", shown(node.text), schema.title)
           : fmt::format("'{}' is not {}", shown(node.text), schema.title),
       !several.empty()  ? several
       : is_quoted_value ? nearest + " without quotes"
       : !whole.empty()  ? fmt::format("one number and one unit: {} is {}", whole, nearest)
                         : schema.doc,
       is_quoted_value || !several.empty() ? "" : nearest});
}

bool continues_mistake(const Node& before, const Node& element, const Schema& item) {
  const auto is_word = [](const Node& node) {
    return node.kind == Node::Kind::Scalar && !node.text.empty();
  };
  return item.kind == Schema::Kind::Mapping && is_word(before) && is_word(element) &&
         !key_without_colon(element.text, names_of(item.fields));
}

}  // namespace watchlab::scenarios
