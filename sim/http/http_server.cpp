#include "sim/http/http_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "sim/http/socket_wire.hpp"
#include "sim/network/http_names.hpp"

namespace watchlab::sim {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds kAcceptAgain(100);
constexpr std::size_t kFirstLook = 64;
/// New connections, without a look at the others.
constexpr std::size_t kTakenAtOnce = 1000;

}  // namespace

struct HttpServer::Parts {
  Parts(HttpFront& front_in, HttpServerOptions options_in)
      : front(front_in), options(std::move(options_in)) {}

  /// A port that it accepts connections on.
  struct Listener {
    explicit Listener(asio::io_context& io) : acceptor(io), timer(io) {}

    tcp::acceptor acceptor;
    asio::steady_timer timer;
  };

  /// Opens a port, and returns its number.
  std::uint16_t listen(std::uint16_t port_wanted) {
    Listener& made = listeners.emplace_back(io);
    error_code failure;
    const asio::ip::address address = asio::ip::make_address(options.address, failure);
    const tcp::endpoint endpoint(address, port_wanted);
    if (!failure) {
      made.acceptor.open(endpoint.protocol(), failure);
    }
    if (!failure) {
      made.acceptor.set_option(tcp::acceptor::reuse_address(true), failure);
      made.acceptor.bind(endpoint, failure);
    }
    if (!failure) {
      made.acceptor.listen(asio::socket_base::max_listen_connections, failure);
      made.acceptor.non_blocking(true, failure);
    }
    if (failure) {
      throw std::runtime_error(fmt::format("cannot listen on {}:{}: {}", options.address,
                                           port_wanted, failure.message()));
    }
    return made.acceptor.local_endpoint().port();
  }

  void accept(Listener& on) {
    on.acceptor.async_wait(tcp::acceptor::wait_read, [this, &on](error_code failure) {
      if (failure == asio::error::operation_aborted) {
        return;
      }
      try {
        take_all(on) ? accept(on) : accept_later(on);
      } catch (const std::bad_alloc&) {
        accept_later(on);
      }
    });
  }

  /// Accepts all pending connections. If each turn of the loop accepted only one, the last of many
  /// would wait for as many answers. False if that fails for now, such as for lack of file
  /// descriptors.
  bool take_all(Listener& on) {
    for (std::size_t i = 0; i < kTakenAtOnce; ++i) {
      error_code failure;
      tcp::socket socket(io);
      on.acceptor.accept(socket, failure);
      if (!failure) {
        serve(std::move(socket));
      } else if (failure == asio::error::would_block || failure == asio::error::try_again) {
        return true;
      } else if (failure != asio::error::connection_aborted && !front.budget().make_place()) {
        return false;
      }
    }
    return true;
  }

  void accept_later(Listener& on) {
    on.timer.expires_after(kAcceptAgain);
    on.timer.async_wait([this, &on](error_code cancelled) {
      if (!cancelled) {
        accept(on);
      }
    });
  }

  void serve(tcp::socket socket) {
    const auto wire = std::make_shared<SocketWire>(
        std::move(socket), SocketWire::Shared{.front = front,
                                              .turns = turns,
                                              .limits = options.limits,
                                              .identity = identity ? &*identity : nullptr});
    forget_closed();
    open.emplace(next_number++, wire);
    wire->start();
  }

  /// What the system refuses in the middle of one connection's business ends that connection: the
  /// handler that held it is gone.
  void run() {
    while (!io.stopped()) {
      try {
        io.run();
      } catch (const std::bad_alloc&) {
        continue;
      }
    }
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
    for (Listener& each : listeners) {
      each.acceptor.close(ignored);
      each.timer.cancel();
    }
    signals.cancel(ignored);
    for (const auto& timer : timers) {
      timer->cancel();
    }
    for (const auto& [number, wire] : open) {
      if (const std::shared_ptr<SocketWire> alive = wire.lock()) {
        alive->close();
      }
    }
    open.clear();
    io.stop();  // what is queued is not done any more: a connection that was accepted just now
  }

  HttpFront& front;
  HttpServerOptions options;
  std::optional<client::TlsIdentity> identity;  ///< of a server that speaks TLS
  asio::io_context io{1};
  Turns turns{io, [this] { return front.now(); }};
  std::deque<Listener> listeners;
  asio::signal_set signals{io};
  std::set<std::shared_ptr<asio::steady_timer>> timers;  // of what is due later
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
  parts_->port = parts_->listen(options.port);
}

HttpServer::~HttpServer() { parts_->close_all(); }

std::uint16_t HttpServer::port() const { return parts_->port; }

std::uint16_t HttpServer::add_port() { return parts_->listen(0); }

std::string HttpServer::authority() const {
  return parts_->identity ? parts_->identity->authority() : "";
}

std::string HttpServer::url(std::uint16_t port) const {
  const bool is_six = parts_->options.address.find(':') != std::string::npos;
  return fmt::format("{}://{}:{}", parts_->identity ? "https" : "http",
                     is_six ? "[" + parts_->options.address + "]" : parts_->options.address,
                     port == 0 ? parts_->port : port);
}

void HttpServer::on_signals(const std::vector<int>& signals, std::function<void(int)> handler) {
  parts_->on_signal = std::move(handler);
  for (const int signal : signals) {
    parts_->signals.add(signal);
  }
  parts_->await_signal();
}

void HttpServer::run() {
  for (Parts::Listener& each : parts_->listeners) {
    parts_->accept(each);
  }
  parts_->run();
}

void HttpServer::post(std::function<void()> work) { asio::post(parts_->io, std::move(work)); }

void HttpServer::after(runtime::Duration time, std::function<void()> work) {
  post([parts = parts_.get(), time, work = std::move(work)] {
    const auto timer = std::make_shared<asio::steady_timer>(parts->io, time);
    parts->timers.insert(timer);
    timer->async_wait([parts, timer, work](error_code cancelled) {
      parts->timers.erase(timer);
      if (!cancelled) {
        work();
      }
    });
  });
}

void HttpServer::stop() {
  post([parts = parts_.get()] { parts->close_all(); });
}

}  // namespace watchlab::sim
