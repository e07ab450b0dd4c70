#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace watchlab::sim {

/// A moment as protobuf has it.
struct KindMoment {
  std::int64_t seconds = 0;  ///< since 1970, negative before
  std::int32_t nanos = 0;

  bool operator==(const KindMoment&) const = default;
};

/// What a text in RFC 3339 says; nothing for another text.
[[nodiscard]] std::optional<KindMoment> kind_moment_from(std::string_view text);
/// The text, in UTC, to the microsecond or the second; "" for a year beyond 9999.
[[nodiscard]] std::string text_of(const KindMoment& moment, bool micros);

}  // namespace watchlab::sim
