#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/campaign/campaign_text.hpp"
#include "scenarios/cli/campaign_record.hpp"
#include "scenarios/cli/commands.hpp"

namespace watchlab::scenarios {
namespace {

struct MergeArguments {
  CommonOptions common;
  std::vector<std::string> files;
};

/// Reads the lines of one file, or of standard input. Throws `std::invalid_argument` that says
/// where.
void read(const std::string& path, std::vector<CampaignRecord>& parts) {
  std::ifstream file;
  if (path != "-") {
    file.open(path);
    if (!file) {
      throw std::invalid_argument(fmt::format("{}: there is no such file", path));
    }
  }
  std::istream& in = path == "-" ? std::cin : file;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) {
      continue;
    }
    try {
      if (std::optional<CampaignRecord> part = CampaignRecord::from_line(line)) {
        parts.push_back(*std::move(part));
      }
    } catch (const std::invalid_argument& refused) {
      throw std::invalid_argument(fmt::format("{}:{}: {}", path, number, refused.what()));
    }
  }
}

/// Removes what another part covers: a job that was repeated has its line twice, the first time
/// perhaps with fewer runs. Returns how many.
std::size_t drop_repeated(std::vector<CampaignRecord>& parts) {
  const std::size_t before = parts.size();
  for (std::size_t i = 0; i < parts.size();) {
    bool covered = false;
    for (std::size_t other = 0; other < parts.size() && !covered; ++other) {
      covered = other != i && parts[other].is_same_campaign(parts[i]) &&
                parts[other].covers(parts[i]) && (other < i || !parts[i].covers(parts[other]));
    }
    if (covered) {
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  return before - parts.size();
}

/// One record a campaign, in the order of their first line.
std::vector<CampaignRecord> put_together(const std::vector<CampaignRecord>& parts) {
  std::vector<CampaignRecord> records;
  for (const CampaignRecord& part : parts) {
    const auto found =
        std::find_if(records.begin(), records.end(),
                     [&](const CampaignRecord& record) { return record.is_same_campaign(part); });
    if (found == records.end()) {
      records.push_back(part);
    } else {
      found->merge(part);
    }
  }
  return records;
}

void print(const CampaignRecord& record, Console& console) {
  const ReportEntry& entry = record.entry;
  const std::size_t parts = record.parts.size();
  const std::string played =
      fmt::format("{} schedules in {} part{}", entry.executions, parts, parts == 1 ? "" : "s");
  if (!entry.held) {
    console.complain(fmt::format("{}  {}, {}; the first failure is run {}\n{}: {}\nreplay it: {}",
                                 console.bad("FAIL"), entry.name, played, record.failing_run,
                                 entry.kind, entry.sentence, entry.command));
  } else {
    console.remark(fmt::format("{}  {:<40} {}", console.good("held"), entry.name, played));
  }
  console.remark("      " + progress_text(record.as_result(), entry.seconds));
  if (record.is_interrupted()) {
    console.remark("      stopped before all schedules were played");
  }
  if (!record.missing().empty()) {
    console.complain(
        fmt::format("{}: nothing was heard of shard {}", entry.path, record.missing()));
  }
}

int merge(const MergeArguments& arguments) {
  Console console(arguments.common);
  std::vector<CampaignRecord> parts;
  std::vector<CampaignRecord> records;
  std::size_t repeated = 0;
  try {
    for (const std::string& path : arguments.files) {
      read(path, parts);
    }
    repeated = drop_repeated(parts);
    records = put_together(parts);
  } catch (const std::invalid_argument& refused) {
    console.complain(fmt::format("watchlab merge: {}", refused.what()));
    return exit_usage;
  }
  if (records.empty()) {
    console.complain("watchlab merge: there is no line of an exploration in these files");
    return exit_usage;
  }
  if (repeated > 0) {
    console.remark(fmt::format("{} of the parts came twice and count once", repeated));
  }
  Report report(arguments.common, "merge", Report::Lines::Sealed);
  bool whole = true;
  for (const CampaignRecord& record : records) {
    print(record, console);
    report.add(record.as_entry());
    whole = whole && record.missing().empty();
  }
  if (!report.write(console)) {
    return exit_found;
  }
  return report.failed() > 0 || !whole ? exit_found : exit_held;
}

}  // namespace

Command merge_command() {
  auto arguments = std::make_shared<MergeArguments>();
  return {.name = "merge",
          .summary = "Puts together what the shards of an exploration have found.",
          .footer =
              "What it prints with --json can be merged again. A line that comes twice, as when "
              "a job was\nrepeated, counts once. Exit 1 when there is a failure or a shard is "
              "missing.\n"
              "Examples:\n  watchlab merge part0.jsonl part1.jsonl\n"
              "  cat parts/*.jsonl | watchlab merge - --json > whole.jsonl",
          .arguments = with_common_options({{.name = "FILE",
                                             .target = &arguments->files,
                                             .help = "Files that explore --json has written; - is "
                                                     "standard input",
                                             .required = true}},
                                           arguments->common),
          .run = [arguments] { return merge(*arguments); }};
}

}  // namespace watchlab::scenarios
