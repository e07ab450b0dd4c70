#include "core/client/socket.hpp"

#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <utility>
#include <vector>

#include "core/runtime/channel.hpp"
#include "core/runtime/fibers/fiber_runtime.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/thread_runtime.hpp"
#include "core/runtime/timer.hpp"

namespace watchlab::client {

using boost::asio::ip::tcp;
using Code = boost::system::error_code;

/// The loop of a runtime that has none. Its task and its sockets share it.
struct IoLoop::OwnLoop {
  boost::asio::io_context context;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard{
      context.get_executor()};
};

IoLoop::IoLoop(runtime::FiberRuntime& runtime)
    : runtime_(runtime), context_(&runtime.event_loop()) {}

IoLoop::IoLoop(runtime::ThreadRuntime& runtime)
    : runtime_(runtime), own_(std::make_shared<OwnLoop>()), context_(&own_->context) {
  runtime::spawn(runtime, "client.io", [own = own_] { own->context.run(); });
}

/// What was begun continues, and the loop ends after it.
IoLoop::~IoLoop() {
  if (own_) {
    own_->guard.reset();
  }
}

namespace {

constexpr std::size_t kPieceMax = std::size_t{16} << 10;

struct IoOutcome {
  Code code;
  std::size_t size = 0;
};

api::Error error_of(const Code& code, const std::string& about) {
  namespace error = boost::asio::error;
  const auto with = [&](api::ErrorKind kind) {
    return api::Error{kind, fmt::format("{}: {}", about, code.message()), {}};
  };
  if (code == error::connection_refused) {
    return with(api::ErrorKind::ConnectionRefused);
  }
  if (code == error::connection_reset || code == error::broken_pipe ||
      code == error::connection_aborted) {
    return with(api::ErrorKind::ConnectionReset);
  }
  if (code == error::timed_out) {
    return with(api::ErrorKind::Timeout);
  }
  if (code == error::operation_aborted || code == error::bad_descriptor) {
    return {api::ErrorKind::Cancelled, "the connection was closed", {}};
  }
  return with(api::ErrorKind::Other);
}

}  // namespace

/// Its socket is touched in the strand only, so that a close and what it ends are in some order.
struct Socket::Parts : std::enable_shared_from_this<Socket::Parts> {
  Parts(const IoLoop& loop, std::string about_in)
      : runtime(loop.runtime()),
        own_loop(loop.own_),
        strand(boost::asio::make_strand(loop.context())),
        socket(strand),
        resolver(strand),
        done(runtime, 1, "socket.done"),
        about(std::move(about_in)) {}

  /// Begins an operation in the strand, and blocks until it is done, which `finish` says.
  template <typename Begin>
  api::Result<std::size_t> wait(const WaitLimit& until, Begin begin) {
    if (given_up) {
      return api::Error{api::ErrorKind::Cancelled, "the connection was closed", {}};
    }
    boost::asio::post(strand, [self = shared_from_this(), begin = std::move(begin)]() mutable {
      if (self->closed) {
        self->finish(boost::asio::error::operation_aborted, 0);
      } else {
        begin();
      }
    });
    std::optional<IoOutcome> outcome;
    runtime::Select choice(runtime);
    choice.receive(done, outcome).receive(until.stop.done(runtime));
    std::optional<runtime::Timer> timer;
    if (until.deadline) {
      timer.emplace(runtime, *until.deadline - runtime.now());
      choice.receive(timer->channel());
    }
    const std::size_t arm = choice.wait();
    if (timer) {
      timer->stop();
    }
    if (arm != 0) {
      given_up = true;
      abandon();
      return arm == 1 ? api::Error{api::ErrorKind::Cancelled, "the request was cancelled", {}}
                      : api::Error{api::ErrorKind::Timeout, about + ": no answer in time", {}};
    }
    if (outcome->code == boost::asio::error::eof) {
      return std::size_t{0};
    }
    return outcome->code ? api::Result<std::size_t>(error_of(outcome->code, about)) : outcome->size;
  }

  /// A handler's last call. There is room: one operation is under way at a time.
  void finish(Code code, std::size_t size) {
    (void)done.try_send({closed ? Code(boost::asio::error::operation_aborted) : code, size});
  }

  /// Closes the socket soon, without waiting.
  void abandon() {
    boost::asio::post(strand, [self = shared_from_this()] {
      self->closed = true;
      self->resolver.cancel();
      Code ignored;
      self->socket.close(ignored);
    });
  }

  void connect_to(const std::vector<tcp::endpoint>& places) {
    boost::asio::async_connect(socket, places,
                               [self = shared_from_this()](Code code, const tcp::endpoint&) {
                                 if (!code) {
                                   self->set_options();
                                 }
                                 self->finish(code, 0);
                               });
  }

  void resolve(const std::string& host, std::uint16_t port) {
    resolver.async_resolve(
        host, std::to_string(port),
        [self = shared_from_this()](Code code, const tcp::resolver::results_type& found) {
          if (code || self->closed) {
            self->finish(code, 0);
            return;
          }
          self->connect_to({found.begin(), found.end()});
        });
  }

  /// A peer that is gone without a word is found out within a minute: a watch may be silent for
  /// long.
  void set_options() {
    Code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    socket.set_option(boost::asio::socket_base::keep_alive(true), ignored);
    constexpr std::array<std::pair<int, int>, 3> kProbes{
        {{TCP_KEEPIDLE, 30}, {TCP_KEEPINTVL, 10}, {TCP_KEEPCNT, 3}}};
    for (const auto& [name, value] : kProbes) {
      (void)::setsockopt(socket.native_handle(), IPPROTO_TCP, name, &value, sizeof(value));
    }
  }

  runtime::Runtime& runtime;
  std::shared_ptr<IoLoop::OwnLoop> own_loop;
  boost::asio::strand<boost::asio::io_context::executor_type> strand;
  tcp::socket socket;
  tcp::resolver resolver;
  runtime::Channel<IoOutcome> done;
  std::string about;
  bool closed = false;
  bool given_up = false;  ///< the task's: what it began may still come to an end
  std::array<char, kPieceMax> piece{};
  std::string writing;
};

api::Result<std::shared_ptr<Socket>> Socket::connect(const IoLoop& loop, const std::string& host,
                                                     std::uint16_t port, const WaitLimit& until) {
  auto parts = std::make_shared<Parts>(loop, fmt::format("{}:{}", host, port));
  const api::Result<std::size_t> connected = parts->wait(until, [parts, host, port] {
    Code is_name;
    const auto address = boost::asio::ip::make_address(host, is_name);
    if (is_name) {
      parts->resolve(host, port);
    } else {
      parts->connect_to({tcp::endpoint(address, port)});
    }
  });
  if (!connected) {
    return connected.error();
  }
  return std::shared_ptr<Socket>(new Socket(std::move(parts)));
}

Socket::~Socket() { parts_->abandon(); }

api::Result<void> Socket::write(std::string bytes, const WaitLimit& until) {
  parts_->writing = std::move(bytes);
  const api::Result<std::size_t> written = parts_->wait(until, [parts = parts_] {
    boost::asio::async_write(parts->socket, boost::asio::buffer(parts->writing),
                             [parts](Code code, std::size_t size) { parts->finish(code, size); });
  });
  return written ? api::Result<void>() : written.error();
}

api::Result<std::size_t> Socket::read(std::span<char> into, const WaitLimit& until) {
  const std::size_t most = std::min(into.size(), kPieceMax);
  const api::Result<std::size_t> came = parts_->wait(until, [parts = parts_, most] {
    parts->socket.async_read_some(
        boost::asio::buffer(parts->piece.data(), most),
        [parts](Code code, std::size_t size) { parts->finish(code, size); });
  });
  if (came) {
    std::copy_n(parts_->piece.begin(), *came, into.begin());
  }
  return came;
}

void Socket::close() { parts_->abandon(); }

bool Socket::is_quiet() {
  char next = 0;
  const int descriptor = parts_->socket.native_handle();
  return ::recv(descriptor, &next, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
         (errno == EAGAIN || errno == EWOULDBLOCK);
}

}  // namespace watchlab::client
