#include "scenarios/language/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include "scenarios/language/table.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::size_t kListedMax = 8;

}  // namespace

void ParseContext::defines(std::string kind, std::string name, Place place) {
  // An object may be created again after it was deleted, a fault come back after it was healed.
  const auto same = [&](const NameUse& use) { return use.kind == kind && use.name == name; };
  const auto first = std::find_if(defined_.begin(), defined_.end(), same);
  if (first == defined_.end()) {
    defined_.push_back({std::move(kind), std::move(name), place});
  } else if (kind != "object" && kind != "fault") {
    problems.add({place, fmt::format("the {} '{}' for the second time", kind, name),
                  first->place.line == 0
                      ? "another name; every server has this one"
                      : fmt::format("another name; the first one is on line {}", first->place.line),
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
    const std::vector<std::string> known = names_of(use.kind);
    if (std::find(known.begin(), known.end(), use.name) != known.end() ||
        !unknown.emplace(use.kind, use.name).second) {
      continue;
    }
    const std::string expected =
        known.empty() && use.kind == "object"
            ? "an object that `create`, `apply` or `server: {objects: [...]}` makes"
        : known.empty()      ? fmt::format("none: the file names no {}", use.kind)
        : use.kind == "kind" ? std::string(
                                   "a kind that all servers have, as ConfigMap and "
                                   "Pod, or one of `server: {resources: […]}`")
        : known.size() > kListedMax ? fmt::format("one of {} names", known.size())
                                    : one_of(known);
    problems.add({use.place, fmt::format("unknown {} '{}'", use.kind, use.name), expected,
                  nearest_name(use.name, known), use.kind == "kind" || known.size() > kListedMax});
  }
}

std::vector<std::string> ParseContext::names_of(const std::string& kind) const {
  std::vector<std::string> names;
  for (const NameUse& use : defined_) {
    if (use.kind == kind) {
      names.push_back(use.name);
    }
  }
  return names;
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

/// Whether YAML takes a scalar without quotes for something other than text.
bool reads_as_other_than_text(const Node& node) {
  if (node.quoted) {
    return false;
  }
  double number = 0;
  const char* last = node.text.data() + node.text.size();
  const auto [end, failure] = std::from_chars(node.text.data(), last, number);
  return (failure == std::errc{} && end == last) || node.text == "true" || node.text == "false";
}

/// Whether every reader of YAML, of whatever version, takes a text without quotes for a text.
bool is_plain(const std::string& text) {
  constexpr std::array<std::string_view, 9> kWords{"null", "true", "false", "yes", "no",
                                                   "on",   "off",  "y",     "n"};
  std::string lower = text;
  std::transform(text.begin(), text.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto first = static_cast<unsigned char>(text.empty() ? '0' : text.front());
  return (std::isalpha(first) != 0 || first == '_' || first == '$') &&
         std::find(kWords.begin(), kWords.end(), lower) == kWords.end();
}

Node scalar(std::string text, bool quoted = false) {
  return {.kind = Node::Kind::Scalar, .text = std::move(text), .quoted = quoted};
}

/// What a number and a unit come to, however much that is; nothing for all else.
std::optional<double> nanoseconds_in(const std::string& text) {
  double number = 0;
  const auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
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

/// What somebody probably means who writes no unit, or a longer word for it; "" for no idea.
std::string nearest_duration(const std::string& text) {
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
  const std::size_t end = text.find_first_not_of("0123456789.");
  const std::string number = text.substr(0, end);
  std::string unit = end == std::string::npos ? "" : text.substr(end);
  unit.erase(0, std::min(unit.find_first_not_of(' '), unit.size()));
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
  std::string meant = number + (found != kWords.end() ? std::string(found->second) : unit);
  return !number.empty() && nanoseconds_in(meant) ? meant : "";
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
std::string example_key(const Schema& schema) {
  const auto wanted = std::ranges::find_if(
      schema.fields, [](const FieldSchema& field) { return field.presence != Presence::Optional; });
  return schema.fields.empty()           ? "key"
         : wanted == schema.fields.end() ? schema.fields.front().name
                                         : wanted->name;
}

/// A list as it would be written, of texts or of mappings.
std::string example_of_list(const Schema& schema, const std::string& text) {
  const bool has_keys = schema.item != nullptr && schema.item->kind == Schema::Kind::Mapping;
  return has_keys ? fmt::format("a list, as in [{{{}: {}}}]", example_key(*schema.item),
                                text.empty() ? "..." : shown(text))
                  : fmt::format("a list, as in [{}]", text.empty() ? "a, b" : shown(text));
}

/// What would fit in the place of the value.
std::string shape_of(const Schema& schema, const Node& node) {
  const bool is_scalar = node.kind == Node::Kind::Scalar;
  switch (schema.kind) {
    case Schema::Kind::List:
    case Schema::Kind::AnyList:
      if (is_scalar && node.text.starts_with('-')) {
        return "a space behind the '-'";
      }
      return node.kind == Node::Kind::Mapping ? "a '- ' before the first key of each entry"
                                              : example_of_list(schema, node.text);
    case Schema::Kind::TextMap:
      return "keys with texts, as in {a: b}";
    case Schema::Kind::Mapping: {
      if (const auto said = key_without_colon(node.text, names_of(schema.fields)); said) {
        return fmt::format("'{}'", *said);
      }
      return fmt::format("keys, as in '{}: ...'{}", example_key(schema),
                         node.kind == Node::Kind::Sequence ? ", and no list" : "");
    }
    default:
      if (schema.kind == Schema::Kind::Text && is_scalar && node.text.empty()) {
        return "some text behind the ':'";
      }
      return schema.doc.empty() || schema.kind == Schema::Kind::Text ? schema.title : schema.doc;
  }
}

}  // namespace

void put_wrong_kind(const Node& node, const Schema& schema, ParseContext& context) {
  if (context.excused.contains(&node)) {
    return;
  }
  const std::string found = node.kind == Node::Kind::Sequence  ? "a list"
                            : node.kind == Node::Kind::Mapping ? "a mapping"
                            : node.text.empty() && !node.quoted
                                ? "nothing"
                                : fmt::format("'{}'", shown(node.text));
  context.problems.add(
      {node.place, fmt::format("{} where {} belongs", found, schema.title), shape_of(schema, node),
       node.kind == Node::Kind::Scalar ? nearest_name(node.text, schema.choices) : ""});
}

void put_wrong_text(const Node& node, const Schema& schema, ParseContext& context) {
  if (node.text.empty() && !node.quoted) {
    return put_wrong_kind(node, schema, context);
  }
  context.problems.add(
      {node.place, fmt::format("'{}' is not {}", shown(node.text), schema.title), schema.doc,
       schema.kind == Schema::Kind::Duration  ? nearest_duration(node.text)
       : schema.kind == Schema::Kind::Boolean ? nearest_boolean(node.text)
                                              : nearest_name(node.text, schema.choices)});
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
  const std::string title = "the name of a " + kind;
  return checked<std::string>(
      text(title), [=](const std::string& found, Place place, ParseContext& context) {
        if (found.empty()) {
          context.problems.add({place, "an empty name", title, ""});
        }
        if (found.find_first_of("\n\r\v\f") != std::string::npos) {
          context.problems.add({place, "a line break in a name", "a name on one line", ""});
        }
        context.defines(kind, found, place);
      });
}

Codec<std::string> known_name(std::string kind) {
  return checked<std::string>(text("the name of a " + kind),
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
