#include "scenarios/language/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "scenarios/language/plain_text.hpp"
#include "scenarios/language/table.hpp"
#include "scenarios/language/yaml_scalar.hpp"
#include "sim/kernel/article.hpp"
#include "sim/story/options.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::size_t kListedMax = 8;

SchemaPtr schema_of(Schema::Kind kind, std::string title) {
  return std::make_shared<Schema>(Schema{.kind = kind, .title = std::move(title)});
}
/// The scalar's text, or nothing after a problem was put.
const std::string* scalar_text(const Node& node, const Schema& schema, ParseContext& context) {
  if (node.kind != Node::Kind::Scalar) {
    put_wrong_kind(node, schema, context);
    return nullptr;
  }
  return &node.text;
}

Node scalar(std::string text, bool quoted = false) {
  return {.kind = Node::Kind::Scalar, .text = std::move(text), .quoted = quoted};
}

}  // namespace

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

void ParseContext::defines_symbol(std::string name, std::string of, Place place) {
  meanings_.try_emplace(name, std::move(of));
  defines("symbol", std::move(name), place);
}

void ParseContext::uses_symbol(std::string name, std::string of, Place place) {
  used_.push_back({"symbol", std::move(name), place, std::move(of)});
}

/// Reports a symbol that stands for the wrong thing.
void ParseContext::check_meaning(const NameUse& use) {
  const auto found = meanings_.find(use.name);
  if (found == meanings_.end() || found->second == use.of) {
    return;
  }
  std::vector<std::string> fitting;
  for (const auto& [name, of] : meanings_) {
    if (of == use.of) {
      fitting.push_back("$" + name);
    }
  }
  const std::string giver = use.of == "uid" ? "uid_as" : "rv_as";
  problems.add({use.place,
                fmt::format("'${}', a {}, where a {} belongs", use.name, found->second, use.of),
                fmt::format("'$' and a name defined by {}", giver),
                fitting.size() == 1 ? fitting.front() : nearest_name("$" + use.name, fitting)});
}

namespace {

/// "crowd-000009" for "crowd-000999" of ten, and for "crowd-9"; "" for what is no such name.
std::string nearest_bulk_object(const std::string& name, std::int64_t count) {
  std::int64_t number = 0;
  const char* const end = name.data() + name.size();
  const bool is_one = count > 0 && name.starts_with(sim::kBulkName);
  const auto read =
      std::from_chars(name.data() + (is_one ? sim::kBulkName.size() : 0), end, number);
  return is_one && read.ptr == end && number >= 0
             ? sim::bulk_object_name(std::min(number, count - 1))
             : "";
}

}  // namespace

void ParseContext::check_names(const std::function<bool(const std::string&)>& may_come) {
  std::ranges::stable_sort(
      used_, {}, [](const NameUse& use) { return std::pair(use.place.line, use.place.column); });
  std::set<std::pair<std::string, std::string>> unknown;  // a name that is missing is one mistake
  for (const NameUse& use : used_) {
    if (problems.count() >= Problems::kKeptMax) {
      return;
    }
    const auto& [known, places] = defined_[use.kind];
    const bool is_object = use.kind == "object";
    use.of.empty() ? void() : check_meaning(use);
    if (places.contains(use.name) || !unknown.emplace(use.kind, use.name).second ||
        (is_object && (sim::is_bulk_object(use.name, bulk_objects) || may_come(use.name)))) {
      continue;
    }
    const std::string numbered = is_object ? nearest_bulk_object(use.name, bulk_objects) : "";
    const std::string several =
        with_commas(use.name, [&](const std::string& word) { return places.contains(word); });
    const std::string expected =
        !several.empty()    ? several
        : !numbered.empty() ? fmt::format("one from {} to {}", sim::bulk_object_name(0),
                                          sim::bulk_object_name(bulk_objects - 1))
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
                  !several.empty()    ? ""
                  : !numbered.empty() ? numbered
                                      : nearest_name(use.name, known),
                  use.kind == "kind" || known.size() > kListedMax});
  }
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
    } else if (!node.quoted && is_read_as_other_than_text(*found)) {
      context.problems.add({node.place, fmt::format("{} without quotes is no text", *found),
                            fmt::format("\"{}\"", *found), ""});
    }
    return *found;
  };
  return {schema, std::move(read),
          [](const std::string& value) { return scalar(value, !is_text_without_quotes(value)); }};
}

namespace {

/// `of` is what a symbol stands for.
Codec<std::string> named(std::string kind, std::string of) {
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
    } else if (!is_plain_text(found)) {
      context.problems.add({place, fmt::format("'{}' has a control character", found),
                            "a name of letters, digits and signs", ""});
    }
    if (found.ends_with(',') || found.ends_with(';')) {
      context.problems.add({place, fmt::format("'{}' with a '{}' at its end", found, found.back()),
                            fmt::format("'{}'", found.substr(0, found.size() - 1)), ""});
    }
    kind == "symbol" ? context.defines_symbol(found, of, place)
                     : context.defines(kind, found, place);
  });
}

}  // namespace

Codec<std::string> new_name(std::string kind) { return named(std::move(kind), ""); }

Codec<std::string> new_symbol(std::string of) { return named("symbol", std::move(of)); }

Codec<std::string> known_name(std::string kind) {
  return checked<std::string>(text("the name of " + sim::with_article(kind)),
                              [=](const std::string& found, Place place, ParseContext& context) {
                                context.uses(kind, found, place);
                              });
}

Codec<std::string> symbol(std::string title, std::string of) {
  return checked<std::string>(text(std::move(title)),
                              [=](const std::string& found, Place place, ParseContext& context) {
                                if (found.starts_with('$')) {
                                  context.uses_symbol(found.substr(1), of, place);
                                }
                              });
}

Codec<std::string> revision() {
  return checked<std::string>(
      symbol("a revision or a $name", "revision"),
      [](const std::string& found, Place place, ParseContext& context) {
        if (!found.starts_with('$') && found.find_first_not_of("0123456789") < found.size()) {
          context.problems.add({place, fmt::format("'{}' is neither a revision nor a $name", found),
                                "a number in quotes, or '$' and a name defined by rv_as",
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
