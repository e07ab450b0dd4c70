#include "sim/network/url.hpp"

#include <algorithm>
#include <charconv>

namespace watchlab::sim {

namespace {

bool stands_for_itself(char sign) {
  return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z') ||
         (sign >= '0' && sign <= '9') || sign == '-' || sign == '.' || sign == '_' || sign == '~';
}

std::optional<std::string> without_escapes(std::string_view text, bool plus_is_space) {
  constexpr int kHex = 16;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      unsigned value = 0;
      const char* const first = text.data() + i + 1;
      if (i + 2 >= text.size() || std::from_chars(first, first + 2, value, kHex).ptr != first + 2) {
        return std::nullopt;
      }
      plain += static_cast<char>(value);
      i += 2;
    } else {
      plain += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return plain;
}

/// Calls `take` with each piece between the separators; false when one call is.
template <typename Take>
bool each_piece(std::string_view text, char separator, Take take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (!take(text.substr(0, end))) {
      return false;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

}  // namespace

std::string escaped(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr unsigned kNibble = 16;
  std::string out;
  for (const char sign : text) {
    if (stands_for_itself(sign)) {
      out += sign;
    } else {
      const unsigned value = static_cast<unsigned char>(sign);
      out += {'%', kDigits[value / kNibble], kDigits[value % kNibble]};
    }
  }
  return out;
}

std::string target_text(std::string_view path, const Query& query) {
  std::string text(path);
  char separator = '?';
  for (const auto& [name, value] : query) {
    text.append(1, separator).append(escaped(name)).append("=").append(escaped(value));
    separator = '&';
  }
  return text;
}

std::optional<Target> target_from(std::string_view text) {
  if (!text.starts_with('/')) {
    return std::nullopt;
  }
  Target target;
  const std::size_t mark = std::min(text.find('?'), text.size());
  const auto add_segment = [&](std::string_view piece) {
    std::optional<std::string> segment = without_escapes(piece, false);
    if (segment && !segment->empty()) {
      target.path.push_back(*segment);
    }
    return segment.has_value();
  };
  const auto add_pair = [&](std::string_view piece) {
    const std::size_t equals = std::min(piece.find('='), piece.size());
    std::optional<std::string> name = without_escapes(piece.substr(0, equals), true);
    std::optional<std::string> value =
        without_escapes(piece.substr(std::min(equals + 1, piece.size())), true);
    if (name && value && !name->empty()) {
      target.query.emplace_back(*std::move(name), *std::move(value));
    }
    return name && value;
  };
  const bool whole = each_piece(text.substr(1, mark - 1), '/', add_segment) &&
                     each_piece(text.substr(std::min(mark + 1, text.size())), '&', add_pair);
  return whole ? std::optional(std::move(target)) : std::nullopt;
}

std::optional<std::string_view> value_in(const Query& query, std::string_view name) {
  const auto found = std::find_if(query.begin(), query.end(),
                                  [name](const auto& each) { return each.first == name; });
  return found == query.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

}  // namespace watchlab::sim
