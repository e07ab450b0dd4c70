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

// === leaves_a_mapping: of memory that is shared with whoever is copied next
void attack() {
  int* const shared = static_cast<int*>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  must_fail(shared != MAP_FAILED && ++*shared != 1, "memory of an earlier run");
}

// === marks_what_is_open: the pipe that all runs write to
void attack() {
  for (int descriptor = 0; descriptor < 8; ++descriptor) {
    must_fail(fcntl(descriptor, F_SETPIPE_SZ, 8192) >= 0, "the size of a pipe");
    must_fail(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0, "the way a pipe is written to");
    must_fail(ioctl(descriptor, FIONBIO, &descriptor) == 0, "the same by ioctl");
  }
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
