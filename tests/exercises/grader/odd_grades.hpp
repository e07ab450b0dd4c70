#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "exercises/grader/grade.hpp"

namespace watchlab::course {

/// Whether a text is valid UTF-8 without control characters but newlines and tabs: seen by a
/// machine of states that shares nothing with the product's decoder.
inline bool is_plain(std::string_view text) {
  std::size_t left = 0;
  unsigned low = 0x80;  // the next byte is between these
  unsigned high = 0xBF;
  unsigned before = 0;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (left > 0) {
      const bool is_c1 = before == 0xC2 && byte < 0xA0;
      if (byte < low || byte > high || is_c1) {
        return false;
      }
      low = 0x80;
      high = 0xBF;
      --left;
    } else if (byte < 0x80) {
      if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F) {
        return false;
      }
    } else if (byte >= 0xC2 && byte <= 0xF4) {
      left = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
      low = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
      high = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
    } else {
      return false;
    }
    before = byte;
  }
  return left == 0;
}

/// Numbers and texts of all sorts, the same for one seed.
class OddBytes {
 public:
  explicit OddBytes(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {}

  /// From 0 to below `end`.
  std::size_t number(std::size_t end) {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return (state_ >> 11U) % end;
  }
  std::string text(std::size_t parts_max) {
    static const std::string_view parts[] = {
        "a",        "\n",  "\r",           "\033[31m",     "\033]0;x",    "\xE9", "\xE2\x9C",
        "✓",        "🦀",  "\xED\xA0\x80", "\xC2\x9B",     "<&\"'>",      "\x07", "\x7F",
        "\xF4\x90", "]]>", "\\u0000",      "\xE2\x80\xAE", "\xEF\xBF\xBF"};
    std::string text;
    for (std::size_t i = number(parts_max + 1); i > 0; --i) {
      const std::size_t choice = number(std::size(parts) + 1);
      text += choice < std::size(parts) ? std::string(parts[choice])
                                        : std::string(1, static_cast<char>(number(256)));
    }
    return text;
  }
  double points() {
    switch (number(8)) {
      case 0:
        return 0;
      case 1:
        return 100.0 / 3;
      case 2:
        return 100.0 / 12 * 0.5;
      case 3:
        return -7;
      case 4:
        return std::numeric_limits<double>::infinity();
      case 5:
        return std::numeric_limits<double>::quiet_NaN();
      case 6:
        return 1e300;
      default:
        return static_cast<double>(number(10'000)) / 97;
    }
  }

 private:
  std::uint64_t state_;
};

/// A grade as no grader should make it: no cases or many, bonuses, crashes, any bytes.
inline Grade odd_grade(std::uint64_t seed) {
  OddBytes odd(seed);
  static const char* const outcomes[] = {"pass",    "fail",  "killed", "survived",
                                         "invalid", "crash", "hang",   "not_run"};
  Grade grade{.exercise = odd.text(3), .title = odd.text(5)};
  grade.status = static_cast<Grade::Status>(odd.number(3));
  grade.points_max = odd.number(4) == 0 ? odd.points() : 100;
  grade.validity = odd.points();
  grade.summary = odd.text(30);
  const std::size_t cases = odd.number(3) == 0 ? 0 : odd.number(16);
  for (std::size_t i = 0; i < cases; ++i) {
    GradeCase entry{.id = odd.text(4), .kind = "test", .clause = odd.text(2)};
    entry.outcome = outcomes[odd.number(std::size(outcomes))];
    entry.points = odd.points();
    entry.points_max = odd.points();
    entry.hidden = odd.number(3) == 0;
    entry.message = odd.text(20);
    entry.narration = odd.text(200);
    entry.schedule = odd.text(3);
    grade.cases.push_back(entry);
  }
  return grade;
}

/// A grade as graders make it: cases of equal worth, some of them got, some in part.
inline Grade plain_grade(std::uint64_t seed) {
  OddBytes odd(seed);
  Grade grade{.exercise = "E01", .title = "A store", .status = Grade::Status::Finished};
  const std::size_t cases = 1 + odd.number(40);
  const double share = odd.number(2) == 0 ? 1 : 0.5 + static_cast<double>(odd.number(50)) / 100;
  for (std::size_t i = 0; i < cases; ++i) {
    const bool got = odd.number(3) > 0;
    const double most = 100.0 / static_cast<double>(cases);
    grade.cases.push_back({.id = "case",
                           .kind = "defect",
                           .outcome = got ? "killed" : "survived",
                           .points = got ? most * share : 0,
                           .points_max = most});
  }
  return grade;
}

}  // namespace watchlab::course
