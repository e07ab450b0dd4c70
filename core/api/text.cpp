#include "core/api/text.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <ostream>

#include "core/runtime/ensure.hpp"

namespace watchlab::api {
namespace {

/// One to seven bytes as they lie in the word of a `Text`, its tag left out. They are put together
/// in a register: a word that is read back after bytes of it were written has to wait for them.
std::uint64_t near_word(std::string_view text) {
  if constexpr (std::endian::native != std::endian::little) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), text.size());
    return word;
  }
  if (text.size() < sizeof(std::uint32_t)) {
    const auto byte = [&](std::size_t i) {
      return std::uint64_t{static_cast<std::uint8_t>(text[i])} << 8 * (i + 1);
    };
    return byte(0) | byte(text.size() / 2) | byte(text.size() - 1);
  }
  std::uint32_t first = 0;
  std::uint32_t last = 0;  // overlaps the first
  std::memcpy(&first, text.data(), sizeof first);
  std::memcpy(&last, text.data() + text.size() - sizeof last, sizeof last);
  return (first | std::uint64_t{last} << 8 * (text.size() - sizeof last)) << 8;
}

}  // namespace

char* TextInMemory::write(char* place, std::string_view text) {
  runtime::ensure(text.size() <= std::numeric_limits<Size>::max(),
                  "a text of an object is shorter than 4 GB");
  const auto size = static_cast<Size>(text.size());
  if (size < kWide) {
    *place++ = static_cast<char>(size);
  } else {
    *place++ = static_cast<char>(kWide);
    std::memcpy(place, &size, sizeof size);
    place += sizeof size;
  }
  text.copy(place, size);
  return place + size;
}

void Text::set(std::string_view text) {
  word_ = 0;
  if (text.empty()) {
    return;
  }
  if (text.size() <= kNearMax) {
    word_ = near_word(text) | kIsNear | text.size() << kSizeShift;
    return;
  }
  auto* const memory = static_cast<char*>(::operator new(TextInMemory::room_for(text)));
  TextInMemory::write(memory, text);
  word_ = reinterpret_cast<std::uintptr_t>(memory);
}

std::ostream& operator<<(std::ostream& out, const Text& text) { return out << text.view(); }

}  // namespace watchlab::api
