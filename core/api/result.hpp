#pragma once

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/api/error.hpp"
#include "core/runtime/ensure.hpp"

namespace watchlab::api {

/// A value, or the modelled failure that came instead of it: what Go returns as a pair. It may not
/// be dropped; code that needs nothing of the failure says so with `(void)`. Failures that are bugs
/// are exceptions (`EnsureFailed`, `Panic`).
///
///     api::Result<api::ObjectPtr> found = store.get(item);
///     if (!found) return found.error();
///     use(**found);
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit
  template <std::convertible_to<T> Value>
    requires(std::is_class_v<Value> && !std::same_as<Value, T> && !std::same_as<Value, Error>)
  Result(const Value& value)  // NOLINT: implicit
      : content_(std::in_place_index<0>, value) {}
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  [[nodiscard]] bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }

  /// The value. Calling this on an error is a bug.
  [[nodiscard]] const T& value() const& {
    runtime::ensure(ok(), "a failed result has no value");
    return std::get<0>(content_);
  }
  [[nodiscard]] T&& value() && {
    runtime::ensure(ok(), "a failed result has no value");
    return std::get<0>(std::move(content_));
  }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }

  /// The error. Calling this on a value is a bug.
  [[nodiscard]] const Error& error() const {
    runtime::ensure(!ok(), "a successful result has no error");
    return std::get<1>(content_);
  }

 private:
  std::variant<T, Error> content_;
};

/// Success without a value, or a modelled error.
template <>
class [[nodiscard]] Result<void> {
 public:
  // Not defaulted: `return {}` would first fill the room of an error with zeros.
  Result() {}                                        // NOLINT(modernize-use-equals-default)
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit

  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const Error& error() const {
    runtime::ensure(error_.has_value(), "a successful result has no error");
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace watchlab::api
