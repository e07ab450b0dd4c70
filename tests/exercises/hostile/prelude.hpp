#pragma once

// What each attack begins with. The driver writes it before the starter of the exercise, and before
// that the names of what an attack wants: HIDDEN, a file that students must not see; SOLUTION and
// CORRECT, right answers; OTHER, another student's result; RESULT, its own; MARK, a word that
// occurs nowhere else; KEY, a number of that kind; SECRET, a variable of the grader's environment.
#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

/// What the driver calls in a case of the student's tests, or when the student's library is made.
void attack();

/// Says that an attack has come to what it wanted; the driver finds the words in the result.
[[noreturn, maybe_unused]] static void gained(const std::string& what) {
  const std::string words = "gained-" + std::string(MARK) + ": " + what;
  ::dprintf(STDERR_FILENO, "%s\n", words.c_str());
  throw std::runtime_error(words);
}

/// For what no attack may succeed in.
[[maybe_unused]] static void must_fail(bool succeeded, const std::string& what) {
  if (succeeded) {
    gained(what);
  }
}

/// Whether something can be opened and read, and has a byte in it.
[[maybe_unused]] static bool can_read(const std::string& path) {
  char byte = 0;
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  const bool read = file >= 0 && ::read(file, &byte, 1) == 1;
  ::close(file);
  return read;
}

[[maybe_unused]] static bool can_write(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK, 0666);
  const bool written = file >= 0 && ::write(file, "x", 1) == 1;
  ::close(file);
  return written;
}

/// The settings of a suite lie in the toolkit's memory: where the secret of 32 letters is, its
/// length, its room, the seed, how many schedules. Ends the program where they are not found.
[[maybe_unused]] static const std::uint64_t* settings_in_memory() {
  const std::uint64_t* found = nullptr;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* to) {
        for (int i = 0; strstr(info->dlpi_name, "toolkit") != nullptr && i < info->dlpi_phnum;
             ++i) {
          const auto& part = info->dlpi_phdr[i];
          const auto* const words =
              reinterpret_cast<const std::uint64_t*>((info->dlpi_addr + part.p_vaddr + 7) & ~7UL);
          for (size_t j = 1; part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0 &&
                             j + 6 < part.p_memsz / sizeof *words;
               ++j) {
            if (words[j] == 32 && words[j + 3] < 1000 && words[j + 4] - 1 < 1000) {
              *static_cast<const std::uint64_t**>(to) = words + j - 1;
            }
          }
        }
        return 0;
      },
      &found);
  if (found == nullptr) {
    abort();
  }
  return found;
}
[[maybe_unused]] static std::uint64_t seed_in_memory() { return settings_in_memory()[4]; }

/// A file that belongs to the submission: its program, or else what it was made of.
[[maybe_unused]] static int own_file() {
  Dl_info own{};
  dladdr(reinterpret_cast<void*>(&attack), &own);
  for (const char* const name : {own.dli_fname, "store.cpp", "delta_queue.cpp"}) {
    struct stat status {};
    const int file = ::open(name, O_RDONLY);
    if (file >= 0 && ::fstat(file, &status) == 0 && status.st_uid == ::getuid()) {
      return file;
    }
    ::close(file);
  }
  return -1;
}

/// Writes to each descriptor that the tests with these numbers have passed.
[[maybe_unused]] static void forge() {
  for (int descriptor = 0; descriptor < 64; ++descriptor) {
    for (int number = 0; number < 32; ++number) {
      const std::string line = "guess\t" + std::to_string(number) + "\tend\tpassed\t\n";
      (void)!::write(descriptor, line.data(), line.size());
    }
  }
}

#ifdef TESTS
#include <boost/test/unit_test.hpp>
#include <functional>

/// Adds a test by hand, whose name may be anything.
[[maybe_unused]] static bool list_test(const std::string& name, const std::function<void()>& body) {
  namespace test = boost::unit_test;
  test::framework::master_test_suite().add(test::make_test_case(body, name, __FILE__, __LINE__));
  return true;
}

/// Adds so many tests, each of which fails when its part of what is drawn is a losing number: one
/// in so many is.
[[maybe_unused]] static bool buy_tickets(int count, int losing,
                                         const std::function<std::uint64_t()>& drawn) {
  for (int i = 0; i < count; ++i) {
    list_test("ticket" + std::to_string(i), [=] {
      const std::string lot = std::to_string(drawn()) + "/" + std::to_string(i);
      BOOST_TEST(std::hash<std::string>()(lot) % static_cast<unsigned>(losing) != 0);
    });
  }
  return true;
}
#endif
