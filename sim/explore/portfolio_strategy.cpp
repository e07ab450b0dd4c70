#include "sim/explore/portfolio_strategy.hpp"

#include <utility>

#include "core/runtime/ensure.hpp"

namespace watchlab::sim {

PortfolioStrategy::PortfolioStrategy(std::vector<std::unique_ptr<Strategy>> members)
    : members_(std::move(members)) {
  runtime::ensure(!members_.empty(), "a portfolio needs a strategy");
}

bool PortfolioStrategy::prepare(std::size_t run) {
  active_ = run % members_.size();
  return active().prepare(run / members_.size());
}

}  // namespace watchlab::sim
