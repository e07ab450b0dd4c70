#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace watchlab::tests {

/// What a server does with one client.
class Peer {
 public:
  explicit Peer(int descriptor) : descriptor_(descriptor) {}

  /// False when the client has gone.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t size = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size <= 0) {
        return false;
      }
      sent_ += static_cast<std::size_t>(size);
      bytes.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
  }
  std::string receive() {
    std::array<char, 4096> piece;
    const ssize_t size = ::recv(descriptor_, piece.data(), piece.size(), 0);
    return {piece.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
  }
  /// Says that nothing more will come; what the client still sends is read.
  void finish() const { (void)::shutdown(descriptor_, SHUT_WR); }
  void wait_until_gone() {
    while (!receive().empty()) {
    }
  }
  /// Waits for the client to say something or to go, no longer than that. False when it has not.
  [[nodiscard]] bool stirs_within(std::chrono::milliseconds time) {
    pollfd client{.fd = descriptor_, .events = POLLIN | POLLRDHUP, .revents = 0};
    return ::poll(&client, 1, static_cast<int>(time.count())) > 0;
  }
  [[nodiscard]] std::size_t sent() const { return sent_; }

 private:
  int descriptor_;
  std::size_t sent_ = 0;
};

/// Does the same with every client, one after the other, on a thread of its own.
class OwnServer {
 public:
  explicit OwnServer(std::function<void(Peer&)> behaviour)
      : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(place);
    auto* const address = reinterpret_cast<sockaddr*>(&place);
    BOOST_REQUIRE(::bind(descriptor_, address, size) == 0 && ::listen(descriptor_, 8) == 0 &&
                  ::getsockname(descriptor_, address, &size) == 0);
    port_ = ntohs(place.sin_port);
    thread_ = std::thread([this, behaviour = std::move(behaviour)] { serve(behaviour); });
  }
  ~OwnServer() {
    (void)::shutdown(descriptor_, SHUT_RDWR);
    thread_.join();
    (void)::close(descriptor_);
  }

  [[nodiscard]] std::string url(bool tls) const {
    return std::string(tls ? "https" : "http") + "://127.0.0.1:" + std::to_string(port_);
  }
  /// The most that it has sent to one client.
  [[nodiscard]] std::size_t sent_most() const { return sent_most_; }
  [[nodiscard]] std::size_t clients() const { return clients_; }

 private:
  void serve(const std::function<void(Peer&)>& behaviour) {
    while (true) {
      const int descriptor = ::accept(descriptor_, nullptr, nullptr);
      if (descriptor < 0) {
        return;
      }
      ++clients_;
      Peer peer(descriptor);
      behaviour(peer);
      sent_most_ = std::max<std::size_t>(sent_most_, peer.sent());
      (void)::close(descriptor);
    }
  }

  int descriptor_;
  std::uint16_t port_ = 0;
  std::atomic<std::size_t> sent_most_ = 0;
  std::atomic<std::size_t> clients_ = 0;
  std::thread thread_;
};

}  // namespace watchlab::tests
