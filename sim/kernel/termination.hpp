#pragma once

#include <string>

namespace watchlab::sim {

/// From the first call on, `std::terminate` that a task of a world calls ends its run with a
/// finding, and not the process: an exception that leaves a `noexcept` function or a destructor, a
/// `std::thread` that is joinable at its end. Nothing unwinds the task, as nothing would in a
/// process that ends: what its frames own is leaked. Where no task runs, the handler that was set
/// before is called. A program that sets a handler of its own later has the last word until the
/// next run begins.
void catch_terminations();

/// Calls `function(argument)`. When an exception is about to leave it, the world of the task that
/// calls is told so (`Scheduler::exception_escapes`) before any frame has unwound. Where we do not
/// know how to do that, it is not.
void call_watched(void (*function)(void*), void* argument);
[[nodiscard]] bool watches_escapes();

/// "; it was called in wild::Gate::shut() < wild::Gate::~Gate()": the functions of the caller's
/// stack that are not of watchlab or of the C++ library, the innermost first, as far as the symbols
/// of the program tell. Nothing where they tell nothing.
[[nodiscard]] std::string functions_on_the_stack();

}  // namespace watchlab::sim
