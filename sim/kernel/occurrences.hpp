#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>

namespace watchlab::sim {

/// Counts how often each of some digests has come. Most tasks make objects of a few kinds and names
/// only, and their counts lie in the task itself; those of the others are in a table.
class Occurrences {
 public:
  /// How often this one has come, this time too.
  std::uint32_t next(std::uint64_t digest) {
    for (std::size_t i = 0; i < used_; ++i) {
      if (first_[i].digest == digest) {
        return ++first_[i].count;
      }
    }
    if (used_ < kFirst) {
      first_[used_++] = {.digest = digest, .count = 1};
      return 1;
    }
    return ++further_[digest];
  }

 private:
  static constexpr std::size_t kFirst = 8;

  struct Count {
    std::uint64_t digest;
    std::uint32_t count;
  };

  std::array<Count, kFirst> first_;
  std::size_t used_ = 0;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> further_;
};

}  // namespace watchlab::sim
