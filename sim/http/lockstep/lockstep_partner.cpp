#include "sim/http/lockstep/lockstep_partner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/runtime/select.hpp"
#include "sim/http/http_session.hpp"
#include "sim/kernel/run_result.hpp"

namespace watchlab::sim {

using runtime::TimePoint;

namespace {

/// How many choices among goroutines are drawn before they come. What the program chooses beyond
/// them, before it says something, is the default.
constexpr std::size_t kTurnsAhead = 256;
/// A turn is a number below this, of which the program takes the rest by the number of its
/// goroutines that can run: so all of up to four are equally likely, or of six.
constexpr std::size_t kTurnValues = 12;
/// One choice of the world is for so many turns, of which at most one is not 0: bugs need few swaps
/// in the right places, among others many in a row.
constexpr std::array<std::size_t, 3> kWindows{64, 8, 1};

}  // namespace

/// The server's end of one of the program's connections.
class LockstepPartner::Wire final : public SessionWire {
 public:
  Wire(LockstepPartner& partner, std::int64_t number)
      : partner_(partner),
        number_(number),
        session_(std::make_unique<HttpSession>(partner.front_, *this)) {}

  void send(std::string bytes) override {
    unsent_ += bytes.size();
    leave(PartnerEvent::Kind::Data, std::move(bytes));
  }
  void finish() override { end(PartnerEvent::Kind::Eof); }
  void cut() override { end(PartnerEvent::Kind::Reset); }
  void wake_at(TimePoint time) override {
    if (time != TimePoint::max()) {
      wakes_at_ = std::min(wakes_at_.value_or(time), time);
    }
  }
  void ring() override {
    rung_ = true;
    (void)partner_.bell_.try_send({});
  }
  [[nodiscard]] std::size_t unsent() const override { return unsent_; }

  [[nodiscard]] HttpSession& session() { return *session_; }
  [[nodiscard]] std::optional<TimePoint> wakes_at() const { return wakes_at_; }
  [[nodiscard]] bool is_over() const { return over_; }
  /// The program has closed its end: what still comes reaches no one.
  void lose_client() { client_gone_ = true; }
  [[nodiscard]] bool client_gone() const { return client_gone_; }
  void delivered(std::size_t size) {
    unsent_ -= size;
    session_->on_sent();
  }
  // Whether the session was rung or is due, which is taken with that.
  [[nodiscard]] bool take_ring() { return std::exchange(rung_, false); }
  [[nodiscard]] bool take_time(TimePoint now) {
    if (!wakes_at_ || *wakes_at_ > now) {
      return false;
    }
    wakes_at_.reset();
    return true;
  }

 private:
  void end(PartnerEvent::Kind kind) {
    over_ = true;
    leave(kind, "");
  }
  void leave(PartnerEvent::Kind kind, std::string bytes) {
    partner_.down_.push_back(
        {.at = partner_.now() + partner_.options_.latency,
         .event = {.kind = kind, .connection = number_, .text = std::move(bytes)}});
  }

  LockstepPartner& partner_;
  std::int64_t number_;
  std::size_t unsent_ = 0;
  std::optional<TimePoint> wakes_at_;
  bool rung_ = false;
  bool over_ = false;
  bool client_gone_ = false;
  std::unique_ptr<HttpSession> session_;
};

LockstepPartner::LockstepPartner(World& world, HttpFront& front, LockstepOptions options)
    : world_(world),
      front_(front),
      options_(std::move(options)),
      alarm_(world),
      bell_(world, 1, "partner_bell") {}

LockstepPartner::~LockstepPartner() = default;

void LockstepPartner::stop() {
  stop_asked_ = true;
  (void)bell_.try_send({});
}

void LockstepPartner::crash() {
  crash_asked_ = true;
  (void)bell_.try_send({});
}

LockstepPartner::End LockstepPartner::run(std::unique_ptr<PartnerLink> link) {
  const std::unique_ptr<PartnerLink> owned = std::move(link);
  link_ = owned.get();
  options_.hello.epoch = now();
  const PartnerRegistration seat(world_, *this);
  if (const api::Result<void> greeted = link_->greet(options_.hello); !greeted) {
    fail(greeted.error());
  }
  keep_going();
  const bool crashed = !done_;
  if (crashed) {
    link_->kill();
  } else if (const api::Result<void> ended = link_->finish(); !ended) {
    fail(ended.error());
  }
  hang_up();
  return crashed ? End::Crashed : (stop_sent_ ? End::Stopped : End::ByItself);
}

/// Until the program has ended.
void LockstepPartner::keep_going() {
  while (!done_ && !crash_asked_) {
    work_at_this_instant();
    if (failure_) {
      fail(*failure_);
    }
    if (crash_asked_) {
      return;
    }
    if (said_) {
      take_answer(*std::exchange(said_, std::nullopt));
      continue;
    }
    draw_turns();
    FrameToPartner frame = frame_for_now();
    if (!frame.events.empty() || frame.stop || std::exchange(speaks_first_, false)) {
      speak(std::move(frame));
      continue;
    }
    if (alone_at_ && now() >= *alone_at_) {
      leave_alone();
      continue;
    }
    sleep();
  }
}

void LockstepPartner::work_at_this_instant() {
  for (bool again = true; again;) {
    again = false;
    while (!up_.empty() && up_.front().at <= now()) {
      PartnerEvent event = std::move(up_.front().event);
      up_.pop_front();
      take(std::move(event));
    }
    for (const auto& [number, wire] : wires_) {
      again = work_on(*wire) || again;
    }
    std::erase_if(wires_, [](const auto& each) {
      return each.second->is_over() && each.second->client_gone();
    });
  }
}

/// Whether there was something to do.
bool LockstepPartner::work_on(Wire& wire) {
  if (wire.take_ring()) {
    wire.session().on_ring();
    return true;
  }
  if (wire.take_time(now())) {
    wire.session().on_time();
    return true;
  }
  return false;
}

/// Something of the program has reached the server.
void LockstepPartner::take(PartnerEvent event) {
  if (event.kind == PartnerEvent::Kind::Dial) {
    Wire& wire =
        *wires_.try_emplace(event.connection, std::make_unique<Wire>(*this, event.connection))
             .first->second;
    down_.push_back({.at = now() + options_.latency,
                     .event = {.kind = PartnerEvent::Kind::Open, .connection = event.connection}});
    wire.session().on_start();
    return;
  }
  const auto found = wires_.find(event.connection);
  if (found == wires_.end()) {
    return;
  }
  Wire& wire = *found->second;
  if (event.kind == PartnerEvent::Kind::Close) {
    wire.lose_client();
    wire.session().on_end_of_input();
  } else if (!wire.is_over()) {
    wire.session().on_bytes(event.text);
  }
}

/// What reaches the program now.
FrameToPartner LockstepPartner::frame_for_now() {
  FrameToPartner frame{.until = now()};
  while (!down_.empty() && down_.front().at <= now()) {
    PartnerEvent event = std::move(down_.front().event);
    down_.pop_front();
    const auto found = wires_.find(event.connection);
    if (found == wires_.end() || found->second->client_gone()) {
      continue;
    }
    const std::size_t size = event.text.size();
    frame.events.push_back(std::move(event));
    if (size > 0) {
      found->second->delivered(size);
    }
  }
  if (stop_asked_ && !stop_sent_) {
    stop_sent_ = frame.stop = true;
    alone_at_ = now() + options_.grace_period;
  }
  return frame;
}

/// Windows of one size in a run: its seed says which.
void LockstepPartner::draw_turns() {
  tell_swaps();
  const std::size_t window = kWindows[options_.hello.seed % kWindows.size()];
  while (options_.hello.chosen && ahead_ < kTurnsAhead) {
    std::string turns(window, '\0');
    const std::size_t drawn =
        world_.choose(1 + window * (kTurnValues - 1), "which goroutine goes before its turn");
    if (drawn > 0) {
      turns[(drawn - 1) / (kTurnValues - 1)] =
          static_cast<char>(1 + (drawn - 1) % (kTurnValues - 1));
    }
    turns_ += turns;
    ahead_ += window;
  }
}

/// Performs no operation.
void LockstepPartner::count_turns(const FrameFromPartner& answer) {
  ahead_ -= std::min(ahead_, answer.taken);
  swaps_.insert(swaps_.end(), answer.swaps.begin(), answer.swaps.end());
}

void LockstepPartner::tell_swaps() {
  for (const PartnerSwap& swap : std::exchange(swaps_, {})) {
    if (options_.swapped) {
      options_.swapped(swap);
    }
  }
}

void LockstepPartner::speak(FrameToPartner frame) {
  frame.turns = std::exchange(turns_, "");
  api::Result<FrameFromPartner> answer = link_->exchange(frame);
  if (!answer) {
    fail(answer.error());
  }
  count_turns(*answer);
  if (answer->failed.empty() && answer->now != now()) {
    fail(partner_failure("let its clock go on when it must not"));
  }
  take_answer(*std::move(answer));
}

void LockstepPartner::take_answer(FrameFromPartner answer) {
  tell_swaps();
  if (!answer.failed.empty()) {
    link_->kill();
    fail(partner_failure(answer.failed));
  }
  if (!options_.hello.chosen) {
    put_in_canonical_order(answer.events);
  }
  for (PartnerEvent& event : answer.events) {
    if (event.kind == PartnerEvent::Kind::Note) {
      if (options_.noted) {
        options_.noted(event.text);
      }
    } else {
      up_.push_back({.at = now() + options_.latency, .event = std::move(event)});
    }
  }
  done_ = answer.done;
}

/// Called by the scheduler, between two steps: does no operation, and does not throw.
void LockstepPartner::advance(TimePoint limit) {
  if (said_ || failure_ || done_ || link_ == nullptr) {
    return;
  }
  api::Result<FrameFromPartner> answer =
      link_->exchange({.until = limit, .turns = std::exchange(turns_, "")});
  TimePoint moment = world_.now();
  if (answer) {
    count_turns(*answer);
  }
  if (!answer) {
    failure_ = answer.error();
  } else if (!answer->failed.empty()) {
    said_ = *std::move(answer);
  } else if (answer->now < moment || answer->now > limit) {
    failure_ = partner_failure("set its clock to a moment that it must not go to");
  } else if (!answer->events.empty() || answer->done) {
    moment = answer->now;
    said_ = *std::move(answer);
  } else if (answer->now < limit) {
    failure_ = partner_failure("came back before its time and had nothing to say");
  } else if (options_.hello.chosen && ahead_ < kTurnsAhead / 2) {
    moment = limit;  // more has to be drawn
  } else {
    return;
  }
  alarm_.set(moment);
}

std::optional<TimePoint> LockstepPartner::next_due() const {
  std::optional<TimePoint> due = stop_sent_ ? alone_at_ : std::nullopt;
  const auto note = [&](TimePoint time) { due = std::min(due.value_or(time), time); };
  if (!up_.empty()) {
    note(up_.front().at);
  }
  if (!down_.empty()) {
    note(down_.front().at);
  }
  for (const auto& [number, wire] : wires_) {
    if (wire->wakes_at()) {
      note(*wire->wakes_at());
    }
  }
  return due;
}

/// Until something is due, the program says something, or another task rings.
void LockstepPartner::sleep() {
  alarm_.set(next_due());
  runtime::Select choice(world_);
  choice.receive(alarm_.channel());
  choice.receive(bell_);
  (void)choice.wait();
}

/// The program has not ended although it was asked to: it loses its connections, and its clock is
/// its own.
void LockstepPartner::leave_alone() {
  hang_up();
  api::Result<FrameFromPartner> answer = link_->exchange({.until = now(), .alone = true});
  if (!answer) {
    fail(answer.error());
  }
  take_answer(*std::move(answer));
  if (!done_) {
    fail(partner_failure("did not end after it was asked to"));
  }
}

void LockstepPartner::hang_up() {
  up_.clear();
  down_.clear();
  for (const auto& [number, wire] : wires_) {
    wire->lose_client();
    wire->session().on_end_of_input();
  }
  wires_.clear();
}

void LockstepPartner::fail(const api::Error& what) {
  throw Violation(fmt::format("the program of '{}' {}", options_.hello.client, what.message),
                  what.kind == api::ErrorKind::Timeout);
}

}  // namespace watchlab::sim
