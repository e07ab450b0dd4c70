#include "scenarios/report/alignment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

/// A table of more cells is not made.
constexpr std::size_t kCellsMax = 1'000'000;

/// A stretch of both lists that is still to be aligned.
struct Stretch {
  std::size_t first_from = 0;
  std::size_t first_to = 0;
  std::size_t second_from = 0;
  std::size_t second_to = 0;

  [[nodiscard]] std::size_t cells() const {
    return (first_to - first_from) * (second_to - second_from);
  }
};

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// Pairs of two lists of numbers: the same number is the same name. As "patience diff" does it:
/// common ends, then names that stand once on both sides and keep their order, then what lies
/// between these; the longest common subsequence where that is small.
class Aligner {
 public:
  Aligner(std::vector<std::size_t> first, std::vector<std::size_t> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  Pairs pairs() {
    align({0, first_.size(), 0, second_.size()});
    std::ranges::sort(pairs_);
    return std::move(pairs_);
  }

 private:
  void align(Stretch at) {
    while (at.cells() > 0 && first_[at.first_from] == second_[at.second_from]) {
      pairs_.emplace_back(at.first_from++, at.second_from++);
    }
    while (at.cells() > 0 && first_[at.first_to - 1] == second_[at.second_to - 1]) {
      pairs_.emplace_back(--at.first_to, --at.second_to);
    }
    if (at.cells() == 0) {
      return;
    }
    const Pairs anchors = rising(once_in_both(at));
    if (anchors.empty()) {
      if (at.cells() <= kCellsMax) {
        longest_common(at);
      }
      return;
    }
    Stretch before = at;
    for (const auto& [first, second] : anchors) {
      pairs_.emplace_back(first, second);
      before.first_to = first;
      before.second_to = second;
      align(before);
      before.first_from = first + 1;
      before.second_from = second + 1;
    }
    align({before.first_from, at.first_to, before.second_from, at.second_to});
  }

  [[nodiscard]] Pairs once_in_both(const Stretch& at) const {
    struct Seen {
      std::size_t in_first = 0;
      std::size_t in_second = 0;
      std::size_t second = 0;
    };
    std::map<std::size_t, Seen> seen;
    for (std::size_t i = at.first_from; i < at.first_to; ++i) {
      ++seen[first_[i]].in_first;
    }
    for (std::size_t i = at.second_from; i < at.second_to; ++i) {
      ++seen[second_[i]].in_second;
      seen[second_[i]].second = i;
    }
    Pairs once;
    for (std::size_t i = at.first_from; i < at.first_to; ++i) {
      const Seen& found = seen[first_[i]];
      if (found.in_first == 1 && found.in_second == 1) {
        once.emplace_back(i, found.second);
      }
    }
    return once;
  }

  /// The longest part of these whose second numbers rise, too.
  static Pairs rising(const Pairs& all) {
    std::vector<std::size_t> ends;  // of the best chain of each length: an index of `all`
    std::vector<std::size_t> before(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto place = std::ranges::lower_bound(ends, all[i].second, {},
                                                  [&](std::size_t end) { return all[end].second; });
      before[i] = place == ends.begin() ? all.size() : *(place - 1);
      if (place == ends.end()) {
        ends.push_back(i);
      } else {
        *place = i;
      }
    }
    Pairs chain;
    for (std::size_t i = ends.empty() ? all.size() : ends.back(); i < all.size(); i = before[i]) {
      chain.push_back(all[i]);
    }
    std::ranges::reverse(chain);
    return chain;
  }

  void longest_common(const Stretch& at) {
    const std::size_t rows = at.first_to - at.first_from;
    const std::size_t columns = at.second_to - at.second_from;
    std::vector<std::vector<std::size_t>> lengths(rows + 1, std::vector<std::size_t>(columns + 1));
    for (std::size_t i = rows; i-- > 0;) {
      for (std::size_t j = columns; j-- > 0;) {
        lengths[i][j] = first_[at.first_from + i] == second_[at.second_from + j]
                            ? lengths[i + 1][j + 1] + 1
                            : std::max(lengths[i + 1][j], lengths[i][j + 1]);
      }
    }
    for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
      if (first_[at.first_from + i] == second_[at.second_from + j]) {
        pairs_.emplace_back(at.first_from + i++, at.second_from + j++);
      } else if (lengths[i + 1][j] >= lengths[i][j + 1]) {
        ++i;
      } else {
        ++j;
      }
    }
  }

  std::vector<std::size_t> first_;
  std::vector<std::size_t> second_;
  Pairs pairs_;
};

/// "locks mutex 'queue'" of "locks mutex 'queue' (delta_fifo.cpp:12)".
std::string_view without_place(std::string_view deed) {
  const std::size_t at = deed.rfind(" (");
  const bool has_place = at != std::string_view::npos && deed.ends_with(')') &&
                         deed.find(".cpp:", at) != std::string_view::npos;
  return has_place ? deed.substr(0, at) : deed;
}

/// The words with one name for what has another in some release, so that runs of two of them do the
/// same where they differ in that name only.
std::string with_one_name(std::string_view words, std::string_view of_one,
                          std::string_view of_others) {
  std::string named(words);
  for (std::size_t at = 0; (at = named.find(of_one, at)) != std::string::npos;) {
    named.replace(at, of_one.size(), of_others);
  }
  return named;
}

/// Hands each item to `take`, a step or an event, in the order of the page.
void for_each_item(const json::object& data,
                   const std::function<void(std::size_t step, const json::value* event)>& take) {
  const json::array& events = data.at("events").as_array();
  const auto first = data.at("window").at("first").to_number<std::size_t>();
  const auto last = data.at("window").at("last").to_number<std::size_t>();
  std::size_t next = 0;
  for (std::size_t step = first - 1; step <= last; ++step) {
    if (step >= first) {
      take(step, nullptr);
    }
    for (; next < events.size() && events[next].at(0).to_number<std::size_t>() <= step; ++next) {
      take(events[next].at(0).to_number<std::size_t>(), &events[next]);
    }
  }
}

}  // namespace

std::vector<AlignedPart> align(const std::vector<std::string>& first,
                               const std::vector<std::string>& second) {
  std::map<std::string_view, std::size_t> numbers;
  const auto numbered = [&](const std::vector<std::string>& names) {
    std::vector<std::size_t> list;
    list.reserve(names.size());
    for (const std::string& name : names) {
      list.push_back(numbers.try_emplace(name, numbers.size()).first->second);
    }
    return list;
  };
  std::vector<std::size_t> left = numbered(first);
  std::vector<std::size_t> right = numbered(second);
  Pairs pairs = Aligner(std::move(left), std::move(right)).pairs();
  pairs.emplace_back(first.size(), second.size());
  std::vector<AlignedPart> parts(1);
  std::size_t i = 0;
  std::size_t j = 0;
  for (const auto& [of_first, of_second] : pairs) {
    if (of_first > i || of_second > j) {
      parts.back().only_first = of_first - i;
      parts.back().only_second = of_second - j;
      parts.emplace_back();
    }
    ++parts.back().both;
    i = of_first + 1;
    j = of_second + 1;
  }
  --parts.back().both;  // the end, which was paired like an item
  if (parts.back() == AlignedPart{}) {
    parts.pop_back();
  }
  return parts;
}

std::vector<std::string> item_names(const json::object& data) {
  const json::object& steps = data.at("steps").as_object();
  const json::array& tasks = data.at("tasks").as_array();
  const json::array& deeds = steps.at("deeds").as_array();
  const auto first = data.at("window").at("first").to_number<std::size_t>();
  std::vector<std::string> names;
  for_each_item(data, [&](std::size_t step, const json::value* event) {
    std::string name;
    if (event == nullptr) {
      const auto task = steps.at("task").as_array()[step - first].to_number<std::size_t>();
      const auto deed = steps.at("deed").as_array()[step - first].to_number<std::size_t>();
      name = tasks[task].as_string();
      name += " ";
      name += with_one_name(without_place(deeds[deed].as_string()), "'RealFIFO'", "'DeltaFIFO'");
    } else {
      const json::string& lane = event->at(3).as_string();
      const std::string_view words = event->at(6).as_string();
      name = fmt::format(
          "{}\n{}\n{}", std::string_view(lane), std::string_view(event->at(4).as_string()),
          lane == "queue" ? with_one_name(words, "Replaced", "Sync") : std::string(words));
    }
    names.push_back(std::move(name));
  });
  return names;
}

std::vector<std::size_t> item_steps(const json::object& data) {
  std::vector<std::size_t> steps;
  for_each_item(data, [&](std::size_t step, const json::value*) { steps.push_back(step); });
  return steps;
}

}  // namespace watchlab::scenarios
