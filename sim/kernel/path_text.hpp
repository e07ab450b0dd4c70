#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/sim_object.hpp"

namespace watchlab::sim {

/// "delta_fifo.cpp:42": the file without its folder, for people.
[[nodiscard]] inline std::string place_text(const runtime::Location& here) {
  const std::string_view file = here.file_name();
  return std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(here.line());
}

/// The pieces between the separators, one more than there are of these.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// One part of an identity's path, as text: "reflector#2", "@5timer".
struct PathPart {
  ObjectKind kind = ObjectKind::Task;
  std::string name;
  std::uint32_t occurrence = 1;
};

/// A name with everything but letters, digits, '_' and '-' as %XX, so that paths and schedules can
/// be pasted into a shell without quotes.
[[nodiscard]] std::string escape_name(std::string_view name);

/// A text with the names of tasks in it as they were given: "main/watch informer" of
/// "main/watch%20informer", and timers without their kind. For people: it leads no way back to the
/// task.
[[nodiscard]] std::string with_readable_tasks(std::string_view text);

/// Which of these clients a text means: its name as it is, as messages have it, without blanks, or
/// the path of one of its tasks, as "informer" of "main/informer-reflector/list". "" for none.
[[nodiscard]] std::string client_meant(std::string_view text,
                                       const std::vector<std::string>& clients);

/// Nothing when the text is no part of a path.
[[nodiscard]] std::optional<PathPart> parse_path_part(std::string_view text);

}  // namespace watchlab::sim
