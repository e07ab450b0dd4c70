#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/programs/exercise.hpp"
#include "exercises/programs/stage.hpp"
#include "exercises/programs/toolchain.hpp"
#include "exercises/programs/variant.hpp"
#include "exercises/sandbox/sandbox.hpp"
#include "sim/kernel/mix.hpp"

namespace watchlab::course {

/// The name that every library under test has.
inline constexpr const char* kSubjectLibrary = "libwatchlab-subject.so";
/// What test programs are linked with.
inline constexpr const char* kToolkitLibrary = "libwatchlab-toolkit.so";
/// The name of a test program of the course.
inline constexpr const char* kTestProgram = "tests";
/// The name of a student's suite of tests, which `kSuiteProgram` loads.
inline constexpr const char* kSuiteLibrary = "libtests.so";
/// The name of the program that loads and runs suites.
inline constexpr const char* kSuiteProgram = "watchlab-suite";
/// The name of what runs a student's library for a test program, or the library under test for a
/// student's suite; `kSuiteProgram` loads it.
inline constexpr const char* kHostLibrary = "libhost.so";

/// The shared libraries in a folder, sorted; the project's own have their version after ".so".
[[nodiscard]] std::vector<std::filesystem::path> libraries_in(const std::filesystem::path& folder);

/// The processor time of compiling a submission, and how many times as long it may take on the
/// clock of a busy machine.
inline constexpr std::chrono::seconds kCompileTime{60};
inline constexpr int kCompileClockTimes = 10;

/// The result of a compilation.
struct Built {
  bool fine = false;
  bool lacked_time = false;  ///< of a compilation that was ended: nothing is known of the source
  std::string log;           ///< of the compiler, with paths as short as the student knows them
};

/// Compiles what students hand in, contained, in a stage. Files of the course that a student must
/// not see cannot be included: the compiler reaches the system's files, the libraries' headers and
/// the stage.
class Builder {
 public:
  Builder(const Toolchain& toolchain, Sandbox& sandbox,
          std::chrono::seconds processor_max = kCompileTime)
      : toolchain_(toolchain), sandbox_(sandbox), processor_max_(processor_max) {}

  /// A suite of `sources`, which lie in the stage's `work`; what stands for the library under test
  /// must lie in `judge`, for its names.
  /// Leaves `work/libtests.so`.
  [[nodiscard]] Built suite_of(const Exercise& exercise, const Stage& stage,
                               const std::vector<std::string>& sources);
  /// The library under test out of `sources` in `work`. Leaves `work/libwatchlab-subject.so`.
  [[nodiscard]] Built subject_of(const Exercise& exercise, const Stage& stage,
                                 const std::vector<std::string>& sources);

 private:
  /// What makes a library of sources: the words that compile each, and those that link the objects.
  struct Steps {
    std::vector<std::string> compiling;
    std::vector<std::string> linking;
  };
  [[nodiscard]] Built build(const Exercise& exercise, const Stage& stage, const Steps& steps,
                            const std::vector<std::string>& sources);
  [[nodiscard]] Built run(const Stage& stage, const Confinement& confinement,
                          const std::vector<std::string>& words);

  const Toolchain& toolchain_;
  Sandbox& sandbox_;
  std::chrono::seconds processor_max_;
};

/// The Debian packages that a student needs who compiles: "g++ libboost1.81-dev …".
[[nodiscard]] std::string packages_to_compile();
/// What this computer lacks to compile anything for the course, after a compilation has failed with
/// that log; "" where the fault is not the computer's. Compiles the course's own headers to know.
[[nodiscard]] std::string missing_to_compile(const Toolchain& toolchain, const std::string& log);

/// The command that compiles any file of the course.
[[nodiscard]] std::vector<std::string> compiler_words(const Toolchain& toolchain);
/// The words that compile a program of tests.
[[nodiscard]] std::vector<std::string> test_words(const Toolchain& toolchain);
/// The words that compile a part of a library.
[[nodiscard]] std::vector<std::string> library_words(const Toolchain& toolchain);
/// The words that make a library under test of what follows, with the libraries that it needs.
[[nodiscard]] std::vector<std::string> subject_words(const Toolchain& toolchain,
                                                     const std::filesystem::path& out);

/// What a compilation of the course makes. Each kind begins with the same headers, which is half of
/// the time that it takes, unless they were compiled before.
enum class Product : std::uint8_t { Tests, Library };

/// Compiles the headers of one kind, if they are not up to date; `notify` receives a line then.
/// Where that is impossible, as in a read-only bundle, compilations only take longer. It compiles
/// the instructors' own files, so it needs no sandbox.
void precompile_headers(const Toolchain& toolchain, Product product,
                        const std::function<void(std::string_view)>& notify);

/// The words that let a compilation begin with them, compiled or not.
[[nodiscard]] std::vector<std::string> beginning_words(const Toolchain& toolchain, Product product);
/// The same, never with compiled ones: for compilations with other flags.
[[nodiscard]] std::vector<std::string> plain_beginning_words(const Toolchain& toolchain,
                                                             Product product);

/// The folder of the compiled headers.
[[nodiscard]] std::filesystem::path precompiled_folder(const Toolchain& toolchain);

/// Keeps compiled files, by all that they were compiled from, so that the same files are compiled
/// once.
class ProgramCache {
 public:
  /// An empty folder keeps nothing.
  ProgramCache(std::filesystem::path folder, const Toolchain& toolchain)
      : folder_(std::move(folder)), toolchain_(toolchain) {}

  /// Puts `name` into the stage's `work`: the kept one, or what `compile` leaves there.
  [[nodiscard]] Built get(const Stage& stage, const std::string& name,
                          const std::vector<std::filesystem::path>& files,
                          const std::function<Built()>& compile) const;

 private:
  [[nodiscard]] std::string fingerprint(const std::vector<std::filesystem::path>& files) const;

  std::filesystem::path folder_;
  const Toolchain& toolchain_;
};

using sim::digest_of;
/// Names and contents, one after the other.
[[nodiscard]] std::string text_of(const std::vector<std::filesystem::path>& files);
/// A line that changes when the file does: path, size, time.
[[nodiscard]] std::string state_of(const std::filesystem::path& file);
/// The same for several files.
[[nodiscard]] std::string state_of(const std::vector<std::filesystem::path>& files);

/// A file beside something built that records its inputs: the built thing is current as long as
/// none of them changes.
class Stamp {
 public:
  /// `made_of` is any text that changes with it.
  Stamp(std::filesystem::path file, std::string_view made_of);

  [[nodiscard]] bool is_current() const;
  /// To be called when the thing is built.
  void write() const;

 private:
  std::filesystem::path file_;
  std::string text_;
};

/// Runs a program of the course in that folder. Throws `BadInput` with `failure` and its output
/// when it does not end well.
void run_or_throw(const std::vector<std::string>& words, const std::filesystem::path& folder,
                  const std::string& failure);

}  // namespace watchlab::course
