#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>

namespace watchlab::runtime {

/// Thrown by a blocking operation of a task whose world is being taken down. It is not a
/// `std::exception`, so that no handler for these swallows it; `catch (...)` in core is forbidden
/// (use `recover`).
struct TaskKilled {};

/// A panic that `recover` caught.
struct Recovered {
  std::string message;           ///< what the panic said, for log lines
  std::exception_ptr exception;  ///< the panic itself, to be thrown on
};

/// Runs `body` and catches what it throws, as `defer recover()` does in Go. Returns nothing when
/// the body came back normally. A `TaskKilled` passes through. Any task may call it.
[[nodiscard]] std::optional<Recovered> recover(const std::function<void()>& body);

/// Runs `body`, then `after`, also when the body panics; the panic then continues. What `defer`
/// does in Go, and what no destructor may do here: `after` may wait and decide. A `TaskKilled`
/// passes through without `after`, because nothing runs any more in a world that is taken down.
void run_then(const std::function<void()>& body, const std::function<void()>& after);

/// True while a simulated world unwinds a task that has outlived a task that started it. What its
/// guards hold may be gone with the frames of that one, so they let go of nothing.
#if defined(__ELF__)
extern constinit thread_local bool guards_are_void __attribute__((tls_model("initial-exec")));
#else
extern constinit thread_local bool guards_are_void;
#endif

class Runtime;

/// Says, while it lives, that the calling OS thread runs tasks of this runtime; what was said
/// before holds again afterwards. Each runtime says so itself, on every thread that it uses. For
/// what has no runtime to ask, the nil channel that was made without a runtime, and for nothing
/// else: all other code is handed its runtime.
class Running {
 public:
  explicit Running(Runtime& runtime);
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running();

  /// The runtime whose task calls. Fails where no task of any runtime runs.
  [[nodiscard]] static Runtime& here();

 private:
  Runtime* const before_;
};

}  // namespace watchlab::runtime
