#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/picture_filter.hpp"
#include "scenarios/cli/serving.hpp"
#include "scenarios/command_line/interrupt.hpp"

// Of `watchlab`, in the place of what only `watchlab-serve` is linked with.
namespace watchlab::scenarios {
namespace {

constexpr const char* kWhole = "watchlab-serve";

/// Becomes the program that has all commands and stands beside this one, with the words of the
/// present call. Returns only by throwing `std::invalid_argument`, where that is missing.
[[noreturn]] void become_the_whole_program() {
  std::error_code failure;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", failure);
  const std::string whole = (self.parent_path() / kWhole).string();
  std::vector<std::string> words = words_of_call();
  words.insert(words.begin(), whole);
  std::vector<char*> arguments;
  for (std::string& each : words) {
    arguments.push_back(each.data());
  }
  arguments.push_back(nullptr);
  keep_signals_for_the_next_program();
  ::execv(whole.c_str(), arguments.data());
  throw std::invalid_argument(fmt::format("this needs the program {}, which cannot be started: {}",
                                          whole, std::strerror(errno)));
}

}  // namespace

int serve(const ServeArguments& /*arguments*/, Console& /*console*/) { become_the_whole_program(); }

int serve_report(const ServeReportArguments& /*arguments*/, Console& /*console*/) {
  become_the_whole_program();
}

int story_from_record(const StoryFromArguments& /*arguments*/, Console& /*console*/) {
  become_the_whole_program();
}

int fault(const FaultArguments& /*arguments*/, Console& /*console*/) { become_the_whole_program(); }

void need_graphviz() { become_the_whole_program(); }

std::string render(const Graph& /*graph*/, const std::string& /*format*/) {
  become_the_whole_program();
}

}  // namespace watchlab::scenarios
