#include "sim/kernel/primitives/sim_channel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>

#include "core/runtime/ensure.hpp"
#include "sim/kernel/fiber.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::sim {
namespace {

using Direction = runtime::SelectCase::Direction;
constexpr std::size_t kNone = PendingSelect::kNone;

}  // namespace

void SimChannel::close(runtime::Location here) {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::Close, this, here)) {
    return;
  }
  if (closed_) {
    throw runtime::Panic(fmt::format("close of {}, which is closed, at {}; {}", describe(),
                                     place_text(here), describe_close()));
  }
  scheduler_.release(closing_);
  closed_ = true;
  closed_at_step_ = scheduler_.steps();
  closed_here_ = here;
  closer_ = scheduler_.current_shared();
  refresh();
}

std::string SimChannel::describe_close() const {
  return fmt::format("{} closed it at step {} ({})", closer_->identity().readable_path(),
                     closed_at_step_, place_text(closed_here_));
}

std::size_t SimChannel::size(runtime::Location here) {
  const Quiet quiet;
  if (!scheduler_.running_down() &&
      !scheduler_.passes_over(OperationKind::ChannelSize, this, here)) {
    scheduler_.step(OperationKind::ChannelSize, this, here);
    scheduler_.looked(OperationKind::ChannelSize, this, here);
  }
  return buffer_.size();
}

SyncPoint& SimChannel::place(std::uint64_t count) {
  const std::size_t index = count % capacity_;
  if (index == 0) {
    return first_place_;
  }
  while (further_places_.size() < index) {
    further_places_.push_back(std::make_unique<SyncPoint>());
  }
  return *further_places_[index - 1];
}

void SimChannel::offer(runtime::AnyValue any_value, const SyncPoint& from) {
  if (buffer_.size() < capacity_) {
    scheduler_.pass(from, next_in());
    buffer_.push(std::move(any_value));
    check_buffer();
    refresh();
  }
}

std::vector<const SimTask*> SimChannel::partners_for(Direction direction) const {
  std::vector<const SimTask*> tasks;
  for (const Arm& arm : partners(direction)) {
    tasks.push_back(arm.task);
  }
  return tasks;
}

bool SimChannel::open_to_others(const SimTask* me, Direction direction) const {
  return ready_alone(direction) || (capacity_ == 0 && has_other(me, partners(direction)));
}

void SimChannel::refresh_waiting() {
  for (const Direction direction : {Direction::Send, Direction::Receive}) {
    const bool ready = ready_alone(direction);
    for (const Arm& arm : arms(direction)) {
      if (ready || SelectOperation::is_ready(*arm.task)) {
        scheduler_.enable(*arm.task);
      } else {
        scheduler_.disable(*arm.task);
      }
    }
  }
}

void SimChannel::miss(Direction direction) {
  for (const Arm& arm : partners(direction)) {
    if (!SelectOperation::is_ready(*arm.task)) {
      scheduler_.disable(*arm.task);
    }
  }
}

std::shared_ptr<SimChannel> SimChannel::share() {
  return std::shared_ptr<SimChannel>(
      this, [](SimChannel*) {}, CountsRoom<SimChannel>(*this));
}

void SimChannel::retire() noexcept {
  const Quiet quiet;
  std::unique_ptr<SimObject> self(this);
  if (!senders_.empty() || !receivers_.empty() || scheduler_.root_ended()) {
    scheduler_.retire(std::move(self));
  }
}

std::string SimChannel::blocked_because(const SimTask& task) const {
  const bool sends = task.pending().kind == OperationKind::Send;
  return sends ? "and no task is left that would receive from it"
               : "and no task is left that would send to it or close it";
}

std::string describe_arms(const SimTask& task) {
  std::string text;
  for (const runtime::SelectCase& arm : task.select->cases) {
    const auto* const channel = static_cast<const SimChannel*>(arm.channel);
    text += text.empty() ? "to " : " or ";
    text += arm.direction == Direction::Send ? "send to " : "receive from ";
    if (channel == nullptr) {
      text += "a nil channel";
    } else if (channel->identity().name.empty()) {
      text += channel->describe();
    } else {
      text += fmt::format("'{}'", channel->identity().name);
    }
  }
  return text.empty() ? "without an arm" : text;
}

bool waits_forever(const SimTask& task) {
  return std::ranges::all_of(task.select->cases,
                             [](const runtime::SelectCase& arm) { return arm.channel == nullptr; });
}

std::size_t SelectOperation::run(bool blocking, runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    scheduler_.end_wait();
    return blocking ? 0 : kNone;
  }
  SimTask& me = scheduler_.current();
  blocking_ = blocking;
  if (!blocking && passes_over(here)) {
    return kNone;
  }
  publish(blocking, here);
  if (blocking) {
    RaceClocks::await_meeting(me.clock);
    if (!enlist(me)) {
      scheduler_.disable(me);
    }
  }
  scheduler_.decide();
  if (pending_.completed != kNone) {
    me.select = nullptr;
    RaceClocks::have_met(me.clock);
    return pending_.completed;
  }
  if (scheduler_.stopping()) {
    me.select = nullptr;
    scheduler_.end_wait();
    return blocking ? 0 : kNone;
  }
  const std::size_t index = choose_arm(me);
  if (blocking) {
    withdraw(me);
  }
  me.select = nullptr;
  if (index != kNone) {
    carry_out(index, here);
  } else {
    note_looks(here);
  }
  if (blocking) {
    notify_missed(pending_.cases);  // now, because most that could have met me have met another
  }
  return index;
}

/// A poll that spins waits for a change of its channels; but not where partners were about to sleep
/// there, who need no further step for that: it is sure to meet one, or its loop gives up before.
/// What it goes by is what the poll before has seen.
bool SelectOperation::passes_over(runtime::Location here) {
  for (std::size_t i = 0; i < pending_.cases.size(); ++i) {
    auto* const channel = static_cast<SimChannel*>(pending_.cases[i].channel);
    if (!scheduler_.passes_over(OperationKind::Poll, channel, here, way_of(i))) {
      sure_ = i == 0 && scheduler_.meets_again(channel, here, way_of(i));
      return false;
    }
  }
  return !pending_.cases.empty();
}

/// Of that arm, for a look at it.
std::uint8_t SelectOperation::way_of(std::size_t arm) const {
  constexpr std::uint8_t kFirst = 2;
  const bool sends = pending_.cases[arm].direction == Direction::Send;
  return static_cast<std::uint8_t>((sends ? 1 : 0) | (arm == 0 ? kFirst : 0));
}

void SelectOperation::note_looks(runtime::Location here) {
  bool meets = false;
  for (const runtime::SelectCase& arm : pending_.cases) {
    const auto* const channel = static_cast<const SimChannel*>(arm.channel);
    meets = meets || (channel != nullptr && channel->capacity_ == 0 &&
                      !channel->partners(arm.direction).empty());
  }
  for (std::size_t i = 0; i < pending_.cases.size(); ++i) {
    auto* const channel = static_cast<SimChannel*>(pending_.cases[i].channel);
    if (i > 0) {
      scheduler_.looked_also(OperationKind::Poll, channel, here, way_of(i));
      continue;
    }
    scheduler_.looked(OperationKind::Poll, channel, here, way_of(i));
    if (meets) {
      scheduler_.current().spinning->note_meets();
    }
  }
}

void SelectOperation::publish(bool blocking, runtime::Location here) {
  OperationKind kind = blocking ? OperationKind::Select : OperationKind::Poll;
  if (pending_.cases.size() == 1 && blocking) {
    kind = pending_.cases[0].direction == Direction::Send ? OperationKind::Send
                                                          : OperationKind::Receive;
  }
  SimObject* const only =
      pending_.cases.size() == 1 ? static_cast<SimChannel*>(pending_.cases[0].channel) : nullptr;
  scheduler_.publish(kind, only, here, pending_.cases.size());
  scheduler_.current().select = &pending_;
}

bool SelectOperation::enlist(SimTask& me) {
  bool ready = false;
  for (std::size_t i = 0; i < pending_.cases.size(); ++i) {
    const runtime::SelectCase& arm = pending_.cases[i];
    auto* const channel = static_cast<SimChannel*>(arm.channel);
    if (channel != nullptr) {
      channel->arms(arm.direction).emplace_back(&me, i);
      const bool met = channel->capacity_ == 0 && channel->welcome(me, arm.direction);
      ready = ready || met || channel->ready_alone(arm.direction);
    }
  }
  return ready;
}

bool SelectOperation::may_sleep(const SimTask& task) {
  const std::span<runtime::SelectCase> cases = task.select->cases;
  return std::none_of(cases.begin(), cases.end(), [](const runtime::SelectCase& arm) {
    const auto* const channel = static_cast<const SimChannel*>(arm.channel);
    return channel != nullptr && channel->ready_alone(arm.direction);
  });
}

bool SelectOperation::can_meet(const SimTask& me, const SimChannel::Arm& partner) const {
  return partner.task != &me && (blocking_ || may_sleep(*partner.task));
}

bool SelectOperation::can_meet_partner(const SimTask& me, const runtime::SelectCase& arm) const {
  const ArmList& partners = static_cast<const SimChannel*>(arm.channel)->partners(arm.direction);
  return std::any_of(partners.begin(), partners.end(),
                     [&](const SimChannel::Arm& partner) { return can_meet(me, partner); });
}

std::size_t SelectOperation::choose_arm(const SimTask& me) {
  if (blocking_ && pending_.cases.size() == 1) {
    return 0;  // it was chosen, so it is ready
  }
  std::size_t only = kNone;
  boost::container::small_vector<std::size_t, 8> ready;  // all of them, once there are several
  for (std::size_t i = 0; i < pending_.cases.size(); ++i) {
    const runtime::SelectCase& arm = pending_.cases[i];
    if (!arm_ready(me, arm)) {
      continue;
    }
    const auto* const channel = static_cast<const SimChannel*>(arm.channel);
    // A polling select meets only partners who sleep in the channel already. Go does not say
    // whether one that is about to sleep has got there, so both answers are possible.
    if (!blocking_ && !channel->ready_alone(arm.direction) &&
        (!can_meet_partner(me, arm) ||
         (!sure_ && scheduler_.choose(ChoiceKind::Parked, 2, "the partner waits already") == 1))) {
      continue;
    }
    if (only == kNone) {
      only = i;
      continue;
    }
    if (ready.empty()) {
      ready.push_back(only);
    }
    ready.push_back(i);
  }
  if (ready.empty()) {
    return only;
  }
  return ready[scheduler_.choose(ChoiceKind::Case, ready.size(), "which ready arm of a select")];
}

void SelectOperation::carry_out(std::size_t index, runtime::Location here) {
  runtime::SelectCase& mine = pending_.cases[index];
  auto& channel = static_cast<SimChannel&>(*mine.channel);
  if (channel.closed_ && mine.direction == Direction::Send) {
    notify_missed(pending_.cases);
    throw runtime::Panic(fmt::format("send on {}, which is closed, at {}; {}", channel.describe(),
                                     place_text(here), channel.describe_close()));
  }
  if (!channel.ready_alone(mine.direction)) {
    meet_partner(channel, mine);
    return;
  }
  if (mine.direction == Direction::Send) {
    scheduler_.exchange(channel.next_in());
    channel.buffer_.push(std::move(mine.any_value));
    channel.check_buffer();
  } else if (!channel.buffer_.empty()) {
    scheduler_.exchange(channel.next_out());
    mine.any_value = channel.buffer_.pop();
    channel.check_buffer();
  } else {
    scheduler_.acquire(channel.closing_);
  }
  channel.refresh();
}

void SelectOperation::meet_partner(SimChannel& channel, runtime::SelectCase& mine) {
  const ArmList& others = channel.partners(mine.direction);
  runtime::ensure(channel.capacity_ == 0 && !others.empty(),
                  "a channel was chosen that is neither open nor has a partner");
  if (others.size() == 1) {
    exchange(mine, others.front());
    return;
  }
  boost::container::small_vector<SimChannel::Arm, 4> partners;
  std::vector<const Actor*>& tasks = scheduler_.room_for_candidates();
  for (const SimChannel::Arm& arm : others) {
    if (can_meet(scheduler_.current(), arm)) {  // a select does not meet itself
      partners.push_back(arm);
      tasks.push_back(arm.task);
    }
  }
  const std::uint32_t chosen =
      scheduler_.choose(ChoiceKind::Partner, tasks.size(), "which partner of a rendezvous",
                        std::span(tasks.data(), tasks.size()));
  exchange(mine, partners[chosen]);
}

void SelectOperation::exchange(runtime::SelectCase& mine, SimChannel::Arm partner) {
  PendingSelect& theirs = *partner.task->select;
  runtime::ensure(theirs.completed == kNone && partner.task != &scheduler_.current(),
                  "a partner is met twice, or is the task itself");
  runtime::SelectCase& other = theirs.cases[partner.index];
  if (mine.direction == Direction::Send) {
    other.any_value = std::move(mine.any_value);
  } else {
    mine.any_value = std::move(other.any_value);
  }
  scheduler_.synchronize(*partner.task);
  theirs.completed = partner.index;
  withdraw(*partner.task);
  notify_missed(theirs.cases);
  if (scheduler_.is_recorded()) {
    partner.task->met_at = static_cast<SimChannel*>(mine.channel)->describe();
  }
  // Without the channel: the first to continue may have been its last user.
  scheduler_.become(*partner.task, OperationKind::Continue, nullptr);
  scheduler_.enable(*partner.task);
}

}  // namespace watchlab::sim
