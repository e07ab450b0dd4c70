#include "scenarios/cli/state_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace watchlab::scenarios {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBefore = ".before";

/// Empty unless the variable holds an absolute path, as the XDG Base Directory Specification asks.
fs::path folder_in(const char* variable) {
  const char* const value = std::getenv(variable);
  const fs::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : fs::path();
}

fs::path state_folder() {
  std::error_code failure;
  if (const fs::path state = folder_in("XDG_STATE_HOME"); !state.empty()) {
    return state / "watchlab";
  }
  if (const fs::path home = folder_in("HOME"); !home.empty()) {
    return home / ".local" / "state" / "watchlab";
  }
  return fs::temp_directory_path(failure) / "watchlab";
}

}  // namespace

std::string state_file(const std::string& name) {
  const fs::path folder = state_folder();
  std::error_code failure;
  fs::create_directories(folder, failure);
  return (folder / name).string();
}

std::string set_aside(const std::string& path) {
  const std::string before = path + std::string(kBefore);
  std::error_code failure;
  fs::rename(path, before, failure);
  return failure ? "" : before;
}

bool is_kept(const std::string& path) {
  std::error_code failure;
  return std::filesystem::is_regular_file(path, failure);
}

std::string unkept_text(const std::string& problem, bool has_ended, const std::string& resume) {
  return problem + (has_ended ? "; it came to its end all the same"
                    : !resume.empty()
                        ? "; what was kept before that is whole, and goes on from there"
                        : "; it cannot go on from there");
}

bool is_own_file(const std::string& file, const std::string& path) {
  return file == path || file == path + std::string(kBefore);
}

}  // namespace watchlab::scenarios
