// Attacks on the compiler, and with it: what a submission can read, and how long it takes, before
// it runs at all.

// === includes_a_hidden_file: the text of a hidden defect or test as a part of the submission
// says: does not compile
#include HIDDEN

// === includes_the_solution: the instructor's own answer, by its path
// fits: implement
// alone: yes
// says: does not compile
#include SOLUTION

// === includes_the_solution_by_its_name: the same, as headers of the exercise are found
// fits: implement
// alone: yes
// says: does not compile
#include SOLUTION_BY_NAME

// === includes_a_correct_library: what the library under test could be compared with
// fits: tests
// says: does not compile
#include CORRECT

// === asks_whether_hidden_files_can_be_included: one answer of the preprocessor
#if __has_include(HIDDEN)
void attack() { gained("a hidden file can be included"); }
#endif

// === guesses_hidden_names: a file that is there and may not be read ends a compilation
// wall: own view of files
// says: there is nothing of that name
#if __has_include(HIDDEN) ||                                     \
                  __has_include(                                 \
                      SOLUTION) ||                               \
                      __has_include(                             \
                          CORRECT) ||                            \
                          __has_include(OTHER) ||                \
                                        __has_include(RESULT) || \
                                                      __has_include("/proc/self/environ")
void attack() { gained("a closed file can be included"); }
#else
void attack() { throw std::runtime_error("there is nothing of that name"); }
#endif

// === takes_hidden_bytes_in: the assembler reads files as well
// says: does not compile
asm(".section .rodata\n.incbin \"" HIDDEN "\"\n.text");

// === lets_the_assembler_quote: errors of the assembler quote the lines of what it includes
// says: does not compile
asm(".include \"" HIDDEN "\"");

// === lets_the_compiler_quote: a message shows the line of the file that it is said to come from
// says: does not compile
#line 8 HIDDEN
static_assert(sizeof(int) == 5);
static_assert(sizeof(int) == 6);

// === includes_the_environment: of the compiler, which the grader has started
// says: does not compile
#include </proc/self/environ>

// === includes_memory: of the compiler itself
// says: does not compile
#include </proc/self/mem>

// === includes_standard_input: waits for what nobody writes
#include </dev/stdin>

// === includes_endless_bytes: a file without an end
// says: does not compile
#include </dev/urandom>

// === includes_itself: without an end, too
// says: does not compile
#include __FILE__

// === computes_for_hours: constants that take a compiler for ever
// says: does not compile
constexpr long computed(long rounds) {
  long sum = 0;
  for (long i = 0; i < rounds; ++i) {
    for (long j = 0; j < rounds; ++j) {
      sum += i ^ j;
    }
  }
  return sum;
}
static_assert(computed(200'000) == 1);

// === instantiates_without_end: a class in each class
// says: does not compile
template <int N>
struct Nested {
  static constexpr int value = Nested<N + 1>::value + 1;
};
static_assert(Nested<0>::value == 1);

// === doubles_its_tokens: thirty lines that become more than a memory holds
// says: does not compile
#define A0 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
#define A1 A0 + A0 + A0 + A0 + A0 + A0 + A0 + A0
#define A2 A1 + A1 + A1 + A1 + A1 + A1 + A1 + A1
#define A3 A2 + A2 + A2 + A2 + A2 + A2 + A2 + A2
#define A4 A3 + A3 + A3 + A3 + A3 + A3 + A3 + A3
#define A5 A4 + A4 + A4 + A4 + A4 + A4 + A4 + A4
#define A6 A5 + A5 + A5 + A5 + A5 + A5 + A5 + A5
#define A7 A6 + A6 + A6 + A6 + A6 + A6 + A6 + A6
#define A8 A7 + A7 + A7 + A7 + A7 + A7 + A7 + A7
const long summed = A8 + A8 + A8 + A8 + A8 + A8 + A8 + A8;

// === nests_too_deep: denials until the parser's own stack is at its end
#define B1 !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!
#define B2 B1 B1 B1 B1 B1 B1 B1 B1 B1 B1 B1 B1 B1 B1 B1 B1
#define B3 B2 B2 B2 B2 B2 B2 B2 B2 B2 B2 B2 B2 B2 B2 B2 B2
#define B4 B3 B3 B3 B3 B3 B3 B3 B3 B3 B3 B3 B3 B3 B3 B3 B3
const bool denied = B4 true;

// === writes_thousands_of_errors: a log that nobody can keep
// says: does not compile
#define E1 static_assert(sizeof(int) == 7);
#define E2 E1 E1 E1 E1 E1 E1 E1 E1 E1 E1
#define E3 E2 E2 E2 E2 E2 E2 E2 E2 E2 E2
#define E4 E3 E3 E3 E3 E3 E3 E3 E3 E3 E3
E4;

// === assembles_a_terabyte: an object file that fills the disk
// says: does not compile
asm(".data\n.fill 0x10000000000, 1, 7\n.text");

// === initialises_a_gigabyte: the same from C++
// says: does not compile
int enormous[1L << 28] = {1};

// === asks_for_another_loader: the program names what is to load it
// fits: tests
extern "C" [[gnu::section(".interp"), gnu::used]] const char own_loader[] = "/proc/self/exe";

// === puts_words_into_sections: where tools that read programs look first
asm(".pushsection .note.gnu.build-id,\"a\",@note\n.long 4,4,3\n.ascii \"GNU\\0own!\"\n.popsection");
asm(".pushsection .comment,\"MS\",@progbits,1\n.asciz \"\\033[2Jpassed\"\n.popsection");
