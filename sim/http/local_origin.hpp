#pragma once

#include <string_view>

#include "sim/network/http_names.hpp"

namespace watchlab::sim {

/// Whether `host`, with a port or without, can only mean this machine: `localhost`, an IPv4 address
/// of 127.0.0.0/8 or `[::1]`, as whole names. Any other name may belong to a site that points it
/// here, so that its scripts reach what listens on loopback (DNS rebinding).
[[nodiscard]] bool is_loopback_host(std::string_view host);

/// Whether a request comes from this machine and from no web page but the server's own: `Host` is a
/// loopback host, and what browsers send says so: `Origin` is missing or that host, by http or by
/// https as the server speaks, and so is `Sec-Fetch-Site`, save that a user may follow a link to
/// it. Other clients send neither, and may leave out `Content-Type` as well. For servers that ask
/// for no token.
[[nodiscard]] bool is_local_request(const HttpRequest& http, bool is_tls = false);

}  // namespace watchlab::sim
