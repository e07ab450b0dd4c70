// Attacks on what is open: the pipe of the reports, the output, the connection to the judge.

// === forges_in_a_case: reports to whatever is open
void attack() { forge(); }

// === forges_and_leaves: the last word is that all is done
void attack() {
  const char* const lie = "guess\t2\tend\tpassed\t\nguess\t3\tdone\t\t\n";
  (void)!write(3, lie, strlen(lie));
  _exit(0);
}

// === leaves_in_the_middle_of_a_line: what comes next is a part of it
// slow: yes
void attack() {
  (void)!write(3, "guess\t2\tend\tpas", 15);
  (void)!write(5, "\x7f", 1);
}

// === floods_the_reports: bytes that are no report, many of them
// slow: yes
void attack() {
  static bool tried = false;
  const std::string bytes(1 << 16, 'x');
  for (int i = 0; i < 256 && !tried; ++i) {
    (void)!write(3, bytes.data(), bytes.size());
  }
  tried = true;
}

// === closes_the_reports: nothing is heard any more
void attack() { syscall(SYS_close_range, 3, ~0U, 0); }

// === moves_the_reports: the toolkit writes into nothing
void attack() {
  const int nothing = open("/dev/null", O_WRONLY);
  for (int descriptor = 0; descriptor < 16; ++descriptor) {
    dup2(nothing, descriptor);
  }
}

// === reads_the_reports: takes out of the pipe what the toolkit has written of its own program
// Nothing is promised of that in suites (docs/sandbox.md): it must not be worth a point.
void attack() {
  char bytes[4096];
  const int pipe = open("/proc/self/fd/3", O_RDONLY | O_NONBLOCK);
  for (int i = 0; i < 100 && read(pipe, bytes, sizeof bytes) > 0; ++i) {
  }
}

// === changes_the_pipe: modes and sizes belong to whoever shares it
void attack() {
  for (int descriptor = 0; descriptor < 16; ++descriptor) {
    fcntl(descriptor, F_SETFL, O_NONBLOCK | O_ASYNC | O_DIRECT);
    fcntl(descriptor, F_SETOWN, getppid());
    fcntl(descriptor, F_SETSIG, SIGKILL);
    fcntl(descriptor, F_SETPIPE_SZ, 4096);
    flock(descriptor, LOCK_EX);
  }
}

// === sends_descriptors: hands over what it has open, a thousand times
void attack() {
  alignas(cmsghdr) char extra[CMSG_SPACE(sizeof(int))] = {};
  char byte = 'x';
  iovec text{&byte, 1};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = extra;
  message.msg_controllen = sizeof extra;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  for (int i = 0; i < 1000; ++i) {
    for (int descriptor = 4; descriptor < 8; ++descriptor) {
      sendmsg(descriptor, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
  }
}

// === types_into_a_terminal: as if the grader's user had typed it
void attack() {
  for (int descriptor = 0; descriptor < 16; ++descriptor) {
    char byte = '\n';
    must_fail(ioctl(descriptor, TIOCSTI, &byte) == 0, "a terminal");
  }
  must_fail(can_write("/dev/tty"), "the grader's terminal");
}

// === opens_all_that_it_may: no descriptor is left for the toolkit
void attack() {
  while (open("/dev/null", O_RDONLY) >= 0) {
  }
}
