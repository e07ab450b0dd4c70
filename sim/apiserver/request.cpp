#include "sim/apiserver/request.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace watchlab::sim {

namespace {

/// In the order of `Verb`.
constexpr auto kVerbs =
    std::to_array<std::string_view>({"GET", "LIST", "WATCH", "CREATE", "UPDATE", "UPDATE_STATUS",
                                     "PATCH", "DELETE", "DELETE_COLLECTION"});

}  // namespace

std::string_view to_string(Verb verb) { return kVerbs.at(static_cast<std::size_t>(verb)); }

std::optional<Verb> verb_named(std::string_view name) {
  const auto* const found = std::ranges::find(kVerbs, name);
  return found == kVerbs.end() ? std::nullopt
                               : std::optional(static_cast<Verb>(found - kVerbs.begin()));
}

Response response_of(api::Status status) {
  const std::int32_t code = status.code;
  return {code, std::move(status)};
}

}  // namespace watchlab::sim
