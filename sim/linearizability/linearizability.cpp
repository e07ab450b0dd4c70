#include "sim/linearizability/linearizability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace watchlab::sim::linearizability {
namespace {

constexpr unsigned kOpenMax = 64;

/// One search through a history, return by return.
class LinearizationSearch {
 public:
  /// A moment after which only one state can hold, and no open call has taken effect.
  struct Certainty {
    std::size_t moment = 0;
    std::string state;
  };
  struct DeadEnd {
    std::size_t call = 0;           ///< whose return cannot be explained
    Certainty before;               ///< the last one before its invocation
    std::set<std::string> instead;  ///< what it could have returned
  };

  /// `model` and `calls` must outlive this.
  LinearizationSearch(const Model& model, const std::vector<Call>& calls)
      : model_(model), calls_(calls) {}

  /// Nothing when all can be explained.
  [[nodiscard]] std::optional<DeadEnd> run(const std::string& state);

 private:
  /// A way in which all that has returned so far can be explained.
  struct Way {
    std::string state;
    std::uint64_t taken = 0;  ///< by slot: open calls that have taken effect
    auto operator<=>(const Way&) const = default;
  };

  void open(std::size_t call);
  void close(std::size_t call);
  /// Appends every way that comes of one more call taking effect.
  void extend(const Way& way, std::vector<Way>& found);
  void note_certainty(std::size_t moment);
  [[nodiscard]] DeadEnd dead_end(std::size_t call) const;
  [[nodiscard]] std::uint64_t bit(std::size_t call) const {
    return std::uint64_t{1} << slots_.at(call);
  }

  const Model& model_;
  const std::vector<Call>& calls_;
  std::map<std::size_t, unsigned> slots_;  ///< of open calls
  std::set<Way> ways_;
  std::size_t returning_ = 0;
  std::set<std::string> instead_;
  std::vector<Certainty> certainties_;
};

/// Invocations and returns in their order: the call, and whether it returns.
std::vector<std::pair<std::size_t, bool>> events_of(const std::vector<Call>& calls) {
  std::map<std::size_t, std::pair<std::size_t, bool>> events;
  for (std::size_t call = 0; call < calls.size(); ++call) {
    events[calls[call].invoked] = {call, false};
    if (calls[call].result) {
      events[calls[call].returned] = {call, true};
    }
  }
  std::vector<std::pair<std::size_t, bool>> sorted;
  for (const auto& [moment, event] : events) {
    sorted.push_back(event);
  }
  return sorted;
}

std::optional<LinearizationSearch::DeadEnd> LinearizationSearch::run(const std::string& state) {
  ways_ = {{state, 0}};
  note_certainty(0);
  for (const auto& [call, returns] : events_of(calls_)) {
    if (!returns) {
      open(call);
      note_certainty(calls_[call].invoked);
      continue;
    }
    close(call);
    if (ways_.empty()) {
      return dead_end(call);
    }
    note_certainty(calls_[call].returned);
  }
  return std::nullopt;
}

void LinearizationSearch::open(std::size_t call) {
  std::uint64_t used = 0;
  for (const auto& [other, slot] : slots_) {
    used |= std::uint64_t{1} << slot;
  }
  const auto slot = static_cast<unsigned>(std::countr_one(used));
  if (slot >= kOpenMax) {
    throw std::invalid_argument("a history with more than 64 calls open at once");
  }
  slots_[call] = slot;
}

void LinearizationSearch::close(std::size_t call) {
  returning_ = call;
  instead_.clear();
  std::vector<Way> pending(ways_.begin(), ways_.end());
  std::set<Way> seen = std::move(ways_);
  ways_.clear();
  while (!pending.empty()) {
    Way way = std::move(pending.back());
    pending.pop_back();
    if ((way.taken & bit(call)) != 0) {
      way.taken &= ~bit(call);
      ways_.insert(std::move(way));
      continue;
    }
    std::vector<Way> found;
    extend(way, found);
    for (Way& next : found) {
      if (seen.insert(next).second) {
        pending.push_back(std::move(next));
      }
    }
  }
  slots_.erase(call);
}

void LinearizationSearch::extend(const Way& way, std::vector<Way>& found) {
  for (const auto& [call, slot] : slots_) {
    if ((way.taken & bit(call)) != 0) {
      continue;
    }
    const std::optional<std::string>& result = calls_[call].result;
    for (Outcome& outcome : model_.outcomes(way.state, calls_[call].asked)) {
      if (!result || *result == outcome.result) {
        found.push_back({std::move(outcome.state), way.taken | bit(call)});
      } else if (call == returning_) {
        instead_.insert(std::move(outcome.result));
      }
    }
  }
}

void LinearizationSearch::note_certainty(std::size_t moment) {
  if (ways_.size() == 1 && ways_.begin()->taken == 0) {
    certainties_.push_back({.moment = moment, .state = ways_.begin()->state});
  }
}

LinearizationSearch::DeadEnd LinearizationSearch::dead_end(std::size_t call) const {
  DeadEnd end{.call = call, .before = {}, .instead = instead_};
  for (const Certainty& certainty : certainties_) {
    if (certainty.moment < calls_[call].invoked) {
      end.before = certainty;
    }
  }
  return end;
}

using DeadEnd = LinearizationSearch::DeadEnd;

/// The history as parts that have nothing to do with each other.
std::vector<std::vector<Call>> parts_of(const Model& model, const std::vector<Call>& calls) {
  const bool all_keyed =
      std::ranges::none_of(calls, [](const Call& call) { return call.asked.key.empty(); });
  if (!model.splits_by_key() || !all_keyed) {
    return {calls};
  }
  std::map<std::string, std::vector<Call>> by_key;
  for (const Call& call : calls) {
    by_key[call.asked.key].push_back(call);
  }
  std::vector<std::vector<Call>> parts;
  for (auto& [key, part] : by_key) {
    parts.push_back(std::move(part));
  }
  return parts;
}

/// The calls between the last certain state and the return that cannot be explained, in the order
/// of their invocations.
std::vector<Call> stretch_of(const std::vector<Call>& calls, const DeadEnd& end) {
  std::vector<Call> stretch;
  const std::size_t last = calls[end.call].returned;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const bool is_over = calls[i].result && calls[i].returned <= end.before.moment;
    if (calls[i].invoked < last && !is_over) {
      stretch.push_back(calls[i]);
    }
  }
  std::ranges::sort(stretch, {}, &Call::invoked);
  return stretch;
}

std::size_t span_of(const Call& call) { return call.result ? call.returned - call.invoked : 0; }

/// Without the calls that only read and that it takes none of to see the dead end at that moment.
/// The longest are left out first: the shorter a call, the more it says.
std::vector<Call> without_needless_reads(const Model& model, const std::string& before,
                                         std::vector<Call> calls, std::size_t moment) {
  std::vector<Call> reads;
  std::ranges::copy_if(calls, std::back_inserter(reads), [&](const Call& call) {
    return model.only_reads(call.asked) && call.returned != moment;
  });
  std::ranges::stable_sort(reads, std::ranges::greater(), span_of);
  for (const Call& read : reads) {
    std::vector<Call> fewer = calls;
    fewer.erase(std::ranges::find(fewer, read.invoked, &Call::invoked));
    const auto end = LinearizationSearch(model, fewer).run(before);
    if (end && fewer[end->call].returned == moment) {
      calls = std::move(fewer);
    }
  }
  return calls;
}

NotLinearizable report_on(const Model& model, const std::vector<Call>& calls, const DeadEnd& end) {
  const std::size_t moment = calls[end.call].returned;
  NotLinearizable report{
      .model = std::string(model.name()),
      .before = end.before.state,
      .calls = without_needless_reads(model, end.before.state, stretch_of(calls, end), moment),
      .explicable = {end.instead.begin(), end.instead.end()}};
  const auto unexplained = std::ranges::find_if(
      report.calls, [&](const Call& call) { return call.result && call.returned == moment; });
  report.unexplained = static_cast<std::size_t>(std::distance(report.calls.begin(), unexplained));
  return report;
}

/// A column for each moment of the stretch, and for each call a bar from its first to its last.
class Bars {
 public:
  explicit Bars(const std::vector<Call>& calls) {
    for (const Call& call : calls) {
      columns_[call.invoked] = 0;
      if (call.result) {
        columns_[call.returned] = 0;
      }
    }
    std::size_t column = 0;
    for (auto& [moment, place] : columns_) {
      place = column++;
    }
  }

  [[nodiscard]] std::string of(const Call& call) const {
    std::string bar(columns_.size(), ' ');
    const std::size_t from = columns_.at(call.invoked);
    const std::size_t to = call.result ? columns_.at(call.returned) : bar.size() - 1;
    std::fill(bar.begin() + static_cast<std::ptrdiff_t>(from),
              bar.begin() + static_cast<std::ptrdiff_t>(to), '-');
    bar[from] = '|';
    bar[to] = call.result ? '|' : '>';
    return bar;
  }

 private:
  std::map<std::size_t, std::size_t> columns_;
};

std::string steps_text(const Call& call) {
  return call.result ? fmt::format("{}-{}", call.invoked_step, call.returned_step)
                     : fmt::format("{}-", call.invoked_step);
}

std::string alternatives(const std::vector<std::string>& results) {
  std::string text;
  for (const std::string& result : results) {
    text += fmt::format("{}{}", text.empty() ? "" : " or ", result.empty() ? "''" : result);
  }
  return text.empty() ? "it could not have returned yet" : "only " + text + " can be explained";
}

}  // namespace

std::string NotLinearizable::to_string() const {
  const Call& wrong = calls[unexplained];
  std::string text = fmt::format(
      "no order of these calls explains what {} of {} returned\n  before: {} {}",
      wrong.asked.to_string(), wrong.task, model, before.empty() ? "empty" : "with " + before);
  std::size_t task_width = 0;
  std::size_t deed_width = 0;
  for (const Call& call : calls) {
    task_width = std::max(task_width, call.task.size());
    deed_width = std::max(deed_width, call.to_string().size());
  }
  const Bars bars(calls);
  for (const Call& call : calls) {
    const std::string note = &call == &wrong ? "  <- " + alternatives(explicable) : "";
    text += fmt::format("\n  step {:<9} {:<{}}  {:<{}}  {}{}", steps_text(call), call.task,
                        task_width, call.to_string(), deed_width, bars.of(call), note);
    text.erase(text.find_last_not_of(' ') + 1);
  }
  return text;
}

std::optional<NotLinearizable> check_linearizability(const Model& model,
                                                     const std::vector<Call>& calls) {
  for (const std::vector<Call>& part : parts_of(model, calls)) {
    if (const auto end = LinearizationSearch(model, part).run(model.initial())) {
      return report_on(model, part, *end);
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::linearizability
