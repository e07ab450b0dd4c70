#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <shared_mutex>

/// What the headers of this folder define, declared all at once: a class whose header is not
/// included is incomplete and does not compile. Without its name here the standard's would take its
/// place, of which a world knows nothing. Compilers print the line, so it names the header.
namespace watchlab::stdx {

using namespace ::std;  // what is not declared here

class mutex;               // mutex.hpp
class recursive_mutex;     // mutex.hpp
class shared_timed_mutex;  // mutex.hpp
class once_flag;           // mutex.hpp
template <typename Real, bool kRecursive>
class GateMutex;  // mutex.hpp
using timed_mutex = GateMutex<::std::timed_mutex, false>;
using recursive_timed_mutex = GateMutex<::std::recursive_timed_mutex, true>;
using shared_mutex = shared_timed_mutex;

class condition_variable;      // condition_variable.hpp
class condition_variable_any;  // condition_variable.hpp

class thread;       // thread.hpp
class jthread;      // thread.hpp
class stop_token;   // thread.hpp
class stop_source;  // thread.hpp
template <typename Callback>
class stop_callback;  // thread.hpp

// thread.hpp has yield and get_id of the threads, too
namespace this_thread {}
namespace chrono {
using namespace ::std::chrono;  // durations, literals, calendars
struct steady_clock;            // chrono.hpp
struct system_clock;            // chrono.hpp
using high_resolution_clock = steady_clock;
}  // namespace chrono

template <typename T>
class atomic;  // atomic.hpp
template <typename T>
class atomic_ref;   // none
class atomic_flag;  // atomic.hpp
using atomic_bool = atomic<bool>;
using atomic_char = atomic<char>;
using atomic_schar = atomic<signed char>;
using atomic_uchar = atomic<unsigned char>;
using atomic_short = atomic<short>;            // NOLINT
using atomic_ushort = atomic<unsigned short>;  // NOLINT
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_long = atomic<long>;                  // NOLINT
using atomic_ulong = atomic<unsigned long>;        // NOLINT
using atomic_llong = atomic<long long>;            // NOLINT
using atomic_ullong = atomic<unsigned long long>;  // NOLINT
using atomic_int8_t = atomic<::std::int8_t>;
using atomic_uint8_t = atomic<::std::uint8_t>;
using atomic_int16_t = atomic<::std::int16_t>;
using atomic_uint16_t = atomic<::std::uint16_t>;
using atomic_int32_t = atomic<::std::int32_t>;
using atomic_uint32_t = atomic<::std::uint32_t>;
using atomic_int64_t = atomic<::std::int64_t>;
using atomic_uint64_t = atomic<::std::uint64_t>;
using atomic_intptr_t = atomic<::std::intptr_t>;
using atomic_uintptr_t = atomic<::std::uintptr_t>;
using atomic_size_t = atomic<::std::size_t>;
using atomic_ptrdiff_t = atomic<::std::ptrdiff_t>;

template <::std::ptrdiff_t kMost = 0x7fffffff>
class counting_semaphore;  // semaphore.hpp
using binary_semaphore = counting_semaphore<1>;

class latch;          // latch.hpp
struct NoCompletion;  // barrier.hpp
template <typename Completion = NoCompletion>
class barrier;  // barrier.hpp

template <typename T>
class promise;  // future.hpp
template <typename T>
class future;  // future.hpp
template <typename T>
class shared_future;  // future.hpp
template <typename Signature>
class packaged_task;  // future.hpp

}  // namespace watchlab::stdx
