#include "sim/explain/likelihood.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/explain/prefix_strategy.hpp"
#include "sim/explain/wording.hpp"
#include "sim/explore/random_strategy.hpp"
#include "sim/explore/signature.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
namespace {

constexpr double kWorthALine = 0.2;

class Curve {
 public:
  Curve(const Witness& failing, const std::function<void(runtime::Runtime&)>& body,
        const LikelihoodOptions& options)
      : failing_(failing),
        body_(body),
        options_(options),
        signature_(signature_of(*failing.result.failure)),
        world_(options_of(failing.schedule)) {}

  std::vector<LikelihoodPoint> draw() {
    const std::size_t last = failing_.decisions.size();
    const std::size_t coarse = std::min(last, options_.points_max / 2);
    chance_at(0);
    for (std::size_t i = 1; i <= coarse && !is_over_; ++i) {
      chance_at(i * last / coarse);
    }
    refine();
    std::vector<LikelihoodPoint> curve;
    for (const auto& [decisions, chance] : chances_) {
      curve.push_back({decisions, steps_after(decisions), chance});
    }
    return curve;
  }

 private:
  /// Looks closer where the chance changes most, as long as that is worth it.
  void refine() {
    while (chances_.size() < options_.points_max && !is_over_) {
      double widest = kWorthALine;
      std::size_t between = 0;
      for (auto left = chances_.begin(), right = std::next(left); right != chances_.end();
           left = right++) {
        const double change = std::abs(right->second - left->second);
        if (right->first - left->first > 1 && change >= widest) {
          widest = change;
          between = (left->first + right->first) / 2;
        }
      }
      if (between == 0) {
        return;
      }
      chance_at(between);
    }
  }

  void chance_at(std::size_t decisions) {
    if (chances_.contains(decisions)) {
      return;
    }
    RandomStrategy random(1);
    std::size_t failures = 0;
    for (std::size_t i = 0; i < options_.endings; ++i) {
      if (options_.keep_going && !options_.keep_going()) {
        is_over_ = true;
        return;  // of a few endings the chance says little
      }
      (void)random.prepare(i);
      PrefixStrategy strategy(failing_, decisions, random);
      const RunResult played = world_.run(strategy, body_);
      failures += played.failure && signature_of(*played.failure) == signature_ ? 1 : 0;
    }
    chances_[decisions] = static_cast<double>(failures) / static_cast<double>(options_.endings);
  }

  /// The step that the last of these decisions leads to, or is taken in.
  [[nodiscard]] std::size_t steps_after(std::size_t decisions) const {
    if (decisions == 0) {
      return 0;
    }
    const WitnessedDecision& last = failing_.decisions[decisions - 1];
    const bool leads_on = last.kind == ChoiceKind::Actor;
    return std::min(last.steps_before + (leads_on ? 1 : 0), failing_.steps.size());
  }

  const Witness& failing_;
  const std::function<void(runtime::Runtime&)>& body_;
  const LikelihoodOptions& options_;
  std::string signature_;
  World world_;
  std::map<std::size_t, double> chances_;
  bool is_over_ = false;
};

std::string line_of(const Witness& failing, const LikelihoodPoint& point) {
  constexpr double kBar = 20;
  const auto percent = static_cast<int>(std::lround(point.chance * 100));
  const std::string bar(static_cast<std::size_t>(std::lround(point.chance * kBar)), '#');
  const std::string when =
      point.steps == 0 ? "at the start"
                       : fmt::format("step {}: {}", failing.steps[point.steps - 1].step,
                                     describe(failing, failing.steps[point.steps - 1].done));
  std::string line = fmt::format("{:>4} %  {:<20}  {}", percent, bar, when);
  return line;
}

}  // namespace

std::vector<LikelihoodPoint> likelihood_curve(const Witness& failing,
                                              const std::function<void(runtime::Runtime&)>& body,
                                              const LikelihoodOptions& options) {
  return Curve(failing, body, options).draw();
}

std::string likelihood_text(const Witness& failing, const std::vector<LikelihoodPoint>& curve) {
  std::string text;
  double shown = -1;
  for (const LikelihoodPoint& point : curve) {
    const bool is_last_change = &point == &curve.back() && point.chance != shown;
    if (shown < 0 || std::abs(point.chance - shown) >= kWorthALine || is_last_change) {
      text += (text.empty() ? "" : "\n") + line_of(failing, point);
      shown = point.chance;
    }
  }
  return text;
}

}  // namespace watchlab::sim
