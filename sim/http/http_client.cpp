#include "sim/http/http_client.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "sim/network/http_names.hpp"

namespace watchlab::sim {

namespace {

constexpr int kTwo = 2;
constexpr std::size_t kPiece = std::size_t{4} << 10;

api::Error socket_error(int failure) {
  const bool refused = failure == ECONNREFUSED;
  const bool reset = failure == ECONNRESET || failure == EPIPE;
  const bool late = failure == EAGAIN || failure == EWOULDBLOCK;
  return {.kind = refused ? api::ErrorKind::ConnectionRefused
                  : reset ? api::ErrorKind::ConnectionReset
                  : late  ? api::ErrorKind::Timeout
                          : api::ErrorKind::Other,
          .message = std::strerror(failure),
          .status = {}};
}

void set_timeout(int descriptor, runtime::Duration timeout) {
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(timeout).count();
  constexpr std::int64_t kMicrosPerSecond = 1'000'000;
  timeval limit{};
  limit.tv_sec = micros / kMicrosPerSecond;
  limit.tv_usec = micros % kMicrosPerSecond;
  (void)::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  (void)::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};

}  // namespace

std::optional<HttpEndpoint> endpoint_from(std::string_view url) {
  constexpr std::string_view kPlain = "http://";
  constexpr std::string_view kSecure = "https://";
  constexpr std::uint16_t kSecurePort = 443;
  HttpEndpoint endpoint;
  endpoint.tls = url.starts_with(kSecure);
  if (!endpoint.tls && !url.starts_with(kPlain)) {
    return std::nullopt;
  }
  endpoint.port = endpoint.tls ? kSecurePort : endpoint.port;
  url.remove_prefix((endpoint.tls ? kSecure : kPlain).size());
  if (url.ends_with('/')) {
    url.remove_suffix(1);
  }
  const std::size_t colon = url.find(':', url.starts_with('[') ? url.find(']') : 0);
  std::string_view host = url.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - kTwo);
  }
  endpoint.host = host;
  if (colon != std::string_view::npos) {
    const std::string_view port = url.substr(colon + 1);
    const char* const last = port.data() + port.size();
    const auto [end, failure] = std::from_chars(port.data(), last, endpoint.port);
    if (failure != std::errc() || end != last) {
      return std::nullopt;
    }
  }
  const bool plain = host.find('/') == std::string_view::npos;
  return host.empty() || !plain ? std::nullopt : std::optional(std::move(endpoint));
}

api::Result<std::shared_ptr<ClientSocket>> ClientSocket::connect(const HttpEndpoint& endpoint,
                                                                 runtime::Duration timeout) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int unknown =
      ::getaddrinfo(endpoint.host.c_str(), std::to_string(endpoint.port).c_str(), &wanted, &list);
  if (unknown != 0) {
    return api::Error{
        api::ErrorKind::Other, fmt::format("{}: {}", endpoint.host, ::gai_strerror(unknown)), {}};
  }
  const std::unique_ptr<addrinfo, FreeAddresses> addresses(list);
  int failure = ECONNREFUSED;
  for (const addrinfo* each = list; each != nullptr; each = each->ai_next) {
    const int descriptor = ::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) {
      failure = errno;
      continue;
    }
    std::shared_ptr<ClientSocket> socket(new ClientSocket(descriptor));
    set_timeout(descriptor, timeout);
    if (::connect(descriptor, each->ai_addr, each->ai_addrlen) == 0) {
      const api::Result<void> agreed = endpoint.tls ? socket->agree(endpoint) : api::Result<void>();
      return agreed ? api::Result(std::move(socket)) : agreed.error();
    }
    failure = errno;
  }
  return socket_error(failure);
}

/// Both ends agree on how to speak TLS.
api::Result<void> ClientSocket::agree(const HttpEndpoint& endpoint) {
  try {
    tls_ = std::make_unique<client::TlsChannel>(
        client::TlsClientOptions{.authority = endpoint.authority, .host = endpoint.host});
  } catch (const std::runtime_error& refused) {
    return api::Error{api::ErrorKind::Other, refused.what(), {}};
  }
  std::array<char, kPiece> piece;
  while (!tls_->ready()) {
    if (!write_raw(tls_->take_sealed())) {
      return socket_error(ECONNRESET);
    }
    const api::Result<std::size_t> size = read_raw(piece);
    if (!size || *size == 0) {
      return size ? api::Error{api::ErrorKind::Eof, "TLS: the server hung up", {}} : size.error();
    }
    const api::Result<std::string> opened = tls_->open({piece.data(), *size});
    if (!opened) {
      (void)write_raw(tls_->take_sealed());  // why, for the other end
      return opened.error();
    }
    opened_ += *opened;
  }
  return write_raw(tls_->take_sealed()) ? api::Result<void>() : socket_error(ECONNRESET);
}

ClientSocket::~ClientSocket() { ClientSocket::close(); }

bool ClientSocket::write(std::string_view bytes) {
  return tls_ == nullptr ? write_raw(bytes) : tls_->seal(bytes) && write_raw(tls_->take_sealed());
}

bool ClientSocket::write_raw(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size < 0 && errno != EINTR) {
      return false;
    }
    bytes.remove_prefix(size < 0 ? 0 : static_cast<std::size_t>(size));
  }
  return true;
}

void ClientSocket::finish() {
  if (tls_ != nullptr) {
    tls_->finish();
    (void)write_raw(tls_->take_sealed());
  }
  (void)::shutdown(descriptor_, SHUT_WR);
}

api::Result<std::size_t> ClientSocket::read(std::span<char> into) {
  std::array<char, kPiece> piece;
  while (tls_ != nullptr && opened_.empty() && !tls_->ended()) {
    const api::Result<std::size_t> size = read_raw(piece);
    if (!size || *size == 0) {
      return size;
    }
    api::Result<std::string> opened = tls_->open({piece.data(), *size});
    if (!opened) {
      return opened.error();
    }
    opened_ = *std::move(opened);
  }
  if (tls_ == nullptr) {
    return read_raw(into);
  }
  const std::size_t size = std::min(into.size(), opened_.size());
  std::copy_n(opened_.begin(), size, into.begin());
  opened_.erase(0, size);
  return size;
}

api::Result<std::size_t> ClientSocket::read_raw(std::span<char> into) {
  while (true) {
    const ssize_t size = ::recv(descriptor_, into.data(), into.size(), 0);
    if (size >= 0) {
      return static_cast<std::size_t>(size);
    }
    if (errno != EINTR) {
      return socket_error(errno);
    }
  }
}

void ClientSocket::close(runtime::Location /*here*/) {
  if (descriptor_ >= 0) {
    (void)::close(std::exchange(descriptor_, -1));
  }
}

api::Result<HttpAnswer> ask(const std::shared_ptr<ClientSocket>& socket, HttpRequest request) {
  if (field_of(request.fields, "Host").empty()) {
    request.fields.push_back({"Host", "watchlab"});
  }
  if (!socket->write(to_string(request))) {
    return socket_error(ECONNRESET);
  }
  HttpBody body(socket);
  api::Result<HttpHead> head = body.read_head();
  if (!head) {
    return head.error();
  }
  api::Result<std::string> text = body.read_all();
  return text ? api::Result(HttpAnswer{*std::move(head), *std::move(text)}) : text.error();
}

api::Result<HttpAnswer> ask(const HttpEndpoint& endpoint, HttpRequest request) {
  const bool is_six = endpoint.host.find(':') != std::string::npos;
  request.fields.push_back(
      {"Host",
       fmt::format("{}:{}", is_six ? "[" + endpoint.host + "]" : endpoint.host, endpoint.port)});
  const auto socket = ClientSocket::connect(endpoint);
  return socket ? ask(*socket, std::move(request)) : socket.error();
}

}  // namespace watchlab::sim
