#include "scenarios/cli/folder_progress.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "scenarios/campaign/sealed.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/resume_file.hpp"
#include "scenarios/command_line/output_file.hpp"

namespace watchlab::scenarios {
namespace {

constexpr const char* kCommand = "explore of several stories";

/// The call as it was given, without where it continues.
std::string same_line(const std::vector<CatalogueEntry>& files) {
  ChangedCall changed{.without = {"--resume"}};
  for (const CatalogueEntry& file : files) {
    if (file.parsed.scenario) {
      changed.stories.push_back(&*file.parsed.scenario);
    }
  }
  return same_call("explore", changed);
}

/// A path as stories are known by: "-a/b.yaml" is "./-a/b.yaml" in the line that continues.
std::string key_of(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().string();
}

}  // namespace

FolderProgress::FolderProgress(const ExploreArguments& arguments,
                               const std::vector<CatalogueEntry>& files)
    : line_(same_line(files)) {
  // The same line means other stories in another folder.
  std::error_code failure;
  const std::string where = std::filesystem::current_path(failure).string() + "\n" + line_;
  const std::string own =
      (state_folder() / fmt::format("explore.{:08x}.stories", checksum_of(where) >> 32U)).string();
  path_ = arguments.resume.empty() ? own : arguments.resume;
  is_own_ = std::filesystem::path(path_).parent_path() == state_folder();
  if (arguments.resume.empty() || arguments.names_one) {
    return;
  }
  const boost::json::value read = boost::json::parse(read_progress(path_, kCommand, {}));
  for (const auto& [path, standing] : read.as_object()) {
    const std::string kept(standing.as_string());
    std::optional<CampaignRecord> ended =
        kept.starts_with('{') ? CampaignRecord::from_line(kept) : std::nullopt;
    stories_[key_of(std::string(path))] = {.ended = std::move(ended), .resume = kept};
  }
}

std::optional<CampaignRecord> FolderProgress::ended(const std::string& path) const {
  const auto found = stories_.find(key_of(path));
  return found == stories_.end() ? std::nullopt : found->second.ended;
}

std::string FolderProgress::resume_of(const std::string& path) const {
  const auto found = stories_.find(key_of(path));
  return found == stories_.end() || found->second.ended ? "" : found->second.resume;
}

void FolderProgress::add(const std::string& path, const Explored& explored) {
  if (explored.has_not_begun) {
    return;
  }
  const bool is_stopped = explored.stopped_by_signal;
  stories_[key_of(path)] = {
      .ended = is_stopped || explored.bad_input ? std::nullopt : std::optional(explored.record),
      .resume = is_stopped ? explored.resume_file : ""};
  unkept_ = is_stopped && unkept_.empty() ? explored.problem : unkept_;
  begins_again_ = begins_again_ || (is_stopped && !explored.again.empty());
  const bool has_failed =
      !explored.record.entry.held && explored.record.entry.kind != ReportEntry::kNotPlayed;
  failed_ += has_failed ? 1 : 0;
  stopped_ += is_stopped && !has_failed ? 1 : 0;
  held_ += is_stopped || has_failed ? 0 : 1;
}

std::string FolderProgress::keep() const {
  boost::json::object kept;
  for (const auto& [path, standing] : stories_) {
    if (standing.ended) {
      kept[path] = sealed(json_line(standing.ended->as_entry()));
    } else if (!standing.resume.empty()) {
      kept[path] = standing.resume;
    }
  }
  std::error_code failure;
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), failure);
  return write_file_synced(
      path_, progress_text({.command = kCommand, .body = boost::json::serialize(kept)}));
}

bool FolderProgress::report_rest(std::size_t stories, Report& report, Console& console) {
  const std::string problem = keep();
  const std::string line = problem.empty() ? line_ + " --resume" + for_shell({path_}) : "";
  const std::size_t not_begun = stories - stories_.size();
  report.add_detail(boost::json::object{{"stories", stories},
                                        {"stories_held", held_},
                                        {"stories_failed", failed_},
                                        {"stories_stopped", stopped_},
                                        {"stories_not_begun", not_begun},
                                        {"resume", line}});
  console.remark(fmt::format("{} held, {} failed, {} stopped, {} not begun", held_, failed_,
                             stopped_, not_begun));
  if (const std::string& why = problem.empty() ? unkept_ : problem; !why.empty()) {
    console.report_error("watchlab explore: " + unkept_text(why, false, line));
  }
  if (problem.empty()) {
    console.remark(fmt::format("stopped; to continue{}:\n  {}",
                               begins_again_ ? " (searches by dfs and dpor begin again)" : "",
                               line));
  } else {
    console.remark("stopped; to continue, from the beginning:\n  " + line_);
  }
  return problem.empty();
}

void FolderProgress::forget() const { forget_when_reported(is_own_ ? path_ : ""); }

}  // namespace watchlab::scenarios
