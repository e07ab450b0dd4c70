#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/runtime/backend.hpp"
#include "sim/kernel/parcel_queue.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

class SimChannel;

/// The arms of a send, receive or select that a task has published.
struct PendingSelect {
  static constexpr std::size_t kNone = SIZE_MAX;

  std::span<runtime::SelectCase> cases;
  std::size_t completed = kNone;  ///< the arm that a partner has carried out
};

/// A channel of a simulated world. A blocking operation is ready when one of its arms is: there is
/// room or a value, the channel is closed, or a partner for a rendezvous has published the other
/// half. A rendezvous is one step of one of the two; the other then only goes on.
class SimChannel final : public runtime::ChannelBackend, public SimObject {
 public:
  SimChannel(Scheduler& scheduler, Identity identity, runtime::Location made, std::size_t capacity)
      : SimObject(scheduler, std::move(identity), made), capacity_(capacity) {}

  void close(runtime::Location here) override;
  [[nodiscard]] std::size_t size(runtime::Location here) override;

  /// Puts a value into the buffer if there is room, as a timer does; drops it otherwise. Whoever
  /// receives it knows what is known in `from`.
  void offer(runtime::Parcel parcel, const SyncPoint& from);

  /// Ends the channel's life once nobody waits in it.
  void retire() noexcept;

  [[nodiscard]] bool closed() const { return closed_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::size_t buffered() const { return buffer_.size(); }
  /// Whether a task other than `me` could carry out an operation of this direction now, if the arms
  /// that `me` has published did not count.
  [[nodiscard]] bool open_to_others(const SimTask* me,
                                    runtime::SelectCase::Direction direction) const;
  [[nodiscard]] std::string blocked_because(const SimTask& task) const override;
  /// The tasks that have published the other half of such an operation.
  [[nodiscard]] std::vector<const SimTask*> partners_for(
      runtime::SelectCase::Direction direction) const;

 private:
  friend class SelectOperation;

  /// An arm of a task that has published it.
  struct Arm {
    SimTask* task;
    std::size_t index;
  };

  /// Most channels never have more tasks wait in one direction.
  using Arms = boost::container::small_vector<Arm, 2>;

  [[nodiscard]] Arms& arms(runtime::SelectCase::Direction direction) {
    return direction == runtime::SelectCase::Direction::Send ? senders_ : receivers_;
  }
  [[nodiscard]] const Arms& partners(runtime::SelectCase::Direction direction) const {
    return direction == runtime::SelectCase::Direction::Send ? receivers_ : senders_;
  }
  /// Whether an arm of a task other than `me` could meet one of this direction. With a buffer
  /// nobody meets: a sender who handed its value over would pass those in the buffer.
  [[nodiscard]] bool has_partner(const SimTask& me,
                                 runtime::SelectCase::Direction direction) const {
    const Arms& others = partners(direction);
    return capacity_ == 0 && std::any_of(others.begin(), others.end(),
                                         [&](const Arm& arm) { return arm.task != &me; });
  }
  /// Whether an arm of this direction could be carried out now without a partner.
  [[nodiscard]] bool ready_alone(runtime::SelectCase::Direction direction) const {
    if (closed_) {
      return true;
    }
    return direction == runtime::SelectCase::Direction::Send ? buffer_.size() < capacity_
                                                             : !buffer_.empty();
  }
  /// Of the place in the buffer that the next value goes into, or comes from. Sends and receives
  /// that use one place follow each other.
  [[nodiscard]] SyncPoint& next_in() { return place(sent_++); }
  [[nodiscard]] SyncPoint& next_out() { return place(received_++); }
  [[nodiscard]] SyncPoint& place(std::uint64_t count);
  /// The channel has changed: tells everyone who waits here.
  void refresh();
  /// `task` has come, with an arm of this direction: tells those who can meet it. Without a buffer.
  void welcome(const SimTask& task, runtime::SelectCase::Direction direction);
  /// An arm of this direction is gone: tells those who could have met it. Without a buffer.
  void miss(runtime::SelectCase::Direction direction);

  std::size_t capacity_;
  bool closed_ = false;
  ParcelQueue buffer_;
  std::uint64_t sent_ = 0;      ///< through the buffer
  std::uint64_t received_ = 0;  ///< through the buffer
  SyncPoint first_place_;       ///< most buffers have no other
  std::vector<std::unique_ptr<SyncPoint>> further_places_;
  SyncPoint closing_;  ///< from the one who closes to all who see it
  Arms senders_;
  Arms receivers_;
};

/// One select of the running task, from publication to the chosen arm.
class SelectOperation {
 public:
  SelectOperation(Scheduler& scheduler, std::span<runtime::SelectCase> cases)
      : scheduler_(scheduler), pending_{.cases = cases} {}

  /// See `Runtime::select`.
  std::optional<std::size_t> run(bool blocking, runtime::Location here);

  /// Whether a task that has published a select could carry out one of its arms.
  [[nodiscard]] static bool is_ready(const SimTask& task) {
    const std::span<runtime::SelectCase> cases = task.select->cases;
    return std::any_of(cases.begin(), cases.end(),
                       [&](const runtime::SelectCase& arm) { return arm_ready(task, arm); });
  }

 private:
  /// Whether a task that has published a select may have gone to sleep in it: not while an arm can
  /// be carried out without a partner, because then it takes that, and whoever made it ready would
  /// have woken it.
  [[nodiscard]] static bool may_sleep(const SimTask& task);
  [[nodiscard]] bool can_meet(const SimTask& me, const SimChannel::Arm& partner) const;
  [[nodiscard]] bool can_meet_somebody(const SimTask& me, const runtime::SelectCase& arm) const;
  [[nodiscard]] static bool arm_ready(const SimTask& task, const runtime::SelectCase& arm) {
    const auto* const channel = static_cast<const SimChannel*>(arm.channel);
    return channel != nullptr &&
           (channel->ready_alone(arm.direction) || channel->has_partner(task, arm.direction));
  }
  void publish(bool blocking, runtime::Location here);
  /// Whether one of the arms can be carried out at once.
  bool enlist(SimTask& me);
  static void withdraw(SimTask& task);
  std::optional<std::size_t> choose_arm(const SimTask& me);
  void carry_out(std::size_t index, runtime::Location here);
  void meet_somebody(SimChannel& channel, runtime::SelectCase& mine);
  /// Carries out `mine` together with the partner's arm.
  void meet(runtime::SelectCase& mine, SimChannel::Arm partner);

  Scheduler& scheduler_;
  PendingSelect pending_;
  bool blocking_ = true;
};

}  // namespace watchlab::sim
