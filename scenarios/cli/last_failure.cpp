#include "scenarios/cli/last_failure.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "scenarios/campaign/sealed.hpp"
#include "scenarios/cli/resume_file.hpp"
#include "scenarios/command_line/output_file.hpp"
#include "scenarios/language/runner.hpp"
#include "sim/kernel/schedule.hpp"

namespace watchlab::scenarios {
namespace {

namespace fs = std::filesystem;

fs::path file_of(const Scenario& scenario) {
  const char* const variant = std::getenv("WATCHLAB_VARIANT");  // set by the launcher
  std::error_code failure;
  const fs::path whole = fs::weakly_canonical(scenario.path, failure);
  const std::string which =
      fmt::format("{}\n{}", whole.string(), variant == nullptr ? "" : variant);
  return state_folder() / "failures" /
         fmt::format("{}.{:08x}.schedule", scenario.name, checksum_of(which) >> 32U);
}

}  // namespace

std::string keep_last_failure(const Scenario& scenario, const std::string& schedule) {
  const fs::path file = file_of(scenario);
  std::error_code failure;
  fs::create_directories(file.parent_path(), failure);
  return write_own_file(file.string(), schedule + "\n").empty() ? file.string() : "";
}

std::optional<LastFailure> last_failure(const Scenario& scenario) {
  const fs::path file = file_of(scenario);
  const std::string text = read_file(file.string()).value_or("");
  const std::string schedule = text.substr(0, text.find('\n'));
  try {
    const auto made_for = sim::Schedule::parse(schedule).scenario;
    if (as_scheduled(scenario, schedule).hash == made_for) {
      return LastFailure{file.string(), schedule};
    }
  } catch (const sim::InvalidSchedule&) {  // no file, or one of another version
  }
  return std::nullopt;
}

}  // namespace watchlab::scenarios
