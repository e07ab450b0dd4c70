#include "sim/network/http_messages.hpp"

#include <algorithm>

namespace watchlab::sim {

namespace {

char lower(char sign) {
  return sign >= 'A' && sign <= 'Z' ? static_cast<char>(sign - 'A' + 'a') : sign;
}

}  // namespace

std::string_view field_of(const HttpFields& fields, std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(), [name](const HttpField& field) {
    return std::equal(field.name.begin(), field.name.end(), name.begin(), name.end(),
                      [](char a, char b) { return lower(a) == lower(b); });
  });
  return found == fields.end() ? std::string_view() : std::string_view(found->value);
}

}  // namespace watchlab::sim
