#pragma once

#include <string>
#include <string_view>

#include "core/api/result.hpp"
#include "sim/apiserver/revision.hpp"

namespace watchlab::sim {

/// Where a paged list goes on. Opaque text for clients; here as its content.
struct ContinueToken {
  /// The state of which all pages are; -1: whatever is there now.
  Revision revision = 0;
  /// The first key that has not been looked at, with everything up to the last returned key below
  /// it: that key followed by a NUL character.
  std::string start_key;

  bool operator==(const ContinueToken&) const = default;
};

/// base64url without padding of the JSON text that a real server would make.
[[nodiscard]] std::string encode(const ContinueToken& token);
/// Fails with a 400 Status for text that is no token of ours.
[[nodiscard]] api::Result<ContinueToken> decode_continue_token(std::string_view text);

}  // namespace watchlab::sim
