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
[[nodiscard]] bool check_keys(const Node& node, const Shape& shape, Reading& reading);

/// The keys of one kind of mapping, each with its value, its meaning and its place in a `T`. What a
/// scenario file may say is the sum of these tables; nothing else names a key.
///
/// A value that is a mapping in full is often a scalar in short: see `or_short`.
template <typename T>
class Table {
 public:
  /// `title` with its article: "a client".
  Table(std::string title, std::string doc) : shape_(std::make_shared<Shape>()) {
    shape_->kind = Shape::Kind::Mapping;
    shape_->title = std::move(title);
    shape_->doc = std::move(doc);
  }

  template <typename M, typename V>
  Table& required(std::string name, M T::*member, Typed<V> value, std::string doc) {
    add({std::move(name), std::move(doc), Presence::Required, value.shape},
        assign(member, std::move(value.read)));
    return *this;
  }
  template <typename M, typename V>
  Table& optional(std::string name, M T::*member, Typed<V> value, std::string doc) {
    add({std::move(name), std::move(doc), Presence::Optional, value.shape},
        assign(member, std::move(value.read)));
    return *this;
  }
  /// One of several keys of which a mapping has exactly one.
  template <typename M, typename V>
  Table& one_of(std::string name, M T::*member, Typed<V> value, std::string doc) {
    add({std::move(name), std::move(doc), Presence::OneOf, value.shape},
        assign(member, std::move(value.read)));
    return *this;
  }
  /// The same with functions that put the value where it belongs: `put(T&, value)`.
  template <typename V, typename Put>
  Table& required_with(std::string name, Typed<V> value, Put put, std::string doc) {
    add({std::move(name), std::move(doc), Presence::Required, value.shape},
        call(std::move(value.read), std::move(put)));
    return *this;
  }
  template <typename V, typename Put>
  Table& optional_with(std::string name, Typed<V> value, Put put, std::string doc) {
    add({std::move(name), std::move(doc), Presence::Optional, value.shape},
        call(std::move(value.read), std::move(put)));
    return *this;
  }
  template <typename V, typename Put>
  Table& one_of_with(std::string name, Typed<V> value, Put put, std::string doc) {
    add({std::move(name), std::move(doc), Presence::OneOf, value.shape},
        call(std::move(value.read), std::move(put)));
    return *this;
  }
  /// What is to be done once all keys are read, with the place of the mapping.
  Table& finally(std::function<void(T&, Place, Reading&)> finish) {
    finish_ = std::move(finish);
    return *this;
  }

  [[nodiscard]] Typed<T> typed() const {
    const ShapePtr shape = shape_;
    auto read = [shape, setters = setters_, finish = finish_](const Node& node, Reading& reading) {
      T out{};
      if (!check_keys(node, *shape, reading)) {
        return out;
      }
      for (const Node::Entry& entry : node.entries) {
        for (std::size_t i = 0; i < setters.size(); ++i) {
          if (shape->fields[i].name == entry.key) {
            setters[i](entry.value, reading, out);
          }
        }
      }
      if (finish) {
        finish(out, node.place, reading);
      }
      return out;
    };
    return {shape, std::move(read)};
  }

 private:
  using Setter = std::function<void(const Node&, Reading&, T&)>;

  template <typename M, typename Read>
  static Setter assign(M T::*member, Read read) {
    return [member, read = std::move(read)](const Node& node, Reading& reading, T& out) {
      if constexpr (std::is_arithmetic_v<M>) {
        out.*member = static_cast<M>(read(node, reading));
      } else {
        out.*member = read(node, reading);
      }
    };
  }
  template <typename Read, typename Put>
  static Setter call(Read read, Put put) {
    return [read = std::move(read), put = std::move(put)](
               const Node& node, Reading& reading, T& out) { put(out, read(node, reading)); };
  }
  void add(FieldShape field, Setter setter) {
    shape_->fields.push_back(std::move(field));
    setters_.push_back(std::move(setter));
  }

  std::shared_ptr<Shape> shape_;
  std::vector<Setter> setters_;
  std::function<void(T&, Place, Reading&)> finish_;
};

/// A list of values of the same kind; `title` with its article: "a list of clients".
template <typename T>
[[nodiscard]] Typed<std::vector<T>> list_of(std::string title, Typed<T> item) {
  const ShapePtr shape = std::make_shared<Shape>(
      Shape{.kind = Shape::Kind::List, .title = std::move(title), .item = item.shape});
  auto read = [shape, read_item = std::move(item.read)](const Node& node, Reading& reading) {
    std::vector<T> out;
    if (node.kind != Node::Kind::Sequence) {
      put_wrong_kind(node, *shape, reading);
    }
    for (const Node& element : node.items) {
      out.push_back(read_item(element, reading));
    }
    return out;
  };
  return {shape, std::move(read)};
}

/// A value with a short form: `demo` for `{name: demo}`. A scalar is read by `brief`, anything else
/// by `full`.
template <typename T>
[[nodiscard]] Typed<T> or_short(Typed<T> brief, Typed<T> full) {
  const ShapePtr shape = std::make_shared<Shape>(Shape{.kind = Shape::Kind::Either,
                                                       .title = full.shape->title,
                                                       .doc = full.shape->doc,
                                                       .alternatives = {brief.shape, full.shape}});
  auto read = [shape, brief_read = std::move(brief.read), full_read = std::move(full.read)](
                  const Node& node, Reading& reading) {
    return node.kind == Node::Kind::Scalar ? brief_read(node, reading) : full_read(node, reading);
  };
  return {shape, std::move(read)};
}

/// The same piece of the language, read into something else.
template <typename From, typename Convert>
[[nodiscard]] auto converted(Typed<From> from, Convert convert)
    -> Typed<decltype(convert(std::declval<From>()))> {
  using To = decltype(convert(std::declval<From>()));
  auto read = [read_from = std::move(from.read), convert = std::move(convert)](
                  const Node& node, Reading& reading) -> To {
    return convert(read_from(node, reading));
  };
  return {from.shape, std::move(read)};
}

}  // namespace watchlab::scenarios
