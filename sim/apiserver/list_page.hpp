#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/api/options.hpp"
#include "core/api/result.hpp"
#include "sim/apiserver/object_filter.hpp"
#include "sim/apiserver/stamps.hpp"

namespace watchlab::sim {

/// Where a paged list continues. Opaque text for clients; here as its content.
struct ContinueToken {
  /// The state of which all pages are; -1: whatever is there now.
  Revision revision = 0;
  /// The first key that has not been looked at, with everything up to the last returned key below
  /// it: that key followed by a NUL character. Without the namespace, if one was asked for.
  std::string start_key;

  bool operator==(const ContinueToken&) const = default;
};

/// How the start key of a token is written. Watch caches put a slash before it, stores do not; both
/// read either (docs/apiserver_rules.md L21).
enum class TokenForm : std::uint8_t { OfStore, OfCache };

/// base64url without padding of the JSON text that a real server would make.
[[nodiscard]] std::string encode(const ContinueToken& token, TokenForm form = TokenForm::OfStore);
/// Fails with a 400 Status for text that is no token of ours.
[[nodiscard]] api::Result<ContinueToken> decode_continue_token(std::string_view text);

/// Collects the items of one LIST answer from objects that are shown to it in key order. A page
/// ends when the limit is reached; there is more iff any further object was stored, selected or
/// not, so that the last page may be empty.
class ListPage {
 public:
  /// `limit` 0 or below takes everything. `prefix` is what all keys of the request begin with.
  ListPage(const ObjectFilter& filter, std::int64_t limit, std::string_view prefix, TokenForm form)
      : filter_(filter), limit_(limit), prefix_size_(prefix.size()), form_(form) {}

  /// False when nothing more is to be shown.
  bool offer(const std::string& key, const api::ObjectPtr& object);
  /// The list, as of `revision`, which the token for the next page names too: also pages of a
  /// remainder that began at whatever was there are of one state from then on.
  [[nodiscard]] api::ObjectList finish(Revision revision) &&;

 private:
  const ObjectFilter& filter_;
  std::int64_t limit_;
  std::size_t prefix_size_;
  TokenForm form_;
  std::string last_key_;
  std::int64_t remaining_ = 0;
  api::ObjectList list_;
};

}  // namespace watchlab::sim
