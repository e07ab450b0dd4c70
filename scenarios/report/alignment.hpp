#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <string>
#include <vector>

/// Which items of two runs are the same, for a page that shows both side by side.
namespace watchlab::scenarios {

/// So many items that both runs have, then so many that only the first has, then only the second.
struct AlignedPart {
  std::size_t both = 0;
  std::size_t only_first = 0;
  std::size_t only_second = 0;

  bool operator==(const AlignedPart&) const = default;
};

/// Pairs equal names in their order: names that stand once in both are found first, then what is
/// between them. Long stretches without such a name count as different.
[[nodiscard]] std::vector<AlignedPart> align(const std::vector<std::string>& first,
                                             const std::vector<std::string>& second);

/// The names of a page's items, in the order in which its script has them: of a step who does what
/// to which object, without its line, so that a run of a changed program can be aligned; of an
/// event its lane, its client and its words.
[[nodiscard]] std::vector<std::string> item_names(const boost::json::object& data);

/// The step that an item belongs to, by the same order.
[[nodiscard]] std::vector<std::size_t> item_steps(const boost::json::object& data);

}  // namespace watchlab::scenarios
