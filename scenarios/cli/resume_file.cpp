#include "scenarios/cli/resume_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "scenarios/cli/console.hpp"

namespace watchlab::scenarios {
namespace {

namespace fs = std::filesystem;

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

ResumeFile::ResumeFile(const std::string& usual_name, const std::string& named, std::string line)
    : line_(std::move(line)) {
  const fs::path folder = state_folder();
  std::error_code failure;
  fs::create_directories(folder, failure);
  const std::string usual = (folder / usual_name).string();
  const std::string before = usual + ".before";
  path_ = named.empty() ? usual : named;
  is_own_ = path_ == usual || path_ == before;
  if (named.empty()) {
    fs::rename(usual, before, failure);
    earlier_ = failure ? "" : before;
  }
}

bool ResumeFile::is_kept() const {
  std::error_code failure;
  return fs::is_regular_file(path_, failure);
}

std::string unkept_text(const std::string& problem, bool has_ended, const std::string& resume) {
  return problem + (has_ended ? "; it came to its end all the same"
                    : !resume.empty()
                        ? "; what was kept before that is whole, and goes on from there"
                        : "; it cannot go on from there");
}

void forget_when_told(const std::string& path) {
  if (!path.empty() && flush_standard_output().empty()) {
    std::error_code failure;
    fs::remove(path, failure);
  }
}

}  // namespace watchlab::scenarios
