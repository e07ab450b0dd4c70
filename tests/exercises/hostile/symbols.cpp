// Attacks by name: a submission defines functions that the toolkit, the framework or the C library
// has too, in the hope that the judge calls them.

// === compares_alike: all memory is the same
extern "C" int memcmp(const void*, const void*, size_t) { return 0; }

// === compares_strings_alike: all strings are the same
extern "C" int strcmp(const char*, const char*) { return 0; }
extern "C" int strncmp(const char*, const char*, size_t) { return 0; }

// === writes_what_it_likes: whatever is written is a report that a test has passed
extern "C" ssize_t write(int to, const void* bytes, size_t size) {
  std::string text(static_cast<const char*>(bytes), size);
  if (const size_t at = text.find("failed"); at != text.npos) {
    text.replace(at, 6, "passed");
  }
  syscall(SYS_write, to, text.data(), text.size());
  return static_cast<ssize_t>(size);
}

// === takes_messages: answers for the toolkit, and names the grader as its copy
extern "C" ssize_t recvmsg(int connection, msghdr*, int) {
  const pid_t grader = getppid();
  send(connection, &grader, sizeof grader, 0);
  while (true) {
    pause();
  }
}

// === takes_the_clone: copies that never come to be
extern "C" long syscall(long, ...) { return 1; }

// === exits_well: whoever leaves, leaves well
extern "C" void exit(int) { _exit(0); }
extern "C" void abort() { _exit(0); }
extern "C" void quick_exit(int) { _exit(0); }

// === throws_nothing: exceptions are never thrown
extern "C" void __cxa_throw(void*, void*, void (*)(void*)) { _exit(0); }

// === catches_nothing: handlers of exceptions see nothing
extern "C" void* __cxa_begin_catch(void*) { _exit(0); }

// === has_no_memory: the judge's memory comes from the submission
extern "C" void* calloc(size_t, size_t) { return nullptr; }
void* operator new(size_t size) {
  static char bytes[1 << 24];
  static size_t used = 0;
  used += (size + 15) / 16 * 16;
  return used < sizeof bytes ? bytes + used - size : nullptr;
}
void operator delete(void*) noexcept {}
void operator delete(void*, size_t) noexcept {}

// === has_passed: the framework's own question
namespace boost::unit_test {
class test_results {
 public:
  bool passed() const;
};
bool test_results::passed() const { return true; }
}  // namespace boost::unit_test

// === asserts_nothing: the framework's checks hold
// fits: tests
bool asserted() asm(
    "_ZN5boost10test_tools9tt_detail16report_assertionERKNS0_16assertion_resultENS_"
    "9unit_test12lazy_ostreamENS6_13basic_cstringIKcEEmNS1_10tool_levelENS1_"
    "10check_typeEmz");
bool asserted() { return true; }

// === expects_nothing: the toolkit's checks hold
void expected_text() asm(
    "_ZN8watchlab8exercise12expect_equalESt17basic_string_viewIcSt11char_"
    "traitsIcEES4_NS_7runtime8LocationE");
void expected_text() {}
void expected_number() asm("_ZN8watchlab8exercise12expect_equalEllNS_7runtime8LocationE");
void expected_number() {}
void failed() asm(
    "_ZN8watchlab7runtime13ensure_failedESt17basic_string_viewIcSt11char_"
    "traitsIcEENS0_8LocationE");
void failed() {}

// === plays_no_world: the toolkit's worlds hold whatever is in them
void played() asm("_ZN8watchlab8exercise14in_every_worldERKSt8functionIFvRNS_7runtime7RuntimeEEE");
void played() {}

// === reports_for_the_toolkit: every case has ended well
void ended() asm("_ZN8watchlab6course7Session3endEbSt17basic_string_viewIcSt11char_traitsIcEE");
void ended() { forge(); }
void noted() asm("_ZN8watchlab6course7Session10note_askedEPKc");
void noted() {}

// === has_a_main_function: the program is the submission's own
// fits: tests
int main() {
  forge();
  return 0;
}

// === starts_by_itself: what calls the main function
// fits: tests
extern "C" int __libc_start_main(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(),
                                 void (*)(), void*) {
  forge();
  _exit(0);
}

// === finds_for_the_others: what finds functions by name
extern "C" void* dlsym(void*, const char*) { return reinterpret_cast<void*>(&_exit); }
extern "C" char* getenv(const char*) { return nullptr; }

// === reads_no_clock: the framework and the toolkit get no time
extern "C" int clock_gettime(clockid_t, timespec* now) {
  *now = {};
  return -1;
}

// === unwinds_its_own_way: the personality of every exception
extern "C" int __gxx_personality_v0(...) { _exit(0); }

// === switches_its_own_way: between the fibers that worlds are made of
extern "C" void* jump_fcontext(void*, void*) { _exit(0); }
extern "C" void* ontop_fcontext(void*, void*, void*) { _exit(0); }

// === raises_its_own_way: what carries exceptions up
extern "C" int _Unwind_RaiseException(void*) { _exit(0); }

// === locks_nothing: what threads and streams are guarded by
extern "C" int pthread_mutex_lock(void*) { return 1; }
extern "C" int __cxa_guard_acquire(void*) { return 0; }
