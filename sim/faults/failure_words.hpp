#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/api/error.hpp"

/// One word for each way in which a request can fail, for scenario files and reports.
namespace watchlab::sim {

/// "refused", "reset", "expired", "too_many" and so on, in a fixed order.
[[nodiscard]] std::vector<std::string_view> failure_words();
/// The failure that a word stands for, with the Status that a real server would send.
[[nodiscard]] std::optional<api::Error> failure_for(std::string_view word);
/// The word for a failure; "other" when there is none.
[[nodiscard]] std::string_view word_for(const api::Error& error);

}  // namespace watchlab::sim
