#include "exercises/toolkit/uneven_walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/runtime/ensure.hpp"
#include "exercises/toolkit/protocol.hpp"
#include "sim/explore/random_strategy.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/scheduler.hpp"
#include "sim/kernel/sim_task.hpp"

namespace watchlab::course {
namespace {

/// A task is left after up to 30 operations of a call, and others do up to 15 things meanwhile.
constexpr double kPlacesReach = 5;
constexpr double kThingsReach = 4;

/// Small numbers as often as large ones, from 1 to less than 2^`exponent`.
std::uint32_t drawn_up_to(double exponent, sim::RandomNumbers& numbers) {
  return static_cast<std::uint32_t>(std::exp2(exponent * numbers.fraction()));
}

}  // namespace

bool UnevenWalk::prepare(std::size_t run) {
  const std::uint64_t secret = sim::seed_of_run(secret_, run);
  numbers_ = sim::RandomNumbers(secret);
  // Tests see what is drawn for them, and could work out by which secret; the walk's own, which
  // says when their tasks are left, does not follow from it.
  secret_of_draws_ = one_way_digest_of(fmt::format("{:016x}", secret));
  // Some races need calls that are hardly left, others such as are left again and again.
  constexpr std::array<std::uint32_t, 3> departures = {0, 12, 16};
  departures_max_ = departures[numbers_.below(departures.size())];
  things_ = 0;
  progress_.clear();
  return true;
}

std::uint32_t UnevenWalk::choose(const sim::Choice& choice) {
  if (choice.kind != sim::ChoiceKind::Actor || choice.at == nullptr) {
    return drawn(choice);
  }
  return next_actor(*choice.at);
}

UnevenWalk::Key UnevenWalk::key_of(const sim::Actor& actor) {
  return actor.is_task() ? Key{true, static_cast<const sim::SimTask&>(actor).number}
                         : Key{false, actor.digest()};
}

/// By the drawing task's number, and how many draws of its kind it has met. Not by its name, which
/// tests choose; not by the decision's own number, which counts what the library draws as well; and
/// by a digest that shows nothing of what it is made of, so that no two draws can be compared.
std::uint32_t UnevenWalk::drawn(const sim::Choice& choice) {
  const std::size_t kind = choice.what.ends_with(kOfTests) ? 1 : 0;
  std::uint64_t number = 0;
  std::uint64_t count = 0;
  if (choice.at != nullptr) {
    number = key_of(*choice.at).second;
    count = ++progress_of(*choice.at).draws.at(kind);
  }
  sim::RandomNumbers own(
      one_way_digest_of(fmt::format("{:016x} {} {} {}", secret_of_draws_, number, kind, count)));
  return sim::random_alternative(choice, own);
}

std::uint32_t UnevenWalk::next_actor(const sim::Actor& at) {
  Progress& own = progress_of(at);
  leave_if_due(at, own);
  const bool stays = !own.calls.empty() && !is_away(own);
  std::optional<std::uint32_t> same;
  here_.clear();
  back_.clear();
  scheduler_->visit_options([&](std::uint32_t index, const sim::Actor& actor) {
    same = &actor == &at ? index : same;
    const auto found = progress_.find(key_of(actor));
    if (found == progress_.end() || !is_away(found->second)) {
      const bool is_called = found != progress_.end() && !found->second.calls.empty();
      (is_called ? back_ : here_).push_back(index);
    }
  });
  if (stays && same) {
    return *same;
  }
  if (here_.empty() && back_.empty()) {
    return first_of_all_away();
  }
  const std::vector<std::uint32_t>& next = back_.empty() ? here_ : back_;
  return next[numbers_.below(static_cast<std::uint32_t>(next.size()))];
}

/// They wait for each other: the one that has the least to wait for continues, and is left for the
/// rest later.
std::uint32_t UnevenWalk::first_of_all_away() {
  std::uint32_t first = 0;
  Progress* soonest = nullptr;
  const auto rest = [&](const Progress& of) { return of.until - (things_ - of.things); };
  scheduler_->visit_options([&](std::uint32_t index, const sim::Actor& actor) {
    Progress& progress = progress_of(actor);
    if (soonest == nullptr || rest(progress) < rest(*soonest)) {
      soonest = &progress;
      first = index;
    }
  });
  soonest->owed += rest(*soonest);
  soonest->until = 0;
  return first;
}

void UnevenWalk::leave_if_due(const sim::Actor& at, Progress& progress) {
  if (progress.calls.empty()) {
    return;
  }
  Call& call = progress.calls.back();
  const std::uint32_t done = at.operations() - call.began;
  std::uint64_t things = 0;
  std::erase_if(call.departures, [&](const Departure& departure) {
    const bool is_due = call.closes || departure.after < done;
    things += is_due ? departure.things : 0;
    return is_due;
  });
  if (things > 0 || call.closes) {
    things += std::exchange(progress.owed, 0);
    progress.until = things_ - progress.things + things;
  }
}

void UnevenWalk::executed(const sim::Actor& actor) {
  Progress& progress = progress_of(actor);
  if (progress.calls.empty()) {
    count_thing(progress);
  }
}

void UnevenWalk::count_thing(Progress& progress) {
  ++things_;
  ++progress.things;
}

const sim::Actor* UnevenWalk::running() const {
  return scheduler_ == nullptr ? nullptr : scheduler_->running_or_none();
}

void UnevenWalk::begins() {
  const sim::Actor* const task = running();
  if (task == nullptr) {
    return;
  }
  Call call{.began = task->operations(), .departures = {}};
  if (numbers_.below(3) == 0) {
    call.departures.push_back({0, drawn_up_to(kThingsReach, numbers_)});
  }
  for (std::uint32_t i = numbers_.below(departures_max_ + 1); i > 0; --i) {
    call.departures.push_back(
        {drawn_up_to(kPlacesReach, numbers_) - 1, drawn_up_to(kThingsReach, numbers_)});
  }
  progress_of(*task).calls.push_back(std::move(call));
}

void UnevenWalk::closes() {
  if (const sim::Actor* const task = running(); task != nullptr) {
    auto& calls = progress_of(*task).calls;
    runtime::ensure(!calls.empty(), "a call closes that has begun");
    calls.back().closes = true;
  }
}

void UnevenWalk::ends() {
  if (const sim::Actor* const task = running(); task != nullptr) {
    Progress& progress = progress_of(*task);
    runtime::ensure(!progress.calls.empty(), "a call ends that has begun");
    progress.calls.pop_back();
    count_thing(progress);
  }
}

}  // namespace watchlab::course
