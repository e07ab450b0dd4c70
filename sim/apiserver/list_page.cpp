#include "sim/apiserver/list_page.hpp"

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
  return api::error_from(status_bodies::bad_request("invalid continue token: " + std::string(why)));
}

/// A start key must not climb out of its collection.
bool is_clean(std::string_view key) {
  if (key.empty() || key.front() == '/') {
    return false;
  }
  std::string walled("/");
  walled.append(key.substr(0, key.find('\0'))).push_back('/');
  return walled.find("//") == std::string::npos && walled.find("/./") == std::string::npos &&
         walled.find("/../") == std::string::npos;
}

}  // namespace

std::string encode(const ContinueToken& token) {
  boost::json::object content;
  content["v"] = "meta.k8s.io/v1";
  content["rv"] = token.revision;
  content["start"] = token.start_key;
  return to_base64url(boost::json::serialize(content));
}

api::Result<ContinueToken> decode_continue_token(std::string_view text) {
  const std::optional<std::string> bytes = from_base64url(text);
  if (!bytes) {
    return invalid("illegal base64 data");
  }
  boost::system::error_code error;
  const boost::json::value content = boost::json::parse(*bytes, error);
  if (error || !content.is_object()) {
    return invalid("not a token");
  }
  const boost::json::object& fields = content.get_object();
  const auto* version = fields.if_contains("v");
  if (version == nullptr || *version != "meta.k8s.io/v1") {
    return invalid("unrecognized version");
  }
  const auto* revision = fields.if_contains("rv");
  if (revision == nullptr || !revision->is_int64() || revision->get_int64() == 0) {
    return invalid("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  const auto* start = fields.if_contains("start");
  if (start == nullptr || !start->is_string() ||
      !is_clean({start->get_string().data(), start->get_string().size()})) {
    return invalid("the start key is not clean");
  }
  return ContinueToken{revision->get_int64(), std::string(start->get_string())};
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
    list_.continue_token = encode({revision, last_key_ + std::string(1, '\0')});
    if (!filter_.selects()) {
      list_.remaining_item_count = remaining_;
    }
  }
  return std::move(list_);
}

}  // namespace watchlab::sim
