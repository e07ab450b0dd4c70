#include "sim/http/http_client.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "sim/network/http_body.hpp"

namespace watchlab::sim {

namespace {

constexpr int kTwo = 2;

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
  constexpr std::string_view kScheme = "http://";
  if (!url.starts_with(kScheme)) {
    return std::nullopt;
  }
  url.remove_prefix(kScheme.size());
  if (url.ends_with('/')) {
    url.remove_suffix(1);
  }
  HttpEndpoint endpoint;
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
      return socket;
    }
    failure = errno;
  }
  return socket_error(failure);
}

ClientSocket::~ClientSocket() { ClientSocket::close(); }

bool ClientSocket::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size < 0 && errno != EINTR) {
      return false;
    }
    bytes.remove_prefix(size < 0 ? 0 : static_cast<std::size_t>(size));
  }
  return true;
}

void ClientSocket::finish() { (void)::shutdown(descriptor_, SHUT_WR); }

api::Result<std::size_t> ClientSocket::read(std::span<char> into) {
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
  const auto socket = ClientSocket::connect(endpoint);
  return socket ? ask(*socket, std::move(request)) : socket.error();
}

}  // namespace watchlab::sim
