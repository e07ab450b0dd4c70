#include "sim/kernel/termination.hpp"

#include <cxxabi.h>
#if !defined(_WIN32) && !defined(__EMSCRIPTEN__)
#define WATCHLAB_NAMES_FUNCTIONS 1
#include <dlfcn.h>
#endif
#include <unwind.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string_view>

#include "sim/kernel/scheduler.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
namespace {

constexpr std::size_t kFunctionsMax = 4;

std::atomic<std::terminate_handler> handler_before = nullptr;

[[noreturn]] void on_terminate() {
  World* const world = World::here();
  if (world != nullptr && world->scheduler().runs_on_stack(__builtin_frame_address(0))) {
    world->scheduler().terminate_current();
  }
  if (const std::terminate_handler before = handler_before.load()) {
    before();
  }
  std::abort();
}

#if defined(WATCHLAB_NAMES_FUNCTIONS)

std::string demangled(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : symbol;
}

/// Whether a function is none of ours and none of the C++ library; told by its name alone, without
/// its arguments.
bool is_of_the_program(const std::string& signature, const Dl_info& found) {
  const std::string_view file = found.dli_fname != nullptr ? found.dli_fname : "";
  const std::string_view name = std::string_view(signature).substr(0, signature.find('(', 1));
  const auto begins = [&](std::string_view with) {
    return name.starts_with(with) || name.find(" " + std::string(with)) != std::string_view::npos;
  };
  return file.find("/libstdc++") == std::string_view::npos &&
         file.find("/libgcc_s") == std::string_view::npos &&
         file.find("/libc.so") == std::string_view::npos && !begins("watchlab") &&
         !begins("std::") && !begins("__clang_call_terminate");
}

struct Frames {
  std::array<void*, 64> addresses{};
  std::size_t count = 0;
};

/// Adds a frame to the `Frames` at `all`. The unwinder's own walk, because not every C library has
/// backtrace().
_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* all) {
  Frames& frames = *static_cast<Frames*>(all);
  if (frames.count == frames.addresses.size()) {
    return _URC_END_OF_STACK;
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what the unwinder has
  frames.addresses.at(frames.count++) = reinterpret_cast<void*>(_Unwind_GetIP(context));
  return _URC_NO_REASON;
}

#endif

}  // namespace

#if defined(__x86_64__) && defined(__ELF__)

// A frame without anything to do but to be asked: the search for a handler comes by here before
// anything unwinds, and only when no frame within has one. A handler further out is certain.
__asm__(R"(
  .pushsection .text
  .p2align 4
  .globl watchlab_call_watched
  .hidden watchlab_call_watched
  .type watchlab_call_watched, @function
watchlab_call_watched:
  .cfi_startproc
  .cfi_personality 0x9b, DW.ref.watchlab_escape
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  movq %rdi, %rax
  movq %rsi, %rdi
  callq *%rax
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  ret
  .cfi_endproc
  .size watchlab_call_watched, .-watchlab_call_watched
  .popsection
  .pushsection .data.rel.local.DW.ref.watchlab_escape,"awG",@progbits,DW.ref.watchlab_escape,comdat
  .hidden DW.ref.watchlab_escape
  .weak DW.ref.watchlab_escape
  .p2align 3
  .type DW.ref.watchlab_escape, @object
  .size DW.ref.watchlab_escape, 8
DW.ref.watchlab_escape:
  .quad watchlab_escape
  .popsection
)");

extern "C" {
void watchlab_call_watched(void (*function)(void*), void* argument);

// NOLINTNEXTLINE: its name and its arguments are the unwinder's
__attribute__((visibility("hidden"), used)) _Unwind_Reason_Code watchlab_escape(
    int /*version*/, _Unwind_Action actions, _Unwind_Exception_Class /*of*/,
    _Unwind_Exception* /*exception*/, _Unwind_Context* /*context*/) {
  World* const world = World::here();
  if ((actions & _UA_SEARCH_PHASE) != 0 && world != nullptr &&
      world->scheduler().runs_on_stack(__builtin_frame_address(0))) {
    world->scheduler().exception_escapes();
  }
  return _URC_CONTINUE_UNWIND;
}
}

void call_watched(void (*function)(void*), void* argument) {
  watchlab_call_watched(function, argument);
}

bool watches_escapes() { return true; }

#else

void call_watched(void (*function)(void*), void* argument) { function(argument); }

bool watches_escapes() { return false; }

#endif

void catch_terminations() {
  if (std::get_terminate() != &on_terminate) {
    handler_before = std::set_terminate(&on_terminate);
  }
}

#if !defined(WATCHLAB_NAMES_FUNCTIONS)

std::string functions_on_the_stack() { return ""; }

#else

std::string functions_on_the_stack() {
  Frames frames;
  (void)_Unwind_Backtrace(add_frame, &frames);
  std::string names;
  std::size_t named = 0;
  for (std::size_t i = 0; i < frames.count && named < kFunctionsMax; ++i) {
    Dl_info found{};
    if (dladdr(frames.addresses.at(i), &found) == 0 || found.dli_sname == nullptr) {
      continue;
    }
    const std::string name = demangled(found.dli_sname);
    if (is_of_the_program(name, found)) {
      names += (named++ == 0 ? "; it was called in " : " < ") + name;
    }
  }
  return names;
}

#endif

}  // namespace watchlab::sim
