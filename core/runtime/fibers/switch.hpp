#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHLAB_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define WATCHLAB_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define WATCHLAB_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define WATCHLAB_TSAN 1
#endif

#if defined(__EMSCRIPTEN__)
// The engine of WebAssembly keeps the calls of a stack; what it keeps in memory is ours.
#define WATCHLAB_WASM_SWITCH 1
// Where shadow stacks may be on, Boost knows what to tell them.
#elif defined(__x86_64__) && defined(__ELF__) && !defined(__CET__) && !defined(WATCHLAB_ASAN) && \
    !defined(WATCHLAB_TSAN)
#define WATCHLAB_OWN_SWITCH 1
#else
#include <boost/context/detail/fcontext.hpp>
#endif

#if defined(WATCHLAB_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(WATCHLAB_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace watchlab::runtime {

/// Memory for one fiber. It grows down from `top`.
struct Stack {
  std::byte* bottom = nullptr;
  std::size_t size = 0;
  bool has_canary = false;  ///< in its lowest word, instead of a guard page below it

  [[nodiscard]] std::byte* top() const { return bottom + size; }
};

/// What the C++ runtime keeps per thread about exceptions in flight: it must be kept per fiber, or
/// two tasks that switch inside a catch block rethrow each other's exception.
struct ExceptionState {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

/// The exception state of this thread, as the C++ runtime stores it.
[[nodiscard]] ExceptionState* exception_state_of_this_thread();

#if defined(WATCHLAB_OWN_SWITCH)
extern "C" {
/// Puts the stack pointer of the running line of execution into `*left` and continues in `entered`,
/// which was left by this function before. It keeps the registers that a called function must keep,
/// but not the rounding modes, which no code here changes. It comes back by a `ret`: the processor
/// guesses where a `ret` leads from the calls before it, and two tasks that stand at the same
/// operation came by the same calls. After an indirect jump, as Boost's switch has it, that guess
/// is wrong in every frame up to the code under test.
void watchlab_switch_stack(void** left, void* entered);
}
#endif

#if defined(WATCHLAB_WASM_SWITCH)
class Fiber;
extern "C" void watchlab_run_fibers(Fiber* fiber);
#endif

/// Whether ThreadSanitizer takes a switch for synchronisation.
enum class Ordering : bool {
  None,    ///< only switches from and to an OS thread's own fiber order anything
  Always,  ///< what an OS thread does, it does one after the other
};

/// One line of execution that can be left and come back to: a task's, or the thread's own. All
/// fibers of a simulated world belong to one OS thread; those of `FiberRuntime` continue on any.
/// The switch takes some 2 ns; it is inline because each frame between an operation and the switch
/// costs more than the switch. On processors and with sanitizers for which we have none of our own
/// it is Boost's; in WebAssembly that of switch_wasm.js.
class Fiber {
 public:
  using Entry = void (*)(void* argument);

  Fiber() = default;
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  /// Prepares to run `entry`, which must never return, on this stack.
  void prepare(const Stack& stack, Entry entry, void* argument);
  /// Forgets the line of execution, which may lie in the middle of something. The fiber must not be
  /// the running one.
  void forget();

  /// Where it is kept where the stack stood when this fiber was left; for debuggers.
  [[nodiscard]] const void* context() const { return &context_; }

  /// Leaves `from`, which must be the running fiber, and continues in `to`. Returns when a fiber
  /// switches back, perhaps on another OS thread. With `last`, none ever will. `state` is this
  /// thread's exception state.
  template <Ordering kOrdering = Ordering::None>
#if defined(WATCHLAB_TSAN)
  __attribute__((no_sanitize("thread")))
#endif
  static void
  switch_over(Fiber& from, Fiber& to, ExceptionState* state, bool last = false) {
    from.exceptions_ = *state;
    *state = to.exceptions_;
#if !defined(WATCHLAB_OWN_SWITCH) && !defined(WATCHLAB_WASM_SWITCH)
    to.came_from_ = &from;
#endif
#if defined(WATCHLAB_ASAN)
    __sanitizer_start_switch_fiber(last ? nullptr : &from.fake_stack_, to.bottom_, to.size_);
#endif
#if defined(WATCHLAB_TSAN)
    if (from.tsan_ == nullptr) {
      from.tsan_ = __tsan_get_current_fiber();
      from.owns_tsan_ = false;
    }
    // A switch between tasks is no synchronisation; one from or to the thread's own fiber is.
    const bool orders =
        kOrdering == Ordering::Always || from.entry_ == nullptr || to.entry_ == nullptr;
    __tsan_switch_to_fiber(to.tsan_, orders ? 0 : __tsan_switch_to_fiber_no_sync);
#endif
    (void)last;
#if defined(WATCHLAB_WASM_SWITCH)
    from.leave(to, last);
#elif defined(WATCHLAB_OWN_SWITCH)
    watchlab_switch_stack(&from.context_, to.context_);
#else
    arrive(boost::context::detail::jump_fcontext(to.context_, &to));
#endif
  }

 private:
#if defined(WATCHLAB_WASM_SWITCH)
  friend void watchlab_run_fibers(Fiber* fiber);

  /// With `last` it returns, and the fiber is left once its entry has returned.
  void leave(Fiber& to, bool last);

  Entry entry_ = nullptr;
  void* argument_ = nullptr;
  Fiber* successor_ = nullptr;  ///< of a fiber that has come to its end
  Stack stack_;                 ///< none for the thread's own
#elif !defined(WATCHLAB_OWN_SWITCH)
/// The first thing after each jump, on the fiber that was jumped to.
#if defined(WATCHLAB_TSAN)
  __attribute__((no_sanitize("thread")))
#endif
  static Fiber&
  arrive(const boost::context::detail::transfer_t& jump) {
    Fiber& here = *static_cast<Fiber*>(jump.data);
    here.came_from_->context_ = jump.fctx;
#if defined(WATCHLAB_ASAN)
    Fiber& previous = *here.came_from_;
    __sanitizer_finish_switch_fiber(here.fake_stack_, &previous.bottom_, &previous.size_);
#endif
    return here;
  }
  static void begin(boost::context::detail::transfer_t jump);

  Entry entry_ = nullptr;
  void* argument_ = nullptr;
  Fiber* came_from_ = nullptr;
#endif
  void* context_ = nullptr;  ///< where its stack stood when it was left
  ExceptionState exceptions_;
#if defined(WATCHLAB_ASAN)
  void* fake_stack_ = nullptr;
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
#endif
#if defined(WATCHLAB_TSAN)
  void* tsan_ = nullptr;
  bool owns_tsan_ = true;
#endif
};

#if defined(WATCHLAB_TSAN)
extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

/// While it lives, ThreadSanitizer takes no note of what the running task touches. To
/// ThreadSanitizer tasks are threads that nothing orders but what `SyncPoint` reports, and the
/// kernel's own memory, which all of them use one at a time, would be one great race. First line
/// of everything that code under test can call. Without ThreadSanitizer it is nothing.
class Quiet {
 public:
#if defined(WATCHLAB_TSAN)
  Quiet() {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  ~Quiet() {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
#else
  Quiet() {}  // NOLINT: not trivial, so that no compiler calls it unused
#endif
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
};

}  // namespace watchlab::runtime
