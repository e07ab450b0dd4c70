#pragma once

#include <string>

#include "scenarios/campaign/sealed.hpp"
#include "scenarios/cli/fuzz_campaign.hpp"
#include "scenarios/cli/resume_file.hpp"

namespace watchlab::scenarios {

/// Where a campaign of stories stands, in its file.
class FuzzProgress : public ResumeFile {
 public:
  /// For one that goes on from the file of `arguments.resume`, or a new one.
  explicit FuzzProgress(const FuzzArguments& arguments);

  /// Takes in what an earlier campaign has come to, playing the first story of each of its findings
  /// again. Throws `std::invalid_argument`, with a sentence, for what is no such file, or belongs
  /// to other options.
  void read_into(FuzzCampaign& campaign) const;
  /// Keeps where it stands. Returns what is wrong when that cannot be written; "" for nothing.
  [[nodiscard]] std::string save(const FuzzCampaign& campaign) const;

 private:
  const FuzzArguments& arguments_;
  Settings settings_;
};

}  // namespace watchlab::scenarios
