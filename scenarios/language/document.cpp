#include "scenarios/language/document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "scenarios/language/input_file.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/language/utf8.hpp"
#include "scenarios/language/yaml_line.hpp"
#include "scenarios/language/yaml_mistake.hpp"
#include "scenarios/language/yaml_tree.hpp"

namespace watchlab::scenarios {

namespace {

/// " (its 'с' is U+0441)" for a text with such a letter, which may look like one of ours; "" for a
/// text without.
std::string foreign_letter(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(1)) {
    const Character character = first_character(text);
    if (character.size > 1 && is_plain_text(text.substr(0, character.size))) {
      return fmt::format(" (its '{}' is U+{:04X})", text.substr(0, character.size), character.code);
    }
  }
  return "";
}

}  // namespace

std::string describe(const std::string& file, const Problem& problem) {
  std::string text = file;
  if (problem.place.line > 0) {
    text += fmt::format(":{}:{}", problem.place.line, problem.place.column);
  }
  text += ": " + problem.what;
  const std::string expected = problem.expected.empty() ? "" : "; expected " + problem.expected;
  const std::string meant =
      problem.nearest.empty()
          ? ""
          : fmt::format("; did you mean \"{}\"?{}", problem.nearest, foreign_letter(problem.what));
  constexpr std::size_t kLongList = 200;  // behind it, the name that is nearest would be overlooked
  text += (expected.size() > kLongList || problem.nearest_first) && !meant.empty()
              ? meant + " Expected " + problem.expected
              : expected + meant;
  return visible_line(text) + (problem.output.empty() ? "" : "\n" + problem.output);
}

Problem note_of(const Renaming& renaming) {
  return {renaming.place,
          fmt::format("'{}' in {} is called '{}' now", renaming.old, renaming.within, renaming.now),
          "", ""};
}

void Problems::add(Problem problem) {
  if (!is_muted_ && found_.size() < kKeptMax) {
    found_.push_back(std::move(problem));
  }
}

std::vector<Problem> Problems::take() {
  std::stable_sort(found_.begin(), found_.end(),
                   [](const Problem& a, const Problem& b) { return a.place < b.place; });
  return std::exchange(found_, {});
}

std::string one_of(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    text += (i == 0 ? "" : last ? " or " : ", ") + words[i];
  }
  return text;
}

namespace {

Place place_of_byte(const std::string& text, std::size_t byte) {
  const std::size_t line_end = byte == 0 ? std::string::npos : text.rfind('\n', byte - 1);
  const std::size_t start = line_end == std::string::npos ? 0 : line_end + 1;
  const auto lines =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n');
  return {static_cast<int>(lines) + 1, static_cast<int>(byte - start) + 1};
}

/// The first byte that no text in UTF-8 contains, as a problem.
std::optional<Problem> binary_byte(const std::string& text) {
  const std::string_view rest = text;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool is_control =
        (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') || byte == 0x7F;
    if (is_control || byte >= 0xF8) {
      return Problem{place_of_byte(text, i),
                     fmt::format("the byte 0x{:02x}: this is no text file", byte),
                     "a scenario in YAML", ""};
    }
    const std::size_t size = byte < 0x80 ? 1 : first_character(rest.substr(i)).size;
    if (size == 0) {
      return Problem{place_of_byte(text, i),
                     fmt::format("the byte 0x{:02x}, which belongs to no character", byte),
                     "a file in UTF-8", ""};
    }
    i += size;
  }
  return std::nullopt;
}

bool has_nothing(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &found->value;
}

Place Node::place_of(std::initializer_list<std::string_view> keys) const {
  const auto found = std::ranges::find_if(
      entries, [&](const Entry& entry) { return std::ranges::count(keys, entry.key) > 0; });
  return found == entries.end() ? place : found->place;
}

bool Node::operator==(const Node& other) const {
  return kind == other.kind && text == other.text && quoted == other.quoted &&
         items == other.items && entries == other.entries;
}

Node parse_document(const std::string& text, Problems& problems) {
  const Node nothing{.kind = Node::Kind::Mapping};
  const std::string start = "a scenario that begins with 'apiVersion: watchlab/v1'";
  if (has_nothing(text)) {
    problems.add({{1, 1}, "the file is empty", start, ""});
    return nothing;
  }
  if (text.size() > kFileBytesMax) {
    problems.add({{1, 1},
                  fmt::format("the file has {} bytes", text.size()),
                  fmt::format("at most {}", kFileBytesMax),
                  ""});
    return nothing;
  }
  if (text.find('\r') < text.size() && text.find('\n') == std::string::npos) {
    problems.add({{1, static_cast<int>(text.find('\r')) + 1},
                  "a carriage return alone at the end of a line",
                  "line feeds, with or without carriage returns before them",
                  ""});
    return nothing;
  }
  if (auto problem = binary_byte(text)) {
    problems.add(std::move(*problem));
    return nothing;
  }
  try {
    std::optional<Node> root = yaml_tree(text, problems);
    if (auto mistake = overlooked_mistake(text)) {
      problems.add(*std::move(mistake));
      return nothing;
    }
    if (root && root->kind == Node::Kind::Mapping) {
      return std::move(*root);
    }
    if (auto joined =
            root && root->kind == Node::Kind::Scalar && !root->quoted
                ? key_without_space(root->text.substr(0, root->text.find(' ')), root->place)
                : std::nullopt) {
      problems.add(*std::move(joined));
      return nothing;
    }
    const bool has_content = root && !(root->kind == Node::Kind::Scalar && root->text.empty());
    problems.add({root ? root->place : Place{1, 1},
                  has_content ? "the file has no keys" : "the file is empty",
                  root && root->kind == Node::Kind::Sequence ? start + ", and no list" : start,
                  ""});
  } catch (const RefusedTree& refused) {
    const auto mistake =
        refused.may_follow_a_mistake ? mistake_before(text, refused.problem.place) : std::nullopt;
    problems.add(mistake.value_or(refused.problem));
  } catch (const YAML::Exception& failure) {
    problems.add(yaml_mistake(text, {failure.mark.line + 1, failure.mark.column + 1}, failure.msg));
  }
  return nothing;
}

std::string read_text_file(const std::string& path, Problems& problems) {
  std::error_code failure;
  const bool regular = std::filesystem::is_regular_file(path, failure);
  if (!regular) {
    problems.add({{},
                  failure || !std::filesystem::exists(path, failure) ? "there is no such file"
                                                                     : "this is no regular file",
                  "the path of a scenario",
                  ""});
    return "";
  }
  const auto size = std::filesystem::file_size(path, failure);
  if (!failure && size > kFileBytesMax) {
    problems.add({{1, 1},
                  fmt::format("the file has {} bytes", size),
                  fmt::format("at most {}", kFileBytesMax),
                  ""});
    return "";
  }
  std::string text;
  if (const std::optional<UnreadableFile> wrong = read_input(path, text, kFileBytesMax)) {
    problems.add({{}, wrong->what, wrong->expected, ""});
  }
  return text;
}

}  // namespace watchlab::scenarios
