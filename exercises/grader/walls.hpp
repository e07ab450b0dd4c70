#pragma once

#include <string>
#include <vector>

namespace watchlab::course {

/// Gives the calling process a keyring of its own: what another program has left in the session's
/// cannot be found. False when the kernel offers none.
[[nodiscard]] bool take_own_keyring();

/// The names of those walls that a process can raise around itself on this machine: "Landlock",
/// "filtered system calls", "own keyring", "no processor clock". Each is raised once, by a process
/// that ends at once.
[[nodiscard]] std::vector<std::string> walls_of_this_machine();

}  // namespace watchlab::course
