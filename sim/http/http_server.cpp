#include "sim/http/http_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sim/http/tls_channel.hpp"

namespace watchlab::sim {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kReadSize = std::size_t{4} << 10;
/// How long the bytes of a client are still taken, and thrown away, after the last answer: a socket
/// that is closed with bytes unread takes the answer with it.
constexpr std::chrono::seconds kGrace(2);
constexpr std::chrono::milliseconds kAcceptAgain(100);
constexpr std::size_t kFirstLook = 64;
constexpr std::string_view kPlainRefusal =
    "HTTP/1.0 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
    "this server speaks TLS, and the client sent plain HTTP: its URL begins with https:\n";

/// One connection: carries bytes between a socket and its session. Lives as long as an operation
/// of its is under way.
class SocketWire final : public SessionWire, public std::enable_shared_from_this<SocketWire> {
 public:
  /// `identity` is that of a server which speaks TLS.
  SocketWire(tcp::socket socket, HttpFront& front, const SessionLimits& limits,
             const TlsIdentity* identity)
      : socket_(std::move(socket)),
        timer_(socket_.get_executor()),
        front_(front),
        tls_(identity == nullptr ? nullptr : std::make_unique<TlsChannel>(*identity)),
        session_(std::make_unique<HttpSession>(front, *this, limits)) {}

  void start() {
    error_code ignored;
    socket_.set_option(tcp::no_delay(true), ignored);
    keep_reading();
    session_->on_start();
  }

  void send(std::string bytes) override {
    if (tls_ == nullptr) {
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
  void wake_at(runtime::TimePoint time) override {
    if (time == runtime::TimePoint::max()) {
      timer_.cancel();
      return;
    }
    timer_.expires_after(std::max(time - front_.now(), runtime::Duration::zero()));
    timer_.async_wait([self = shared_from_this()](error_code failure) {
      if (!failure && self->session_) {
        self->session_->on_time();
      }
    });
  }
  void ring() override {
    if (std::exchange(rung_, true)) {
      return;
    }
    asio::post(socket_.get_executor(), [self = shared_from_this()] {
      self->rung_ = false;
      if (self->session_) {
        self->session_->on_ring();
      }
    });
  }
  [[nodiscard]] std::size_t unsent() const override { return queue_.size() + writing_.size(); }

  /// The connection ends now, whatever is under way.
  void close() {
    session_.reset();
    timer_.cancel();
    error_code ignored;
    socket_.close(ignored);
  }

 private:
  void keep_reading() {
    const bool wanted = session_ == nullptr || session_->wants_input() || is_lingering_;
    if (reading_ || input_ended_ || !wanted || !socket_.is_open()) {
      return;
    }
    reading_ = true;
    socket_.async_read_some(asio::buffer(chunk_),
                            [self = shared_from_this()](error_code failure, std::size_t size) {
                              self->reading_ = false;
                              self->on_read(failure, size);
                            });
  }

  void on_read(error_code failure, std::size_t size) {
    if (!socket_.is_open()) {
      return;
    }
    if (failure == asio::error::eof && session_ && !is_lingering_) {
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
    queue_ = is_http ? kPlainRefusal : queue_;
    ending_ = WireMessage::After::Finished;
    keep_writing();
  }

  void keep_writing() {
    if (!writing_.empty() || is_lingering_ || !socket_.is_open()) {
      return;
    }
    if (queue_.empty()) {
      if (ending_ != WireMessage::After::Open) {
        end();
      }
      return;
    }
    writing_ = std::exchange(queue_, {});
    asio::async_write(socket_, asio::buffer(writing_),
                      [self = shared_from_this()](error_code failure, std::size_t) {
                        self->on_written(failure);
                      });
  }

  void on_written(error_code failure) {
    writing_.clear();
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
      socket_.set_option(asio::socket_base::linger(true, 0), ignored);
      asio::post(socket_.get_executor(), [self = shared_from_this()] { self->close(); });
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
      asio::post(socket_.get_executor(), [self = shared_from_this()] { self->close(); });
    } else {
      keep_reading();
    }
  }

  tcp::socket socket_;
  asio::steady_timer timer_;
  HttpFront& front_;
  std::unique_ptr<TlsChannel> tls_;  // none for plain HTTP
  std::unique_ptr<HttpSession> session_;
  std::array<char, kReadSize> chunk_{};
  bool touched_ = false;  // something has come
  bool reading_ = false;
  bool input_ended_ = false;
  bool is_lingering_ = false;
  bool rung_ = false;
  std::string queue_;
  std::string writing_;
  WireMessage::After ending_ = WireMessage::After::Open;
};

}  // namespace

struct HttpServer::Parts {
  Parts(HttpFront& front_in, HttpServerOptions options_in)
      : front(front_in), options(std::move(options_in)) {}

  void listen() {
    error_code failure;
    const asio::ip::address address = asio::ip::make_address(options.address, failure);
    const tcp::endpoint endpoint(address, options.port);
    if (!failure) {
      acceptor.open(endpoint.protocol(), failure);
    }
    if (!failure) {
      acceptor.set_option(tcp::acceptor::reuse_address(true), failure);
      acceptor.bind(endpoint, failure);
    }
    if (!failure) {
      acceptor.listen(asio::socket_base::max_listen_connections, failure);
    }
    if (failure) {
      throw std::runtime_error(fmt::format("cannot listen on {}:{}: {}", options.address,
                                           options.port, failure.message()));
    }
    port = acceptor.local_endpoint().port();
  }

  void accept() {
    acceptor.async_accept([this](error_code failure, tcp::socket socket) {
      if (failure == asio::error::operation_aborted) {
        return;
      }
      if (failure) {  // out of descriptors, for one: it passes
        accept_timer.expires_after(kAcceptAgain);
        accept_timer.async_wait([this](error_code cancelled) {
          if (!cancelled) {
            accept();
          }
        });
        return;
      }
      const auto wire = std::make_shared<SocketWire>(std::move(socket), front, options.limits,
                                                     identity ? &*identity : nullptr);
      forget_closed();
      open.emplace(next_number++, wire);
      wire->start();
      accept();
    });
  }

  /// Looks at all connections only when there are twice as many as the last time.
  void forget_closed() {
    if (open.size() < look_at) {
      return;
    }
    std::erase_if(open, [](const auto& each) { return each.second.expired(); });
    look_at = std::max(kFirstLook, 2 * open.size());
  }

  void await_signal() {
    signals.async_wait([this](error_code failure, int signal) {
      if (!failure) {
        on_signal(signal);
        await_signal();
      }
    });
  }

  void close_all() {
    error_code ignored;
    acceptor.close(ignored);
    accept_timer.cancel();
    signals.cancel(ignored);
    for (const auto& [number, wire] : open) {
      if (const std::shared_ptr<SocketWire> alive = wire.lock()) {
        alive->close();
      }
    }
    open.clear();
  }

  HttpFront& front;
  HttpServerOptions options;
  std::optional<TlsIdentity> identity;  ///< of a server that speaks TLS
  asio::io_context io{1};
  tcp::acceptor acceptor{io};
  asio::steady_timer accept_timer{io};
  asio::signal_set signals{io};
  std::function<void(int)> on_signal;
  std::uint16_t port = 0;
  std::map<std::uint64_t, std::weak_ptr<SocketWire>> open;
  std::uint64_t next_number = 0;
  std::size_t look_at = kFirstLook;
};

HttpServer::HttpServer(HttpFront& front, const HttpServerOptions& options)
    : parts_(std::make_unique<Parts>(front, options)) {
  if (options.tls) {
    parts_->identity.emplace(
        std::vector<std::string>{"localhost", "127.0.0.1", "::1", options.address});
  }
  parts_->listen();
}

HttpServer::~HttpServer() { parts_->close_all(); }

std::uint16_t HttpServer::port() const { return parts_->port; }

std::string HttpServer::authority() const {
  return parts_->identity ? parts_->identity->authority() : "";
}

std::string HttpServer::url() const {
  const bool is_six = parts_->options.address.find(':') != std::string::npos;
  return fmt::format("{}://{}:{}", parts_->identity ? "https" : "http",
                     is_six ? "[" + parts_->options.address + "]" : parts_->options.address,
                     port());
}

void HttpServer::on_signals(const std::vector<int>& signals, std::function<void(int)> handler) {
  parts_->on_signal = std::move(handler);
  for (const int signal : signals) {
    parts_->signals.add(signal);
  }
  parts_->await_signal();
}

void HttpServer::run() {
  parts_->accept();
  parts_->io.run();
}

void HttpServer::post(std::function<void()> work) { asio::post(parts_->io, std::move(work)); }

void HttpServer::stop() {
  post([parts = parts_.get()] { parts->close_all(); });
}

}  // namespace watchlab::sim
