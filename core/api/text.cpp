#include "core/api/text.hpp"

#include <limits>
#include <ostream>

#include "core/runtime/ensure.hpp"

namespace watchlab::api {

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
    std::memcpy(const_cast<char*>(near()), text.data(), text.size());
    word_ |= kIsNear | text.size() << kSizeShift;
    return;
  }
  auto* const memory = static_cast<char*>(::operator new(TextInMemory::room_for(text)));
  TextInMemory::write(memory, text);
  word_ = reinterpret_cast<std::uintptr_t>(memory);
}

std::ostream& operator<<(std::ostream& out, const Text& text) { return out << text.view(); }

}  // namespace watchlab::api
