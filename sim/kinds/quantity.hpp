#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace watchlab::sim {

/// An amount of a resource that can be requested and limited: "500m", "2Gi", "3". Values beyond the
/// largest unit are capped. Mirrors apimachinery pkg/api/resource, Quantity, without its exponents
/// of ten.
class Quantity {
 public:
  Quantity() = default;
  explicit Quantity(long long whole) : nanos_(Nanos{whole} * kUnit) {}
  /// Nothing for a text that is not a quantity.
  [[nodiscard]] static std::optional<Quantity> from(std::string_view text);

  /// The shortest exact text, in powers of 1024 if it was parsed or summed from such.
  [[nodiscard]] std::string text() const;
  Quantity& operator+=(const Quantity& other);
  Quantity& operator-=(const Quantity& other);
  [[nodiscard]] std::strong_ordering operator<=>(const Quantity& other) const {
    return nanos_ <=> other.nanos_;
  }
  [[nodiscard]] bool operator==(const Quantity& other) const { return nanos_ == other.nanos_; }

 private:
  __extension__ using Nanos = __int128;
  static constexpr long long kUnit = 1'000'000'000;
  static constexpr Nanos kMost = Nanos{1} << 120U;

  Nanos nanos_ = 0;
  bool is_binary_ = false;
};

}  // namespace watchlab::sim
