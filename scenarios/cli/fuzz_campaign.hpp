#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/campaign/sealed.hpp"
#include "scenarios/cli/resume_file.hpp"
#include "scenarios/command_line/console.hpp"
#include "scenarios/fuzz/fault_coverage.hpp"
#include "scenarios/fuzz/fuzz_run.hpp"
#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// The seeds that are played, by their place, the kept ones first. It holds none of a range, so
/// that any range takes the same memory.
class FuzzSeeds {
 public:
  using Range = std::pair<std::uint64_t, std::uint64_t>;

  FuzzSeeds() = default;
  /// Of the range those that leave `shard.first` when divided by `shard.second`.
  FuzzSeeds(std::vector<std::uint64_t> kept, const Range& range, const Range& shard);

  /// `SIZE_MAX` where there are more.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::uint64_t operator[](std::size_t place) const {
    return place < kept_.size() ? kept_[place] : first_ + (place - kept_.size()) * step_;
  }

 private:
  std::vector<std::uint64_t> kept_;
  std::uint64_t first_ = 0;
  std::uint64_t step_ = 1;
  std::size_t size_ = 0;
};

/// How fuzz was called.
struct FuzzArguments {
  CommonOptions common;
  std::string seeds = "1..2000";
  std::string kept;
  std::string shard = "0/1";
  runtime::Duration time{0};  ///< 0 for no limit
  std::string out;            ///< "" for the default
  std::string show;
  std::string machines;  ///< names with commas between; "" for those that stories ask for
  std::string client;    ///< the kind of client that the stories are about
  std::string story;     ///< of that kind: the blank story around which they are
  std::optional<Scenario> blank = {};    ///< the same, as it was read
  std::optional<std::size_t> schedules;  ///< the default follows from the kind of client
  std::size_t jobs = 1;
  std::string resume;
  runtime::Duration save_every = std::chrono::seconds(30);
  bool coverage = false;
  bool is_long = false;
  bool first = false;
  bool keep_large = false;
  bool strict = false;

  [[nodiscard]] std::string seed_range() const { return is_long ? "1..100000" : seeds; }
  /// A program in Go has few choices of its own: its seed changes with the story.
  [[nodiscard]] std::size_t schedules_each() const { return schedules.value_or(blank ? 0 : 3); }
  /// A program is named from the folder of its story.
  [[nodiscard]] std::string folder() const;
};

/// What a story came to that failed.
struct FuzzFound {
  std::uint64_t seed = 0;
  FuzzFailure what;
  std::string machine = {};  ///< on which it failed; "" for the one that it asks for
};

/// All findings that have one signature, and are known or are not.
struct FuzzFinding {
  FuzzFound first;
  std::size_t stories = 0;
  std::string sentence = {};  ///< of the small story, or of the first one
  std::string file = {};      ///< the small story; "" for none
  std::string shrunk = {};    ///< how small it became, in words

  [[nodiscard]] const std::string& fix() const { return first.what.known; }
};

/// What came of all of them.
struct FuzzCampaign {
  FuzzSeeds seeds;
  std::map<std::pair<std::string, std::string>, FuzzFinding> findings;  ///< by signature and fix
  std::size_t stories = 0;
  std::size_t runs = 0;
  std::size_t refused = 0;  ///< stories that a refusal of their own script's write ended
  FaultCoverage coverage;
  double seconds = 0;          ///< that it took
  bool interrupted = false;    ///< a signal, or time, ended it before all were played
  std::string resume = {};     ///< the line that continues; "" for none
  std::string again = {};      ///< the line that begins again where nothing continues; "" for none
  std::string earlier = {};    ///< the line that continues one that was ended before this
  std::string problem = {};    ///< why it could not be kept where it stands; "" for nothing
  std::string unwritten = {};  ///< why a small story could not be written; "" for nothing
  std::string own_file = {};   ///< says where it stands; to be removed when all is reported

  /// Stories that time, or the first finding, came before.
  [[nodiscard]] std::size_t unplayed() const { return seeds.size() - stories; }
  /// How many findings were not known.
  [[nodiscard]] std::size_t unknown() const {
    return static_cast<std::size_t>(
        std::count_if(findings.begin(), findings.end(),
                      [](const auto& each) { return each.second.fix().empty(); }));
  }
};

/// The story of the seed, on that machine if one is named.
[[nodiscard]] Scenario fuzz_story_of(const FuzzArguments& arguments, std::uint64_t seed,
                                     const std::string& machine = "");

/// Plays the stories that were asked for, several at a time, until a signal asks for the end. Each
/// finding that was not known is made small and written as a scenario when it is made, unless that
/// is not wanted; where the campaign stands is written down then, and every 30 s. Throws
/// `std::invalid_argument` with a message for arguments that make no sense.
[[nodiscard]] FuzzCampaign play_campaign(const FuzzArguments& arguments, Console& console);

/// Where a campaign of stories stands, in its file.
class FuzzProgress : public ResumeFile {
 public:
  /// For one that continues from the file of `arguments.resume`, or a new one.
  explicit FuzzProgress(const FuzzArguments& arguments);

  /// Takes in what an earlier campaign has come to, playing the first story of each of its findings
  /// again. Throws `std::invalid_argument`, with a message, for what is no such file, or belongs
  /// to other options.
  void read_into(FuzzCampaign& campaign) const;
  /// Keeps where it stands. Returns what is wrong when that cannot be written; "" for nothing.
  [[nodiscard]] std::string save(const FuzzCampaign& campaign) const;

 private:
  const FuzzArguments& arguments_;
  Settings settings_;
};

}  // namespace watchlab::scenarios
