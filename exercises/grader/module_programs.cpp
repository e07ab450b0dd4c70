#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "exercises/grader/commands.hpp"
#include "exercises/grader/go_tests.hpp"
#include "exercises/grader/grading.hpp"
#include "exercises/programs/controllers.hpp"
#include "exercises/programs/variant.hpp"
#include "exercises/sandbox/namespaces.hpp"
#include "exercises/sandbox/processes.hpp"
#include "exercises/sandbox/sandbox.hpp"

// What the course is for a module of WebAssembly, in the place of the sources that
// scenarios/wasm/meson.build leaves out: it starts no process but the player, which the page calls,
// and has no compiler. A module is walls enough.
namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

extern "C" {
/// Calls the program of these words, with zeros between them, in a folder. Returns its status;
/// `output` becomes a text to be freed. See module_programs.js.
int watchlab_run_program(const char* words, std::size_t size, const char* folder, char** output);
}

[[noreturn]] void refuse_to_compile(const Exercise& exercise) {
  throw BadInput(
      fmt::format("{} takes a compiler, which this watchlab-course, a module of WebAssembly, does "
                  "not have; expected an exercise that list calls predict, diagnose or "
                  "write-scenario",
                  exercise.id));
}

}  // namespace

ProcessEnd run_plainly(const std::vector<std::string>& words, const fs::path& folder) {
  std::string all;
  for (const std::string& word : words) {
    all += (all.empty() ? "" : std::string(1, '\0')) + word;
  }
  char* output = nullptr;
  const int status = watchlab_run_program(all.data(), all.size(), folder.c_str(), &output);
  ProcessEnd end{.status = status, .output = output};
  std::free(output);
  return end;
}

void oversee(const fs::path& /*unfinished*/, const std::function<void()>& /*after_failure*/) {}

fs::path new_work_folder() {
  static int made = 0;
  const fs::path folder = fs::temp_directory_path() / fmt::format("watchlab-course-{}", ++made);
  fs::create_directories(folder);
  return folder;
}

EmptyNetwork::EmptyNetwork() = default;
EmptyNetwork::~EmptyNetwork() = default;
bool can_show_only(const EmptyNetwork& /*network*/) { return false; }

Sandbox::Sandbox() = default;
Sandbox::~Sandbox() = default;
std::vector<std::string> Sandbox::walls() const { return {}; }
void Sandbox::admit(const fs::path& /*folder*/) const {}

Ended Sandbox::run(const Command& command, const Confinement& /*confinement*/,
                   const Listener& /*listener*/) {
  std::vector<std::string> words{"/usr/bin/env"};
  words.insert(words.end(), command.environment.begin(), command.environment.end());
  words.insert(words.end(), command.words.begin(), command.words.end());
  ProcessEnd end = run_plainly(words, command.folder);
  return {.how = Ended::How::Exited, .status = end.status, .output = std::move(end.output)};
}

std::string describe(const Ended& ended) { return fmt::format("exit status {}", ended.status); }

void Grading::grade_suite(const GradingRequest& /*request*/) {
  refuse_to_compile(context_.exercise);
}
void Grading::grade_implementation(const GradingRequest& /*request*/) {
  refuse_to_compile(context_.exercise);
}
void Grading::grade_stories_of_controllers(const GradingRequest& /*request*/) {
  refuse_to_compile(context_.exercise);
}
std::vector<Variant> read_variants(const Exercise& exercise, const fs::path& /*hidden*/) {
  refuse_to_compile(exercise);
}
void build_controllers(const CommandContext& context, std::vector<Variant>& /*variants*/) {
  refuse_to_compile(context.exercise);
}
std::vector<std::pair<std::string, std::string>> sources_to_read(const Toolchain& /*toolchain*/,
                                                                 const Exercise& exercise) {
  refuse_to_compile(exercise);
}
std::vector<std::pair<std::string, std::string>> go_module_to_read(const Toolchain& /*toolchain*/,
                                                                   const Exercise& exercise) {
  refuse_to_compile(exercise);
}
void build_patched_libraries(const Toolchain& /*toolchain*/, const fs::path& patch,
                             const fs::path& /*folder*/, std::size_t /*worker*/) {
  throw BadInput(fmt::format("{} is not built", patch.string()));
}

void add_commands_of_instructors(std::vector<scenarios::Command>& /*commands*/) {}

}  // namespace watchlab::course
