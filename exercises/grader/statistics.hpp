#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace watchlab::course {

/// One line of all grades of a cohort: a defect, a test of the course, a question.
struct ItemStatistics {
  std::string id;
  std::size_t solved = 0;  ///< submissions that got it, not only a part of it
  std::size_t graded = 0;  ///< submissions that have it
  /// How well it distinguishes strong submissions from weak ones: the correlation between getting
  /// it and the points for everything else, from -1 to 1; 0 where all or none got it.
  double discrimination = 0;
};

/// A cohort, from its grades in the neutral format.
struct CohortStatistics {
  std::map<std::string, double> points;   ///< of what was graded to its end, by submission
  std::vector<std::string> not_gradable;  ///< submissions that could not be run
  std::vector<std::string> unfinished;    ///< submissions whose grader has not come to its end
  double points_max = 100;                ///< the most that a submission can get
  std::vector<ItemStatistics> items;      ///< those with points, by name, of what was graded

  /// All of them.
  [[nodiscard]] std::size_t submissions() const {
    return points.size() + not_gradable.size() + unfinished.size();
  }
};

/// Reads all *.json of a folder. Throws `BadInput` for one that is no grade.
[[nodiscard]] CohortStatistics statistics_of(const std::filesystem::path& folder);

/// "item,solved,graded,rate,discrimination", a line for each.
[[nodiscard]] std::string to_csv(const CohortStatistics& statistics);
/// "5 submissions: 3 graded, 1 not gradable, 1 unfinished"
[[nodiscard]] std::string summary_of(const CohortStatistics& statistics);
/// One page that needs nothing else: the spread of points, and a bar for each item.
[[nodiscard]] std::string to_html(const CohortStatistics& statistics);

}  // namespace watchlab::course
