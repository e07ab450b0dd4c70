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

/// The pieces between the separators, one more than there are separators.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// The lines of a text, without their ends.
[[nodiscard]] std::vector<std::string_view> lines_in(std::string_view text);

/// One part of an identity's path as text: "reflector#2", "@5timer".
struct PathPart {
  ObjectKind kind = ObjectKind::Task;
  std::string name;
  std::uint32_t occurrence = 1;
};

/// A name with everything except letters, digits, '_' and '-' escaped as %XX, so that paths and
/// schedules need no quotes in a shell.
[[nodiscard]] std::string escape_name(std::string_view name);

/// A text in which task names are as given, "main/watch informer" instead of
/// "main/watch%20informer", and timers have no kind. For people: it cannot be turned back into a
/// task.
[[nodiscard]] std::string with_readable_tasks(std::string_view text);

/// Which of these clients a text means: its name, as in messages, without blanks, or the path of
/// one of its tasks, such as "informer" for "main/informer-reflector/list". "" for none.
[[nodiscard]] std::string client_meant(std::string_view text,
                                       const std::vector<std::string>& clients);

/// Nothing if the text is not part of a path.
[[nodiscard]] std::optional<PathPart> parse_path_part(std::string_view text);

}  // namespace watchlab::sim
