#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/texts.hpp"

namespace watchlab::tests {

/// What a finished process left behind.
struct Finished {
  int exit_code = -1;  ///< 128 and more for a signal
  std::string out;
  std::string err;
  double processor_seconds = 0;  ///< what it took of a processor, however busy the machine is
  long memory_kilobytes = 0;     ///< the most it used
};

struct ProcessOptions {
  std::string program = WATCHLAB_EXECUTABLE;
  std::string folder;        ///< to run in; "" for the present one
  std::string input;         ///< what it reads from standard input
  bool interrupted = false;  ///< sends SIGINT when the program has done some work
  int pending = 0;  ///< a signal that has come before the program does anything; 0 for none
};

/// Runs the program `watchlab` in the source tree, with standard output and error into files.
[[nodiscard]] Finished run_watchlab(const std::vector<std::string>& arguments,
                                    const ProcessOptions& options = {});

/// The help of each command that the menu names, one after the other, as of a program that is
/// called so.
[[nodiscard]] std::string help_of_all_commands(const std::string& called = "watchlab");
/// A page of help without the ends of lines that its width brings.
[[nodiscard]] std::string unwrapped(const std::string& help);

/// What the program shows on a terminal of so many columns, as its bytes: with the colours, and the
/// progress that later lines write over.
[[nodiscard]] std::string shown_on_terminal(const std::vector<std::string>& arguments,
                                            unsigned short columns,
                                            const std::string& terminal_type = "xterm");

/// A folder that is gone when the object is.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path folder_;
};

/// The program as it is where it was installed: below a prefix, with the scenarios in its share,
/// under that name.
[[nodiscard]] ProcessOptions installed_in(const TemporaryFolder& folder,
                                          const std::string& name = "watchlab");

/// The whole content of a file; "" when there is none.
[[nodiscard]] std::string read_whole(const std::string& path);

}  // namespace watchlab::tests
