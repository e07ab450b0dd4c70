#include <algorithm>

#include "sim/explore/random_numbers.hpp"
#include "tests/sim/explore/oracle/listing.hpp"

namespace watchlab::sim::oracle {
namespace {

/// The theme of programs with two accesses a task.
constexpr std::size_t kPairs = 1;

/// Which verbs a program is made of; a verb that stands twice comes twice as often.
const std::vector<std::vector<Verb>>& themes() {
  using enum Verb;
  static const std::vector<std::vector<Verb>> kThemes{
      {Load, Store, Exchange, Add, Cas, Store},
      {Load, Store, Exchange},  // kPairs
      {Lock, Lock, TryLock, Touch, Unlock, Load},
      {Lock, Wait, NotifyOne, NotifyAll, Lock, WaitFor, Touch},
      {Lock, WaitFor, NotifyOne, Sleep, NotifyAll},
      {Send, Receive, Send, Receive, Close, Size},
      {Send, Receive, TrySend, TryReceive},
      {Send, Receive, Select, Select, Poll},
      {Select, Poll, Close, Send, TryReceive, TrySend},
      {ReadLock, WriteLock, ReadUnlock, WriteUnlock, Store, Load},
      {GroupDone, GroupWait, GroupAdd, Store, Load},
      {Sleep, TimerStop, TimerReset, Receive, Poll, TryReceive},
      {Select, Sleep, Send, Receive, TimerReset, Size},
      {Yield, Choose, Order, Spawn, Join, Ended, Store, Load},
  };
  return kThemes;
}

/// Makes the listing of one seed.
class Author {
 public:
  explicit Author(std::uint64_t seed) : random_(seed) {}

  Listing write() {
    const auto& all = themes();
    const std::size_t theme = below(static_cast<int>(all.size()) + 3);
    verbs_ = all[theme < all.size() ? theme : below(all)];
    if (theme >= all.size()) {
      const std::vector<Verb>& others = all[below(all)];
      verbs_.insert(verbs_.end(), others.begin(), others.end());
    }
    if (theme == kPairs) {
      return write_pairs();
    }
    const int tasks = 2 + static_cast<int>(below(5));
    objects_ = 1 + static_cast<int>(below(3));
    // More tasks say less each, or the oracle would have to look at millions of classes.
    static constexpr int kMore[] = {0, 0, 8, 9, 9, 8, 7};
    int left = tasks + static_cast<int>(std::min(below(kMore[tasks]), below(kMore[tasks])));
    listing_.tasks.resize(static_cast<std::size_t>(tasks));
    for (; left > 0; --left) {
      task_ = static_cast<int>(below(tasks));
      std::vector<Instruction>& instructions = listing_.tasks[static_cast<std::size_t>(task_)];
      add(instructions, verbs_[below(verbs_)]);
    }
    const bool timed = listing_has_timer();
    for (int& delay : listing_.timers) {
      delay = timed ? static_cast<int>(below(3)) : 0;
    }
    return listing_;
  }

 private:
  Listing write_pairs() {
    listing_.tasks.resize(3 + below(4));
    objects_ = static_cast<int>(listing_.tasks.size()) / 2 + static_cast<int>(below(2)) +
               (listing_.tasks.size() == 6 ? 1 : 0);
    for (std::vector<Instruction>& instructions : listing_.tasks) {
      add(instructions, verbs_[below(verbs_)]);
      add(instructions, verbs_[below(verbs_)]);
    }
    return listing_;
  }
  template <typename T>
  std::size_t below(const std::vector<T>& things) {
    return below(static_cast<int>(things.size()));
  }
  std::size_t below(int bound) { return random_.below(static_cast<std::uint32_t>(bound)); }
  int object() { return static_cast<int>(below(objects_)); }
  /// A channel: rarely the nil one, and that of a timer only to receive from.
  int channel(bool sends) {
    const auto place = below(sends ? 9 : 11);
    static constexpr int kChannelAt[] = {0, 0, 0, 1, 1, 2, 3, 3, 4, 5, 6};
    const int channel = kChannelAt[place];
    return channel == kNilChannel && below(3) > 0 ? 0 : channel;
  }

  void add(std::vector<Instruction>& instructions, Verb verb) {
    Instruction instruction{.verb = verb, .object = object()};
    switch (verb) {
      case Verb::Wait:
      case Verb::WaitFor:
        instruction.object = static_cast<int>(below(2)) * static_cast<int>(below(2));
        instruction.number = last_locked(instructions);
        instruction.delay = 1 + static_cast<int>(below(2));
        break;
      case Verb::NotifyOne:
      case Verb::NotifyAll:
        instruction.object = static_cast<int>(below(2)) * static_cast<int>(below(2));
        break;
      case Verb::Cas:
        instruction.number = below(2) == 0 ? 0 : value_at(below(listing_.tasks), below(2));
        break;
      case Verb::Send:
      case Verb::TrySend:
      case Verb::Size:
      case Verb::Close:
        instruction.object = channel(true);
        if (verb == Verb::Close && instruction.object == kNilChannel) {
          instruction.object = 0;
        }
        break;
      case Verb::Receive:
      case Verb::TryReceive:
        instruction.object = channel(false);
        break;
      case Verb::Select:
      case Verb::Poll:
        add_arms(instruction);
        break;
      case Verb::TimerStop:
      case Verb::TimerReset:
        instruction.object = static_cast<int>(below(kTimers));
        instruction.delay = static_cast<int>(below(3));
        break;
      case Verb::Sleep:
        instruction.delay = static_cast<int>(below(3));
        break;
      case Verb::Choose:
        instruction.object = 2 + static_cast<int>(below(2));
        break;
      case Verb::GroupAdd:
        instruction.object = 1;
        break;
      case Verb::Spawn:
      case Verb::Join:
      case Verb::Ended:
        instruction.object = task_ + 2;  // so each has at most one that starts it
        if (instruction.object >= static_cast<int>(listing_.tasks.size())) {
          instruction = {.verb = Verb::Yield};
        }
        break;
      default:
        break;
    }
    instructions.push_back(std::move(instruction));
  }

  void add_arms(Instruction& instruction) {
    for (std::size_t left = 1 + below(3); left > 0; --left) {
      const bool sends = below(2) == 0;
      const Arm arm{.sends = sends, .channel = channel(sends)};
      const auto same = [&](const Arm& other) {
        return other.sends == arm.sends && other.channel == arm.channel;
      };
      if (std::ranges::none_of(instruction.arms, same)) {
        instruction.arms.push_back(arm);
      }
    }
  }
  static int last_locked(const std::vector<Instruction>& instructions) {
    int mutex = 0;
    for (const Instruction& instruction : instructions) {
      mutex = instruction.verb == Verb::Lock ? instruction.object : mutex;
    }
    return mutex;
  }
  [[nodiscard]] bool listing_has_timer() const {
    for (const auto& instructions : listing_.tasks) {
      for (const Instruction& instruction : instructions) {
        const bool of_timer =
            instruction.verb == Verb::TimerStop || instruction.verb == Verb::TimerReset;
        const bool arms = std::ranges::any_of(
            instruction.arms, [](const Arm& arm) { return arm.channel >= kFirstTimerChannel; });
        const bool receives =
            (instruction.verb == Verb::Receive || instruction.verb == Verb::TryReceive) &&
            instruction.object >= kFirstTimerChannel;
        if (of_timer || arms || receives) {
          return true;
        }
      }
    }
    return false;
  }

  RandomNumbers random_;
  std::vector<Verb> verbs_;
  int objects_ = 1;
  int task_ = 0;
  Listing listing_;
};

}  // namespace

Listing generate(std::uint64_t seed) { return Author(seed).write(); }

}  // namespace watchlab::sim::oracle
