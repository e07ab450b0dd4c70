// Attacks before the first test, and after the last: what runs when a program or a library is
// loaded, and when it ends.

// === leaves_when_loaded: an exit status of 0 without a test
[[gnu::constructor]] void early() { _exit(0); }

// === leaves_before_the_others: an initialiser before all others
[[gnu::constructor(101)]] void early() { _exit(0); }

// === leaves_in_a_resolver: what picks a function runs before any initialiser
extern "C" void* pick() {
  long status = SYS_exit_group;
  asm volatile("syscall" : "+a"(status) : "D"(0) : "rcx", "r11", "memory");
  return nullptr;
}
extern "C" int picked() __attribute__((ifunc("pick")));
void attack() { picked(); }

// === reads_the_settings_before_all: the secret of the reports, while its descriptor is open
// fits: tests
static ssize_t stolen = 0;
static void steal() {
  char settings[4096];
  stolen = recv(4, settings, sizeof settings, MSG_PEEK);
}
[[gnu::section(".preinit_array"), gnu::used]] static void (*const before_all)() = &steal;
void attack() { must_fail(stolen > 0, "the settings before the toolkit"); }

// === reads_the_settings_in_an_initialiser: the same, a moment later
static char settings[4096];
static const ssize_t got = recv(4, settings, sizeof settings, MSG_PEEK | MSG_DONTWAIT);
static const ssize_t got_by_name = read(4, settings, sizeof settings);
void attack() { must_fail(got > 0 || got_by_name > 0, "the settings in an initialiser"); }

// === forges_when_loaded: reports to whatever is open, and away
[[gnu::constructor]] void early() {
  forge();
  _exit(0);
}

// === throws_when_loaded: an exception that nobody can catch
const int thrown = [] {
  throw std::runtime_error("thrown on purpose");
  return 0;
}();

// === never_ends_loading: an initialiser that waits
// slow: yes
[[gnu::constructor]] void early() {
  while (true) {
    pause();
  }
}

// === divides_when_loaded: two programs from here on
// slow: yes
[[gnu::constructor]] void early() { fork(); }

// === closes_all_when_loaded: nothing to hear, nothing to say
[[gnu::constructor]] void early() { syscall(SYS_close_range, 0, ~0U, 0); }

// === ends_well_at_the_end: a good exit status, whatever came before
struct Last {
  ~Last() { _exit(0); }
};
static Last last;
[[gnu::constructor]] void early() {
  atexit([] { _exit(0); });
}

// === ends_well_when_it_fails: a good exit status for an exception that nobody catches
[[gnu::constructor]] void early() {
  std::set_terminate([] {
    forge();
    _exit(0);
  });
}
void attack() { std::terminate(); }

// === ends_well_by_a_thread: another thread ends the program in the middle of the tests
[[gnu::constructor]] void early() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        usleep(20'000);
        _exit(0);
      },
      nullptr);
}

// === is_a_daemon_when_loaded: a second process in a session of its own
[[gnu::constructor]] void early() {
  if (fork() == 0) {
    setsid();
    prctl(PR_SET_PDEATHSIG, 0);
    if (fork() == 0) {
      prctl(PR_SET_NAME, MARK);
      while (true) {
        pause();
      }
    }
    _exit(0);
  }
}

// === sets_the_frameworks_settings: which it reads from the environment when it begins
[[gnu::constructor]] void early() {
  setenv("BOOST_TEST_RUN_TEST", "no_such_test", 1);
  setenv("BOOST_TEST_RESULT_CODE", "no", 1);
  setenv("BOOST_TEST_LOG_LEVEL", "nothing", 1);
  setenv("WATCHLAB_COURSE", "1", 1);
  setenv("WATCHLAB_SCHEDULE", "1", 1);
}

// === runs_in_a_section: code between the loader's own
asm(".pushsection .init,\"ax\",@progbits\n"
    "mov $231, %eax\n"
    "xor %edi, %edi\n"
    "syscall\n"
    ".popsection");

// === has_a_table_for_the_loader: entries of its own in what says which libraries come first
// fits: tests implement
asm(".pushsection .dynamic, \"aw\", @progbits\n.quad 0x6ffffffb, 0x20, 0, 0\n.popsection");
static const long number = syscall(SYS_getpid);
void attack() { must_fail(number != 0, "no wall around its initialisers"); }
