#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace watchlab::runtime {

/// A value on its way through a channel, or nothing. What carries it does not know its type; what
/// packs and unpacks it does. A small value, such as a shared pointer, lies in it,
/// because most sends carry nothing larger and would otherwise allocate for it; any other lies in
/// a box. Moving one leaves nothing behind.
class AnyValue {
 public:
  AnyValue() = default;
  AnyValue(AnyValue&& other) noexcept { take(other); }
  AnyValue& operator=(AnyValue&& other) noexcept {
    if (this != &other) {
      reset();
      take(other);
    }
    return *this;
  }
  AnyValue(const AnyValue&) = delete;
  AnyValue& operator=(const AnyValue&) = delete;
  ~AnyValue() { reset(); }

  template <typename T>
  [[nodiscard]] static AnyValue of(T value) {
    AnyValue any_value;
    if constexpr (kFits<T>) {
      new (any_value.room_.data()) T(std::move(value));
    } else {
      new (any_value.room_.data()) T*(new T(std::move(value)));
    }
    any_value.kind_ = &kKindOf<T>;
    return any_value;
  }
  /// Takes the value out; nothing if there is none. It must have been packed as a `T`.
  template <typename T>
  [[nodiscard]] std::optional<T> unpack() {
    std::optional<T> value;
    if (kind_ != nullptr) {
      value.emplace(std::move(content<T>(room_.data())));
      reset();
    }
    return value;
  }

  /// Whether there is a value.
  [[nodiscard]] explicit operator bool() const { return kind_ != nullptr; }
  void reset() {
    if (kind_ != nullptr) {
      const Kind* const kind = std::exchange(kind_, nullptr);
      if (kind->destroy != nullptr) {
        kind->destroy(room_.data());
      }
    }
  }

 private:
  static constexpr std::size_t kRoom = sizeof(std::shared_ptr<void>);

  /// What can be done with a value of a type that is not known.
  struct Kind {
    /// Makes the one out of the other, which ends; null when copying the room does that.
    void (*move)(std::byte* to, std::byte* from);
    void (*destroy)(std::byte* at);  ///< null when there is nothing to do
  };

  template <typename T>
  static constexpr bool kFits =
      sizeof(T) <= kRoom && alignof(T) <= alignof(std::shared_ptr<void>) &&
      std::is_nothrow_move_constructible_v<T>;

  template <typename T>
  [[nodiscard]] static T& content(std::byte* at) {
    if constexpr (kFits<T>) {
      return *std::launder(reinterpret_cast<T*>(at));
    } else {
      return **std::launder(reinterpret_cast<T**>(at));
    }
  }
  template <typename T>
  static void move_content(std::byte* to, std::byte* from) {
    T& old = content<T>(from);
    new (to) T(std::move(old));
    old.~T();
  }
  template <typename T>
  static void destroy_content(std::byte* at) {
    if constexpr (kFits<T>) {
      content<T>(at).~T();
    } else {
      delete &content<T>(at);
    }
  }
  template <typename T>
  static constexpr Kind kKindOf{
      kFits<T> && !std::is_trivially_copyable_v<T> ? &move_content<T> : nullptr,
      kFits<T>&& std::is_trivially_destructible_v<T> ? nullptr : &destroy_content<T>};

  void take(AnyValue& other) noexcept {
    if (other.kind_ != nullptr) {
      kind_ = std::exchange(other.kind_, nullptr);
      if (kind_->move != nullptr) {
        kind_->move(room_.data(), other.room_.data());
      } else {
        room_ = other.room_;
      }
    }
  }

  const Kind* kind_ = nullptr;
  alignas(std::shared_ptr<void>) std::array<std::byte, kRoom> room_;
};

}  // namespace watchlab::runtime
