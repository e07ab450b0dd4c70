#include "scenarios/cli/folder_progress.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "scenarios/campaign/sealed.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/resume_file.hpp"
#include "scenarios/command_line/output_file.hpp"

namespace watchlab::scenarios {
namespace {

constexpr const char* kCommand = "explore of several stories";

std::string seconds_of(runtime::Duration time) {
  return fmt::format("{}ms", std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

/// The command line as it was given, without where it continues.
std::string same_line(const ExploreArguments& given, const std::vector<CatalogueEntry>& files) {
  std::string options;
  const auto add = [&options](bool wanted, std::string_view name, const std::string& value) {
    options += !wanted           ? ""
               : options.empty() ? fmt::format("{} {}", name, word_for_shell(value))
                                 : fmt::format(" {} {}", name, word_for_shell(value));
  };
  const auto add_number = [&add](const auto& number, std::string_view name) {
    add(number.has_value(), name, number ? std::to_string(*number) : "");
  };
  add(given.strategy.has_value(), "--strategy", given.strategy.value_or(""));
  add_number(given.schedules, "--schedules");
  add_number(given.seed, "--seed");
  add_number(given.preemptions, "--preemptions");
  add_number(given.early_advances, "--early-advances");
  add_number(given.pct_depth, "--pct-depth");
  add(given.time.count() > 0, "--time", seconds_of(given.time));
  add(!given.shard.empty(), "--shard", given.shard);
  add(given.from > 0, "--from", std::to_string(given.from));
  add(!given.until_unseen.empty(), "--until-unseen", given.until_unseen);
  add(!given.transport.empty(), "--transport", given.transport);
  add(!given.machine.empty(), "--machine", given.machine);
  options += !given.continues ? "" : options.empty() ? "--continue" : " --continue";
  std::vector<const Scenario*> stories;
  for (const CatalogueEntry& file : files) {
    if (file.parsed.scenario) {
      stories.push_back(&*file.parsed.scenario);
    }
  }
  return line_to_paste("explore", given.names, stories, options);
}

}  // namespace

FolderProgress::FolderProgress(const ExploreArguments& arguments,
                               const std::vector<CatalogueEntry>& files)
    : line_(same_line(arguments, files)) {
  // The same line means other stories in another folder.
  std::error_code failure;
  const std::string where = std::filesystem::current_path(failure).string() + "\n" + line_;
  const std::string own =
      (state_folder() / fmt::format("explore.{:08x}.stories", checksum_of(where) >> 32U)).string();
  path_ = arguments.resume.empty() ? own : arguments.resume;
  is_own_ = std::filesystem::path(path_).parent_path() == state_folder();
  line_ += arguments.jobs > 1 ? fmt::format(" --jobs {}", arguments.jobs) : "";
  if (arguments.resume.empty() || arguments.names_one) {
    return;
  }
  const boost::json::value read = boost::json::parse(read_progress(path_, kCommand, {}));
  for (const auto& [path, standing] : read.as_object()) {
    const std::string resume(standing.as_string());
    stories_[std::string(path)] = {.ended = resume.empty(), .resume = resume};
  }
}

bool FolderProgress::has_ended(const std::string& path) const {
  const auto found = stories_.find(path);
  return found != stories_.end() && found->second.ended;
}

std::string FolderProgress::resume_of(const std::string& path) const {
  const auto found = stories_.find(path);
  return found == stories_.end() ? "" : found->second.resume;
}

void FolderProgress::add(const std::string& path, const Explored& explored) {
  if (explored.has_not_begun) {
    return;
  }
  const bool is_stopped = explored.stopped_by_signal;
  stories_[path] = {.ended = !is_stopped, .resume = is_stopped ? explored.resume_file : ""};
  begins_again_ = begins_again_ || (is_stopped && !explored.again.empty());
  const bool has_failed =
      !explored.record.entry.held && explored.record.entry.kind != ReportEntry::kNotPlayed;
  failed_ += has_failed ? 1 : 0;
  stopped_ += is_stopped && !has_failed ? 1 : 0;
  held_ += is_stopped || has_failed ? 0 : 1;
}

void FolderProgress::print_rest(std::size_t stories, Console& console) {
  boost::json::object kept;
  for (const auto& [path, standing] : stories_) {
    if (standing.ended || !standing.resume.empty()) {
      kept[path] = standing.resume;
    }
  }
  std::error_code failure;
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), failure);
  const std::string problem = write_file_synced(
      path_, progress_text({.command = kCommand, .body = boost::json::serialize(kept)}));
  console.note(fmt::format("{} held, {} failed, {} stopped, {} not begun", held_, failed_, stopped_,
                           stories - stories_.size()));
  if (problem.empty()) {
    console.note(fmt::format("stopped; to continue{}:\n  {} --resume{}",
                             begins_again_ ? " (searches by dfs and dpor begin again)" : "", line_,
                             for_shell({path_})));
  } else {
    console.report_error("watchlab explore: " + unkept_text(problem, false, ""));
  }
}

void FolderProgress::forget() const { forget_when_reported(is_own_ ? path_ : ""); }

}  // namespace watchlab::scenarios
