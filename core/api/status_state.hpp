#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/status.hpp"

namespace watchlab::api {

/// How the operation stands that a Status speaks of. Today's servers say Success or Failure only.
/// Those of 2014 answered a write that took long with Working: the operation goes on, and whoever
/// wants to know how it ends asks again for `details.name`, the operation's id, until the answer is
/// something else. `client::wait_for_operation` does that.
enum class StatusState : std::uint8_t { Success, Failure, Working };

/// "Success", "Failure", "Working".
[[nodiscard]] std::string_view name_of(StatusState state);
/// Nothing for a word that is none of the three.
[[nodiscard]] std::optional<StatusState> state_of(const Status& status);
/// The answer, with code 202, of a server that has not finished yet.
[[nodiscard]] Status working(std::string operation);

/// The reason that a client assumes when an answer has a code and nothing else; the way back from
/// `code_for`. Of the reasons that share a code it is the one that claims least: Conflict of 409,
/// Gone of 410, InternalError of 500 and of every code above without a reason of its own. Unknown
/// for all others.
[[nodiscard]] StatusReason reason_for(std::int32_t code);

}  // namespace watchlab::api
