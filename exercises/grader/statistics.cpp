#include "exercises/grader/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cmath>

#include "exercises/gradebook/csv.hpp"
#include "exercises/programs/exercise.hpp"
#include "exercises/programs/texts.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

/// What one submission did with one item.
struct Attempt {
  bool solved = false;
  double rest = 0;  ///< the points for everything else
};
using Attempts = std::map<std::string, std::vector<Attempt>>;

/// A hidden test may be called like a visible one, and a hidden defect like a shown one.
std::string item_of(const json::value& entry) {
  const json::string& variant = entry.at("variant").as_string();
  const std::string name(variant.empty() ? entry.at("id").as_string() : variant);
  return entry.at("visibility").as_string() == "hidden" ? "hidden/" + name : name;
}

void read_grade(const fs::path& file, CohortStatistics& statistics, Attempts& attempts) {
  try {
    const json::value root = json::parse(read_whole(file));
    const double points = root.at("points").to_number<double>();
    const std::string name = visible_line(file.stem().string());
    const json::string& status = root.at("status").as_string();
    if (status != "finished") {
      (status == "not_gradable" ? statistics.not_gradable : statistics.unfinished).push_back(name);
      return;
    }
    statistics.points[name] = points;
    statistics.points_max = root.at("max_points").to_number<double>();
    for (const json::value& entry : root.at("cases").as_array()) {
      const double most = entry.at("max_points").to_number<double>();
      const double own = entry.at("points").to_number<double>();
      if (most > 0) {
        // Suites of tests that do not all count get a part of a defect's points.
        const bool solved = own >= most - 1e-3 || entry.at("outcome").as_string() == "killed";
        attempts[item_of(entry)].push_back({solved, points - own});
      }
    }
  } catch (const std::exception&) {
    throw BadInput(fmt::format("{} is no grade; grade with --format json", file.string()));
  }
}

/// The correlation between a yes or no and a number.
double correlation(const std::vector<Attempt>& attempts) {
  double solved = 0;
  double rest = 0;
  const auto count = static_cast<double>(attempts.size());
  for (const Attempt& attempt : attempts) {
    solved += attempt.solved ? 1 / count : 0;
    rest += attempt.rest / count;
  }
  double both = 0;
  double of_solved = 0;
  double of_rest = 0;
  for (const Attempt& attempt : attempts) {
    const double one = (attempt.solved ? 1 : 0) - solved;
    const double other = attempt.rest - rest;
    both += one * other;
    of_solved += one * one;
    of_rest += other * other;
  }
  const double scale = std::sqrt(of_solved * of_rest);
  return scale > 1e-9 ? both / scale : 0;
}

double rate_of(const ItemStatistics& item) {
  return item.graded == 0 ? 0 : static_cast<double>(item.solved) / static_cast<double>(item.graded);
}

std::string spread_row(const std::string& what, std::size_t count, std::size_t all) {
  return fmt::format("<tr><td>{}<td>{}<td><meter max={} value={}></meter>\n", what, count, all,
                     count);
}

/// How many got how much; each submission stands in one row.
std::string spread_of(const CohortStatistics& statistics) {
  std::array<std::size_t, 10> tenths{};
  for (const auto& [name, points] : statistics.points) {
    const double share = points / std::max(statistics.points_max, 1e-9);
    ++tenths[static_cast<std::size_t>(std::clamp(share * 10 + 1e-9, 0.0, 9.0))];
  }
  const std::size_t all = std::max<std::size_t>(1, statistics.submissions());
  std::string rows;
  for (std::size_t i = 0; i < tenths.size(); ++i) {
    rows += spread_row(fmt::format("{} to {} %", i * 10, i * 10 + 10), tenths[i], all);
  }
  rows += spread_row("not gradable", statistics.not_gradable.size(), all);
  return rows + spread_row("unfinished", statistics.unfinished.size(), all);
}

}  // namespace

CohortStatistics statistics_of(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw BadInput(fmt::format("{} is no folder", folder.string()));
  }
  CohortStatistics statistics;
  Attempts attempts;
  for (const fs::path& file : files_with(folder, {".json"})) {
    read_grade(file, statistics, attempts);
  }
  for (const auto& [id, all] : attempts) {
    const auto solved = std::count_if(all.begin(), all.end(),
                                      [](const Attempt& attempt) { return attempt.solved; });
    statistics.items.push_back({.id = id,
                                .solved = static_cast<std::size_t>(solved),
                                .graded = all.size(),
                                .discrimination = correlation(all)});
  }
  return statistics;
}

std::string to_csv(const CohortStatistics& statistics) {
  std::string text = "item,solved,graded,rate,discrimination\n";
  for (const ItemStatistics& item : statistics.items) {
    text += fmt::format("{},{},{},{:.3f},{:.3f}\n", in_csv(item.id), item.solved, item.graded,
                        rate_of(item), item.discrimination);
  }
  return text;
}

std::string summary_of(const CohortStatistics& statistics) {
  return fmt::format("{} submissions: {} graded, {} not gradable, {} unfinished",
                     statistics.submissions(), statistics.points.size(),
                     statistics.not_gradable.size(), statistics.unfinished.size());
}

std::string to_html(const CohortStatistics& statistics) {
  std::string text =
      "<!doctype html>\n<html lang=en><meta charset=utf-8><title>A cohort</title>\n"
      "<style>body{font:16px sans-serif;margin:2em}td,th{padding:.2em 1em;text-align:left}"
      "</style>\n";
  text += fmt::format("<h1>{} submissions</h1>\n<p>{}</p>\n<h2>Points</h2>\n<table>\n{}</table>\n",
                      statistics.submissions(), summary_of(statistics), spread_of(statistics));
  text +=
      "<h2>Items</h2>\n<p>An item that nearly all get or nearly none gets says little, and so does "
      "one whose discrimination is below 0.2.</p>\n<table>\n"
      "<tr><th>item<th>solved<th>rate<th><th>discrimination\n";
  for (const ItemStatistics& item : statistics.items) {
    text += fmt::format(
        "<tr><td>{}<td>{} of {}<td>{:.0f} %<td><meter max=1 value={:.3f}></meter><td>{:.2f}\n",
        in_html(item.id), item.solved, item.graded, 100 * rate_of(item), rate_of(item),
        item.discrimination);
  }
  return text + "</table>\n</html>\n";
}

}  // namespace watchlab::course
