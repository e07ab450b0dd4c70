#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>

namespace watchlab::runtime {

/// Thrown by a blocking operation of a task when its world is torn down. It is not a
/// `std::exception`, so that handlers for those do not swallow it. `catch (...)` is forbidden in
/// core; use `recover`.
struct TaskKilled {};

/// A panic that `recover` caught.
struct Recovered {
  std::string message;           ///< what the panic said, for log lines
  std::exception_ptr exception;  ///< the panic itself, for rethrowing
};

/// Runs `body` and catches what it throws, like `defer recover()` in Go. Returns nothing if the
/// body returned normally. A `TaskKilled` passes through. Any task may call it.
[[nodiscard]] std::optional<Recovered> recover(const std::function<void()>& body);

/// Runs `body`, then `after`, even if the body panics; the panic then continues. This is `defer` in
/// Go, and no destructor may do it here, because `after` may wait and decide. A `TaskKilled` passes
/// through without `after`, because nothing runs any more in a world that is torn down.
void run_then(const std::function<void()>& body, const std::function<void()>& after);

/// True while a simulated world unwinds a task that has outlived a task that started it. What its
/// guards hold may be gone with that task's frames, so they release nothing.
#if defined(__ELF__)
extern constinit thread_local bool guards_are_void __attribute__((tls_model("initial-exec")));
#else
extern constinit thread_local bool guards_are_void;
#endif

class Runtime;

/// While it lives, declares that the calling OS thread runs tasks of this runtime; the previous
/// declaration is restored afterwards. Each runtime does this on every thread that it uses. Only
/// for code that has no runtime, the nil channel made without one; all other code gets its runtime
/// passed in.
class Running {
 public:
  explicit Running(Runtime& runtime);
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running();

  /// The calling task's runtime. Fails if no task of any runtime is running.
  [[nodiscard]] static Runtime& here();

 private:
  Runtime* const before_;
};

}  // namespace watchlab::runtime
