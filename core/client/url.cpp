#include "core/client/url.hpp"

#include <algorithm>
#include <charconv>

namespace watchlab::client {

namespace {

bool stands_for_itself(char sign) {
  return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z') ||
         (sign >= '0' && sign <= '9') || sign == '-' || sign == '.' || sign == '_' || sign == '~';
}

std::optional<std::string> without_escapes(std::string_view text, bool plus_is_space) {
  constexpr int kHex = 16;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      unsigned value = 0;
      const char* const first = text.data() + i + 1;
      if (i + 2 >= text.size() || std::from_chars(first, first + 2, value, kHex).ptr != first + 2) {
        return std::nullopt;
      }
      plain += static_cast<char>(value);
      i += 2;
    } else {
      plain += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return plain;
}

/// Calls `take` with each piece between the separators; false when one call is.
template <typename Take>
bool each_piece(std::string_view text, char separator, Take take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (!take(text.substr(0, end))) {
      return false;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

}  // namespace

std::string escaped(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr unsigned kNibble = 16;
  std::string out;
  for (const char sign : text) {
    if (stands_for_itself(sign)) {
      out += sign;
    } else {
      const unsigned value = static_cast<unsigned char>(sign);
      out += {'%', kDigits[value / kNibble], kDigits[value % kNibble]};
    }
  }
  return out;
}

std::string target_text(std::string_view path, const Query& query) {
  std::string text(path);
  char separator = '?';
  for (const auto& [name, value] : query) {
    text.append(1, separator).append(escaped(name)).append("=").append(escaped(value));
    separator = '&';
  }
  return text;
}

std::optional<Target> target_from(std::string_view text) {
  if (!text.starts_with('/')) {
    return std::nullopt;
  }
  Target target;
  const std::size_t mark = std::min(text.find('?'), text.size());
  const auto add_segment = [&](std::string_view piece) {
    std::optional<std::string> segment = without_escapes(piece, false);
    if (segment && !segment->empty()) {
      target.path.push_back(*segment);
    }
    return segment.has_value();
  };
  const auto add_pair = [&](std::string_view piece) {
    const std::size_t equals = std::min(piece.find('='), piece.size());
    std::optional<std::string> name = without_escapes(piece.substr(0, equals), true);
    std::optional<std::string> value =
        without_escapes(piece.substr(std::min(equals + 1, piece.size())), true);
    if (name && value && !name->empty()) {
      target.query.emplace_back(*std::move(name), *std::move(value));
    }
    return name && value;
  };
  const bool whole = each_piece(text.substr(1, mark - 1), '/', add_segment) &&
                     each_piece(text.substr(std::min(mark + 1, text.size())), '&', add_pair);
  return whole ? std::optional(std::move(target)) : std::nullopt;
}

namespace {

constexpr std::uint16_t kPlainPort = 80;
constexpr std::uint16_t kTlsPort = 443;

}  // namespace

std::optional<ServerUrl> server_url_from(std::string_view text) {
  constexpr std::string_view kPlain = "http://";
  constexpr std::string_view kSecure = "https://";
  ServerUrl url;
  url.tls = text.starts_with(kSecure);
  if (!url.tls && !text.starts_with(kPlain)) {
    return std::nullopt;
  }
  text.remove_prefix((url.tls ? kSecure : kPlain).size());
  const std::size_t slash = std::min(text.find('/'), text.size());
  url.path = text.substr(slash);
  while (url.path.ends_with('/')) {
    url.path.pop_back();
  }
  text = text.substr(0, slash);
  url.port = url.tls ? kTlsPort : kPlainPort;
  const std::size_t bracket = text.starts_with('[') ? text.find(']') : 0;
  if (bracket == std::string_view::npos) {
    return std::nullopt;
  }
  const std::size_t colon = std::min(text.find(':', bracket), text.size());
  url.host = bracket == 0 ? text.substr(0, colon) : text.substr(1, bracket - 1);
  if (colon < text.size()) {
    const char* const last = text.data() + text.size();
    const auto [end, failure] = std::from_chars(text.data() + colon + 1, last, url.port);
    if (failure != std::errc() || end != last) {
      return std::nullopt;
    }
  }
  return url.host.empty() ? std::nullopt : std::optional(std::move(url));
}

std::string authority_of(const ServerUrl& url) {
  const bool is_ipv6 = url.host.find(':') != std::string::npos;
  std::string text = is_ipv6 ? "[" + url.host + "]" : url.host;
  if (url.port != (url.tls ? kTlsPort : kPlainPort)) {
    text += ":" + std::to_string(url.port);
  }
  return text;
}

std::optional<std::string_view> value_in(const Query& query, std::string_view name) {
  const auto found = std::find_if(query.begin(), query.end(),
                                  [name](const auto& each) { return each.first == name; });
  return found == query.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

}  // namespace watchlab::client
