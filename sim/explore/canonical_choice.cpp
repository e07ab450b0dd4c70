#include "sim/explore/canonical_choice.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/kernel/sim_object.hpp"

namespace watchlab::sim {

std::uint32_t canonical_index(const Choice& choice, std::uint32_t value) {
  if (choice.candidates.empty()) {
    return value;
  }
  std::vector<std::uint32_t> indices(choice.candidates.size());
  std::iota(indices.begin(), indices.end(), 0);
  std::stable_sort(indices.begin(), indices.end(), [&](std::uint32_t a, std::uint32_t b) {
    return choice.candidates[a]->digest() < choice.candidates[b]->digest();
  });
  return value < indices.size() ? indices[value] : 0;
}

}  // namespace watchlab::sim
