#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/kernel/mix.hpp"

namespace watchlab::sim {

/// Short lists of numbers, each stored once and identified by a number; 0 is the empty list. Lists
/// are never dropped: their number is bounded by what a program can do, not by how often it does
/// it.
class InternedLists {
 public:
  InternedLists() { ends_.push_back(0); }

  [[nodiscard]] std::uint32_t operator()(std::span<const std::uint32_t> list) {
    if (list.empty()) {
      return 0;
    }
    const auto [found, added] =
        names_.try_emplace(digest_of_list(list), static_cast<std::uint32_t>(ends_.size()));
    if (added) {
      numbers_.insert(numbers_.end(), list.begin(), list.end());
      ends_.push_back(numbers_.size());
    }
    return found->second;
  }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::uint32_t name) const {
    return name == 0 ? std::span<const std::uint32_t>()
                     : std::span(numbers_).subspan(ends_[name - 1], ends_[name] - ends_[name - 1]);
  }

 private:
  [[nodiscard]] static std::uint64_t digest_of_list(std::span<const std::uint32_t> list) {
    std::uint64_t digest = list.size();
    for (const std::uint32_t number : list) {
      digest = mix(digest, number);
    }
    return digest;
  }

  std::vector<std::uint32_t> numbers_;
  std::vector<std::size_t> ends_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> names_;
};

}  // namespace watchlab::sim
