#include "scenarios/language/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <ranges>
#include <utility>

namespace watchlab::scenarios {
namespace {

std::vector<std::string> names_of(const Schema& schema, Presence presence) {
  return names_of(std::views::filter(
      schema.fields, [presence](const FieldSchema& field) { return field.presence == presence; }));
}

void check_one_of(const Node& node, const Schema& schema, ParseContext& context) {
  const std::vector<std::string> names = names_of(schema, Presence::OneOf);
  if (names.empty()) {
    return;
  }
  const Node::Entry* first = nullptr;
  for (const Node::Entry& entry : node.entries) {
    if (std::find(names.begin(), names.end(), entry.key) == names.end()) {
      continue;
    }
    if (first != nullptr) {
      context.problems.add(
          {entry.place, fmt::format("'{}' beside '{}' in {}", entry.key, first->key, schema.title),
           std::ranges::count(names, "atomic") > 0
               ? "a step for each, or both in 'atomic: [...]' at one instant"
               : "only one of them",
           ""});
    }
    first = &entry;
  }
  if (first == nullptr) {
    const std::string only =
        node.entries.empty() ? "" : fmt::format(" but '{}'", node.entries.front().key);
    context.problems.add({node.place, fmt::format("{} that says nothing{}", schema.title, only),
                          one_of(names) + (only.empty() ? "" : " beside it, in the same entry"),
                          ""});
  }
}

/// One problem for all keys that are missing.
void check_required(const Node& node, const Schema& schema, ParseContext& context) {
  std::string missing;
  std::string examples;
  for (const FieldSchema& field : schema.fields) {
    if (field.presence == Presence::Required && node.find(field.name) == nullptr) {
      missing += fmt::format("{}'{}'", missing.empty() ? "" : " and ", field.name);
      examples += examples.empty() ? "" : " and ";
      examples += fmt::format("'{}'", example_of(field));
    }
  }
  if (!missing.empty()) {
    context.problems.add(
        {node.place, fmt::format("{} without {}", schema.title, missing), examples, ""});
  }
}

/// "name:app", "name app" and "name = app" are keys without a value, and not what their author
/// means; "-name" is no entry of a list.
std::optional<Problem> key_joined_to_its_value(const Node::Entry& entry, const Schema& schema,
                                               std::span<const std::string> names) {
  const std::string what = fmt::format("'{}' in {}", entry.key, schema.title);
  if (auto said = key_without_colon(entry.key, names)) {
    // "name:: app"
    const bool is_twice = entry.key.ends_with(':') && !entry.value.text.empty();
    const std::string meant =
        is_twice ? entry.key.substr(0, entry.key.find(':')) + ": " + entry.value.text : *said;
    return Problem{entry.place, what, fmt::format("a ':' and a space, as in '{}'", meant), ""};
  }
  if (entry.key.starts_with('-') && std::ranges::count(names, entry.key.substr(1)) > 0) {
    return Problem{entry.place, what, fmt::format("'- {}', with a space", entry.key.substr(1)), ""};
  }
  return std::nullopt;
}

bool is_nothing(const Node& value) {
  return value.kind == Node::Kind::Scalar && value.text.empty() && !value.quoted;
}

/// A mapping to which a key may belong that stands further left.
struct Home {
  const Node* node = nullptr;
  const Schema* schema = nullptr;
};

/// The mapping in a value, or in its last entry, that may have that key and does not.
Home home_in(const Node& value, const Schema& schema, const std::string& key) {
  if (schema.kind == Schema::Kind::Either) {
    for (const SchemaPtr& each : schema.alternatives) {
      if (const Home home = home_in(value, *each, key); home.node != nullptr) {
        return home;
      }
    }
  } else if (schema.kind == Schema::Kind::List && !value.items.empty()) {
    return home_in(value.items.back(), *schema.item, key);
  } else if (schema.kind == Schema::Kind::Mapping) {
    const auto called = [](const std::string& name) {
      return [&name](const FieldSchema& each) { return each.is_called(name); };
    };
    if ((is_nothing(value) || value.kind == Node::Kind::Mapping) && value.find(key) == nullptr &&
        std::ranges::any_of(schema.fields, called(key))) {
      return {&value, &schema};
    }
    if (!value.entries.empty()) {
      const auto last = std::ranges::find_if(schema.fields, called(value.entries.back().key));
      return last == schema.fields.end() ? Home{}
                                         : home_in(value.entries.back().value, *last->value, key);
    }
  }
  return {};
}

/// Keys that are none of this mapping, and of the value above them: a mistake of indentation, which
/// is one for all of them.
class Dedented {
 public:
  Dedented(const Node& node, const Schema& schema, ParseContext& context)
      : node_(node), schema_(schema), context_(context) {}

  /// Whether the unknown key of that number is one.
  bool take(std::size_t number) {
    const Node::Entry& entry = node_.entries[number];
    for (std::size_t i = number; i-- > 0;) {
      const Node::Entry& above = node_.entries[i];
      const auto field = std::ranges::find_if(
          schema_.fields, [&](const FieldSchema& each) { return each.is_called(above.key); });
      if (field == schema_.fields.end()) {
        continue;
      }
      if (belongs_beside_name(entry, above, *field->value)) {
        return true;
      }
      const Home home = home_in(above.value, *field->value, entry.key);
      if (home.node == nullptr) {
        return false;
      }
      if (context_.excused.insert(home.node).second) {
        report(entry, above, home);
      }
      return true;
    }
    return false;
  }

 private:
  /// "{add: demo, times: 2}", where the name alone has no room for the key.
  bool belongs_beside_name(const Node::Entry& entry, const Node::Entry& above,
                           const Schema& schema) {
    if (above.value.kind != Node::Kind::Scalar || is_nothing(above.value)) {
      return false;
    }
    for (const SchemaPtr& each : schema.alternatives) {
      const auto called = [&](const FieldSchema& field) { return field.is_called(entry.key); };
      if (each->kind != Schema::Kind::Mapping || std::ranges::none_of(each->fields, called)) {
        continue;
      }
      if (context_.excused.insert(&above.value).second) {
        const bool is_plain = entry.value.kind == Node::Kind::Scalar && !is_nothing(entry.value);
        context_.problems.add({entry.place, fmt::format("'{}' beside '{}'", entry.key, above.key),
                               fmt::format("it inside, as in '{}: {{{}: {}, {}: {}}}'", above.key,
                                           each->fields.front().name, above.value.text, entry.key,
                                           is_plain ? entry.value.text : "..."),
                               ""});
      }
      return true;
    }
    return false;
  }

  void report(const Node::Entry& entry, const Node::Entry& above, const Home& home) {
    const bool is_empty = home.node->entries.empty();
    const Node::Entry& beside = is_empty ? above : home.node->entries.front();
    const std::string wanted =
        is_empty ? fmt::format("more spaces before it than '{}' in line {} has", beside.key,
                               beside.place.line)
                 : fmt::format("{} spaces before it, as '{}' in line {} has",
                               beside.place.column - 1, beside.key, beside.place.line);
    context_.problems.add(
        {entry.place,
         fmt::format("'{}', a key of {}, in {}", entry.key, home.schema->title, schema_.title),
         wanted, ""});
  }

  const Node& node_;
  const Schema& schema_;
  ParseContext& context_;
};

/// The innermost of the mappings around that may have the key; null for none.
const Schema* home_around(const Node::Entry& entry, const ParseContext& context) {
  const auto has_key = [&](const Schema* each) {
    return std::ranges::any_of(
        each->fields, [&](const FieldSchema& field) { return field.is_called(entry.key); });
  };
  const auto found = std::find_if(context.around.rbegin(), context.around.rend(), has_key);
  return found == context.around.rend() ? nullptr : *found;
}

/// "name: close_watch" where "close_watch" is the key.
std::optional<Problem> name_instead_of_key(const Node::Entry& entry, const Schema& schema) {
  const std::vector<std::string> names = names_of(schema, Presence::OneOf);
  if (entry.value.kind != Node::Kind::Scalar || std::ranges::count(names, entry.value.text) == 0) {
    return std::nullopt;
  }
  return Problem{entry.place,
                 fmt::format("'{}: {}' in {}", entry.key, entry.value.text, schema.title),
                 fmt::format("'{}' itself as the key", entry.value.text), ""};
}

/// "informer: app" where "informer" is what another key can have.
std::optional<Problem> value_instead_of_key(const Node::Entry& entry, const Schema& schema) {
  const auto field = std::ranges::find_if(schema.fields, [&](const FieldSchema& each) {
    return std::ranges::count(each.value->choices, entry.key) > 0;
  });
  if (field == schema.fields.end()) {
    return std::nullopt;
  }
  return Problem{entry.place,
                 fmt::format("'{}' as a key in {}, where it is a value of '{}'", entry.key,
                             schema.title, field->name),
                 fmt::format("'{}: {}'", field->name, entry.key), ""};
}

std::optional<Problem> comment_of_another_language(const Node::Entry& entry) {
  const std::string sign = entry.key.substr(0, entry.key.starts_with(';') ? 1 : 2);
  if (sign != "//" && sign != "/*" && sign != ";" && sign != "--") {
    return std::nullopt;
  }
  return Problem{entry.place, fmt::format("'{}', which begins no comment", sign), "'#'", ""};
}

bool is_duration(const Schema& schema) {
  return schema.kind == Schema::Kind::Duration ||
         std::ranges::any_of(schema.alternatives,
                             [](const SchemaPtr& each) { return is_duration(*each); });
}

/// "by" for "for: 1s" in a mapping of which that alone, or alone of what it needs, is a duration;
/// "" for none.
std::string key_of_duration(const Node::Entry& entry, const Node& node, const Schema& schema) {
  std::vector<std::string> needed;
  std::vector<std::string> all;
  for (const FieldSchema& field : schema.fields) {
    if (is_duration(*field.value) && node.find(field.name) == nullptr) {
      (field.presence == Presence::Required ? needed : all).push_back(field.name);
    }
  }
  const std::vector<std::string>& fits = needed.empty() ? all : needed;
  const bool is_one = entry.value.kind == Node::Kind::Scalar && !entry.value.quoted &&
                      nanoseconds_in(entry.value.text).has_value();
  return is_one && fits.size() == 1 ? fits.front() : "";
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// A key without a value that is rather the value of the key before it, or the rest of that: it
/// stands in the line below, in the same column, or behind a comma in brackets or in a number.
bool take_as_value(const Node::Entry& before, const Node::Entry& entry, const Node& mapping,
                   ParseContext& context) {
  if (!is_nothing(entry.value)) {
    return false;
  }
  if (is_nothing(before.value) && mapping.in_brackets) {
    context.problems.add({before.place,
                          fmt::format("'{}' without a ':' before '{}'", before.key, entry.key),
                          fmt::format("'{}: {}'", before.key, entry.key), ""});
    context.excused.insert(&before.value);
    return true;
  }
  if (is_nothing(before.value) && before.place.column == entry.place.column) {
    context.problems.add({entry.place,
                          fmt::format("'{}' in the column of the key '{}' of line {}", entry.key,
                                      before.key, before.place.line),
                          "more spaces before it, or a ':' behind it", ""});
  } else if (const std::string& number = before.value.text;
             before.value.kind == Node::Kind::Scalar && !number.empty() &&
             std::ranges::all_of(number, is_digit) && is_digit(entry.key.front()) &&
             before.value.place.line == entry.place.line) {
    context.problems.add({before.value.place,
                          fmt::format("'{},{}', with a comma in a number", number, entry.key),
                          fmt::format("'{}.{}'", number, entry.key), ""});
  } else {
    return false;
  }
  context.excused.insert(&before.value);
  return true;
}

}  // namespace

std::optional<std::string> key_without_colon(const std::string& text,
                                             std::span<const std::string> names) {
  const std::size_t end = text.find_first_of(":= ");
  if (end == std::string::npos || std::ranges::count(names, text.substr(0, end)) == 0) {
    return std::nullopt;
  }
  const std::size_t rest = std::min(text.find_first_not_of(":=> ", end), text.size());
  const bool is_closed = text.ends_with(']') || text.ends_with('}');
  const std::size_t opens = is_closed ? std::string::npos : text.find_first_of("{[", rest);
  return fmt::format("{}: {}{}", text.substr(0, end), text.substr(rest, opens - rest),
                     opens == std::string::npos && rest < text.size() ? "" : "...");
}

bool put_key_of_short_form(const Node& node, const Schema& brief, const Schema& full,
                           ParseContext& context) {
  if (node.kind == Node::Kind::Sequence && !node.items.empty() &&
      std::ranges::count(brief.choices, node.items.front().text) > 0) {
    context.problems.add({node.place, fmt::format("a list where {} belongs", brief.title),
                          fmt::format("'{}' alone, and no list", node.items.front().text), ""});
    return true;
  }
  const Node::Entry* const entry = node.entries.size() == 1 ? &node.entries.front() : nullptr;
  if (entry == nullptr || entry->value.kind != Node::Kind::Scalar || !is_duration(brief) ||
      !nanoseconds_in(entry->value.text) || std::ranges::any_of(full.fields, [&](const auto& each) {
        return each.is_called(entry->key);
      })) {
    return false;
  }
  context.problems.add(
      {entry->place,
       fmt::format("'{}: {}' where {} belongs", entry->key, entry->value.text, brief.title),
       fmt::format("'{}' alone, without '{}:'", entry->value.text, entry->key), ""});
  return true;
}

bool check_keys(const Node& node, const Schema& schema, ParseContext& context) {
  if (node.kind != Node::Kind::Mapping) {
    put_wrong_kind(node, schema, context);
    return false;
  }
  const std::vector<std::string> names = names_of(schema.fields);
  bool unknown = false;
  Dedented dedented(node, schema, context);
  for (std::size_t i = 0; i < node.entries.size(); ++i) {
    const Node::Entry& entry = node.entries[i];
    const auto field = std::ranges::find_if(
        schema.fields, [&](const FieldSchema& each) { return each.is_called(entry.key); });
    if (field == schema.fields.end()) {
      unknown = true;
      if (auto joined = key_joined_to_its_value(entry, schema, names)) {
        context.problems.add(*std::move(joined));
        continue;
      }
      if (auto comment = comment_of_another_language(entry)) {
        context.problems.add(*std::move(comment));
        continue;
      }
      if (i > 0 && take_as_value(node.entries[i - 1], entry, node, context)) {
        continue;
      }
      if (dedented.take(i)) {
        continue;
      }
      if (auto named = name_instead_of_key(entry, schema)) {
        context.problems.add(*std::move(named));
        return true;  // the keys behind it are meant for that one
      }
      if (auto value = value_instead_of_key(entry, schema)) {
        context.problems.add(*std::move(value));
        continue;
      }
      std::string nearest = nearest_name(entry.key, names);
      nearest = nearest.empty() ? key_of_duration(entry, node, schema) : nearest;
      if (const Schema* const home = nearest.empty() ? home_around(entry, context) : nullptr) {
        context.problems.add(
            {entry.place,
             fmt::format("'{}', a key of {}, in {}", entry.key, home->title, schema.title),
             fmt::format("it further out, among the keys of {}", home->title), ""});
        continue;
      }
      context.problems.add({entry.place,
                            fmt::format("unknown key '{}' in {}", entry.key, schema.title),
                            one_of(names), nearest});
    } else if (field->name != entry.key) {
      context.renamings.push_back({entry.place, entry.key, field->name, schema.title});
      if (node.find(field->name) != nullptr) {
        context.problems.add(
            {entry.place,
             fmt::format("'{}' beside '{}', which it was called before", entry.key, field->name),
             "only " + field->name, ""});
      }
    }
  }
  if (unknown || context.excused.contains(&node)) {
    return true;  // what seems to be missing may be what has a wrong name
  }
  check_required(node, schema, context);
  check_one_of(node, schema, context);
  return true;
}

}  // namespace watchlab::scenarios
