#include "scenarios/cli/campaign_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "scenarios/campaign/campaign.hpp"
#include "scenarios/cli/resume_file.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::string_view kBetweenClauses = "; ";

/// "0/4:0-250. 1/4:0-250i".
std::string parts_text(const std::vector<RunRange>& parts) {
  std::string text;
  for (const RunRange& part : parts) {
    text += fmt::format("{}{}/{}:{}-{}{}", text.empty() ? "" : " ", part.shard, part.shards,
                        part.from, part.to, part.end);
  }
  return text;
}

std::vector<RunRange> parts_of(const std::string& text) {
  std::vector<RunRange> parts;
  std::istringstream in(text);
  RunRange part;
  char slash = 0;
  char colon = 0;
  char dash = 0;
  while (in >> part.shard >> slash >> part.shards >> colon >> part.from >> dash >> part.to >>
         part.end) {
    if (slash != '/' || colon != ':' || dash != '-' || part.shard >= part.shards) {
      break;
    }
    parts.push_back(part);
  }
  if (!in.eof() || parts.empty()) {
    throw std::invalid_argument(fmt::format("'{}' does not say which runs were played", text));
  }
  return parts;
}

/// Whether two processes may have played the same run.
bool overlap(const RunRange& a, const RunRange& b) {
  const bool in_time = a.from < b.to && b.from < a.to;
  return in_time &&
         a.shard % std::gcd(a.shards, b.shards) == b.shard % std::gcd(a.shards, b.shards);
}

std::vector<std::string> clauses_in(std::string_view text) {
  std::vector<std::string> clauses;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(kBetweenClauses), text.size());
    clauses.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + kBetweenClauses.size(), text.size()));
  }
  return clauses;
}

template <typename Value>
Value field(const boost::json::object& line, const char* key, Value otherwise) {
  const boost::json::value* const found = line.if_contains(key);
  return found == nullptr ? otherwise : boost::json::value_to<Value>(*found);
}

CampaignRecord read(const boost::json::object& line) {
  CampaignRecord record;
  record.entry = {.name = field<std::string>(line, "name", ""),
                  .path = field<std::string>(line, "path", ""),
                  .held = field<bool>(line, "held", true),
                  .kind = field<std::string>(line, "kind", ""),
                  .sentence = field<std::string>(line, "sentence", ""),
                  .schedule = field<std::string>(line, "schedule", ""),
                  .command = field<std::string>(line, "replay", ""),
                  .steps = field<std::uint64_t>(line, "steps", 0),
                  .executions = field<std::uint64_t>(line, "executions", 0),
                  .seconds = field<double>(line, "seconds", 0)};
  record.strategy = field<std::string>(line, "strategy", "");
  record.seed = std::stoull(field<std::string>(line, "seed", "0"));
  record.parts = parts_of(field<std::string>(line, "parts", ""));
  record.settings = settings_from(field<std::string>(line, "options", ""));
  record.schedules = field<std::size_t>(line, "schedules", 0);
  record.digest = std::stoull(field<std::string>(line, "digest", "0"), nullptr, 16);
  record.blocked = field<std::size_t>(line, "blocked", 0);
  record.failing_run = field<std::size_t>(line, "failing_run", 0);
  record.explored = field<double>(line, "explored", 0);
  record.relative_to = clauses_in(field<std::string>(line, "relative_to", ""));
  record.coverage = sim::Coverage::from_sketch(field<std::string>(line, "coverage", ""));
  record.resume = field<std::string>(line, "resume", "");
  return record;
}

std::invalid_argument foreign_line(const std::string& why) {
  return std::invalid_argument("this is not what explore --json writes: " + why);
}

void check_apart(const CampaignRecord& record, const CampaignRecord& other) {
  for (const RunRange& mine : record.parts) {
    for (const RunRange& theirs : other.parts) {
      if (overlap(mine, theirs)) {
        throw std::invalid_argument(fmt::format("{}: {} and {} have runs in common",
                                                record.entry.path, parts_text({mine}),
                                                parts_text({theirs})));
      }
    }
  }
}

}  // namespace

ReportEntry CampaignRecord::as_entry() const {
  ReportEntry written = entry;
  written.digest = fmt::format("{:016x}", digest);
  auto& more = written.more;
  more.emplace_back("executions", entry.executions);  // also when there are none
  more.emplace_back("strategy", strategy);
  more.emplace_back("seed", std::to_string(seed));
  more.emplace_back("parts", parts_text(parts));
  more.emplace_back("options", settings_text(settings));
  more.emplace_back("schedules", schedules);
  if (blocked > 0) {
    more.emplace_back("blocked", blocked);
  }
  if (!entry.held) {
    more.emplace_back("failing_run", failing_run);
  }
  more.emplace_back("exhausted", is_exhausted());
  if (!relative_to.empty()) {
    more.emplace_back("relative_to", fmt::format("{}", fmt::join(relative_to, kBetweenClauses)));
  }
  more.emplace_back("interrupted", is_interrupted());
  if (explored > 0) {
    more.emplace_back("explored", explored);
  }
  more.emplace_back("orders", coverage.orders());
  more.emplace_back("unseen", coverage.unseen());
  if (!resume.empty()) {
    more.emplace_back("resume", resume);
  }
  more.emplace_back("coverage", coverage.to_sketch());
  return written;
}

std::optional<CampaignRecord> CampaignRecord::from_line(std::string_view line) {
  try {
    boost::json::parse_options options;
    options.allow_invalid_utf8 = true;
    const boost::json::value value = boost::json::parse(unsealed(line), {}, options);
    const boost::json::object* const object = value.if_object();
    if (object == nullptr || !object->contains("coverage")) {
      return std::nullopt;
    }
    return read(*object);
  } catch (const boost::system::system_error& failure) {
    throw foreign_line(failure.code().message());
  } catch (const std::logic_error& failure) {
    throw foreign_line(failure.what());
  }
}

bool CampaignRecord::is_exhausted() const {
  // A shard may have several parts, of which the last one came to the end.
  std::set<std::size_t> done;
  for (const RunRange& part : parts) {
    if (part.end == RunRange::kExhausted) {
      done.insert(part.shard);
    }
  }
  return done.size() == parts.front().shards;
}

namespace {

/// Whether the last part that was received from some shard ends so.
bool any_ends(const std::vector<RunRange>& parts, char end) {
  std::map<std::pair<std::size_t, std::size_t>, RunRange> last;
  for (const RunRange& part : parts) {
    RunRange& known = last.try_emplace({part.shards, part.shard}, part).first->second;
    known = part.to > known.to || part.end == RunRange::kExhausted ? part : known;
  }
  return std::ranges::any_of(last, [end](const auto& each) { return each.second.end == end; });
}

}  // namespace

bool CampaignRecord::is_interrupted() const {
  return any_ends(parts, RunRange::kInterrupted) || is_stopped();
}

bool CampaignRecord::is_stopped() const { return any_ends(parts, RunRange::kStopped); }

bool CampaignRecord::is_same_campaign(const CampaignRecord& other) const {
  return entry.path == other.entry.path && strategy == other.strategy && seed == other.seed;
}

bool CampaignRecord::covers(const CampaignRecord& other) const {
  return std::ranges::all_of(other.parts, [this](const RunRange& theirs) {
    return std::ranges::any_of(parts, [&theirs](const RunRange& mine) {
      return mine.shard == theirs.shard && mine.shards == theirs.shards &&
             mine.from <= theirs.from && mine.to >= theirs.to;
    });
  });
}

void CampaignRecord::merge(const CampaignRecord& other) {
  const std::string another = difference(settings, other.settings);
  if (!another.empty()) {
    throw std::invalid_argument(
        fmt::format("{}: these are parts of different explorations: {}", entry.path, another));
  }
  check_apart(*this, other);
  ReportEntry sum = entry;
  if (!entry.was_judged() ||
      (other.entry.failed() && (entry.held || other.failing_run < failing_run))) {
    sum = other.entry;
    failing_run = other.failing_run;
  }
  sum.executions = entry.executions + other.entry.executions;
  sum.seconds = entry.seconds + other.entry.seconds;
  entry = std::move(sum);
  parts.insert(parts.end(), other.parts.begin(), other.parts.end());
  std::ranges::sort(parts, {}, [](const RunRange& part) {
    return std::tuple(part.shards, part.shard, part.from);
  });
  schedules = std::max(schedules, other.schedules);
  digest ^= other.digest;
  blocked += other.blocked;
  coverage.merge(other.coverage);
  for (const std::string& clause : other.relative_to) {
    sim::add_clause(relative_to, clause);
  }
  resume.clear();
}

std::string CampaignRecord::missing() const {
  const std::size_t shards = parts.front().shards;
  std::vector<bool> received(shards);
  for (const RunRange& part : parts) {
    if (part.shards != shards) {
      return "";  // parts of different sizes; what they leave out is no shard
    }
    received[part.shard] = true;
  }
  std::string text;
  for (std::size_t shard = 0; shard < shards; ++shard) {
    if (!received[shard]) {
      text += fmt::format("{}{}/{}", text.empty() ? "" : ", ", shard, shards);
    }
  }
  return text;
}

sim::ExploreResult CampaignRecord::as_result() const {
  sim::ExploreResult result;
  result.executions = entry.executions;
  result.blocked = blocked;
  result.exhausted = is_exhausted();
  result.interrupted = is_interrupted();
  result.explored = explored;
  result.relative_to = relative_to;
  result.coverage = coverage;
  return result;
}

}  // namespace watchlab::scenarios
