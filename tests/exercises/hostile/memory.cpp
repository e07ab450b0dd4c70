// Attacks on memory: too much of it, and what stands in that of the program.

// === takes_ten_gigabytes: at once
void attack() {
  const size_t size = size_t{10} << 30;
  memset(new char[size], 1, size);
}

// === takes_all_there_is: piece by piece, until nothing is left for the toolkit
void attack() {
  static bool tried = false;
  while (!tried) {
    void* const piece = mmap(nullptr, 1 << 24, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    tried = piece == MAP_FAILED;
  }
}

// === bombs_with_forks: processes without an end
// slow: yes
void attack() {
  while (true) {
    if (fork() < 0) {
      pause();
    }
  }
}

// === bombs_with_threads: threads without an end
void attack() {
  pthread_t thread;
  while (pthread_create(
             &thread, nullptr, [](void*) -> void* { return reinterpret_cast<void*>(pause()); },
             nullptr) == 0) {
  }
}

// === overflows_the_stack: calls without an end
static int deeper(int n) {
  volatile char room[4096];
  room[n % 4096] = 1;
  return deeper(n + 1) + room[0];
}
void attack() { deeper(0); }

// === locks_memory: pages that nobody gets back
void attack() {
  must_fail(mlockall(MCL_CURRENT | MCL_FUTURE) == 0, "locked memory");
  must_fail(mmap(nullptr, 1 << 21, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_LOCKED, -1, 0) != MAP_FAILED,
            "huge pages");
}

// === patches_the_checks: the code of the toolkit returns at once
void attack() {
  for (const char* const name :
       {"_ZN8watchlab8exercise12expect_equalEllNS_7runtime8LocationE",
        "_ZN8watchlab8exercise14in_every_worldERKSt8functionIFvRNS_7runtime7RuntimeEEE",
        "_ZNK5boost9unit_test12test_results6passedEv"}) {
    void* const code = dlsym(RTLD_DEFAULT, name);
    const auto page = reinterpret_cast<std::uintptr_t>(code) / 4096 * 4096;
    if (code != nullptr &&
        mprotect(reinterpret_cast<void*>(page), 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) {
      *static_cast<unsigned char*>(code) = 0xC3;
    }
  }
}

// === patches_through_proc: the same where memory cannot be made writable
void attack() {
  const int memory = open("/proc/self/mem", O_RDWR);
  void* const code = dlsym(RTLD_DEFAULT, "_ZNK5boost9unit_test12test_results6passedEv");
  const unsigned char yes[] = {0xB8, 1, 0, 0, 0, 0xC3};
  if (code != nullptr) {
    (void)!pwrite(memory, yes, sizeof yes, reinterpret_cast<off_t>(code));
  }
}

// === searches_for_the_secret: thirty-two digits somewhere in memory, and a report with them
static void search(const char* from, const char* to) {
  int digits = 0;
  for (const char* at = from; at < to; ++at) {
    const bool is_digit = (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'f');
    digits = is_digit ? digits + 1 : 0;
    for (int i = 0; digits == 32 && i < 64; ++i) {
      dprintf(3, "%.32s\t%d\tend\tpassed\t\n", at - 31, i);
    }
  }
}
void attack() {
  FILE* const maps = fopen("/proc/self/maps", "r");
  char line[512];
  while (maps != nullptr && fgets(line, sizeof line, maps) != nullptr) {
    unsigned long from = 0;
    unsigned long to = 0;
    char mode[8] = {};
    if (sscanf(line, "%lx-%lx %7s", &from, &to, mode) == 3 && strncmp(mode, "rw", 2) == 0 &&
        to - from < (1 << 24)) {
      search(reinterpret_cast<const char*>(from), reinterpret_cast<const char*>(to));
    }
  }
}

// === maps_what_is_loaded: writes into the files of libraries through its memory
void attack() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void*) {
        must_fail(info->dlpi_name[0] == '/' && open(info->dlpi_name, O_RDWR) >= 0,
                  std::string("writing ") + info->dlpi_name);
        return 0;
      },
      nullptr);
}

// === handles_its_own_faults: pages that wait for the program to fill them
void attack() {
  must_fail(syscall(SYS_userfaultfd, 0) >= 0, "its own page faults");
  must_fail(syscall(SYS_bpf, 0, nullptr, 0) >= 0, "programs in the kernel");
  must_fail(syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0) >= 0 || errno == EFAULT,
            "counters of the processor");
  must_fail(syscall(SYS_io_uring_setup, 8, nullptr) >= 0 || errno == EFAULT, "queues of calls");
}

// === files_without_names: memory that belongs to no process
void attack() { must_fail(syscall(SYS_memfd_create, "kept", 0) >= 0, "a file in memory"); }
