// Attacks through files: what must not be read or changed, and what would be found again.

// === reads_hidden_files: defects, tests and solutions
void attack() {
  for (const char* const file : {HIDDEN, SOLUTION, CORRECT}) {
    must_fail(can_read(file), file);
  }
}

// === lists_hidden_folders: their names are enough
void attack() {
  for (std::string folder = HIDDEN; folder.size() > 1;) {
    folder.resize(folder.rfind('/'));
    must_fail(!folder.empty() && opendir(folder.c_str()) != nullptr, folder);
  }
}

// === reads_another_result: that of another student
void attack() {
  must_fail(can_read(OTHER), "another student's result");
  must_fail(can_read(OTHER_FILE), "another student's file");
}

// === truncates_another_result: which needs no descriptor
void attack() {
  truncate(OTHER, 0);
  truncate(OTHER_FILE, 0);
  must_fail(open(OTHER, O_WRONLY | O_TRUNC) >= 0, "another student's result");
}

// === removes_another_result: or puts one of its own in its place
void attack() {
  unlink(OTHER);
  rename("/proc/self/exe", OTHER);
  symlink("/dev/null", (std::string(OTHER) + "-link").c_str());
  link(OTHER, "linked");
}

// === changes_modes: so that others may write what was closed
void attack() {
  chmod(OTHER, 0777);
  chmod(RESULT, 0777);
  const timespec times[2] = {{1, 0}, {1, 0}};
  utimensat(AT_FDCWD, OTHER, times, 0);
  utimensat(AT_FDCWD, "/proc/self/exe", times, 0);
}

// === writes_its_result: where the grader will write it
void attack() {
  must_fail(can_write(RESULT), "its own result");
  unlink(RESULT);
  symlink(OTHER, RESULT);
}

// === writes_where_all_may: the folders of the machine that are everybody's
void attack() {
  for (const char* const folder : {"/tmp/", "/var/tmp/", "/dev/shm/", "/run/lock/", "./"}) {
    must_fail(can_write(std::string(folder) + MARK), folder);
    must_fail(open(folder, O_TMPFILE | O_RDWR, 0600) >= 0, folder);
    mkdir((std::string(folder) + MARK + "-folder").c_str(), 0777);
    mknod((std::string(folder) + MARK + "-pipe").c_str(), S_IFIFO | 0666, 0);
  }
}

// === counts_its_runs: in a file beside its program
void attack() {
  must_fail(access("runs", F_OK) == 0, "a file of an earlier run");
  (void)can_write("runs");
  (void)can_write(std::string("/proc/self/cwd/") + "runs");
}

// === watches_files: to be told what the grader opens
void attack() {
  must_fail(syscall(SYS_inotify_init1, 0) >= 0, "notes of what is opened");
  must_fail(syscall(SYS_fanotify_init, 0, 0) >= 0, "notes of what is opened");
  must_fail(fcntl(open(".", O_RDONLY), F_NOTIFY, DN_ACCESS | DN_CREATE) == 0, "notes of a folder");
}

// === locks_the_graders_files: so that the next one waits for ever
void attack() {
  for (int user = 64'100; user < 64'164; ++user) {
    const std::string file = "/run/lock/watchlab-course-" + std::to_string(user);
    const int lock = open(file.c_str(), O_RDWR);
    must_fail(lock >= 0, "a lock of the grader");
  }
}

// === fills_the_disk: a file without an end
void attack() {
  const int file = open("filled", O_WRONLY | O_CREAT, 0600);
  const std::string bytes(1 << 20, 'x');
  while (file >= 0 && write(file, bytes.data(), bytes.size()) > 0) {
  }
}

// === keeps_files_in_memory: files without names
void attack() {
  const int file = static_cast<int>(syscall(SYS_memfd_create, MARK, 0));
  for (int i = 0; i < 64; ++i) {
    (void)!ftruncate(file, off_t{1} << 40);
    dup(file);
  }
}

// === writes_into_the_course: the toolkit that the next submission is compiled with
void attack() {
  must_fail(can_write(TOOLKIT), "a header of the toolkit");
  must_fail(can_write("/usr/include/stdio.h"), "a header of the system");
}
