#pragma once

#include <cstdint>
#include <string>

namespace watchlab::sim {

/// Something in a story that can be waited for. Counts are since the beginning.
struct Condition {
  enum class Kind : std::uint8_t {
    Watching,   ///< the client has a watch that the server has accepted and that is open
    Synced,     ///< everything of the client's first list was popped
    Ended,      ///< the client has come to its end by itself
    Handled,    ///< so many handler calls have begun
    Popped,     ///< so many deltas were popped
    Requested,  ///< so many requests were sent
  };

  Kind kind = Kind::Watching;
  std::string of;    ///< the client, or the handler; "" for all
  std::string verb;  ///< of requests; "" for all
  std::int64_t count = 1;
};

/// "5 handler calls", "a watch of informer": for the sentence that it never came.
[[nodiscard]] std::string words_for(const Condition& condition);

}  // namespace watchlab::sim
