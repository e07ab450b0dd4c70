#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/channel.hpp"
#include "sim/http/http_front.hpp"
#include "sim/http/lockstep/partner_frames.hpp"
#include "sim/kernel/clock_partner.hpp"

namespace watchlab::sim {

struct LockstepOptions {
  PartnerHello hello;                                        ///< but for the epoch, which is now
  runtime::Duration latency = std::chrono::milliseconds(1);  ///< of each byte, one way
  /// For how long it may live on after it was asked to stop, before it is left alone.
  runtime::Duration grace_period = std::chrono::seconds(30);
  std::function<void(const std::string&)> noted = {};  ///< called with each note
  /// If its goroutines are chosen: called with each that went before its turn.
  std::function<void(const PartnerSwap&)> swapped = {};
};

/// A program outside of the world that lives in it: its clock goes with the world's, and the bytes
/// of its connections travel to the servers behind the front and back, a latency each way, through
/// all that faults do to bytes. One task of the world runs it; what the program says at one instant
/// is taken in an order that does not depend on how its threads ran; or, if the world chooses its
/// goroutines, as it was said.
class LockstepPartner final : private ClockPartner {
 public:
  /// How it came to its end.
  enum class End : std::uint8_t { ByItself, Stopped, Crashed };

  LockstepPartner(World& world, HttpFront& front, LockstepOptions options);
  ~LockstepPartner() override;

  /// Plays the program to its end, in the task that calls. Throws `Violation`, with a message, when
  /// the program fails, or breaks the protocol.
  End run(std::unique_ptr<PartnerLink> link);
  /// Asks it to end, as SIGTERM does. Any task may call it, and `crash`; also again.
  void stop();
  /// Ends it at once, with all its connections.
  void crash();

 private:
  class Wire;
  struct Arrival {
    runtime::TimePoint at;
    PartnerEvent event;
  };

  void advance(runtime::TimePoint limit) override;

  void keep_going();
  void work_at_this_instant();
  void take(PartnerEvent event);
  [[nodiscard]] bool work_on(Wire& wire);
  [[nodiscard]] FrameToPartner frame_for_now();
  void draw_turns();
  void count_turns(const FrameFromPartner& answer);
  void tell_swaps();
  void speak(FrameToPartner frame);
  void take_answer(FrameFromPartner answer);
  void sleep();
  void leave_alone();
  void hang_up();
  [[nodiscard]] std::optional<runtime::TimePoint> next_due() const;
  [[noreturn]] void fail(const api::Error& what);
  [[nodiscard]] runtime::TimePoint now() { return world_.now(); }

  World& world_;
  HttpFront& front_;
  LockstepOptions options_;
  PartnerLink* link_ = nullptr;  // while it runs
  PartnerAlarm alarm_;
  runtime::Channel<runtime::Unit> bell_;

  std::map<std::int64_t, std::unique_ptr<Wire>> wires_;
  std::deque<Arrival> up_;    // on their way to the servers, in the order of arrival
  std::deque<Arrival> down_;  // on their way to the program

  // What `advance` has brought, for the task.
  std::optional<FrameFromPartner> said_;
  std::optional<api::Error> failure_;

  std::string turns_;               // drawn, and not sent
  std::size_t ahead_ = 0;           // how many are drawn, and not taken
  std::vector<PartnerSwap> swaps_;  // that were not told

  bool speaks_first_ = true;  // it has not been asked at this instant
  bool stop_asked_ = false;
  bool crash_asked_ = false;
  bool stop_sent_ = false;
  bool done_ = false;
  std::optional<runtime::TimePoint> alone_at_;
};

}  // namespace watchlab::sim
