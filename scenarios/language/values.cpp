#include "scenarios/language/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <ranges>
#include <set>
#include <sstream>
#include <utility>

#include "scenarios/language/table.hpp"
#include "scenarios/language/yaml_line.hpp"
#include "sim/kernel/article.hpp"
#include "sim/kernel/utf8.hpp"

namespace watchlab::scenarios {

std::from_chars_result read_number(const std::string& text, double& number,
                                   std::chars_format format) {
#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 200000
  // strtod knows hexadecimal numbers, and passes over blanks and a plus.
  const std::string read =
      text.substr(0, text.find_first_of(format == std::chars_format::fixed ? "xXeE" : "xX"));
  char* end = nullptr;
  errno = 0;
  number = std::strtod(read.c_str(), &end);
  const bool is_none = end == read.c_str() || std::string_view(" \t\n\v\f\r+").find(read.front()) !=
                                                  std::string_view::npos;
  return {text.data() + (is_none ? 0 : end - read.c_str()),
          is_none || errno == ERANGE ? std::errc::invalid_argument : std::errc{}};
#else
  return std::from_chars(text.data(), text.data() + text.size(), number, format);
#endif
}

namespace {

constexpr std::size_t kListedMax = 8;

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

void ParseContext::defines(const std::string& kind, std::string name, Place place) {
  // An object may be created again after it was deleted, a fault come back after it was healed.
  Names& names = defined_[kind];
  const auto [first, is_new] = names.places.try_emplace(name, place);
  if (is_new) {
    names.in_order.push_back(std::move(name));
  } else if (kind != "object" && kind != "fault") {
    problems.add({place, fmt::format("the {} '{}' for the second time", kind, name),
                  first->second.line == 0 ? "another name; every server has this one"
                                          : fmt::format("another name; the first one is on line {}",
                                                        first->second.line),
                  ""});
  }
}

void ParseContext::uses(std::string kind, std::string name, Place place) {
  used_.push_back({std::move(kind), std::move(name), place});
}

void ParseContext::check_names() {
  std::ranges::stable_sort(
      used_, {}, [](const NameUse& use) { return std::pair(use.place.line, use.place.column); });
  std::set<std::pair<std::string, std::string>> unknown;  // a name that is missing is one mistake
  for (const NameUse& use : used_) {
    if (problems.count() >= Problems::kKeptMax) {
      return;
    }
    const auto& [known, places] = defined_[use.kind];
    if (places.contains(use.name) || !unknown.emplace(use.kind, use.name).second) {
      continue;
    }
    const std::string several =
        with_commas(use.name, [&](const std::string& word) { return places.contains(word); });
    const std::string expected =
        !several.empty() ? several
        : known.empty() && use.kind == "object"
            ? "an object that `create`, `apply` or `server: {objects: [...]}` makes"
        : use.kind == "handler" && defined_["client"].places.contains(use.name)
            ? fmt::format("a handler; 'handlers: [{{name: h}}]' gives the client '{}' one",
                          use.name)
        : known.empty() && use.kind == "fault"
            ? "a fault that a step before injects, as 'fault: cut_watch'"
        : known.empty()      ? fmt::format("none: the file names no {}", use.kind)
        : use.kind == "kind" ? std::string(
                                   "a kind that all servers have, as ConfigMap and "
                                   "Pod, or one of `server: {resources: […]}`")
        : known.size() > kListedMax ? fmt::format("one of {} names", known.size())
                                    : one_of(known);
    problems.add({use.place, fmt::format("unknown {} '{}'", use.kind, use.name), expected,
                  several.empty() ? nearest_name(use.name, known) : "",
                  use.kind == "kind" || known.size() > kListedMax});
  }
}

namespace {

constexpr std::size_t kQuotedMax = 60;
constexpr std::chrono::hours longest_duration(24 * 366 * 10);  // ten years

SchemaPtr schema_of(Schema::Kind kind, std::string title) {
  return std::make_shared<Schema>(Schema{.kind = kind, .title = std::move(title)});
}

/// A value in a message: shortened, so that one long line does not become another.
std::string shown(const std::string& text) {
  return text.size() <= kQuotedMax ? text : text.substr(0, kQuotedMax) + "…";
}

/// The scalar's text, or nothing after a problem was put.
const std::string* scalar_text(const Node& node, const Schema& schema, ParseContext& context) {
  if (node.kind != Node::Kind::Scalar) {
    put_wrong_kind(node, schema, context);
    return nullptr;
  }
  return &node.text;
}

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
};

constexpr std::array<Unit, 7> kUnits{{{"ns", 1},
                                      {"us", 1'000},
                                      {"ms", 1'000'000},
                                      {"s", 1'000'000'000},
                                      {"m", 60'000'000'000},
                                      {"h", 3'600'000'000'000},
                                      {"d", 86'400'000'000'000}}};

/// Whether some reader of YAML takes a word for nothing, true or false.
bool is_word_of_yaml(std::string text) {
  constexpr std::array<std::string_view, 9> kWords{"null", "true", "false", "yes", "no",
                                                   "on",   "off",  "y",     "n"};
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::find(kWords, text) != kWords.end();
}

/// Whether YAML takes a scalar without quotes for something other than text; readers that take y
/// and n so are of the past.
bool reads_as_other_than_text(const Node& node) {
  if (node.quoted) {
    return false;
  }
  double number = 0;
  const char* last = node.text.data() + node.text.size();
  const auto [end, failure] = read_number(node.text, number, std::chars_format::general);
  return (failure == std::errc{} && end == last) ||
         (node.text.size() > 1 && is_word_of_yaml(node.text));
}

/// Whether every reader of YAML, of whatever version, takes a text without quotes for a text.
bool is_plain(const std::string& text) {
  const auto first = static_cast<unsigned char>(text.empty() ? '0' : text.front());
  return (std::isalpha(first) != 0 || first == '_' || first == '$') && !is_word_of_yaml(text);
}

Node scalar(std::string text, bool quoted = false) {
  return {.kind = Node::Kind::Scalar, .text = std::move(text), .quoted = quoted};
}

/// What a number and a unit come to, however much that is; nothing for all else.
std::optional<double> nanoseconds_in(const std::string& text) {
  double number = 0;
  const auto [end, failure] = read_number(text, number, std::chars_format::fixed);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const auto* const found = std::find_if(
      kUnits.begin(), kUnits.end(), [&](const Unit& candidate) { return candidate.name == unit; });
  if (failure != std::errc{} || found == kUnits.end() || !std::isfinite(number) ||
      std::signbit(number)) {
    return std::nullopt;
  }
  return number * static_cast<double>(found->nanoseconds);
}

/// In the largest unit up to a millisecond in which it is a whole number.
std::string duration_text(runtime::Duration duration) {
  const std::int64_t count = duration.count();
  return count % 1'000'000 == 0 ? fmt::format("{}ms", count / 1'000'000)
         : count % 1'000 == 0   ? fmt::format("{}us", count / 1'000)
                                : fmt::format("{}ns", count);
}

/// What several numbers, each with a unit, come to together, as in 1m30s.
std::optional<double> nanoseconds_in_all(const std::string& text) {
  double sum = 0;
  std::size_t parts = 0;
  for (std::size_t begin = 0; begin < text.size(); ++parts) {
    const std::size_t unit = std::min(text.find_first_not_of("0123456789.", begin), text.size());
    const std::size_t end = std::min(text.find_first_of("0123456789.", unit), text.size());
    const std::optional<double> part = nanoseconds_in(text.substr(begin, end - begin));
    if (!part) {
      return std::nullopt;
    }
    sum += *part;
    begin = end;
  }
  return parts > 1 ? std::optional(sum) : std::nullopt;
}

/// A number as one may write it, for the readers here: no signs between its digits, a point, small
/// letters. "1,5 S" is "1.5s" and "+1_000ms" is "1000ms".
std::string plain_number(const std::string& text) {
  std::string plain;
  for (std::size_t i = text.starts_with('+') ? 1 : 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with("\u00b5") || rest.starts_with("\u03bc")) {  // the sign of micro
      plain += 'u';
      ++i;
    } else if (c == ',' && i + 1 < text.size()) {
      plain += '.';
    } else if (c != '_' && c != ' ' && c != ',' && c != ';') {
      plain += static_cast<char>(std::tolower(c));
    }
  }
  return plain;
}

/// "90s" for "1:30"; "" for all else.
std::string seconds_of_clock(const std::string& text) {
  double seconds = 0;
  for (const auto part : std::views::split(text, ':')) {
    double number = 0;
    const std::string digits(part.begin(), part.end());
    const auto [end, failure] = read_number(digits, number, std::chars_format::fixed);
    if (failure != std::errc{} || end != digits.data() + digits.size() || std::signbit(number)) {
      return "";
    }
    seconds = seconds * 60 + number;
  }
  return fmt::format("{}s", seconds);
}

}  // namespace

std::string nearest_duration(const std::string& given) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kWords{
      {{"", "s"},
       {"sec", "s"},
       {"second", "s"},
       {"min", "m"},
       {"minute", "m"},
       {"hr", "h"},
       {"hour", "h"},
       {"day", "d"},
       {"msec", "ms"},
       {"millisecond", "ms"}}};
  std::string text = plain_number(given);
  text.erase(0, text.starts_with("pt") ? 2 : 0);  // as ISO 8601 has it
  double count = 0;
  const auto [end, failure] = read_number(text, count, std::chars_format::general);
  if (failure != std::errc{} || std::signbit(count)) {
    return "";
  }
  if (*end == ':') {
    return seconds_of_clock(text);
  }
  const std::string unit = end;
  const std::string number = fmt::format("{}", count);
  const auto fits = [&](const std::string& word) {
    return std::ranges::find(kWords, word,
                             [](const auto& each) { return std::string(each.first); });
  };
  const auto* found = fits(unit);
  if (found == kWords.end() && unit.ends_with('s')) {
    found = fits(unit.substr(0, unit.size() - 1));
  }
  if (const std::optional<double> sum = nanoseconds_in_all(text)) {
    return fmt::format("{}s", *sum / 1e9);
  }
  if (unit == "w" || unit.starts_with("week")) {
    return fmt::format("{}d", count * 7);
  }
  const std::string meant = number + (found != kWords.end() ? std::string(found->second) : unit);
  return nanoseconds_in(meant) ? meant : "";
}

namespace {

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

bool is_too_long(const std::string& text) {
  return nanoseconds_in(text) > std::chrono::nanoseconds(longest_duration).count();
}

}  // namespace

namespace {

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
  const std::string name = nearest_name(word, names_of(schema.fields));
  const auto found = std::ranges::find(schema.fields, name, &FieldSchema::name);
  return found == schema.fields.end() ? nullptr : &*found;
}

}  // namespace

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

/// Whether a reader of lines or a terminal would obey a part of the text.
bool has_control_character(std::string_view text) {
  while (!text.empty()) {
    const sim::Character character = sim::first_character(text);
    if (character.code < 0x20 || (character.code >= 0x7F && character.code < 0xA0) ||
        character.code == 0x2028 || character.code == 0x2029) {
      return true;
    }
    text.remove_prefix(std::max<std::size_t>(character.size, 1));
  }
  return false;
}

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
  const bool is_text = !text.empty() && is_plain(text);
  return fmt::format("a list, as in [{}]", is_text ? shown(text) : "a, b");
}

/// A sign before a key of the entries, as "+" in "+ name", which begins no entry of a list in YAML;
/// "" for a key that begins otherwise.
std::string bullet_of(const std::string& key, const Schema& schema) {
  const std::string first = key.substr(0, key.find(' '));
  const bool is_sign = first != key && std::ranges::none_of(first, is_word);
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

Codec<std::string> text(std::string title) {
  const SchemaPtr schema = schema_of(Schema::Kind::Text, std::move(title));
  auto read = [schema](const Node& node, ParseContext& context) -> std::string {
    const std::string* found = scalar_text(node, *schema, context);
    if (found == nullptr) {
      return "";
    }
    if (found->empty() && !node.quoted) {
      put_wrong_kind(node, *schema, context);
    } else if (reads_as_other_than_text(node)) {
      context.problems.add({node.place, fmt::format("{} without quotes is no text", *found),
                            fmt::format("\"{}\"", *found), ""});
    }
    return *found;
  };
  return {schema, std::move(read),
          [](const std::string& value) { return scalar(value, !is_plain(value)); }};
}

Codec<std::string> new_name(std::string kind) {
  const std::string title = "the name of " + sim::with_article(kind);
  return checked<std::string>(text(title), [=](const std::string& found, Place place,
                                               ParseContext& context) {
    if (found.empty()) {
      context.problems.add({place, "an empty name", title, ""});
    }
    if (kind == "symbol" && found.starts_with('$')) {
      context.problems.add({place, fmt::format("'{}' where a symbol gets its name", found),
                            fmt::format("'{}'; where it is used, '{}'", found.substr(1), found),
                            ""});
      return;  // its uses are right
    }
    if (found.find_first_of("\n\r\v\f") != std::string::npos) {
      context.problems.add({place, "a line break in a name", "a name on one line", ""});
    } else if (has_control_character(found)) {
      context.problems.add({place, fmt::format("'{}' has a control character", found),
                            "a name of letters, digits and signs", ""});
    }
    if (found.ends_with(',') || found.ends_with(';')) {
      context.problems.add({place, fmt::format("'{}' with a '{}' at its end", found, found.back()),
                            fmt::format("'{}'", found.substr(0, found.size() - 1)), ""});
    }
    context.defines(kind, found, place);
  });
}

Codec<std::string> known_name(std::string kind) {
  return checked<std::string>(text("the name of " + sim::with_article(kind)),
                              [=](const std::string& found, Place place, ParseContext& context) {
                                context.uses(kind, found, place);
                              });
}

Codec<std::string> symbol(std::string title) {
  return checked<std::string>(text(std::move(title)),
                              [](const std::string& found, Place place, ParseContext& context) {
                                if (found.starts_with('$')) {
                                  context.uses("symbol", found.substr(1), place);
                                }
                              });
}

Codec<std::string> revision() {
  return checked<std::string>(
      symbol("a revision or a $name"),
      [](const std::string& found, Place place, ParseContext& context) {
        if (!found.starts_with('$') && found.find_first_not_of("0123456789") < found.size()) {
          context.problems.add({place, fmt::format("'{}' is neither a revision nor a $name", found),
                                "a number in quotes, or '$' and a name that rv_as has given",
                                "$" + found});
        }
      });
}

Codec<std::string> word(std::string title, std::vector<std::string> choices) {
  auto made = std::make_shared<Schema>(Schema{
      .kind = Schema::Kind::Choice, .title = std::move(title), .choices = std::move(choices)});
  made->doc = one_of(made->choices);
  const SchemaPtr schema = made;
  auto read = [schema](const Node& node, ParseContext& context) -> std::string {
    const std::string* found = scalar_text(node, *schema, context);
    if (found == nullptr) {
      return schema->choices.front();
    }
    if (std::find(schema->choices.begin(), schema->choices.end(), *found) ==
        schema->choices.end()) {
      put_wrong_text(node, *schema, context);
      return schema->choices.front();
    }
    return *found;
  };
  auto write = [schema](const std::string& value) -> std::optional<Node> {
    const std::vector<std::string>& known = schema->choices;
    const bool is_known = std::find(known.begin(), known.end(), value) != known.end();
    return is_known ? std::optional(scalar(value)) : std::nullopt;
  };
  return {schema, std::move(read), std::move(write)};
}

Codec<std::int64_t> integer(std::string title, std::int64_t minimum, std::int64_t maximum) {
  const SchemaPtr schema = std::make_shared<Schema>(
      Schema{.kind = Schema::Kind::Integer,
             .title = std::move(title),
             .doc = fmt::format("a whole number from {} to {}", minimum, maximum),
             .minimum = minimum,
             .maximum = maximum});
  auto read = [schema](const Node& node, ParseContext& context) -> std::int64_t {
    const std::string* found = scalar_text(node, *schema, context);
    if (found == nullptr) {
      return *schema->minimum;
    }
    std::int64_t value = 0;
    const auto [end, failure] =
        std::from_chars(found->data(), found->data() + found->size(), value);
    const bool whole = failure == std::errc{} && end == found->data() + found->size();
    if (!whole || node.quoted || value < *schema->minimum || value > *schema->maximum) {
      put_wrong_text(node, *schema, context);
      return *schema->minimum;
    }
    return value;
  };
  return {schema, std::move(read),
          [](std::int64_t value) { return scalar(std::to_string(value)); }};
}

Codec<bool> boolean() {
  const SchemaPtr schema = std::make_shared<Schema>(
      Schema{.kind = Schema::Kind::Boolean, .title = "a yes or no", .doc = "true or false"});
  auto read = [schema](const Node& node, ParseContext& context) {
    const std::string* found = scalar_text(node, *schema, context);
    if (found != nullptr && (node.quoted || (*found != "true" && *found != "false"))) {
      put_wrong_text(node, *schema, context);
    }
    return found != nullptr && *found == "true";
  };
  return {schema, std::move(read), [](bool value) { return scalar(value ? "true" : "false"); }};
}

bool parse_duration(const std::string& text, runtime::Duration& out) {
  const std::optional<double> nanoseconds = nanoseconds_in(text);
  if (!nanoseconds || is_too_long(text)) {
    return false;
  }
  out = runtime::Duration(static_cast<std::int64_t>(std::llround(*nanoseconds)));
  return true;
}

Codec<runtime::Duration> duration() {
  const SchemaPtr schema = std::make_shared<Schema>(
      Schema{.kind = Schema::Kind::Duration,
             .title = "a duration",
             .doc = "a number, zero or more, and a unit, like 1500ms, 5s, 10m or 2h"});
  auto read = [schema](const Node& node, ParseContext& context) {
    runtime::Duration value{0};
    const std::string* found = scalar_text(node, *schema, context);
    if (found != nullptr && is_too_long(*found)) {
      context.problems.add({node.place, fmt::format("'{}' is too long", shown(*found)),
                            fmt::format("a duration of at most {}h", longest_duration.count()),
                            ""});
    } else if (found != nullptr && !parse_duration(*found, value)) {
      put_wrong_text(node, *schema, context);
    }
    return value;
  };
  return {schema, std::move(read),
          [](runtime::Duration value) { return scalar(duration_text(value)); }};
}

Codec<api::Labels> text_map(std::string title) {
  const SchemaPtr schema = schema_of(Schema::Kind::TextMap, std::move(title));
  const Codec<std::string> value = text("a text");
  auto read = [schema, value](const Node& node, ParseContext& context) {
    api::Labels pairs;
    if (node.kind != Node::Kind::Mapping) {
      put_wrong_kind(node, *schema, context);
    }
    for (const Node::Entry& entry : node.entries) {
      const std::size_t end = entry.key.find_first_of(":= ");
      const bool has_value =
          !entry.value.text.empty() || entry.value.quoted || entry.value.kind != Node::Kind::Scalar;
      if (!has_value && end != std::string::npos) {
        context.problems.add(
            {entry.place, fmt::format("'{}' in {}", entry.key, schema->title),
             fmt::format("a ':' and a space, as in '{}: {}'", entry.key.substr(0, end),
                         entry.key.substr(
                             std::min(entry.key.find_first_not_of(":= ", end), entry.key.size()))),
             ""});
        continue;
      }
      pairs[entry.key] = value.read(entry.value, context);
    }
    return pairs;
  };
  auto write = [value](const api::Labels& pairs) {
    Node node{.kind = Node::Kind::Mapping};
    for (const auto& [key, text] : pairs) {
      node.entries.push_back({.key = key, .place = {}, .value = value.write(text).value()});
    }
    return node;
  };
  return {schema, std::move(read), std::move(write)};
}

}  // namespace watchlab::scenarios
