#include "tests/support/campaign.hpp"

#include <algorithm>
#include <cstdlib>

namespace watchlab::tests {

std::size_t pieces_of(Campaign campaign) {
  if (std::getenv("WATCHLAB_LONG") != nullptr) {
    return campaign.lengthy;
  }
  if (std::getenv("WATCHLAB_BRIEF") != nullptr) {
    return std::max<std::size_t>(1, campaign.ordinary / 5);
  }
  return campaign.ordinary;
}

}  // namespace watchlab::tests
