#pragma once

#include <string>

namespace watchlab::scenarios {

/// The path of a file that a later call of this program needs, for a file of that name: in
/// $XDG_STATE_HOME/watchlab, else in ~/.local/state/watchlab, else among temporary files. Makes the
/// folder; whether that worked is seen when the file is written.
[[nodiscard]] std::string state_file(const std::string& name);

/// Makes room for what a new call will keep at that path: what an earlier call has left there, as
/// it was ended before its end, gets the name `path.before`. Returns that; "" when there was none.
[[nodiscard]] std::string set_aside(const std::string& path);
/// Whether an earlier save has left a file there, whole as every file that is written.
[[nodiscard]] bool is_kept(const std::string& path);

/// What to say when a save has failed because of `problem`, and `resume` is the line that goes on
/// from the one before; "" for none.
[[nodiscard]] std::string unkept_text(const std::string& problem, bool has_ended,
                                      const std::string& resume);

/// Whether that is `path` or what was set aside for it.
[[nodiscard]] bool is_own_file(const std::string& file, const std::string& path);

}  // namespace watchlab::scenarios
