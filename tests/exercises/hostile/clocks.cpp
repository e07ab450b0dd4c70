// Attacks by what no library decides: clocks and random numbers.

// === asks_for_the_time: of the C library
// fits: tests
// says: it asks for the time
void attack() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
}

// === asks_the_kernel_for_the_time: where no library can listen
void attack() {
  timespec now{};
  must_fail(syscall(SYS_clock_gettime, CLOCK_REALTIME, &now) == 0, "the kernel's clock");
  timeval day{};
  must_fail(syscall(SYS_gettimeofday, &day, nullptr) == 0, "the kernel's day");
  must_fail(syscall(SYS_time, nullptr) > 0, "the kernel's seconds");
  must_fail(syscall(SYS_times, nullptr) > 0, "the kernel's ticks");
}

// === asks_for_the_time_of_files: what was just made has the time of now
void attack() {
  struct stat status {};
  stat("/proc/self", &status);
  must_fail(can_read("/proc/uptime"), "the time since the start");
  must_fail(can_read("/proc/stat"), "the machine's times");
}

// === asks_for_random_numbers: of the C library
// fits: tests
// says: it asks for random numbers
void attack() { srand(static_cast<unsigned>(rand())); }

// === asks_the_kernel_for_random_numbers: where no library can listen
void attack() {
  char bytes[8];
  must_fail(syscall(SYS_getrandom, bytes, sizeof bytes, 0) > 0, "the kernel's random numbers");
  must_fail(can_read("/dev/random"), "the system's random numbers");
  must_fail(can_read("/proc/sys/kernel/random/uuid"), "the kernel's names");
}

// === asks_for_threads: whose order no library decides
// fits: tests
// says: it asks for threads
void attack() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
  pthread_join(thread, nullptr);
}

// === sleeps: for longer than a grader has patience
void attack() {
  static bool tried = false;
  timespec left{1, 0};
  if (!std::exchange(tried, true)) {
    syscall(SYS_nanosleep, &left, nullptr);
  }
}

// === waits_by_timers: descriptors that tell the time
void attack() {
  must_fail(syscall(SYS_timerfd_create, CLOCK_MONOTONIC, 0) >= 0, "a timer");
  rusage usage{};
  must_fail(syscall(SYS_getrusage, RUSAGE_SELF, &usage) == 0, "its own time");
}

// === timers: how much is left of one tells how long it took
void attack() {
  itimerval long_time{};
  long_time.it_value.tv_sec = 10'000;
  must_fail(setitimer(ITIMER_REAL, &long_time, nullptr) == 0, "a timer");
  must_fail(syscall(SYS_timer_create, 0, nullptr, &long_time) == 0, "another timer");
}

// === has_a_process_count: one that counts beside it is a clock
void attack() {
  const long counter = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (counter == 0) {
    _exit(0);
  }
  must_fail(counter > 0, "a process that counts");
  const pid_t other = fork();
  if (other == 0) {
    _exit(0);
  }
  must_fail(other > 0, "another process that counts");
}

// === pipe_times: what was just made has the time of now, to 4 ms
void attack() {
  int ends[2];
  struct stat status {};
  must_fail(pipe(ends) == 0 && fstat(ends[0], &status) == 0 && status.st_mtim.tv_sec != 0,
            "the time when a pipe was made");
}

// === time_of_output: what was just written to has it, too
void attack() {
  for (int descriptor = 0; descriptor < 8; ++descriptor) {
    struct stat status {};
    (void)!write(descriptor, "", 0);
    must_fail(fstat(descriptor, &status) == 0 && status.st_ino != 0,
              "the state of descriptor " + std::to_string(descriptor));
  }
}

// === times_of_paths: folders that change all the time, looked at and not opened
void attack() {
  for (const char* const path : {"/proc/self", "/proc", "/tmp", "/dev", "/", "."}) {
    struct stat status {};
    must_fail(stat(path, &status) == 0, std::string("the state of ") + path);
    must_fail(fstatat(open(path, O_PATH), "", &status, AT_EMPTY_PATH) == 0,
              std::string("the state of an opened ") + path);
    struct statx more {};
    must_fail(statx(AT_FDCWD, path, 0, STATX_MTIME, &more) == 0,
              std::string("more of the state of ") + path);
  }
}

// === coarse_clock_of_vdso: which reads a page, and asks neither the kernel nor the processor
void attack() {
  using Clock = int (*)(clockid_t, timespec*);
  const auto clock =
      reinterpret_cast<Clock>(dlsym(dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD), "clock_gettime"));
  for (const clockid_t which : {CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC_COARSE}) {
    timespec now{};
    must_fail(clock(which, &now) == 0 && now.tv_sec + now.tv_nsec != 0, "a coarse clock");
  }
}

// === page_of_the_clock: the same page, read without a function
static sigjmp_buf next_page;
void attack() {
  for (const int fault : {SIGSEGV, SIGBUS}) {
    signal(fault, [](int) { siglongjmp(next_page, 1); });
  }
  const auto* const code = reinterpret_cast<const volatile int*>(getauxval(AT_SYSINFO_EHDR));
  constexpr int words = 4096 / sizeof *code;
  for (volatile int page = 1; code != nullptr && page <= 6; page = page + 1) {
    for (int word = 0; word < 64 && sigsetjmp(next_page, 1) == 0; ++word) {
      must_fail(code[word - page * words] > 1'000'000'000, "the seconds of the kernel's page");
    }
  }
}

// === maps_the_clock_again: that page anew, where there is none
void attack() {
#if defined(__x86_64__)
  constexpr int map_vdso = 0x2003;  // ARCH_MAP_VDSO_64
  munmap(reinterpret_cast<void*>(getauxval(AT_SYSINFO_EHDR) - 6 * 4096), 8 * 4096);
  must_fail(syscall(SYS_arch_prctl, map_vdso, 0) > 0, "another page of the clock");
#endif
}

// === allows_itself_the_processors_clock: takes back what refuses it
void attack() {
#if defined(__x86_64__)
  must_fail(prctl(PR_SET_TSC, PR_TSC_ENABLE) == 0 && __builtin_ia32_rdtsc() > 0, "its clock");
#endif
}

// === sleeps_a_little: by every call that lets time pass, so that the next run is at another time
void attack() {
  timespec little{0, 1000};
  must_fail(syscall(SYS_nanosleep, &little, nullptr) == 0, "a sleep");
  must_fail(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &little, nullptr) == 0, "a nap");
  must_fail(syscall(SYS_ppoll, nullptr, 0, &little, nullptr, 8) == 0, "a poll");
  must_fail(syscall(SYS_pselect6, 0, nullptr, nullptr, nullptr, &little, nullptr) == 0, "a select");
  sigset_t none{};
  must_fail(syscall(SYS_rt_sigtimedwait, &none, nullptr, &little, 8) < 0 && errno == EAGAIN,
            "a wait for signals");
  int word = 0;
  must_fail(syscall(SYS_futex, &word, 0, 0, &little, nullptr, 0) < 0 && errno == ETIMEDOUT,
            "a wait for a word");
}

// === limits_its_processor_time: a signal comes after so many seconds
void attack() {
  rlimit limit{};
  getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = 1;
  must_fail(setrlimit(RLIMIT_CPU, &limit) == 0, "a limit of its own");
}

// === reads_other_counters: instructions that count cycles or wait for them, by other names
// fits: tests
static sigjmp_buf back;
static bool counts(void (*instruction)(std::uint32_t* low)) {
  std::uint32_t low = 0;
  if (sigsetjmp(back, 1) == 0) {
    instruction(&low);
    return true;
  }
  return false;
}
void attack() {
#if defined(__x86_64__)
  for (const int signal : {SIGSEGV, SIGILL}) {
    (void)::signal(signal, [](int) { siglongjmp(back, 1); });
  }
  must_fail(counts([](std::uint32_t* low) { asm volatile("rdtscp"
                                                         : "=a"(*low)::"rdx", "rcx"); }),
            "rdtscp");
  for (const std::uint32_t counter : {0U, 0x40000000U, 0x40000001U}) {
    static std::uint32_t which;
    which = counter;
    must_fail(counts([](std::uint32_t* low) {
                asm volatile("rdpmc" : "=a"(*low) : "c"(which) : "rdx");
              }),
              "rdpmc");
  }
  must_fail(counts([](std::uint32_t* low) {
              asm volatile(".byte 0x0f, 0x01, 0xfd" : "=a"(*low) : "c"(0) : "rdx");  // rdpru
            }),
            "rdpru");
  must_fail(counts([](std::uint32_t* low) {
              asm volatile(".byte 0x66, 0x0f, 0xae, 0xf1"  // tpause
                           : "=a"(*low)
                           : "c"(1), "a"(0), "d"(0));
            }),
            "tpause");
#endif
}

// === asks_ahead: two questions at once, and whether both are answered yet
// fits: tests
#include <any>
#include <map>
#include <sstream>
#include <variant>
#include <vector>

#include "exercises/toolkit/search.hpp"
#define private public
#include "exercises/toolkit/remote_host.hpp"
#undef private

namespace wc = watchlab::course;
/// The moment of the world, asked for in the running call.
static std::string question() {
  const void* const call = wc::Host::of_suite().running_;
  wc::ByteWriter message;
  message.text("");
  for (const std::uint64_t number : {std::uint64_t{0}, *static_cast<const std::uint64_t*>(call),
                                     wc::kRuntimeObject, std::uint64_t{1}}) {
    message.number(number);
  }
  message.text("");
  const auto size = static_cast<std::uint32_t>(message.bytes().size());
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + message.bytes();
}
static std::size_t answers_in(const std::string& bytes) {
  std::size_t count = 0;
  std::uint32_t size = 0;
  for (std::size_t at = 0; at + sizeof size <= bytes.size(); at += sizeof size + size, ++count) {
    std::memcpy(&size, bytes.data() + at, sizeof size);
  }
  return count;
}
void attack() {
  std::size_t most = 0;
  watchlab::exercise::in_every_world([&](watchlab::runtime::Runtime&) {
    constexpr std::size_t asked = 100;
    std::string questions;
    for (std::size_t i = 0; i < asked; ++i) {
      questions += question();
    }
    (void)::send(wc::kLibraryDescriptor, questions.data(), questions.size(), MSG_NOSIGNAL);
    for (volatile int i = 0; i < 300'000;) {
      i = i + 1;
    }
    static char buffer[1 << 16];
    for (std::size_t left = asked; left > 0;) {
      const ssize_t size = ::read(wc::kLibraryDescriptor, buffer, sizeof buffer);
      if (size <= 0) {
        return;
      }
      const std::size_t count = answers_in(std::string(buffer, static_cast<std::size_t>(size)));
      most = std::max(most, count);
      left -= std::min(left, count);
    }
  });
  must_fail(most > 1, std::to_string(most) + " answers are there at once");
}
