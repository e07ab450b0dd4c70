#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Paths and queries of URLs. Not those of Boost.URL, which would save 45 lines: its parser refuses
/// what the standard refuses, and Go's servers take a bare `[`, `{` or `"` in a query.
namespace watchlab::client {

using Query = std::vector<std::pair<std::string, std::string>>;

/// A target in its parts, without their escapes.
struct Target {
  std::vector<std::string> path;
  Query query;
};

/// Puts a '%' escape for every byte that a URL cannot hold as it is.
[[nodiscard]] std::string escaped(std::string_view text);
/// "/a/b?x=1": `path` must be escaped where it needs to be.
[[nodiscard]] std::string target_text(std::string_view path, const Query& query);
/// Nothing when an escape is cut off or the text does not begin with a slash.
[[nodiscard]] std::optional<Target> target_from(std::string_view text);
/// Where a server is: "https://[::1]:6443/prefix".
struct ServerUrl {
  bool tls = false;
  std::string host;  ///< a name or an address, without brackets
  std::uint16_t port = 80;
  std::string path{};  ///< before that of every request; "" or "/prefix"

  bool operator==(const ServerUrl&) const = default;
};
/// Nothing for what is neither http: nor https:, or has no host, or no port after its colon.
[[nodiscard]] std::optional<ServerUrl> server_url_from(std::string_view text);
/// "[::1]:6443", as in URLs and in `Host`; without the port that goes without saying.
[[nodiscard]] std::string authority_of(const ServerUrl& url);

/// The first value of that name; nothing when there is none.
[[nodiscard]] std::optional<std::string_view> value_in(const Query& query, std::string_view name);

}  // namespace watchlab::client
