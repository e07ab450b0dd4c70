#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/client/tls_channel.hpp"
#include "sim/http/http_session.hpp"
#include "sim/network/http_names.hpp"

namespace watchlab::sim {

/// Lets the connections of a server build their answers one after the other, each in a turn of the
/// loop of its own: what comes to the loop meanwhile, a signal or a stop, is seen between two
/// answers and not behind all that are asked for. Connections whose answers are quick share the
/// time evenly with all others together, however many those are; so do, among the others, new ones
/// and those that are known to be slow. Of the new ones, those that ask for little go first, for a
/// while: nobody waits for a short answer behind the lists of all others. One thread.
class Turns {
 public:
  using Clock = std::function<runtime::TimePoint()>;

  Turns(boost::asio::io_context& io, Clock now) : io_(io), now_(std::move(now)), timer_(io) {}

  enum class Kind : std::uint8_t { Quick, Light, New, Slow };  ///< Light: new, and asks for little

  /// Calls `turn` once, after those of its kind that wait already.
  void wait(std::function<void()> turn, Kind kind) {
    (kind == Kind::Quick   ? quick_
     : kind == Kind::Light ? light_
     : kind == Kind::New   ? new_
                           : slow_)
        .push_back(std::move(turn));
    if (kind == Kind::Quick) {
      timer_.cancel();
    }
    schedule();
  }

 private:
  using Waiting = std::deque<std::function<void()>>;

  /// How long others wait behind a quick one that may be asked again at once: who reads its answer
  /// before it asks would get one turn for each of theirs otherwise.
  static constexpr runtime::Duration kPause = std::chrono::microseconds(500);
  /// How much of the past counts.
  static constexpr runtime::Duration kRemembered = std::chrono::milliseconds(100);
  /// The least that a turn counts, so that connections whose turns cost nothing alternate.
  static constexpr runtime::Duration kLeast = std::chrono::microseconds(100);

  /// Of the new connections, so many that ask for little go before one that does not.
  static constexpr std::size_t kLightOnes = 8;

  [[nodiscard]] bool has_new() const { return !light_.empty() || !new_.empty(); }

  void schedule() {
    if (std::exchange(is_scheduled_, true)) {
      return;
    }
    if (quick_.empty() && !has_new() && slow_.empty()) {
      is_scheduled_ = false;
    } else if (quick_.empty() && ahead_ < runtime::Duration::zero() &&
               now_() < last_quick_ + kPause) {
      timer_.expires_after(last_quick_ + kPause - now_());
      timer_.async_wait([this](boost::system::error_code) { take(); });
    } else {
      boost::asio::post(io_, [this] { take(); });
    }
  }

  void take() {
    const bool is_quick =
        (!has_new() && slow_.empty()) || (!quick_.empty() && ahead_ <= runtime::Duration::zero());
    const bool is_new =
        !is_quick && has_new() && (slow_.empty() || new_ahead_ <= runtime::Duration::zero());
    const bool is_light = !light_.empty() && (new_.empty() || lights_ < kLightOnes);
    if (is_new) {
      lights_ = is_light ? lights_ + 1 : 0;
    }
    Waiting& waiting = is_quick ? quick_ : !is_new ? slow_ : is_light ? light_ : new_;
    const std::function<void()> turn = std::move(waiting.front());
    waiting.pop_front();
    const Taken taken{*this, is_quick, is_new, now_()};
    turn();
  }

  /// A turn that is taken. It ends however it ends.
  struct Taken {
    ~Taken() {
      const runtime::TimePoint now = turns.now_();
      const runtime::Duration took = now - began;
      turns.ahead_ =
          std::clamp(turns.ahead_ + (is_quick ? took : -took), -kRemembered, kRemembered);
      if (!is_quick) {
        const runtime::Duration counted = std::max(took, kLeast);
        turns.new_ahead_ =
            std::clamp(turns.new_ahead_ + (is_new ? counted : -counted), -kRemembered, kRemembered);
      }
      turns.last_quick_ = is_quick ? now : turns.last_quick_;
      turns.is_scheduled_ = false;
      turns.schedule();
    }

    Turns& turns;
    bool is_quick;
    bool is_new;
    runtime::TimePoint began;
  };

  boost::asio::io_context& io_;
  Clock now_;
  boost::asio::steady_timer timer_;
  Waiting quick_;
  Waiting light_;
  Waiting new_;
  Waiting slow_;
  std::size_t lights_ = 0;  // turns of light ones since the last turn of another new one
  bool is_scheduled_ = false;
  runtime::Duration ahead_{};      // how much more time the quick ones have used than the others
  runtime::Duration new_ahead_{};  // the same for the new ones against the slow ones
  runtime::TimePoint last_quick_;
};

/// One connection: carries bytes between a socket and its session. Lives as long as an operation
/// of its is under way.
class SocketWire final : public SessionWire, public std::enable_shared_from_this<SocketWire> {
  using tcp = boost::asio::ip::tcp;
  using error_code = boost::system::error_code;

  static constexpr std::size_t kReadSize = std::size_t{4} << 10;
  /// What a turn may take to be a quick one.
  static constexpr std::chrono::milliseconds kQuick{1};
  static constexpr std::size_t kKept = std::size_t{64} << 10;
  /// How long the bytes of a client are still taken, and thrown away, after the last answer: a
  /// socket that is closed with bytes unread takes the answer with it.
  static constexpr std::chrono::seconds kGrace{2};
  static constexpr std::string_view kPlainRefusal =
      "HTTP/1.0 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
      "this server speaks TLS, and the client sent plain HTTP: its URL begins with https:\n";

 public:
  /// What the connections of a server share.
  struct Shared {
    HttpFront& front;
    Turns& turns;
    SessionLimits limits;
    const client::TlsIdentity* identity;  ///< of a server that speaks TLS
  };

  SocketWire(tcp::socket socket, const Shared& shared)
      : socket_(std::move(socket)),
        port_(port_of(socket_)),
        timer_(socket_.get_executor()),
        front_(shared.front),
        turns_(shared.turns),
        tls_(shared.identity == nullptr ? nullptr
                                        : std::make_unique<client::TlsChannel>(*shared.identity)),
        session_(std::make_unique<HttpSession>(shared.front, *this, shared.limits)) {}

  void start() {
    error_code ignored;
    socket_.set_option(tcp::no_delay(true), ignored);
    socket_.non_blocking(true, ignored);
    keep_reading();
    session_->on_start();
  }

  void send(std::string bytes) override {
    if (tls_ == nullptr && queue_.empty()) {
      queue_ = std::move(bytes);
    } else if (tls_ == nullptr) {
      queue_ += bytes;
    } else if (tls_->seal(bytes)) {
      queue_ += tls_->take_sealed();
    }
    keep_writing();
  }
  void finish() override {
    if (tls_ != nullptr) {
      tls_->finish();
      queue_ += tls_->take_sealed();
    }
    ending_ = WireMessage::After::Finished;
    keep_writing();
  }
  void cut() override {
    ending_ = WireMessage::After::Cut;
    keep_writing();
  }
  void abandon() override {
    error_code ignored;
    if (unsent() > 0) {  // which is a reset, so that no client takes what it has for the whole
      socket_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
    }
    queue_ = {};
    socket_.close(ignored);
    boost::asio::post(socket_.get_executor(), [self = shared_from_this()] { self->close(); });
  }
  void wake_at(runtime::TimePoint time) override {
    // A timer that comes too early does no harm, since the session then asks again, and is cheaper
    // than one that is set anew for each event of a watch.
    if (time == runtime::TimePoint::max() || (wakes_at_ && *wakes_at_ <= time)) {
      return;
    }
    wakes_at_ = time;
    timer_.expires_after(std::max(time - front_.now(), runtime::Duration::zero()));
    timer_.async_wait([self = shared_from_this()](error_code failure) {
      if (!failure && self->session_) {
        self->wakes_at_.reset();
        self->session_->on_time();
      }
    });
  }
  void ring() override {
    std::shared_ptr<SocketWire> self = weak_from_this().lock();
    if (self == nullptr || rung_.exchange(true)) {
      return;
    }
    // It must not be let go here: its end asks the host, whose lock the caller may hold.
    const auto executor = socket_.get_executor();
    boost::asio::post(executor, [self = std::move(self)] {
      self->rung_ = false;
      if (self->session_) {
        self->session_->on_ring();
      }
    });
  }
  [[nodiscard]] bool take_turn() override {
    if (std::exchange(has_turn_, false)) {
      return true;
    }
    if (!std::exchange(waits_for_turn_, true)) {
      turns_.wait([self = shared_from_this()] { self->on_turn(); }, kind_of_turn());
    }
    return false;
  }
  [[nodiscard]] std::size_t unsent() const override { return queue_.size() + writing_.size(); }
  [[nodiscard]] std::uint16_t port() const override { return port_; }
  [[nodiscard]] std::string peer() const override {
    error_code failure;
    const tcp::endpoint there = socket_.remote_endpoint(failure);
    return failure ? "" : there.address().to_string();
  }

  /// The connection ends now, whatever is under way.
  void close() {
    session_.reset();
    timer_.cancel();
    error_code ignored;
    socket_.close(ignored);
  }

 private:
  [[nodiscard]] Turns::Kind kind_of_turn() const {
    if (session_->takes_long() || (is_quick_ && !*is_quick_)) {
      return Turns::Kind::Slow;
    }
    return is_quick_                 ? Turns::Kind::Quick
           : session_->asks_little() ? Turns::Kind::Light
                                     : Turns::Kind::New;
  }

  void on_turn() {
    waits_for_turn_ = false;
    if (session_) {
      const runtime::TimePoint began = front_.now();
      has_turn_ = true;
      session_->on_turn();
      has_turn_ = false;
      is_quick_ = front_.now() - began < kQuick;
    }
  }

  void keep_reading() {
    const bool wanted = session_ == nullptr || session_->wants_input() || is_lingering_;
    if (reading_ || input_ended_ || !wanted || !socket_.is_open()) {
      return;
    }
    reading_ = true;
    socket_.async_read_some(boost::asio::buffer(chunk_),
                            [self = shared_from_this()](error_code failure, std::size_t size) {
                              self->reading_ = false;
                              self->on_read(failure, size);
                            });
  }

  void on_read(error_code failure, std::size_t size) {
    if (!socket_.is_open()) {
      return;
    }
    if (failure == boost::asio::error::eof && session_ && !is_lingering_) {
      input_ended_ = true;
      session_->on_end_of_input();
      return;
    }
    if (failure) {
      close();
      return;
    }
    if (session_ && !is_lingering_) {
      on_received({chunk_.data(), size});
    }
    keep_reading();
  }

  void on_received(std::string_view bytes) {
    if (tls_ == nullptr) {
      session_->on_bytes(bytes);
      return;
    }
    const bool is_first = !std::exchange(touched_, true);
    const api::Result<std::string> opened = tls_->open(bytes);
    queue_ += tls_->take_sealed();
    if (!opened) {
      refuse_plain(is_first, bytes);
      return;
    }
    keep_writing();
    if (!opened->empty()) {
      session_->on_bytes(*opened);
    }
    if (tls_->ended() && !input_ended_) {
      input_ended_ = true;
      session_->on_end_of_input();
    }
  }

  /// Ends a connection whose client does not speak TLS; in its own language, if it is plain HTTP.
  void refuse_plain(bool is_first, std::string_view bytes) {
    const bool is_http = is_first && bytes.front() >= 'A' && bytes.front() <= 'Z';
    session_.reset();
    tls_.reset();  // it keeps half of what it could not read, while the client lingers
    queue_ = is_http ? kPlainRefusal : queue_;
    ending_ = WireMessage::After::Finished;
    keep_writing();
  }

  void keep_writing() {
    if (!writing_.empty() || is_lingering_ || !socket_.is_open()) {
      return;
    }
    send_at_once();
    if (queue_.empty()) {
      if (ending_ != WireMessage::After::Open) {
        end();
      }
      return;
    }
    writing_ = std::exchange(queue_, {});
    written_ = 0;
    write_some();
  }

  void write_some() {
    socket_.async_write_some(
        boost::asio::buffer(writing_) + written_,
        [self = shared_from_this()](error_code failure, std::size_t size) {
          self->written_ += size;
          if (failure || self->written_ == self->writing_.size() || !self->socket_.is_open()) {
            self->on_written(failure);
            return;
          }
          if (self->session_) {
            self->session_->on_progress(size);
          }
          self->write_some();
        });
  }

  /// Sends what the socket takes without waiting: most answers and events are gone then, without a
  /// turn of the loop. What fails here fails again in the write that waits.
  void send_at_once() {
    error_code ignored;
    queue_.erase(0, queue_.empty() ? 0 : socket_.write_some(boost::asio::buffer(queue_), ignored));
    trim(queue_);
    if (queue_.empty() && !reading_) {  // there may be room for more bytes of the client
      boost::asio::post(socket_.get_executor(),
                        [self = shared_from_this()] { self->keep_reading(); });
    }
  }

  void on_written(error_code failure) {
    writing_.clear();
    trim(writing_);
    if (!socket_.is_open()) {
      return;
    }
    if (failure) {
      close();
      return;
    }
    keep_writing();
    if (session_) {
      session_->on_sent();
      keep_reading();
    }
  }

  /// All was sent.
  void end() {
    error_code ignored;
    if (ending_ == WireMessage::After::Cut) {
      socket_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
      boost::asio::post(socket_.get_executor(), [self = shared_from_this()] { self->close(); });
      return;
    }
    is_lingering_ = true;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    timer_.expires_after(kGrace);
    timer_.async_wait([self = shared_from_this()](error_code cancelled) {
      if (!cancelled) {
        self->close();
      }
    });
    if (input_ended_) {
      boost::asio::post(socket_.get_executor(), [self = shared_from_this()] { self->close(); });
    } else {
      keep_reading();
    }
  }

  /// What a long answer took is given back.
  static void trim(std::string& bytes) {
    if (bytes.capacity() > kKept && bytes.capacity() / 2 > bytes.size()) {
      bytes.shrink_to_fit();
    }
  }

  /// 0 for a connection that is broken already.
  static std::uint16_t port_of(const tcp::socket& socket) {
    error_code failure;
    const tcp::endpoint here = socket.local_endpoint(failure);
    return failure ? 0 : here.port();
  }

  tcp::socket socket_;
  std::uint16_t port_;
  boost::asio::steady_timer timer_;
  std::optional<runtime::TimePoint> wakes_at_;  // when the session is woken next
  HttpFront& front_;
  Turns& turns_;
  std::unique_ptr<client::TlsChannel> tls_;  // none for plain HTTP
  std::unique_ptr<HttpSession> session_;
  std::array<char, kReadSize> chunk_{};
  bool has_turn_ = false;
  bool waits_for_turn_ = false;
  std::optional<bool> is_quick_;  // whether its last turn was; of the first one nothing is known
  bool touched_ = false;          // something has come
  bool reading_ = false;
  bool input_ended_ = false;
  bool is_lingering_ = false;
  std::atomic<bool> rung_ = false;
  std::string queue_;
  std::string writing_;
  std::size_t written_ = 0;  // of that
  WireMessage::After ending_ = WireMessage::After::Open;
};

}  // namespace watchlab::sim
