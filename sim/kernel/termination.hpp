#pragma once

#include <string>

namespace watchlab::sim {

/// From the first call on, a task of a world that calls `std::terminate` ends its run with a
/// finding instead of ending the process. Examples: an exception leaves a `noexcept` function or a
/// destructor, or a `std::thread` is destroyed while joinable. The task is not unwound, as in a
/// process that ends: what its frames own is leaked. If no task is running, the previous handler is
/// called. A program that later sets its own handler overrides this until the next run starts.
void catch_terminations();

/// Calls `function(argument)`. If an exception is about to leave it, the calling task's world is
/// told (`Scheduler::exception_escapes`) before any frame has been unwound, on platforms on which
/// we know how to do that.
void call_watched(void (*function)(void*), void* argument);
[[nodiscard]] bool watches_escapes();

/// "; it was called in wild::Gate::shut() < wild::Gate::~Gate()": the functions on the caller's
/// stack that belong neither to watchlab nor to the C++ library, innermost first, as far as the
/// program's symbols tell. Otherwise "".
[[nodiscard]] std::string functions_on_the_stack();

}  // namespace watchlab::sim
