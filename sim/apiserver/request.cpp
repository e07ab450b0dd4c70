#include "sim/apiserver/request.hpp"

#include <array>
#include <utility>

namespace watchlab::sim {

namespace {

constexpr std::array<std::pair<Verb, std::string_view>, 9> kVerbs{{
    {Verb::Get, "GET"},
    {Verb::List, "LIST"},
    {Verb::Watch, "WATCH"},
    {Verb::Create, "CREATE"},
    {Verb::Update, "UPDATE"},
    {Verb::UpdateStatus, "UPDATE_STATUS"},
    {Verb::Patch, "PATCH"},
    {Verb::Delete, "DELETE"},
    {Verb::DeleteCollection, "DELETE_COLLECTION"},
}};

}  // namespace

std::string_view to_string(Verb verb) {
  for (const auto& [each, name] : kVerbs) {
    if (each == verb) {
      return name;
    }
  }
  return "?";
}

std::optional<Verb> verb_named(std::string_view name) {
  for (const auto& [verb, each] : kVerbs) {
    if (each == name) {
      return verb;
    }
  }
  return std::nullopt;
}

Response response_of(api::Status status) {
  const std::int32_t code = status.code;
  return {code, std::move(status)};
}

}  // namespace watchlab::sim
