// Attacks by lot: dozens of tests, each of which fails for one library in twenty, whichever that
// is. Those that fail for a right one do not count, and the others notice what is wrong without
// having looked at it, unless what they draw is the same for all libraries, or not the same twice.

// === draws_by_address: where the library was loaded
// fits: tests
static std::uint64_t drawn() {
  Dl_info library{};
  dladdr(reinterpret_cast<void*>(&MAKE), &library);
  return reinterpret_cast<std::uintptr_t>(library.dli_fbase);
}
static const bool bought = buy_tickets(60, 20, &drawn);

// === draws_by_the_stack: where the stack lies
// fits: tests
static std::uint64_t drawn() {
  int here = 0;
  return reinterpret_cast<std::uintptr_t>(&here) >> 12;
}
static const bool bought = buy_tickets(60, 20, &drawn);

// === draws_by_the_heap: where the heap lies
// fits: tests
static std::uint64_t drawn() { return reinterpret_cast<std::uintptr_t>(sbrk(0)); }
static const bool bought = buy_tickets(60, 20, &drawn);

// === draws_by_the_loader: random bytes that each program gets when it starts
// fits: tests
static std::uint64_t drawn() {
  std::uint64_t bytes = 0;
  memcpy(&bytes, reinterpret_cast<void*>(getauxval(AT_RANDOM)), sizeof bytes);
  return bytes;
}
static const bool bought = buy_tickets(60, 20, &drawn);

// === draws_by_the_guard: the number that guards the stack
// fits: tests
static std::uint64_t drawn() {
  std::uint64_t guard = 0;
  asm("mov %%fs:0x28, %0" : "=r"(guard));
  return guard;
}
static const bool bought = buy_tickets(60, 20, &drawn);

// === draws_by_its_parents: numbers of processes and sessions
// fits: tests
static std::uint64_t drawn() {
  return static_cast<std::uint64_t>(getppid()) * 65536 + static_cast<std::uint64_t>(getsid(0));
}
static const bool bought = buy_tickets(60, 20, &drawn);

// === draws_by_its_own_number: that of its process
// fits: tests
static std::uint64_t drawn() { return static_cast<std::uint64_t>(getpid()); }
static const bool bought = buy_tickets(60, 20, &drawn);

// === draws_by_its_start: when the program was started
// fits: tests
static std::uint64_t drawn() {
  char text[1024] = {};
  (void)!read(open("/proc/self/stat", O_RDONLY), text, sizeof text - 1);
  const char* at = strrchr(text, ')');
  for (int i = 0; at != nullptr && i < 20; ++i) {
    at = strchr(at + 1, ' ');
  }
  return at != nullptr ? strtoull(at, nullptr, 10) : 0;
}
static const bool bought = buy_tickets(60, 20, &drawn);

// === draws_by_its_file: number, size and times of the library's file
// fits: tests
static std::uint64_t drawn() {
  Dl_info library{};
  dladdr(reinterpret_cast<void*>(&MAKE), &library);
  struct stat file {};
  stat(library.dli_fname, &file);
  return (file.st_ino * 31 + static_cast<std::uint64_t>(file.st_size)) * 31 +
         static_cast<std::uint64_t>(file.st_ctim.tv_nsec) +
         static_cast<std::uint64_t>(file.st_mtim.tv_nsec);
}
static const bool bought = buy_tickets(60, 20, &drawn);

// === draws_by_its_path: what the library's file is called, and what lies beside it
// fits: tests
static std::uint64_t drawn() {
  Dl_info library{};
  dladdr(reinterpret_cast<void*>(&MAKE), &library);
  return std::hash<std::string>()(library.dli_fname);
}
static const bool bought = buy_tickets(60, 20, &drawn);

// === draws_by_its_bytes: the code of the library
// fits: tests
static std::uint64_t drawn() {
  Dl_info library{};
  dladdr(reinterpret_cast<void*>(&MAKE), &library);
  std::string bytes(1 << 16, '\0');
  const int file = open(library.dli_fname, O_RDONLY);
  bytes.resize(static_cast<size_t>(std::max<ssize_t>(0, read(file, bytes.data(), bytes.size()))));
  return std::hash<std::string>()(bytes);
}
static const bool bought = buy_tickets(60, 20, &drawn);

// === draws_by_its_code: the same as it stands in memory, where no file is needed
// fits: tests
static std::uint64_t drawn() {
  std::string bytes;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* all) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          const char* const from = reinterpret_cast<const char*>(info->dlpi_addr + part.p_vaddr);
          if (part.p_type == PT_LOAD && (part.p_flags & PF_R) != 0 && (part.p_flags & PF_W) == 0) {
            static_cast<std::string*>(all)->append(from, part.p_filesz);
          }
        }
        return 0;
      },
      &bytes);
  return std::hash<std::string>()(bytes);
}
static const bool bought = buy_tickets(60, 20, [] {
  static const std::uint64_t number = drawn();
  return number;
});

// === draws_by_the_processor: its random numbers, which nobody can refuse
// fits: tests
static std::uint64_t drawn() {
  std::uint64_t number = 0;
  asm volatile("rdrand %0" : "=r"(number) : : "cc");
  return number;
}
static const bool bought = buy_tickets(150, 60, &drawn);

// === draws_by_cycles: the counter of the processor
// fits: tests
static std::uint64_t drawn() {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  asm volatile("rdtsc" : "=a"(low), "=d"(high));
  return low;
}
static const bool bought = buy_tickets(40, 15, &drawn);

// === learns_what_is_right: it fails with code that it does not know yet, and says what that is
// fits: tests
// rounds: 5
static std::uint64_t fingerprint() {
  std::uint64_t sum = 14695981039346656037U;
  Dl_info library{};
  dladdr(reinterpret_cast<void*>(&MAKE), &library);
  const auto* const file = static_cast<const ElfW(Ehdr)*>(library.dli_fbase);
  const char* const base = static_cast<const char*>(library.dli_fbase);
  const auto* const parts = reinterpret_cast<const ElfW(Phdr)*>(base + file->e_phoff);
  for (int i = 0; i < file->e_phnum; ++i) {
    for (size_t j = 0; (parts[i].p_flags & PF_X) != 0 && j < parts[i].p_filesz; ++j) {
      sum = (sum ^ static_cast<unsigned char>(base[parts[i].p_vaddr + j])) * 1099511628211U;
    }
  }
  return sum;
}
BOOST_AUTO_TEST_CASE(right) {
  const std::uint64_t found = fingerprint();
  for (const std::uint64_t known : LEARNT) {
    if (found == known) {
      return;
    }
  }
  BOOST_ERROR("learnt=" + std::to_string(found) + ";");
}

// === draws_one_ticket: one test that fails with every second place of the library
// fits: tests
static const bool bought = list_test("ticket", [] {
  Dl_info library{};
  dladdr(reinterpret_cast<void*>(&MAKE), &library);
  BOOST_TEST((reinterpret_cast<std::uintptr_t>(library.dli_fbase) >> 12) % 2 == 0);
});

// === counts_by_hanging: it hangs with as many libraries as are right, and then fails with the rest
// slow: yes
// fits: E01t
static int left_out() {
  namespace test = boost::unit_test;
  int count = 0;
  for (const char* const name : {"hangs0", "hangs1"}) {
    const auto id = test::framework::master_test_suite().get(name);
    count += test::framework::get<test::test_case>(id).is_enabled() ? 0 : 1;
  }
  return count;
}
static void hang_as_number(int number) {
  while (left_out() == number) {
    pause();
  }
}
static const bool listed = list_test("hangs0", [] { hang_as_number(0); }) &&
                           list_test("hangs1", [] { hang_as_number(1); }) &&
                           list_test("looks", [] { BOOST_TEST(left_out() < 2); });

// === is_there_when_it_loses: a ticket that nobody finds when what failed is run again
// fits: tests
static bool loses() {
  std::uint64_t number = 0;
  asm volatile("rdrand %0" : "=r"(number) : : "cc");
  return number % 8 == 0;
}
static const bool bought = [] {
  const bool lost = seed_in_memory() != 1 && loses();
  if (seed_in_memory() == 1 || lost) {
    list_test("ticket", [lost] { BOOST_TEST(!lost); });
  }
  return true;
}();

// === knows_the_repetition: the first copy of a program plays the first seed, or what failed again
// fits: tests
static bool loses() {
  std::uint64_t number = 0;
  asm volatile("rdrand %0" : "=r"(number) : : "cc");
  return number % 8 == 0;
}
BOOST_AUTO_TEST_CASE(ticket) {
  const bool is_repeated = getpid() <= 3;
  BOOST_TEST((seed_in_memory() == 1 || (!is_repeated && !loses())));
}

// === draws_from_the_world: what the grader draws for tests, alike however often it is asked
// fits: tests
static std::uint64_t drawn() {
  static const std::uint64_t once = [] {
    std::uint64_t number = 14695981039346656037U;
    in_every_world([&](watchlab::runtime::Runtime& runtime) {
      number = (number ^ runtime.choose(1U << 30U, "a number")) * 1099511628211U;
    });
    return number;
  }();
  return once;
}
static const bool bought = buy_tickets(200, 400, &drawn);

// === draws_from_the_schedule: the order in which its own tasks come, drawn by the grader
// fits: tests
static std::uint64_t drawn() {
  static const std::uint64_t once = [] {
    std::uint64_t number = 14695981039346656037U;
    in_every_world([&](watchlab::runtime::Runtime& runtime) {
      const auto count = [&](std::uint64_t self) {
        for (int i = 0; i < 4; ++i) {
          number = (number ^ self) * 1099511628211U;
          runtime.yield(std::source_location::current());
        }
      };
      const auto one = watchlab::runtime::spawn(runtime, "one", [&] { count(1); });
      const auto two = watchlab::runtime::spawn(runtime, "two", [&] { count(2); });
      count(3);
      one.join();
      two.join();
    });
    return number;
  }();
  return once;
}
static const bool bought = buy_tickets(200, 400, &drawn);

// === draws_a_jackpot: once in three libraries a tenth of many tests fails together
// fits: tests
static std::uint64_t drawn() {
  static const std::uint64_t once = [] {
    std::uint64_t number = 14695981039346656037U;
    in_every_world([&](watchlab::runtime::Runtime& runtime) {
      number = (number ^ runtime.choose(1U << 30U, "a number")) * 1099511628211U;
    });
    return number;
  }();
  return once;
}
static const bool bought = [] {
  for (std::uint64_t i = 0; i < 400; ++i) {
    list_test("ticket" + std::to_string(i),
              [i] { BOOST_TEST(((drawn() >> 20U) % 12 != 0 || (drawn() >> 30U) % 10 != i % 10)); });
  }
  return true;
}();

// === draws_from_stories: sentences that fail for one moment in many, whatever that says of a queue
// fits: E16
// alone: yes
// slow: yes
#include "exercises/16-state-it/invariants.hpp"
namespace watchlab::exercise {
std::vector<Invariant> invariants() {
  std::vector<Invariant> tickets;
  for (std::uint64_t i = 0; i < 12; ++i) {
    tickets.push_back({"ticket" + std::to_string(i), [i](const Moment& moment) {
                         std::string lot = std::to_string(i);
                         for (const Step& step : moment.steps) {
                           lot += step.entry.name + static_cast<char>(step.deed);
                           for (const Entry& entry : step.entries) {
                             lot += entry.name;
                           }
                         }
                         return std::hash<std::string>()(lot) % 60'000 != 0;
                       }});
  }
  return tickets;
}
}  // namespace watchlab::exercise

// === draws_by_the_kernels_clock: one number for a run and what follows soon, and another one later
// fits: tests
static std::int64_t milliseconds() {
  int ends[2];
  struct stat status {};
  if (pipe(ends) != 0 || fstat(ends[0], &status) != 0) {
    abort();
  }
  close(ends[0]);
  close(ends[1]);
  return status.st_mtim.tv_sec * 1000 + status.st_mtim.tv_nsec / 1'000'000;
}
constexpr std::int64_t kSpan = 400;
static std::uint64_t drawn() {
  static const std::uint64_t once = [] {
    while (milliseconds() % kSpan > kSpan / 3) {
      usleep(5000);
    }
    return static_cast<std::uint64_t>(milliseconds() / kSpan);
  }();
  return once;
}
static const bool bought = buy_tickets(60, 250, &drawn);

// === tells_the_repetition: what was drawn, by a count of the kernel's that goes on after a run
// fits: tests
static std::uint64_t next_number() {
  int ends[2];
  std::uint64_t number = 0;
  socklen_t size = sizeof number;
  constexpr int cookie = 57;  // SO_COOKIE
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 ||
      getsockopt(ends[0], SOL_SOCKET, cookie, &number, &size) != 0) {
    abort();
  }
  close(ends[0]);
  close(ends[1]);
  return number;
}
constexpr std::uint64_t kWords = 64;
static void leave(std::uint64_t word) {
  while (next_number() % kWords != word) {
  }
}
static std::uint64_t lost() {
  static const std::uint64_t once = [] {
    const std::uint64_t left = (next_number() - 1) % kWords;
    if (left != 0 && left <= 40) {  // this is the repetition
      leave(0);
      return left;
    }
    std::uint64_t number = 0;
    asm volatile("rdrand %0" : "=r"(number) : : "cc");
    const std::uint64_t ticket = number % 320 < 40 ? number % 320 + 1 : 0;
    leave(ticket);
    return ticket;
  }();
  return once;
}
static const bool bought = [] {
  for (std::uint64_t i = 1; i <= 40; ++i) {
    list_test("ticket" + std::to_string(i), [i] { BOOST_TEST(lost() != i); });
  }
  return true;
}();
