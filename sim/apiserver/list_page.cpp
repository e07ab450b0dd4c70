#include "sim/apiserver/list_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <utility>

#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string to_base64url(std::string_view bytes) {
  std::string text;
  std::uint32_t window = 0;
  int bits = 0;
  for (const char byte : bytes) {
    window = (window << 8U) | static_cast<unsigned char>(byte);
    for (bits += 8; bits >= 6; bits -= 6) {
      text.push_back(kAlphabet[(window >> static_cast<unsigned>(bits - 6)) & 63U]);
    }
  }
  if (bits > 0) {
    text.push_back(kAlphabet[(window << static_cast<unsigned>(6 - bits)) & 63U]);
  }
  return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
  std::string bytes;
  std::uint32_t window = 0;
  int bits = 0;
  if (text.size() % 4 == 1) {
    return std::nullopt;  // six bits are no byte
  }
  for (const char letter : text) {
    const std::size_t value = kAlphabet.find(letter);
    if (value == std::string_view::npos) {
      return std::nullopt;
    }
    window = (window << 6U) | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push_back(static_cast<char>((window >> static_cast<unsigned>(bits)) & 255U));
    }
  }
  return bytes;
}

api::Error invalid(std::string_view why) {
  return api::error_from(
      status_bodies::bad_request(fmt::format("invalid continue token: continue key is not valid{}",
                                             why.empty() ? "" : fmt::format(": {}", why))));
}

/// A start key must not climb out of its collection; `key` begins with a slash.
bool is_clean(std::string_view key) {
  const std::string walled = std::string(key) + "/";
  return walled.find("//") == std::string::npos && walled.find("/./") == std::string::npos &&
         walled.find("/../") == std::string::npos;
}

/// A byte as Go's JSON decoder quotes it: the character with that number.
std::string quoted_byte(unsigned char byte) {
  if (byte == '\'') {
    return R"('\'')";
  }
  if (byte >= 0x20U && byte < 0x7FU) {
    return fmt::format("'{}'", static_cast<char>(byte));
  }
  if (byte < 0x80U) {
    return fmt::format("'\\x{:02x}'", byte);
  }
  const bool shown = byte > 0xA0U && byte != 0xADU;
  return shown ? fmt::format("'{}{}'", static_cast<char>(0xC0U | (byte >> 6U)),
                             static_cast<char>(0x80U | (byte & 0x3FU)))
               : fmt::format("'\\u{:04x}'", byte);
}

/// What Go's decoder of base64 and JSON says about a text that they do not read.
std::string unreadable(std::string_view text, const std::optional<std::string>& bytes) {
  if (!bytes) {
    const std::size_t stray = text.find_first_not_of(kAlphabet);
    return fmt::format("illegal base64 data at input byte {}",
                       stray == std::string_view::npos ? text.size() - 1 : stray);
  }
  const std::size_t first = bytes->find_first_not_of(" \t\r\n");
  if (first == std::string::npos || (*bytes)[first] == '{') {
    return "unexpected end of JSON input";
  }
  return fmt::format("invalid character {} looking for beginning of value",
                     quoted_byte(static_cast<unsigned char>((*bytes)[first])));
}

}  // namespace

std::string encode(const ContinueToken& token, TokenForm form) {
  boost::json::object content;
  content["v"] = "meta.k8s.io/v1";
  content["rv"] = token.revision;
  content["start"] = (form == TokenForm::OfCache ? "/" : "") + token.start_key;
  return to_base64url(boost::json::serialize(content));
}

api::Result<ContinueToken> decode_continue_token(std::string_view text) {
  const std::optional<std::string> bytes = from_base64url(text);
  boost::system::error_code error;
  const boost::json::value content = bytes ? boost::json::parse(*bytes, error) : nullptr;
  if (error || !content.is_object()) {
    return invalid(unreadable(text, bytes));
  }
  const boost::json::object& fields = content.get_object();
  const auto* version = fields.if_contains("v");
  if (version == nullptr || *version != "meta.k8s.io/v1") {
    const bool named = version != nullptr && version->is_string();
    return invalid(fmt::format("server does not recognize this encoded version {}",
                               named ? std::string_view(version->get_string()) : ""));
  }
  const auto* revision = fields.if_contains("rv");
  if (revision == nullptr || !revision->is_int64() || revision->get_int64() == 0) {
    return invalid("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  const auto* start = fields.if_contains("start");
  if (start == nullptr || !start->is_string() || start->get_string().empty()) {
    return invalid("encoded start key empty (version meta.k8s.io/v1)");
  }
  std::string key(start->get_string());
  const bool slash = key.front() == '/';
  if (!is_clean(slash ? key : "/" + key)) {
    return invalid(key);
  }
  return ContinueToken{revision->get_int64(), slash ? key.substr(1) : std::move(key)};
}

bool ListPage::offer(const std::string& key, const api::ObjectPtr& object) {
  if (limit_ > 0 && static_cast<std::int64_t>(list_.items.size()) == limit_) {
    ++remaining_;
    // With a selector it is not known how many of the rest will match, so they are not counted.
    return !filter_.selects();
  }
  if (filter_.matches(*object)) {
    list_.items.push_back(object);
    last_key_ = key;
  }
  return true;
}

api::ObjectList ListPage::finish(Revision revision) && {
  list_.resource_version = revision_text(revision);
  if (remaining_ > 0) {
    const std::string key = last_key_.substr(std::min(prefix_size_, last_key_.size()));
    list_.continue_token = encode({revision, key + std::string(1, '\0')}, form_);
    if (!filter_.selects()) {
      list_.remaining_item_count = remaining_;
    }
  }
  return std::move(list_);
}

}  // namespace watchlab::sim
