#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/language/values.hpp"

namespace watchlab::scenarios {

/// Checks a mapping's keys against its shape: unknown ones, missing ones, and those of which there
/// must be exactly one. False when the value is no mapping at all.
[[nodiscard]] bool check_keys(const Node& node, const Schema& schema, ParseContext& context);

/// Puts a problem for "{at: 5s}" or "[quiet]" where "5s" or "quiet" alone is the short form; false
/// for all else.
[[nodiscard]] bool put_key_of_short_form(const Node& node, const Schema& brief, const Schema& full,
                                         ParseContext& context);

/// The keys of one kind of mapping, each with its value, its meaning and its place in a `T`: one
/// row a key, from which reading, writing, the schema and all messages follow. What a scenario file
/// may say is the sum of these tables; nothing else names a key.
///
/// A value that is a mapping in full is often a scalar in short: see `or_short`.
template <typename T>
class Table {
 public:
  /// `title` with its article: "a client".
  Table(std::string title, std::string doc) {
    schema_.kind = Schema::Kind::Mapping;
    schema_.title = std::move(title);
    schema_.doc = std::move(doc);
  }

  template <typename M, typename V>
  Table& required(std::string name, M T::*member, Codec<V> value, std::string doc) {
    return key({std::move(name), std::move(doc), Presence::Required}, std::move(value),
               put_into<V>(member), [member](const T& from) { return from.*member; });
  }
  /// A key that may be left out. Writing leaves it out when the member has its default value, or,
  /// of a `std::optional`, none.
  template <typename M, typename V>
  Table& optional(std::string name, M T::*member, Codec<V> value, std::string doc) {
    const auto write = value.write;
    return key({std::move(name), std::move(doc)}, std::move(value), put_into<V>(member),
               [member, write](const T& from) {
                 if constexpr (std::is_same_v<M, std::optional<V>>) {
                   return from.*member;
                 } else {
                   const bool says_nothing = write(from.*member) == write(T{}.*member);
                   return says_nothing ? std::nullopt : std::optional<V>(from.*member);
                 }
               });
  }
  /// A key whose value goes where `put(T&, V)` puts it and is written when `get(const T&)`, a `V`
  /// or a `std::optional<V>`, has one. A mapping has exactly one of its keys with
  /// `Presence::OneOf`.
  template <typename V, typename Put, typename Get>
  Table& key(FieldSchema field, Codec<V> value, Put put, Get get) {
    field.value = value.schema;
    auto read_value = [read = std::move(value.read), put = std::move(put)](
                          const Node& node, ParseContext& context, T& into) {
      put(into, read(node, context));
    };
    auto write_value = [write = std::move(value.write),
                        get = std::move(get)](const T& from) -> std::optional<Node> {
      const std::optional<V> found = get(from);
      return found ? write(*found) : std::nullopt;
    };
    rows_.push_back({std::move(field), std::move(read_value), std::move(write_value)});
    return *this;
  }
  /// The name of before of the key that was added last: it is read, and a note says the new one.
  Table& formerly(std::string name) {
    rows_.back().field.former = std::move(name);
    return *this;
  }
  /// What the key that was added last may look like.
  Table& example(std::string line) {
    rows_.back().field.example = std::move(line);
    return *this;
  }
  /// One of several keys that say of which sort a `T` is: `details`, with `tag` at this value.
  template <typename M, typename V>
  Table& sort(FieldSchema field, M T::*tag, V value, Codec<T> details) {
    field.presence = Presence::OneOf;
    return key(
        std::move(field), std::move(details),
        [tag, value](T& into, T read) {
          into = std::move(read);
          into.*tag = value;
        },
        [tag, value](const T& from) {
          return from.*tag == value ? std::optional<T>(from) : std::nullopt;
        });
  }
  /// One of several keys, each of which stands for another alternative of the variant `T`.
  template <typename A>
  Table& alternative(std::string name, Codec<A> value, std::string doc) {
    return key(
        {std::move(name), std::move(doc), Presence::OneOf}, std::move(value),
        [](T& into, A read) { into = std::move(read); },
        [](const T& from) {
          const A* found = std::get_if<A>(&from);
          return found != nullptr ? std::optional<A>(*found) : std::nullopt;
        });
  }
  /// All keys of another table, about a part of a `T`: `open(T&) -> U&` is where they are read
  /// into, `look(const T&) -> const U*` what is written, null for nothing.
  template <typename U, typename Open, typename Look>
  Table& include(const Table<U>& part, Open open, Look look) {
    for (const auto& row : part.rows_) {
      rows_.push_back(
          {.field = row.field,
           .read = [read = row.read, open](const Node& node, ParseContext& context,
                                           T& into) { read(node, context, open(into)); },
           .write = [write = row.write, look](const T& from) -> std::optional<Node> {
             const U* found = look(from);
             return found != nullptr ? write(*found) : std::nullopt;
           }});
    }
    for (const auto& finish : part.finishes_) {
      finally([finish, open](T& into, const Node& node, ParseContext& context) {
        finish(open(into), node, context);
      });
    }
    return *this;
  }
  /// The same of a part that is always there: `part(T&) -> U&`, also for a constant `T`.
  template <typename U, typename Part>
  Table& include(const Table<U>& table, Part part) {
    return include(table, part, [part](const T& from) { return &part(from); });
  }
  /// What is to be done once all keys are read, with the mapping that they stand in.
  Table& finally(std::function<void(T&, const Node&, ParseContext&)> finish) {
    finishes_.push_back(std::move(finish));
    return *this;
  }

  [[nodiscard]] Codec<T> codec() const {
    auto schema = std::make_shared<Schema>(schema_);
    for (const Row& row : rows_) {
      schema->fields.push_back(row.field);
    }
    const auto table = std::make_shared<const Table>(*this);
    return {.schema = schema,
            .read = [schema, table](
                        const Node& node,
                        ParseContext& context) { return table->read(node, *schema, context); },
            .write = [table](const T& value) { return table->write(value); }};
  }

 private:
  template <typename>
  friend class Table;

  struct Row {
    FieldSchema field;
    std::function<void(const Node&, ParseContext&, T&)> read;
    std::function<std::optional<Node>(const T&)> write;
  };

  template <typename V, typename M>
  static auto put_into(M T::*member) {
    return [member](T& into, V value) {
      if constexpr (std::is_arithmetic_v<M>) {
        into.*member = static_cast<M>(value);
      } else {
        into.*member = std::move(value);
      }
    };
  }

  T read(const Node& node, const Schema& schema, ParseContext& context) const {
    T value{};
    const std::size_t before = context.problems.count();
    if (!check_keys(node, schema, context)) {
      return value;
    }
    context.around.push_back(&schema);
    for (const Node::Entry& entry : node.entries) {
      for (const Row& row : rows_) {
        if (row.field.is_called(entry.key)) {
          row.read(entry.value, context, value);
        }
      }
    }
    context.around.pop_back();
    // Of a value that is wrong in a part, what is wrong as a whole may only follow from that.
    context.problems.mute(context.problems.count() > before);
    for (const auto& finish : finishes_) {
      finish(value, node, context);
    }
    context.problems.mute(false);
    return value;
  }

  /// A `T` of which no key would be written, though there must be one, is none of this table.
  std::optional<Node> write(const T& value) const {
    Node node{.kind = Node::Kind::Mapping};
    bool lacks_one = false;
    bool has_one = false;
    for (const Row& row : rows_) {
      std::optional<Node> written = row.write(value);
      const bool is_one = row.field.presence == Presence::OneOf;
      lacks_one = lacks_one || is_one;
      has_one = has_one || (is_one && written);
      if (written) {
        node.entries.push_back({.key = row.field.name, .place = {}, .value = *std::move(written)});
      }
    }
    return lacks_one && !has_one ? std::nullopt : std::optional<Node>(std::move(node));
  }

  Schema schema_;  // without its fields
  std::vector<Row> rows_;
  std::vector<std::function<void(T&, const Node&, ParseContext&)>> finishes_;
};

/// A list of values of the same kind; `title` with its article: "a list of clients".
template <typename T>
[[nodiscard]] Codec<std::vector<T>> list_of(std::string title, Codec<T> item) {
  const SchemaPtr schema = std::make_shared<Schema>(
      Schema{.kind = Schema::Kind::List, .title = std::move(title), .item = item.schema});
  auto read = [schema, read_item = std::move(item.read)](const Node& node, ParseContext& context) {
    std::vector<T> out;
    if (node.kind != Node::Kind::Sequence) {
      put_wrong_kind(node, *schema, context);
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      if (i > 0 && continues_mistake(node.items[i - 1], node.items[i], *schema->item)) {
        context.excused.insert(&node.items[i]);
      }
      out.push_back(read_item(node.items[i], context));
    }
    return out;
  };
  auto write = [write_item = std::move(item.write)](const std::vector<T>& values) {
    Node node{.kind = Node::Kind::Sequence};
    for (const T& value : values) {
      node.items.push_back(write_item(value).value());
    }
    return node;
  };
  return {schema, std::move(read), std::move(write)};
}

/// The same list, which has at least one entry.
template <typename T>
[[nodiscard]] Codec<std::vector<T>> some_of(std::string title, Codec<T> item) {
  Codec<std::vector<T>> list = list_of(title, std::move(item));
  list.read = [read = std::move(list.read), title = std::move(title)](const Node& node,
                                                                      ParseContext& context) {
    if (node.kind == Node::Kind::Sequence && node.items.empty()) {
      context.problems.add({node.place, fmt::format("an empty list where {} belongs", title),
                            "at least one entry", ""});
    }
    return read(node, context);
  };
  return list;
}

/// A value with a short form: `demo` for `{name: demo}`. A scalar is read by `brief`, anything else
/// by `full`. What `brief` writes is taken if it says the same.
template <typename T>
[[nodiscard]] Codec<T> or_short(Codec<T> brief, Codec<T> full) {
  const SchemaPtr schema =
      std::make_shared<Schema>(Schema{.kind = Schema::Kind::Either,
                                      .title = full.schema->title,
                                      .doc = full.schema->doc,
                                      .alternatives = {brief.schema, full.schema}});
  auto read = [schema, brief, full](const Node& node, ParseContext& context) {
    if (put_key_of_short_form(node, *brief.schema, *full.schema, context)) {
      return T{};
    }
    return node.kind == Node::Kind::Scalar ? brief.read(node, context) : full.read(node, context);
  };
  auto write = [brief, full](const T& value) {
    std::optional<Node> in_short = brief.write(value);
    std::optional<Node> in_full = full.write(value);
    ParseContext context;
    const bool says_the_same = in_short && full.write(brief.read(*in_short, context)) == in_full;
    return says_the_same ? in_short : in_full;
  };
  return {schema, std::move(read), std::move(write)};
}

/// The same piece of the language for something else. `back` gives a `From` or, for what cannot be
/// said so, a `std::optional<From>` without a value.
template <typename From, typename Convert, typename Back>
[[nodiscard]] auto converted(Codec<From> from, Convert convert, Back back)
    -> Codec<decltype(convert(std::declval<From>()))> {
  using To = decltype(convert(std::declval<From>()));
  auto read = [read_from = std::move(from.read), convert = std::move(convert)](
                  const Node& node, ParseContext& context) -> To {
    return convert(read_from(node, context));
  };
  auto write = [write_from = std::move(from.write),
                back = std::move(back)](const To& value) -> std::optional<Node> {
    const std::optional<From> found = back(value);
    return found ? write_from(*found) : std::nullopt;
  };
  return {from.schema, std::move(read), std::move(write)};
}

/// A `T` of which only this member is said.
template <typename T, typename M>
[[nodiscard]] Codec<T> as_member(M T::*member, Codec<M> value) {
  return converted(
      std::move(value),
      [member](M read) {
        T made{};
        made.*member = std::move(read);
        return made;
      },
      [member](const T& from) { return from.*member; });
}

/// The same piece of the language with something to be done once a value was read.
template <typename T>
[[nodiscard]] Codec<T> finished(Codec<T> value,
                                std::function<void(T&, Place, ParseContext&)> finish) {
  value.read = [read = std::move(value.read), finish = std::move(finish)](const Node& node,
                                                                          ParseContext& context) {
    T found = read(node, context);
    finish(found, node.place, context);
    return found;
  };
  return value;
}

/// The same piece of the language with a further check, which is asked of what was read without a
/// problem.
template <typename T>
[[nodiscard]] Codec<T> checked(Codec<T> value,
                               std::function<void(const T&, Place, ParseContext&)> check) {
  value.read = [read = std::move(value.read), check = std::move(check)](const Node& node,
                                                                        ParseContext& context) {
    const std::size_t before = context.problems.count();
    T found = read(node, context);
    if (context.problems.count() == before && !context.excused.contains(&node)) {
      check(found, node.place, context);
    }
    return found;
  };
  return value;
}

/// One of several words, each of which stands for a value.
template <typename T>
[[nodiscard]] Codec<T> choice(std::string title,
                              const std::vector<std::pair<std::string, T>>& meanings) {
  std::vector<std::string> words;
  for (const auto& [name, meaning] : meanings) {
    words.push_back(name);
  }
  return converted(
      word(std::move(title), std::move(words)),
      [meanings](const std::string& name) {
        return std::find_if(meanings.begin(), meanings.end(),
                            [&](const auto& each) { return each.first == name; })
            ->second;
      },
      [meanings](const T& value) {
        const auto found = std::find_if(meanings.begin(), meanings.end(),
                                        [&](const auto& each) { return each.second == value; });
        return found == meanings.end() ? std::nullopt : std::optional(found->first);
      });
}

/// One of some words or a duration. `at` makes a `T` of a duration, and `time_of` gives that of one
/// that was made so, for all others a `std::optional` without a value.
template <typename T, typename At, typename TimeOf>
[[nodiscard]] Codec<T> word_or_duration(Codec<T> words, std::string doc, At at, TimeOf time_of) {
  const Codec<T> time = converted(duration(), std::move(at), std::move(time_of));
  const SchemaPtr schema =
      std::make_shared<Schema>(Schema{.kind = Schema::Kind::Either,
                                      .title = words.schema->title,
                                      .doc = std::move(doc),
                                      .choices = words.schema->choices,
                                      .alternatives = {words.schema, time.schema}});
  auto read = [schema, words, time](const Node& node, ParseContext& context) {
    if (std::ranges::count(schema->choices, node.text) > 0) {
      return words.read(node, context);
    }
    if (node.text.find_first_of("0123456789") == 0) {
      return time.read(node, context);
    }
    put_wrong_text(node, *schema, context);
    return T{};
  };
  auto write = [words, time](const T& value) {
    std::optional<Node> written = time.write(value);
    return written ? written : words.write(value);
  };
  return {schema, std::move(read), std::move(write)};
}

}  // namespace watchlab::scenarios
