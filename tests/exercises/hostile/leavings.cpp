// Attacks that leave something where no file is: keyrings, shared memory, queues, sockets.

// === keeps_keys: in keyrings of its user, its session and its thread
void attack() {
  for (const int ring : {-1, -2, -3, -4, -5}) {
    must_fail(syscall(SYS_add_key, "user", MARK, "x", 1, ring) > 0, "a key");
    must_fail(syscall(SYS_keyctl, 0, ring, 1) > 0, "a keyring");
  }
  must_fail(syscall(SYS_request_key, "user", MARK, nullptr, 0) > 0, "a key of an earlier run");
}

// === shares_memory: by a number that its next run knows
void attack() {
  const long region = syscall(SYS_shmget, KEY, 4096, 01666);
  must_fail(region >= 0, "shared memory");
  must_fail(syscall(SYS_semget, KEY, 1, 01666) >= 0, "semaphores");
  must_fail(syscall(SYS_msgget, KEY, 01666) >= 0, "a queue of messages");
}

// === names_queues: and shared memory, by a name
void attack() {
  must_fail(syscall(SYS_mq_open, MARK, O_CREAT | O_RDWR, 0666, nullptr) >= 0, "a queue");
  must_fail(shm_open(MARK, O_CREAT | O_RDWR, 0666) >= 0, "shared memory");
}

// === listens_without_a_file: on a socket of a name
void attack() {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  memcpy(name.sun_path + 1, MARK, strlen(MARK));
  const int one = socket(AF_UNIX, SOCK_STREAM, 0);
  must_fail(bind(one, reinterpret_cast<sockaddr*>(&name), sizeof name) == 0, "a socket");
}

// === listens_by_a_file: on a socket of a path
void attack() {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  strcpy(name.sun_path, "socket");
  const int one = socket(AF_UNIX, SOCK_DGRAM, 0);
  must_fail(bind(one, reinterpret_cast<sockaddr*>(&name), sizeof name) == 0, "a socket");
}

// === calls_the_machine: over the loopback
void attack() {
  for (const int kind : {SOCK_STREAM, SOCK_DGRAM}) {
    sockaddr_in there{};
    there.sin_family = AF_INET;
    there.sin_port = htons(22);
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int one = socket(AF_INET, kind, 0);
    must_fail(connect(one, reinterpret_cast<sockaddr*>(&there), sizeof there) == 0, "the machine");
  }
}

// === asks_for_odd_sockets: families that few walls know
void attack() {
  for (const int family : {AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG, AF_KEY, AF_BLUETOOTH, AF_TIPC,
                           AF_INET6, AF_XDP, AF_QIPCRTR}) {
    must_fail(socket(family, SOCK_RAW, 0) >= 0, "family " + std::to_string(family));
    must_fail(socket(family, SOCK_DGRAM, 0) >= 0, "family " + std::to_string(family));
    must_fail(socket(family, SOCK_SEQPACKET, 0) >= 0, "family " + std::to_string(family));
  }
}

// === counts_its_processes: a number that goes on from run to run
// fits: tests
void attack() {
  static const pid_t before = getpid();
  must_fail(before != 0, "a number");
  prctl(PR_SET_NAME, MARK);
  nice(19);
  setpriority(PRIO_PROCESS, getppid(), 19);
  sched_yield();
}

// === leaves_a_mapping: of memory that is shared with whoever is copied next
void attack() {
  int* const shared = static_cast<int*>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  must_fail(shared != MAP_FAILED && ++*shared != 1, "memory of an earlier run");
}

// === pages_of_its_own_file: thrown out of memory, which the next run could see
void attack() {
  Dl_info own{};
  dladdr(reinterpret_cast<void*>(&attack), &own);
  const int file = open(own.dli_fname, O_RDONLY);
  must_fail(posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0, "pages out of memory");
  unsigned char present = 0;
  void* const page = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(&attack) & ~4095UL);
  must_fail(mincore(page, 4096, &present) == 0, "which pages are in memory");
}

// === marks_what_is_open: the pipe that all runs write to
void attack() {
  for (int descriptor = 0; descriptor < 8; ++descriptor) {
    must_fail(fcntl(descriptor, F_SETPIPE_SZ, 8192) >= 0, "the size of a pipe");
    must_fail(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0, "the way a pipe is written to");
    must_fail(ioctl(descriptor, FIONBIO, &descriptor) == 0, "the same by ioctl");
  }
}

// === numbers_its_file: the generation of an inode, which no content shows
void attack() {
  const int file = own_file();
  int number = 0;
  constexpr unsigned long get = 0x80087601;  // FS_IOC_GETVERSION
  constexpr unsigned long set = 0x40087602;  // FS_IOC_SETVERSION
  ioctl(file, get, &number);
  must_fail(number == KEY, "a number of an earlier run");
  number = KEY;
  must_fail(ioctl(file, set, &number) == 0, "a number for its next run");
}

// === flags_its_file: as one that no backup wants
void attack() {
  const int file = own_file();
  long flags = 0;
  constexpr unsigned long get = 0x80086601;  // FS_IOC_GETFLAGS
  constexpr unsigned long set = 0x40086602;  // FS_IOC_SETFLAGS
  ioctl(file, get, &flags);
  flags |= 0x40;
  must_fail(ioctl(file, set, &flags) == 0, "a flag for its next run");
}

// === hints_at_its_file: how long what is written to it will live
void attack() {
  std::uint64_t hint = 3;
  must_fail(fcntl(own_file(), F_SET_RW_HINT, &hint) == 0, "a hint for its next run");
}

// === remembers_before_it_is_copied: functions that the toolkit calls before anything runs
// fits: E01
static int* remembered() {
  static int* const number = static_cast<int*>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  return number;
}
extern "C" ssize_t recvmsg(int connection, msghdr* message, int flags) {
  remembered();
  return syscall(SYS_recvmsg, connection, message, flags);
}
void attack() {
  static const int before = (*remembered())++;
  must_fail(before != 0, "memory of an earlier run");
}

// === socket_cookies: numbers that the kernel counts for the whole machine
void attack() {
  int ends[2] = {5, 5};
  std::uint64_t number = 0;
  socklen_t size = sizeof number;
  constexpr int cookie = 57;  // SO_COOKIE
  must_fail(getsockopt(5, SOL_SOCKET, cookie, &number, &size) == 0, "the number of its connection");
  must_fail(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "a socket to have numbered");
}

// === counts_what_it_makes: whatever is made takes the next number of the machine's
void attack() {
  int ends[2];
  must_fail(pipe(ends) == 0 || pipe2(ends, O_CLOEXEC) == 0, "a pipe");
  must_fail(syscall(SYS_eventfd2, 0, 0) >= 0, "a descriptor of events");
  must_fail(syscall(SYS_epoll_create1, 0) >= 0, "a descriptor of descriptors");
  must_fail(syscall(SYS_inotify_init1, 0) >= 0, "a descriptor of files");
  must_fail(syscall(SYS_memfd_create, "", 0) >= 0, "a descriptor of memory");
  must_fail(syscall(SYS_userfaultfd, 0) >= 0, "a descriptor of faults");
  must_fail(syscall(SYS_io_uring_setup, 1, nullptr) >= 0 || errno == EFAULT, "a ring");
  sigset_t none{};
  must_fail(syscall(SYS_signalfd4, -1, &none, 8, 0) >= 0, "a descriptor of signals");
  must_fail(open("/dev/null", O_RDONLY) >= 0, "a descriptor of a device");
}

// === knows_its_number: which goes up by a few from run to run, so that runs near each other share
// its hundreds
static volatile pid_t sender = 0;
void attack() {
  must_fail(syscall(SYS_getpid) > 0, "the number of the process");
  must_fail(syscall(SYS_gettid) > 0, "the number of the thread");
  must_fail(getsid(0) > 0 || getpgid(0) > 0 || getppid() > 0, "a number near it");
  must_fail(syscall(SYS_set_tid_address, nullptr) > 0, "the number of a thread");
  unsigned word = 0;
  must_fail(syscall(SYS_futex, &word, 8, 0, nullptr, nullptr, 0) == 0 && word != 0,
            "the number of who holds a lock");  // FUTEX_TRYLOCK_PI
  for (int number = 1; number < SIGRTMIN; ++number) {
    struct sigaction action {};
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = [](int, siginfo_t* info, void*) { sender = info->si_pid; };
    if (sigaction(number, &action, nullptr) == 0) {
      kill(0, number);
    }
  }
  must_fail(sender > 0, "the number of who has sent a signal");
}

// === looks_for_processes: what is there tells how many there were
void attack() {
  for (const char* const path : {"/proc/1/stat", "/proc/4194303/stat"}) {
    must_fail(access(path, F_OK) == 0 || errno != EPERM, std::string("whether there is ") + path);
    must_fail(open(path, O_RDONLY) >= 0 || errno != EPERM, std::string("what may be of ") + path);
  }
}

// === knows_its_user: whose number says who else is graded
void attack() {
  must_fail(static_cast<int>(getuid()) > 0 || static_cast<int>(getegid()) > 0, "its user");
}

// === knows_its_number_by_a_broken_pipe: the signal for it names the process that has written
// fits: tests
static volatile pid_t sender = 0;
void attack() {
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = [](int, siginfo_t* info, void*) { sender = info->si_pid; };
  sigaction(SIGPIPE, &action, nullptr);
  char too_long[4];
  memset(too_long, 0xff, sizeof too_long);
  for (int failed = 0; failed < 3;) {
    failed += write(5, too_long, sizeof too_long) > 0 ? 0 : 1;
  }
  must_fail(sender != 0, "its own number");
}
