#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/runtime/backend.hpp"
#include "core/runtime/ensure.hpp"
#include "sim/kernel/primitives/channel_parts.hpp"
#include "sim/kernel/scheduler.hpp"

namespace watchlab::sim {

class SimChannel;

/// The arms of a send, receive or select that a task has published.
struct PendingSelect {
  static constexpr std::size_t kNone = SIZE_MAX;

  std::span<runtime::SelectCase> cases;
  std::size_t completed = kNone;  ///< the arm that a partner has carried out
};

/// "to receive from 'stop' or send to 'work'": what the arms that the task has published wait for.
[[nodiscard]] std::string describe_arms(const SimTask& task);
/// Whether none of them can ever happen, because there is none, or all channels are nil.
[[nodiscard]] bool waits_forever(const SimTask& task);

/// A channel of a simulated world. A blocking operation is ready when one of its arms is: there is
/// room or a value, the channel is closed, or a partner for a rendezvous has published the other
/// half. A rendezvous is one step of one of the two; the other then only continues.
class SimChannel final : public runtime::ChannelBackend, public SimObject {
 public:
  SimChannel(Scheduler& scheduler, Identity&& identity, runtime::Location made,
             std::size_t capacity)
      : SimObject(scheduler, std::move(identity), made), capacity_(capacity) {}

  void close(runtime::Location here) override;
  [[nodiscard]] std::size_t size(runtime::Location here) override;

  /// Puts a value into the buffer if there is room, as a timer does; drops it otherwise. Whoever
  /// receives it knows what is known in `from`.
  void offer(runtime::AnyValue any_value, const SyncPoint& from);

  /// Who holds this holds the channel, which was just made by `new`. The last one to let go ends
  /// its life, once no task waits in it.
  [[nodiscard]] std::shared_ptr<SimChannel> share();

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

  /// Lets a shared pointer keep its counts in the channel, which so takes one allocation. When
  /// these are given back, no task holds the channel any more.
  template <typename T>
  class CountsRoom {
   public:
    using value_type = T;
    explicit CountsRoom(SimChannel& channel) : channel_(&channel) {}
    template <typename U>
    CountsRoom(const CountsRoom<U>& other) : channel_(other.channel_) {}  // NOLINT: as of any other

    [[nodiscard]] T* allocate(std::size_t /*count*/) {
      static_assert(sizeof(T) <= sizeof(counts_) && alignof(T) <= alignof(std::max_align_t));
      return reinterpret_cast<T*>(channel_->counts_.data());
    }
    void deallocate(T* /*counts*/, std::size_t /*count*/) { channel_->retire(); }
    friend bool operator==(const CountsRoom&, const CountsRoom&) = default;

   private:
    template <typename U>
    friend class CountsRoom;

    SimChannel* channel_;
  };

  void retire() noexcept;

  using Arm = PublishedArm;

  [[nodiscard]] ArmList& arms(runtime::SelectCase::Direction direction) {
    return direction == runtime::SelectCase::Direction::Send ? senders_ : receivers_;
  }
  [[nodiscard]] const ArmList& partners(runtime::SelectCase::Direction direction) const {
    return direction == runtime::SelectCase::Direction::Send ? receivers_ : senders_;
  }
  /// Whether an arm of a task other than `me` could meet one of this direction. With a buffer
  /// no tasks meet: a sender that handed its value over would pass those in the buffer.
  [[nodiscard]] bool has_partner(const SimTask& me,
                                 runtime::SelectCase::Direction direction) const {
    return capacity_ == 0 && has_other(&me, partners(direction));
  }
  [[nodiscard]] static bool has_other(const SimTask* me, const ArmList& arms) {
    for (const Arm& arm : arms) {
      if (arm.task != me) {
        return true;
      }
    }
    return false;
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
  void check_buffer() const {
    runtime::ensure(buffer_.size() <= capacity_ && sent_ - received_ == buffer_.size(),
                    "a channel holds other values than were sent and not received");
  }
  /// The channel has changed: notifies every task that waits here.
  void refresh() {
    scheduler_.changed(*this);
    if (!senders_.empty() || !receivers_.empty()) {
      refresh_waiting();
    }
  }
  void refresh_waiting();
  /// `task` has come, with an arm of this direction: notifies those that can meet it, and says
  /// whether there are any. Without a buffer.
  bool welcome(const SimTask& task, runtime::SelectCase::Direction direction) {
    scheduler_.changed(*this);
    bool met = false;
    for (const Arm& arm : partners(direction)) {
      if (arm.task != &task) {
        scheduler_.enable(*arm.task);
        met = true;
      }
    }
    return met;
  }
  /// An arm of this direction is gone: notifies those that could have met it. Without a buffer.
  void miss(runtime::SelectCase::Direction direction);

  std::size_t capacity_;
  [[nodiscard]] std::string describe_close() const;

  bool closed_ = false;
  std::size_t closed_at_step_ = 0;
  runtime::Location closed_here_;
  std::shared_ptr<const SimTask> closer_;
  AnyValueQueue buffer_;
  std::uint64_t sent_ = 0;      ///< through the buffer
  std::uint64_t received_ = 0;  ///< through the buffer
  SyncPoint first_place_;       ///< most buffers have no other
  std::vector<std::unique_ptr<SyncPoint>> further_places_;
  SyncPoint closing_;  ///< from the task that closes to all that see it
  ArmList senders_;
  ArmList receivers_;
  alignas(std::max_align_t) std::array<std::byte, 48> counts_;
};

/// One select of the running task, from publication to the chosen arm.
class SelectOperation {
 public:
  SelectOperation(Scheduler& scheduler, std::span<runtime::SelectCase> cases)
      : scheduler_(scheduler), pending_{.cases = cases} {}

  /// See `Runtime::select`; `PendingSelect::kNone` is none of the arms.
  std::size_t run(bool blocking, runtime::Location here);

  /// Whether a task that has published a select could carry out one of its arms.
  [[nodiscard]] static bool is_ready(const SimTask& task) {
    for (const runtime::SelectCase& arm : task.select->cases) {
      if (arm_ready(task, arm)) {
        return true;
      }
    }
    return false;
  }

 private:
  /// Whether a task that has published a select may have gone to sleep in it: not while an arm can
  /// be carried out without a partner, because then it takes that, and whoever made it ready would
  /// have woken it.
  [[nodiscard]] static bool may_sleep(const SimTask& task);
  [[nodiscard]] bool can_meet(const SimTask& me, const SimChannel::Arm& partner) const;
  [[nodiscard]] bool can_meet_partner(const SimTask& me, const runtime::SelectCase& arm) const;
  [[nodiscard]] static bool arm_ready(const SimTask& task, const runtime::SelectCase& arm) {
    const auto* const channel = static_cast<const SimChannel*>(arm.channel);
    return channel != nullptr &&
           (channel->ready_alone(arm.direction) || channel->has_partner(task, arm.direction));
  }
  [[nodiscard]] bool passes_over(runtime::Location here);
  [[nodiscard]] std::uint8_t way_of(std::size_t arm) const;
  /// It has polled in vain.
  void note_looks(runtime::Location here);
  void publish(bool blocking, runtime::Location here);
  /// Whether one of the arms can be carried out at once.
  bool enlist(SimTask& me);
  /// Takes the task's arms away. Those who could have met them still think so.
  static void withdraw(const SimTask& task) {
    for (const runtime::SelectCase& arm : task.select->cases) {
      if (arm.channel != nullptr) {
        ArmList& arms = static_cast<SimChannel*>(arm.channel)->arms(arm.direction);
        auto mine = arms.begin();
        while (mine->task != &task) {  // there is one for each case, see `enlist`
          ++mine;
        }
        arms.erase(mine);
      }
    }
  }
  /// Notifies those that could have met arms that were taken away.
  static void notify_missed(std::span<const runtime::SelectCase> cases) {
    for (const runtime::SelectCase& arm : cases) {
      auto* const channel = static_cast<SimChannel*>(arm.channel);
      if (channel != nullptr && channel->capacity_ == 0) {
        channel->miss(arm.direction);
      }
    }
  }
  [[nodiscard]] std::size_t choose_arm(const SimTask& me);
  void carry_out(std::size_t index, runtime::Location here);
  void meet_partner(SimChannel& channel, runtime::SelectCase& mine);
  /// Carries out `mine` together with the partner's arm.
  void exchange(runtime::SelectCase& mine, SimChannel::Arm partner);

  Scheduler& scheduler_;
  PendingSelect pending_;
  bool blocking_ = true;
  bool sure_ = false;  ///< whether partners that it meets are sure to wait already
};

}  // namespace watchlab::sim
