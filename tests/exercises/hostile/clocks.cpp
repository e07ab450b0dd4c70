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
