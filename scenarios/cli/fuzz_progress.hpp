#pragma once

#include <string>

#include "scenarios/campaign/sealed.hpp"
#include "scenarios/cli/fuzz_campaign.hpp"
#include "scenarios/cli/state_folder.hpp"

namespace watchlab::scenarios {

/// The file that says where a campaign of stories stands.
class FuzzProgress {
 public:
  /// For one that goes on from the file of `arguments.resume`, or a new one. What an earlier one
  /// has left is set aside then.
  explicit FuzzProgress(const FuzzArguments& arguments);

  /// Takes in what an earlier campaign has come to, playing the first story of each of its findings
  /// again. Throws `std::invalid_argument`, with a sentence, for what is no such file, or belongs
  /// to other options.
  void read_into(FuzzCampaign& campaign) const;
  /// Keeps where it stands. Returns what is wrong when that cannot be written; "" for nothing.
  [[nodiscard]] std::string save(const FuzzCampaign& campaign) const;

  /// Whether a save has left a file to go on from, this one or one before it.
  [[nodiscard]] bool can_go_on() const { return is_kept(path_); }
  /// The line that goes on from here, and from what was set aside; the latter "" for nothing.
  [[nodiscard]] std::string line() const { return line_ + " --resume " + path_; }
  [[nodiscard]] std::string earlier_line() const {
    return earlier_.empty() ? "" : line_ + " --resume " + earlier_;
  }
  /// The file, to be removed when all is told; "" when it is one that the caller has named.
  [[nodiscard]] std::string own_file() const { return is_own_ ? path_ : ""; }

 private:
  const FuzzArguments& arguments_;
  Settings settings_;
  std::string line_;
  std::string path_;
  std::string earlier_;
  bool is_own_;
};

}  // namespace watchlab::scenarios
