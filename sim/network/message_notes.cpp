#include "sim/network/message_notes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace watchlab::sim {

namespace {

std::string without_spaces(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

}  // namespace

std::uint64_t MessageNotes::send(const Way& way) {
  const std::uint64_t message = next_++;
  write("send", message, way);
  return message;
}

void MessageNotes::write(std::string_view kind, std::uint64_t message, const Way& way) {
  if (enabled_) {
    const std::string subject = fmt::format("m{}", message);
    const std::string text =
        fmt::format("{} {} {}", without_spaces(way.from), without_spaces(way.to), way.what);
    runtime_.note({kind, subject, text});
  }
}

}  // namespace watchlab::sim
