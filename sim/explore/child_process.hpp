#pragma once

#include <functional>
#include <optional>
#include <string>

namespace watchlab::sim {

/// Whether this process has one thread only. With more, a child would stand in the middle of what
/// the others were doing, and they would not be there to end it.
[[nodiscard]] bool may_fork();

/// Does `work` in a child of this process, and returns what it returned there; nothing when the
/// child did not come to its end. The memory of the child goes with it, and so does all else that
/// it did, except for what it has written to files. `work` is handed whether it may go on, to ask
/// now and then: not any more once `may_continue`, which is asked in this process a few times a
/// second, has said no, or once this process is gone.
[[nodiscard]] std::optional<std::string> in_child(
    const std::function<std::string(const std::function<bool()>& goes_on)>& work,
    const std::function<bool()>& may_continue);

}  // namespace watchlab::sim
