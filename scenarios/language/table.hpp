#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/language/values.hpp"

namespace watchlab::scenarios {

/// Checks a mapping's keys against its shape: unknown ones, missing ones, and those of which there
/// must be exactly one. False when the value is no mapping at all.
[[nodiscard]] bool check_keys(const Node& node, const Schema& schema, ParseContext& context);

/// The keys of one kind of mapping, each with its value, its meaning and its place in a `T`. What a
/// scenario file may say is the sum of these tables; nothing else names a key.
///
/// A value that is a mapping in full is often a scalar in short: see `or_short`.
template <typename T>
class Table {
 public:
  /// `title` with its article: "a client".
  Table(std::string title, std::string doc) : schema_(std::make_shared<Schema>()) {
    schema_->kind = Schema::Kind::Mapping;
    schema_->title = std::move(title);
    schema_->doc = std::move(doc);
  }

  template <typename M, typename V>
  Table& required(std::string name, M T::*member, Parser<V> value, std::string doc) {
    add({std::move(name), std::move(doc), Presence::Required, value.schema},
        assign(member, std::move(value.read)));
    return *this;
  }
  template <typename M, typename V>
  Table& optional(std::string name, M T::*member, Parser<V> value, std::string doc) {
    add({std::move(name), std::move(doc), Presence::Optional, value.schema},
        assign(member, std::move(value.read)));
    return *this;
  }
  /// One of several keys of which a mapping has exactly one.
  template <typename M, typename V>
  Table& one_of(std::string name, M T::*member, Parser<V> value, std::string doc) {
    add({std::move(name), std::move(doc), Presence::OneOf, value.schema},
        assign(member, std::move(value.read)));
    return *this;
  }
  /// The same with functions that put the value where it belongs: `put(T&, value)`.
  template <typename V, typename Put>
  Table& required_with(std::string name, Parser<V> value, Put put, std::string doc) {
    add({std::move(name), std::move(doc), Presence::Required, value.schema},
        call(std::move(value.read), std::move(put)));
    return *this;
  }
  template <typename V, typename Put>
  Table& optional_with(std::string name, Parser<V> value, Put put, std::string doc) {
    add({std::move(name), std::move(doc), Presence::Optional, value.schema},
        call(std::move(value.read), std::move(put)));
    return *this;
  }
  template <typename V, typename Put>
  Table& one_of_with(std::string name, Parser<V> value, Put put, std::string doc) {
    add({std::move(name), std::move(doc), Presence::OneOf, value.schema},
        call(std::move(value.read), std::move(put)));
    return *this;
  }
  /// What is to be done once all keys are read, with the place of the mapping.
  Table& finally(std::function<void(T&, Place, ParseContext&)> finish) {
    finish_ = std::move(finish);
    return *this;
  }

  [[nodiscard]] Parser<T> parser() const {
    const SchemaPtr schema = schema_;
    auto read = [schema, setters = setters_, finish = finish_](const Node& node,
                                                               ParseContext& context) {
      T out{};
      if (!check_keys(node, *schema, context)) {
        return out;
      }
      for (const Node::Entry& entry : node.entries) {
        for (std::size_t i = 0; i < setters.size(); ++i) {
          if (schema->fields[i].name == entry.key) {
            setters[i](entry.value, context, out);
          }
        }
      }
      if (finish) {
        finish(out, node.place, context);
      }
      return out;
    };
    return {schema, std::move(read)};
  }

 private:
  using Setter = std::function<void(const Node&, ParseContext&, T&)>;

  template <typename M, typename Read>
  static Setter assign(M T::*member, Read read) {
    return [member, read = std::move(read)](const Node& node, ParseContext& context, T& out) {
      if constexpr (std::is_arithmetic_v<M>) {
        out.*member = static_cast<M>(read(node, context));
      } else {
        out.*member = read(node, context);
      }
    };
  }
  template <typename Read, typename Put>
  static Setter call(Read read, Put put) {
    return [read = std::move(read), put = std::move(put)](
               const Node& node, ParseContext& context, T& out) { put(out, read(node, context)); };
  }
  void add(FieldSchema field, Setter setter) {
    schema_->fields.push_back(std::move(field));
    setters_.push_back(std::move(setter));
  }

  std::shared_ptr<Schema> schema_;
  std::vector<Setter> setters_;
  std::function<void(T&, Place, ParseContext&)> finish_;
};

/// A list of values of the same kind; `title` with its article: "a list of clients".
template <typename T>
[[nodiscard]] Parser<std::vector<T>> list_of(std::string title, Parser<T> item) {
  const SchemaPtr schema = std::make_shared<Schema>(
      Schema{.kind = Schema::Kind::List, .title = std::move(title), .item = item.schema});
  auto read = [schema, read_item = std::move(item.read)](const Node& node, ParseContext& context) {
    std::vector<T> out;
    if (node.kind != Node::Kind::Sequence) {
      put_wrong_kind(node, *schema, context);
    }
    for (const Node& element : node.items) {
      out.push_back(read_item(element, context));
    }
    return out;
  };
  return {schema, std::move(read)};
}

/// A value with a short form: `demo` for `{name: demo}`. A scalar is read by `brief`, anything else
/// by `full`.
template <typename T>
[[nodiscard]] Parser<T> or_short(Parser<T> brief, Parser<T> full) {
  const SchemaPtr schema =
      std::make_shared<Schema>(Schema{.kind = Schema::Kind::Either,
                                      .title = full.schema->title,
                                      .doc = full.schema->doc,
                                      .alternatives = {brief.schema, full.schema}});
  auto read = [schema, brief_read = std::move(brief.read), full_read = std::move(full.read)](
                  const Node& node, ParseContext& context) {
    return node.kind == Node::Kind::Scalar ? brief_read(node, context) : full_read(node, context);
  };
  return {schema, std::move(read)};
}

/// The same piece of the language, read into something else.
template <typename From, typename Convert>
[[nodiscard]] auto converted(Parser<From> from, Convert convert)
    -> Parser<decltype(convert(std::declval<From>()))> {
  using To = decltype(convert(std::declval<From>()));
  auto read = [read_from = std::move(from.read), convert = std::move(convert)](
                  const Node& node, ParseContext& context) -> To {
    return convert(read_from(node, context));
  };
  return {from.schema, std::move(read)};
}

}  // namespace watchlab::scenarios
