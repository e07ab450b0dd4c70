#pragma once

#include <fmt/core.h>

#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <new>
#include <string>
#include <string_view>

namespace watchlab::api {

/// How a text lies in memory: its size in one byte, or in four behind a 255, then its bytes.
/// Private to this folder.
class TextInMemory {
 public:
  static std::size_t room_for(std::string_view text) {
    return text.size() + (text.size() < kWide ? 1 : 1 + sizeof(Size));
  }
  /// There has to be room. Returns where it ends. It is a bug to write more than 4 GB.
  static char* write(char* place, std::string_view text);
  static std::string_view read(const char* place) {
    const auto first = static_cast<std::uint8_t>(*place);
    if (first < kWide) {
      return {place + 1, first};
    }
    Size size = 0;
    std::memcpy(&size, place + 1, sizeof size);
    return {place + 1 + sizeof size, size};
  }

 private:
  using Size = std::uint32_t;
  static constexpr std::uint8_t kWide = 255;
};

/// A text of an object. To be used as the `std::string` that it stands for: it is made or assigned
/// of one, reads as a `std::string_view`, and turns into a string by itself. It takes a quarter of
/// a string's place, for there are many objects, kept for long. Up to seven bytes lie in it; a
/// longer text lies in memory of its own, or behind its object. What is copied or moved is
/// always a text of its own. A change may move the bytes. At most 4 GB. Not synchronised.
///
/// What a string can and it cannot, `view()` or a copy does: `name.view().rfind('-')`,
/// `std::string(name).c_str()`, `boost::json::parse(body.view())`. A function that gives one as a
/// `const std::string&` would refer to a copy that is gone; it gives a `const Text&`.
class Text {
 public:
  Text() = default;
  Text(const char* text) : Text(std::string_view(text)) {}  // NOLINT: implicit
  /// Explicit, so that `found ? object.metadata.name : a_string` has one type, which is a string.
  explicit Text(std::string_view text) { set(text); }
  explicit Text(const std::string& text) : Text(std::string_view(text)) {}
  /// Of what turns into a string and into a view, as `labels[key]` does.
  template <std::convertible_to<std::string_view> Other>
    requires(!std::same_as<Other, Text>)
  explicit Text(const Other& text) : Text(std::string_view(text)) {}
  Text(const Text& other) : Text(other.view()) {}
  Text(Text&& other) noexcept { take(other); }
  Text& operator=(const Text& other) {
    if (this != &other) {
      *this = Text(other);
    }
    return *this;
  }
  Text& operator=(Text&& other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }
  Text& operator=(std::string_view text) { return *this = Text(text); }
  Text& operator=(const std::string& text) { return *this = Text(text); }
  Text& operator=(const char* text) { return *this = Text(text); }
  /// So that `text = {}` is the empty text: without this it would be a null pointer.
  Text& operator=(std::initializer_list<char> letters) {
    return *this = std::string_view(letters.begin(), letters.size());
  }
  template <std::convertible_to<std::string_view> Other>
    requires(!std::same_as<Other, Text>)
  Text& operator=(const Other& text) {
    return *this = Text(std::string_view(text));
  }
  ~Text() { release(); }

  [[nodiscard]] std::string_view view() const {
    if ((word_ & kIsNear) != 0) {
      return {near(), (word_ & kTag) >> kSizeShift};
    }
    return word_ != 0 ? TextInMemory::read(far()) : std::string_view();
  }
  operator std::string_view() const { return view(); }          // NOLINT: implicit
  operator std::string() const { return std::string(view()); }  // NOLINT: implicit

  [[nodiscard]] bool empty() const { return word_ == 0; }
  [[nodiscard]] std::size_t size() const { return view().size(); }
  [[nodiscard]] const char* data() const { return view().data(); }
  [[nodiscard]] const char* begin() const { return view().data(); }
  [[nodiscard]] const char* end() const { return view().data() + view().size(); }
  [[nodiscard]] char operator[](std::size_t place) const { return view()[place]; }
  [[nodiscard]] char front() const { return view().front(); }
  [[nodiscard]] char back() const { return view().back(); }
  [[nodiscard]] bool starts_with(std::string_view text) const { return view().starts_with(text); }
  [[nodiscard]] bool starts_with(char letter) const { return view().starts_with(letter); }
  [[nodiscard]] bool ends_with(std::string_view text) const { return view().ends_with(text); }
  [[nodiscard]] bool ends_with(char letter) const { return view().ends_with(letter); }
  [[nodiscard]] std::size_t find(std::string_view text, std::size_t from = 0) const {
    return view().find(text, from);
  }
  [[nodiscard]] std::size_t find(char letter, std::size_t from = 0) const {
    return view().find(letter, from);
  }
  [[nodiscard]] std::string substr(std::size_t from, std::size_t size = std::string::npos) const {
    return std::string(view().substr(from, size));
  }

  Text& append(std::string_view text) { return *this = Text(std::string(view()).append(text)); }
  Text& operator+=(std::string_view text) { return append(text); }
  template <std::same_as<char> Letter>  // no number: `resource_version += 1` is a mistake
  Text& operator+=(Letter letter) {
    return append({&letter, 1});
  }
  void clear() { *this = Text(); }

  template <std::convertible_to<std::string_view> Other>
  friend bool operator==(const Text& one, const Other& other) {
    return one.view() == std::string_view(other);
  }
  template <std::convertible_to<std::string_view> Other>
  friend std::strong_ordering operator<=>(const Text& one, const Other& other) {
    return one.view() <=> std::string_view(other);
  }
  friend std::ostream& operator<<(std::ostream& out, const Text& text);

 private:
  friend class Packing;
  // The lowest byte of the word is a tag: that of an address is 0, or kIsBorrowed.
  static constexpr std::uint64_t kTag = 0xff;
  static constexpr std::uint64_t kIsNear = 1;  ///< the bytes lie in the word, their size in the tag
  static constexpr std::uint64_t kIsBorrowed = 2;  ///< it lies behind its object, and goes with it
  static constexpr unsigned kSizeShift = 2;
  static constexpr std::size_t kNearMax = 7;

  [[nodiscard]] const char* near() const {
    return reinterpret_cast<const char*>(&word_) + (std::endian::native == std::endian::little);
  }
  [[nodiscard]] char* far() const {
    return reinterpret_cast<char*>(static_cast<std::uintptr_t>(word_ & ~kIsBorrowed));
  }
  [[nodiscard]] bool is_near() const { return (word_ & kIsNear) != 0 || word_ == 0; }
  [[nodiscard]] bool is_borrowed() const {
    return (word_ & (kIsNear | kIsBorrowed)) == kIsBorrowed;
  }
  /// Without a look at what was there.
  void set(std::string_view text);
  void release() {
    if (!is_near() && !is_borrowed()) {
      ::operator delete(far());
    }
  }
  void take(Text& other) noexcept {
    if (other.is_borrowed()) {
      set(other.view());
    } else {
      word_ = other.word_;
    }
    other.word_ = 0;
  }

  std::uint64_t word_ = 0;
};

/// A part of a `Texts` or of `Labels`: a `std::string_view` that turns into a `std::string` by
/// itself, so that `std::string text = labels.at("a")` compiles.
class TextView : public std::string_view {
 public:
  TextView() = default;
  TextView(std::string_view text) : std::string_view(text) {}           // NOLINT: implicit
  TextView(const Text& text) : std::string_view(text.view()) {}         // NOLINT: implicit
  TextView(const char* text) : std::string_view(text) {}                // NOLINT: implicit
  operator std::string() const { return std::string(data(), size()); }  // NOLINT: implicit

  /// A `TextView`, so that it turns into a string, too.
  [[nodiscard]] TextView substr(std::size_t from, std::size_t size = npos) const {
    return std::string_view::substr(from, size);
  }
};

/// What `+` below is for; `Labels::Place` is one, too.
template <typename Part>
inline constexpr bool kIsText = std::same_as<Part, Text> || std::same_as<Part, TextView>;

/// What a text can be put together with: another, whatever reads as a string, and a letter.
template <typename Part>
concept PartOfText = std::convertible_to<Part, std::string_view> || std::same_as<Part, char>;

/// One for all kinds of texts: with one for each, two kinds together would be ambiguous.
template <PartOfText One, PartOfText Other>
  requires(kIsText<One> || kIsText<Other>)
std::string operator+(const One& one, const Other& other) {
  const auto append = []<typename Part>(std::string& text, const Part& part) {
    if constexpr (std::same_as<Part, char>) {
      text.append(1, part);
    } else {
      text.append(std::string_view(part));
    }
  };
  std::string text;
  append(text, one);
  append(text, other);
  return text;
}

}  // namespace watchlab::api

template <>
struct std::hash<watchlab::api::Text> {
  std::size_t operator()(const watchlab::api::Text& text) const {
    return std::hash<std::string_view>()(text.view());
  }
};

template <>
struct std::hash<watchlab::api::TextView> : std::hash<std::string_view> {};

namespace fmt {

template <>
struct formatter<watchlab::api::Text> : formatter<string_view> {
  template <typename Context>
  auto format(const watchlab::api::Text& text, Context& context) const {
    return formatter<string_view>::format({text.data(), text.size()}, context);
  }
};

}  // namespace fmt
