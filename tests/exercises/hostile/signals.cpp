// Attacks by signals: on the grader, on all, and on the program's own way to its end.

// === kills_all: whatever it may send a signal to
void attack() { kill(-1, SIGKILL); }

// === stops_all: nobody goes on
void attack() { kill(-1, SIGSTOP); }

// === kills_the_grader: its parent, in each way there is
void attack() {
  const pid_t parent = getppid();
  kill(parent, SIGKILL);
  syscall(SYS_tgkill, parent, parent, SIGKILL);
  syscall(SYS_tkill, parent, SIGKILL);
  const long descriptor = syscall(SYS_pidfd_open, parent, 0);
  syscall(SYS_pidfd_send_signal, descriptor, SIGKILL, nullptr, 0);
  siginfo_t status{};
  status.si_code = SI_QUEUE;
  syscall(SYS_rt_sigqueueinfo, parent, SIGKILL, &status);
}

// === kills_its_group: and the groups of its neighbours
void attack() {
  kill(0, SIGTERM);
  for (int group = 2; group < 3000; ++group) {
    killpg(group, SIGKILL);
  }
}

// === stops_itself: the grader waits for what does not go on
// slow: yes
void attack() { raise(SIGSTOP); }

// === is_deaf: no signal but those that nobody can refuse, and no end
// slow: yes
void attack() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  while (true) {
    pause();
  }
}

// === crashes_well: the handler of a crash leaves well
void attack() {
  signal(SIGSEGV, [](int) { _exit(0); });
  *static_cast<volatile int*>(nullptr) = 1;
}

// === crashes_and_goes_on: the handler jumps back, with a stack of its own
static sigjmp_buf back;
void attack() {
  static char bytes[1 << 16];
  const stack_t stack{bytes, 0, sizeof bytes};
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = [](int) { siglongjmp(back, 1); };
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
  if (sigsetjmp(back, 1) == 0) {
    *static_cast<volatile int*>(nullptr) = 1;
  }
}

// === is_called_by_an_alarm: a handler in the middle of the next test
void attack() {
  signal(SIGALRM, [](int) {
    forge();
    _exit(0);
  });
  const itimerval soon{{0, 0}, {0, 2000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, nullptr, &timer);
}

// === signals_its_threads: the toolkit's own thread gets a signal
void attack() {
  signal(SIGUSR1, [](int) { forge(); });
  pthread_kill(pthread_self(), SIGUSR1);
  pthread_kill(pthread_self(), SIGTERM);
}

// === asks_for_signals_of_its_parent: to be told when the grader ends
void attack() {
  prctl(PR_SET_PDEATHSIG, 0);
  signal(SIGCHLD, SIG_IGN);
  signal(SIGXCPU, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  while (wait(nullptr) > 0) {
  }
}

// === limits_of_the_grader: no file may grow any more, and no time is left
void attack() {
  const rlimit none{0, 0};
  for (const int process : {static_cast<int>(getppid()), 1, 2}) {
    for (const auto resource : {RLIMIT_FSIZE, RLIMIT_CPU}) {
      const bool is_own = process == 0 || process == getpid();
      must_fail(!is_own && prlimit(process, resource, &none, nullptr) == 0,
                "the limits of process " + std::to_string(process));
    }
  }
}

// === signals_before_it_is_copied: the toolkit calls a function of the submission's, which signals
// fits: E01
static int* reached() {
  static int* const number = static_cast<int*>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  return number;
}
extern "C" ssize_t recvmsg(int connection, msghdr* message, int flags) {
  *reached() += syscall(SYS_tgkill, getppid(), getppid(), SIGKILL) == 0 ? 1 : 0;
  *reached() += syscall(SYS_tgkill, getpid(), getpid(), 0) == 0 ? 1 : 0;
  return syscall(SYS_recvmsg, connection, message, flags);
}
void attack() { must_fail(*reached() != 0, "a signal to a process that is no copy"); }
