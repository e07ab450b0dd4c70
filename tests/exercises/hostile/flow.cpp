// Attacks by leaving a test in ways that no test is left.

// === leaves_a_case: with a good exit status
void attack() { _exit(0); }

// === exits_a_case: the same with all that is done at an exit
void attack() { exit(0); }

// === aborts_a_case: with a signal
void attack() { abort(); }

// === ends_its_thread: the program goes on without it
void attack() { pthread_exit(nullptr); }

// === jumps_out: past the end of all that was called
static jmp_buf start;
[[gnu::constructor]] void early() { setjmp(start); }
void attack() { longjmp(start, 1); }

// === throws_a_number: what is no std::exception
void attack() { throw 42; }

// === throws_through_c: an exception out of a function that C calls
void attack() {
  int numbers[2] = {2, 1};
  qsort(numbers, 2, sizeof(int), [](const void*, const void*) -> int { throw 1; });
}

// === throws_when_it_is_destroyed: an exception during another
void attack() {
  struct Thrower {
    ~Thrower() noexcept(false) { throw std::runtime_error("two"); }
  };
  const Thrower thrower;
  throw std::runtime_error("one");
}

// === says_nothing_when_it_throws: an exception without words
void attack() {
  struct Silent : std::exception {
    const char* what() const noexcept override { return nullptr; }
  };
  throw Silent();
}

// === loops_without_end: until the watchdog comes
// fits: implement
// slow: yes
void attack() {
  for (volatile bool on = true; on;) {
  }
}

// === swallows_everything: no exception ends it, that of a task that is ended included
void attack() {
  for (int i = 0; i < 1000; ++i) {
    try {
      throw i;
    } catch (...) {
    }
  }
}

// === leaves_a_thread_behind: that goes on when the case is over
void attack() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        while (true) {
          usleep(1000);
        }
      },
      nullptr);
  pthread_detach(thread);
}

// === becomes_another_program: which answers for it
void attack() {
  char name[] = "/bin/true";
  char* words[] = {name, nullptr};
  execve("/bin/true", words, nullptr);
  execve("/usr/bin/true", words, nullptr);
}

// === loads_itself_again: its initialisers run twice
void attack() {
  dlopen("libwatchlab-toolkit.so", RTLD_NOW | RTLD_GLOBAL);
  dlmopen(LM_ID_NEWLM, "libwatchlab-toolkit.so", RTLD_NOW);
}

// === starts_itself_again: with settings of its own, and a library that is loaded first
void attack() {
  char name[] = "/proc/self/exe";
  char first[] = "LD_PRELOAD=./libtests.so";
  char setting[] = "WATCHLAB_COURSE=1";
  char* words[] = {name, nullptr};
  char* environment[] = {first, setting, nullptr};
  execve(name, words, environment);
}

// === sleeps: for longer than a grader has patience
void attack() {
  static bool tried = false;
  timespec left{1000, 0};
  if (!std::exchange(tried, true)) {
    syscall(SYS_nanosleep, &left, nullptr);
  }
}
