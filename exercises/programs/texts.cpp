#include "exercises/programs/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "scenarios/command_line/console.hpp"
#include "scenarios/language/parse.hpp"

namespace watchlab::course {
namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw BadInput(fmt::format("{} cannot be read", file.string()));
  }
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

scenarios::Scenario read_story(const std::filesystem::path& file) {
  scenarios::Parsed parsed = scenarios::load_scenario(file.string());
  if (!parsed.scenario) {
    throw BadInput(scenarios::describe(file.string(), parsed.problems.front()));
  }
  return *std::move(parsed.scenario);
}

void write_output(const std::filesystem::path& file, std::string_view text) {
  const std::string wrong = scenarios::write_file(file.string(), text);
  if (!wrong.empty()) {
    throw std::runtime_error(wrong);
  }
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char character : text) {
    const bool is_control = static_cast<unsigned char>(character) < 0x20 || character == 0x7f;
    out += character == '"' || character == '\\' ? "\\" : "";
    out += is_control ? ' ' : character;
  }
  return out + "\"";
}

std::string beginning_of(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) {
    return std::string(text);
  }
  std::size_t end = bytes_max;
  while (end > 0 && continues(text[end])) {
    --end;
  }
  return std::string(text.substr(0, end));
}

}  // namespace watchlab::course
