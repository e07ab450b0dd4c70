#include "sim/kernel/path_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace watchlab::sim {
namespace {

bool is_plain(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
}

std::optional<std::string> unescape_name(std::string_view text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_plain(text[i])) {
      name += text[i];
      continue;
    }
    unsigned code = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] != '%' || i + 2 >= text.size() ||
        std::from_chars(digits, digits + 2, code, 16).ptr != digits + 2) {
      return std::nullopt;
    }
    name += static_cast<char>(code);
    i += 2;
  }
  return name;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines = split(text, '\n');
  if (lines.back().empty()) {
    lines.pop_back();
  }
  return lines;
}

std::string escape_name(std::string_view name) {
  std::string escaped;
  for (const char letter : name) {
    if (is_plain(letter)) {
      escaped += letter;
    } else {
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
    }
  }
  return escaped;
}

std::string client_meant(std::string_view text, const std::vector<std::string>& clients) {
  const std::size_t first = text.find('/');
  const bool is_path = first != std::string_view::npos;
  const std::string_view part =
      is_path ? text.substr(first + 1, text.find('/', first + 1) - first - 1) : "";
  std::string found;
  for (const std::string& client : clients) {
    const std::string name = escape_name(client);
    std::string on_wire = client;
    std::ranges::replace(on_wire, ' ', '_');
    if (text == client || text == on_wire || (is_path && part == name)) {
      return client;
    }
    if (is_path && part.starts_with(name + "-") && client.size() > found.size()) {
      found = client;
    }
  }
  return found;
}

std::string with_readable_tasks(std::string_view text) {
  constexpr std::string_view kRoot = "main/";
  std::string readable;
  bool in_path = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    const bool begins = i == 0 || !is_plain(text[i - 1]);
    in_path = in_path ? is_plain(letter) ||
                            std::string_view("/%#@").find(letter) != std::string_view::npos
                      : begins && text.substr(i).starts_with(kRoot);
    unsigned code = 0;
    const char* const digits = text.data() + i + 1;
    if (in_path && letter == '@' && i + 1 < text.size()) {
      ++i;
    } else if (in_path && letter == '%' && i + 2 < text.size() &&
               std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      readable += static_cast<char>(code);
      i += 2;
    } else {
      readable += letter;
    }
  }
  return readable;
}

std::optional<PathPart> parse_path_part(std::string_view text) {
  PathPart part;
  if (text.starts_with('@')) {
    if (text.size() < 2 || text[1] < '1' || text[1] > '9') {
      return std::nullopt;
    }
    part.kind = static_cast<ObjectKind>(text[1] - '0');
    text.remove_prefix(2);
  }
  const std::size_t mark = text.find('#');
  if (mark != std::string_view::npos) {
    const std::string_view digits = text.substr(mark + 1);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), part.occurrence);
    if (error != std::errc() || end != digits.data() + digits.size() || part.occurrence < 2) {
      return std::nullopt;
    }
  }
  std::optional<std::string> name = unescape_name(text.substr(0, mark));
  if (!name) {
    return std::nullopt;
  }
  part.name = std::move(*name);
  return part;
}

}  // namespace watchlab::sim
