#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Paths and queries of URLs. Boost.URL would save 45 lines, but its parser is as strict as the
/// standard, and Go's servers accept a bare `[`, `{` or `"` in a query.
namespace watchlab::client {

using Query = std::vector<std::pair<std::string, std::string>>;

/// The parts of a target, unescaped.
struct Target {
  std::vector<std::string> path;
  Query query;
};

/// Percent-escapes every byte that a URL cannot contain.
[[nodiscard]] std::string escaped(std::string_view text);
/// "/a/b?x=1": `path` must already be escaped.
[[nodiscard]] std::string target_text(std::string_view path, const Query& query);
/// Nothing if an escape is cut off or the text does not start with a slash.
[[nodiscard]] std::optional<Target> target_from(std::string_view text);
/// A server's address: "https://[::1]:6443/prefix".
struct ServerUrl {
  bool tls = false;
  std::string host;  ///< a name or an address, without brackets
  std::uint16_t port = 80;
  std::string path{};  ///< prefix for every request; "" or "/prefix"

  bool operator==(const ServerUrl&) const = default;
};
/// Nothing if the scheme is neither http: nor https:, the host is missing, or there is no port
/// after a colon.
[[nodiscard]] std::optional<ServerUrl> server_url_from(std::string_view text);
/// "[::1]:6443", as in URLs and in `Host`; without a default port.
[[nodiscard]] std::string authority_of(const ServerUrl& url);

/// The first value with this name; nothing if there is none.
[[nodiscard]] std::optional<std::string_view> value_in(const Query& query, std::string_view name);

}  // namespace watchlab::client
