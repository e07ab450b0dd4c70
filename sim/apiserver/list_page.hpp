#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/api/options.hpp"
#include "core/api/result.hpp"
#include "sim/apiserver/object_filter.hpp"
#include "sim/apiserver/stamps.hpp"

namespace watchlab::sim {

/// Where a paged list continues. Opaque text for clients; this is its content.
struct ContinueToken {
  /// The revision of all pages; -1: the current state.
  Revision revision = 0;
  /// The first key that has not been read; everything up to the last returned key is below it: that
  /// key followed by a NUL character. Without the namespace if the list is of one.
  std::string start_key;

  bool operator==(const ContinueToken&) const = default;
};

/// How the start key of a token is written. Watch caches put a slash before it, stores do not; both
/// read either form (docs/apiserver_rules.md L21).
enum class TokenForm : std::uint8_t { OfStore, OfCache };

/// base64url without padding of the JSON text of a real server.
[[nodiscard]] std::string encode(const ContinueToken& token, TokenForm form = TokenForm::OfStore);
/// Fails with a 400 Status if the text is not one of our tokens.
[[nodiscard]] api::Result<ContinueToken> decode_continue_token(std::string_view text);

/// Collects the items of one LIST answer from objects offered in key order. A page ends at the
/// limit. There is another page if any further object was stored, selected or not, so the last page
/// may be empty.
class ListPage {
 public:
  /// `limit` 0 or below means no limit. `prefix` is the common prefix of the request's keys.
  ListPage(const ObjectFilter& filter, std::int64_t limit, std::string_view prefix, TokenForm form)
      : filter_(filter), limit_(limit), prefix_size_(prefix.size()), form_(form) {}

  /// Returns false if nothing more should be offered.
  bool offer(const std::string& key, const api::ObjectPtr& object);
  /// The list, as of `revision`, which the token for the next page names too: so the pages after
  /// one that was read from the current state are all of one state.
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
