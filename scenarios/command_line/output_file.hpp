#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace watchlab::scenarios {

/// All bytes of a file; nothing when it cannot be read. See `read_input`.
[[nodiscard]] std::optional<std::string> read_file(const std::string& path);

/// Whether an output goes into a file: "-" is standard output, wherever a name of one can stand.
[[nodiscard]] inline bool names_a_file(std::string_view path) {
  return !path.empty() && path != "-";
}

/// Where a link leads in the end, also if nothing is there; the path itself where it is none.
[[nodiscard]] std::string behind_links(const std::string& path);

/// Why `write_file` could not write there, as far as that shows without writing; "" when nothing
/// does. What it cannot see, such as a disk that is full, `write_file` reports.
[[nodiscard]] std::string write_problem(const std::string& path);

/// Writes an output, the one way to do so. A regular file is written whole or not at all: into a
/// temporary one beside it, which then takes its place and its mode. Anything else, a device, a
/// pipe, a link, standard output by any of its names, is written through. Returns what is wrong,
/// with path and reason; "" when nothing is.
[[nodiscard]] std::string write_file(const std::string& path, std::string_view text);

/// The same for a name that the program has chosen and not the caller, synced as below: what stands
/// there and is no regular file, a link for one, is replaced and not followed.
[[nodiscard]] std::string write_own_file(const std::string& path, std::string_view text);

/// The same as `write_file` for a file that no other user may read; one that is there is closed to
/// them first.
[[nodiscard]] std::string write_private_file(const std::string& path, std::string_view text);

/// The same as `write_file` for what must outlast a crash of the machine: returns when a regular
/// file has arrived on its disk.
[[nodiscard]] std::string write_file_synced(const std::string& path, std::string_view text);

/// Makes a folder of this name, and more letters, among temporary files. Throws
/// `std::runtime_error` that says why there can be none, and where.
[[nodiscard]] std::string make_temporary_folder(const std::string& name);

/// "path: cannot be written: why", of an error as errno has it; "" for none.
[[nodiscard]] std::string problem_with(std::string_view path, int failure);

}  // namespace watchlab::scenarios
