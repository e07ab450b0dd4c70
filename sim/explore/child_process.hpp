#pragma once

#include <functional>
#include <optional>
#include <string>

namespace watchlab::sim {

/// Whether this process has only one thread, as far as /proc tells; false on systems other than
/// Linux. With more, a child would be in the middle of what other threads were doing, and they
/// would not be there to finish it.
[[nodiscard]] bool may_fork();

/// Runs `work` in a child process and returns its result, or nothing if the child did not finish.
/// All effects on the child's memory are lost, except for what it has written to files. `work` gets
/// a function that tells whether it may go on, to be called now and then: false once
/// `may_continue`, which this process calls a few times a second, has returned false, or once this
/// process is gone.
[[nodiscard]] std::optional<std::string> in_child(
    const std::function<std::string(const std::function<bool()>& goes_on)>& work,
    const std::function<bool()>& may_continue);

}  // namespace watchlab::sim
