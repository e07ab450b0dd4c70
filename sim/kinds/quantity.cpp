#include "sim/kinds/quantity.hpp"

#include <algorithm>
#include <array>

namespace watchlab::sim {

namespace {

/// In rising order: a thousand times, or 1024 times, the one before.
constexpr std::array<std::string_view, 10> kThousands{"n", "u", "m", "",  "k",
                                                      "M", "G", "T", "P", "E"};
constexpr std::array<std::string_view, 7> kBinary{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
constexpr int kThousand = 1000;
constexpr int kKibi = 1024;

/// The index of a word in a list; the size of the list if it is not there.
template <typename List>
std::size_t place_in(const List& list, std::string_view word) {
  return static_cast<std::size_t>(std::ranges::find(list, word) - list.begin());
}

}  // namespace

std::optional<Quantity> Quantity::from(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  text.remove_prefix(is_negative || text.starts_with('+') ? 1 : 0);
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string_view number = text.substr(0, end);
  const std::string_view unit = text.substr(end);
  const std::size_t dot = std::min(number.find('.'), number.size());
  const std::size_t binary = place_in(kBinary, unit);
  const std::size_t thousands = place_in(kThousands, unit);
  const bool has_digits = number.find_first_of("0123456789") != std::string_view::npos;
  if (!has_digits || number.find('.', dot + 1) != std::string_view::npos ||
      (binary == kBinary.size() && thousands == kThousands.size())) {
    return std::nullopt;
  }
  Quantity made;
  made.is_binary_ = binary > 0 && binary < kBinary.size();
  Nanos one = made.is_binary_ ? kUnit : 1;
  for (std::size_t i = 0; i < (made.is_binary_ ? binary : thousands); ++i) {
    one *= made.is_binary_ ? kKibi : kThousand;
  }
  constexpr Nanos kTen = 10;
  for (const char digit : number.substr(0, dot)) {
    made.nanos_ = std::min(made.nanos_ * kTen + (digit - '0') * one, kMost);
  }
  Nanos part = one;
  for (std::size_t i = dot + 1; i < number.size() && part > 0; ++i) {
    const Nanos before = part;
    part /= kTen;
    // A fraction below a billionth is rounded up to one.
    made.nanos_ += before < kTen ? (number[i] > '0' ? 1 : 0) : (number[i] - '0') * part;
  }
  made.nanos_ = is_negative ? -made.nanos_ : made.nanos_;
  return made;
}

std::string Quantity::text() const {
  const bool is_whole = nanos_ % kUnit == 0;
  Nanos left = is_binary_ && is_whole ? nanos_ / kUnit : nanos_;
  const int step = is_binary_ && is_whole ? kKibi : kThousand;
  const std::size_t last = is_binary_ && is_whole ? kBinary.size() - 1 : kThousands.size() - 1;
  std::size_t unit = 0;
  while (left != 0 && unit < last && left % step == 0) {
    left /= step;
    ++unit;
  }
  const std::string_view name = left == 0                ? std::string_view()
                                : is_binary_ && is_whole ? kBinary.at(unit)
                                                         : kThousands.at(unit);
  const bool is_negative = left < 0;
  std::string digits;
  constexpr int kTen = 10;
  for (left = is_negative ? -left : left; left > 0; left /= kTen) {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(left % kTen)));
  }
  return (is_negative ? "-" : "") + (digits.empty() ? "0" : digits) + std::string(name);
}

Quantity& Quantity::operator+=(const Quantity& other) {
  is_binary_ = nanos_ == 0 ? other.is_binary_ : is_binary_;
  nanos_ = std::clamp(nanos_ + other.nanos_, -kMost, kMost);
  return *this;
}

Quantity& Quantity::operator-=(const Quantity& other) {
  is_binary_ = nanos_ == 0 ? other.is_binary_ : is_binary_;
  nanos_ = std::clamp(nanos_ - other.nanos_, -kMost, kMost);
  return *this;
}

}  // namespace watchlab::sim
