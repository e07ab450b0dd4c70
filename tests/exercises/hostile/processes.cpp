// Attacks through /proc and on other processes: what they hold, and what can be changed in them.

// === reads_the_grader: memory, environment and files of its parent
void attack() {
  const std::string parent = "/proc/" + std::to_string(getppid());
  for (const char* const what : {"/mem", "/environ", "/maps", "/fd/3", "/cmdline", "/auxv"}) {
    must_fail(can_read(parent + what), std::string("its parent's ") + what);
  }
}

// === reads_every_process: the same of whatever has a number
void attack() {
  static bool tried = false;
  for (int process = 1; process < 10'000 && !tried; ++process) {
    const std::string folder = "/proc/" + std::to_string(process);
    must_fail(process != getpid() && open((folder + "/mem").c_str(), O_RDWR) >= 0, "memory");
  }
  tried = true;
}

// === reads_its_own_environment: what the grader has left in it
void attack() {
  must_fail(getenv(SECRET) != nullptr, "the grader's environment");
  char bytes[65536] = {};
  const int file = open("/proc/self/environ", O_RDONLY);
  const ssize_t size = read(file, bytes, sizeof bytes);
  const std::string all(bytes, size > 0 ? static_cast<size_t>(size) : 0);
  must_fail(all.find(SECRET) != all.npos, "the grader's environment");
}

// === traces_the_grader: stops it and changes its memory
void attack() {
  must_fail(ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0, "tracing its parent");
  must_fail(ptrace(PTRACE_SEIZE, getppid(), 0, 0) == 0, "tracing its parent");
  char byte = 0;
  iovec here{&byte, 1};
  iovec there{reinterpret_cast<void*>(0x400000), 1};
  must_fail(process_vm_readv(getppid(), &here, 1, &there, 1, 0) == 1, "its parent's memory");
  must_fail(syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, getppid(), 0), 3, 0) >= 0,
            "its parent's descriptors");
}

// === looks_around_from_its_folder: ways that lead out of what it may read
void attack() {
  for (const char* const way : {"/proc/self/root", "/proc/self/cwd/../..", "/proc/thread-self/root",
                                "/proc/self/task/../../1/root"}) {
    must_fail(can_read(std::string(way) + HIDDEN), way);
    must_fail(can_read(std::string(way) + "/etc/passwd"), way);
  }
}

// === lists_processes: who else is there
void attack() { must_fail(opendir("/proc") != nullptr, "the list of processes"); }

// === writes_settings_of_the_system: what concerns the whole machine
void attack() {
  for (const char* const file :
       {"/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/proc/sys/vm/drop_caches",
        "/proc/self/oom_score_adj", "/proc/self/loginuid", "/sys/fs/cgroup/cgroup.procs"}) {
    must_fail(open(file, O_WRONLY) >= 0, file);
  }
}

// === finds_names_in_its_maps: the paths of what was loaded
void attack() {
  FILE* const maps = fopen("/proc/self/maps", "r");
  char line[4096];
  while (maps != nullptr && fgets(line, sizeof line, maps) != nullptr) {
    for (const char* const word : {"hidden", "correct", "shown", "variants", "instructor"}) {
      must_fail(strstr(line, word) != nullptr, std::string("a path that tells: ") + word);
    }
  }
}

// === makes_namespaces: a machine of its own, where it is root
void attack() {
  for (const int what : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET}) {
    must_fail(unshare(what) == 0, "a namespace");
    must_fail(syscall(SYS_clone, what | SIGCHLD, 0, 0, 0, 0) > 0, "a process in a namespace");
  }
}

// === changes_itself: its user, its limits, its privileges
void attack() {
  must_fail(setuid(0) == 0 && getuid() == 0, "the rights of root");
  const rlimit all{RLIM_INFINITY, RLIM_INFINITY};
  for (const auto what : {RLIMIT_AS, RLIMIT_NPROC, RLIMIT_FSIZE, RLIMIT_CPU}) {
    must_fail(setrlimit(what, &all) == 0, "a limit");
  }
  prctl(PR_SET_NO_NEW_PRIVS, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_NAME, "\033[2Jwatchlab");
}

// === starts_programs: a shell as a helper
void attack() {
  if (system("id >/dev/null && cat /etc/passwd 2>/dev/null | grep -q root") == 0) {
    gained("a shell that reads the system's files");
  }
}

// === hides_in_another_session: a process that outlives the run
void attack() {
  if (fork() == 0) {
    setsid();
    prctl(PR_SET_PDEATHSIG, 0);
    if (fork() != 0) {
      _exit(0);
    }
    prctl(PR_SET_NAME, MARK);
    for (int descriptor = 0; descriptor < 64; ++descriptor) {
      close(descriptor);
    }
    while (true) {
      pause();
    }
  }
}

// === waits_for_its_next_run: a process that a later run finds
void attack() {
  const std::string name = std::string("\0", 1) + MARK;
  static bool tried = false;
  if (!std::exchange(tried, true) && fork() == 0) {
    setsid();
    const pid_t self = getpid();
    sleep(3);
    kill(self, SIGKILL);
  }
}

// === names_another_process: any number but its own
void attack() {
  for (int process = 100; process < 70000; ++process) {
    must_fail(process != getpid() && getsid(process) > 0, "process " + std::to_string(process));
  }
  must_fail(getppid() > 0, "its parent");
}
