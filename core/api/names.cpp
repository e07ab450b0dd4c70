#include "core/api/names.hpp"

#include <algorithm>

namespace watchlab::api {

namespace {

bool is_plain(char sign) { return (sign >= 'a' && sign <= 'z') || (sign >= '0' && sign <= '9'); }
bool is_alphanumeric(char sign) { return is_plain(sign) || (sign >= 'A' && sign <= 'Z'); }

}  // namespace

bool is_dns_label(std::string_view text) {
  return !text.empty() && is_plain(text.front()) && is_plain(text.back()) &&
         std::ranges::all_of(text, [](char sign) { return is_plain(sign) || sign == '-'; });
}

bool is_dns_subdomain(std::string_view text) {
  std::size_t dot = text.find('.');
  for (; dot != std::string_view::npos; dot = text.find('.')) {
    if (!is_dns_label(text.substr(0, dot))) {
      return false;
    }
    text.remove_prefix(dot + 1);
  }
  return is_dns_label(text);
}

bool is_label_text(std::string_view text) {
  const auto may_stand_inside = [](char sign) {
    return is_alphanumeric(sign) || sign == '-' || sign == '_' || sign == '.';
  };
  return !text.empty() && is_alphanumeric(text.front()) && is_alphanumeric(text.back()) &&
         std::ranges::all_of(text, may_stand_inside);
}

}  // namespace watchlab::api
