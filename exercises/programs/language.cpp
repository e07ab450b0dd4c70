#include "exercises/programs/language.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "exercises/programs/texts.hpp"
#include "exercises/programs/toolchain.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// The parts of a text around its placeholders "{…}"; `marks` gets what stands in the braces.
std::vector<std::string> split(std::string_view text, std::vector<std::string>& marks) {
  std::vector<std::string> parts{""};
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    const std::size_t close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) {
      parts.back() += text;
      break;
    }
    parts.back() += text.substr(0, open);
    marks.emplace_back(text.substr(open + 1, close - open - 1));
    parts.emplace_back();
    text.remove_prefix(close + 1);
  }
  return parts;
}

Catalogue::Message message_from(const std::string& english, const std::string& translation) {
  Catalogue::Message message{.english = english, .translation = translation};
  message.literals = split(english, message.marks);
  for (const std::string& literal : message.literals) {
    message.letters += literal.size();
  }
  return message;
}

bool may_stand_for(std::string_view value, const std::string& mark) {
  if (mark == "n") {
    return !value.empty() && value.find_first_not_of("0123456789.") == std::string_view::npos;
  }
  return mark != "l" || (value.size() == 1 && value.front() >= 'a' && value.front() <= 'z');
}

/// What stands for the placeholders where the line is that message; nothing where it is another.
std::optional<std::vector<std::string>> values_in(std::string_view line,
                                                  const Catalogue::Message& message) {
  const std::string& first = message.literals.front();
  if (!line.starts_with(first)) {
    return std::nullopt;
  }
  line.remove_prefix(first.size());
  std::vector<std::string> values;
  for (std::size_t i = 1; i < message.literals.size(); ++i) {
    const std::string& literal = message.literals[i];
    const bool is_last = i + 1 == message.literals.size();
    if (is_last && !line.ends_with(literal)) {
      return std::nullopt;
    }
    const std::size_t at = is_last ? line.size() - literal.size() : line.find(literal);
    if (at == std::string_view::npos || !may_stand_for(line.substr(0, at), message.marks[i - 1])) {
      return std::nullopt;
    }
    values.emplace_back(line.substr(0, at));
    line.remove_prefix(at + literal.size());
  }
  return line.empty() ? std::optional(values) : std::nullopt;
}

/// "{2}" is the second of the values.
std::string filled(const std::string& translation, const std::vector<std::string>& values) {
  std::vector<std::string> marks;
  const std::vector<std::string> parts = split(translation, marks);
  std::string text = parts.front();
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const std::size_t number = std::strtoul(marks[i].c_str(), nullptr, 10);
    text += number >= 1 && number <= values.size() ? values[number - 1] : "";
    text += parts[i + 1];
  }
  return text;
}

}  // namespace

std::string language_of(std::string_view name) {
  const bool is_chinese = name.starts_with("zh") &&
                          (name.size() == 2 || name[2] == '-' || name[2] == '_' || name[2] == '.');
  return is_chinese ? "zh" : "en";
}

std::string own_language() {
  for (const char* const name : {"WATCHLAB_LANG", "LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') {
      return language_of(value);
    }
  }
  return "en";
}

fs::path in_language(const fs::path& file, const std::string& language) {
  fs::path other = file;
  other.replace_extension("." + language + file.extension().string());
  return language != "en" && fs::exists(other) ? other : file;
}

Catalogue::Catalogue(const std::vector<fs::path>& files) {
  for (const fs::path& file : files) {
    scenarios::Problems problems;
    const scenarios::Node root = scenarios::parse_document(read_whole(file), problems);
    if (!problems.empty()) {
      throw BadInput(scenarios::describe(file.string(), problems.take().front()));
    }
    for (const scenarios::Node::Entry& section : root.entries) {
      for (const scenarios::Node::Entry& entry : section.value.entries) {
        messages_.push_back(message_from(entry.key, entry.value.text));
      }
    }
  }
  std::ranges::stable_sort(messages_, std::ranges::greater(), &Message::letters);
}

bool Catalogue::translate(std::string_view line, std::string& out) const {
  for (const Message& message : messages_) {
    std::optional<std::vector<std::string>> values = values_in(line, message);
    if (!values) {
      continue;
    }
    for (std::size_t i = 0; i < values->size(); ++i) {
      if (message.marks[i] == "*") {
        (*values)[i] = translated((*values)[i]);
      }
    }
    out = filled(message.translation, *values);
    return true;
  }
  // Sentence by sentence, if each is known or the first one at least.
  const std::size_t end = line.find(". ");
  std::string first;
  if (end == std::string_view::npos || !translate(line.substr(0, end + 1), first)) {
    out = line;
    return false;
  }
  std::string rest;
  const bool is_whole = translate(line.substr(end + 2), rest);
  out = first + rest;
  return is_whole;
}

std::string Catalogue::translated(std::string_view text) const {
  if (messages_.empty()) {
    return std::string(text);
  }
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    std::string translation;
    static_cast<void>(translate(line.substr(begin), translation));
    out.append(line.substr(0, begin)).append(translation);
    if (end == std::string_view::npos) {
      return out;
    }
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

bool Catalogue::knows(std::string_view line) const {
  std::string ignored;
  return translate(line, ignored);
}

std::vector<fs::path> catalogue_files(const fs::path& exercises, const std::string& language) {
  std::vector<fs::path> files{exercises / "languages" / (language + ".yaml")};
  for (const Exercise& exercise : read_exercises(exercises)) {
    files.push_back(exercise.folder / ("texts." + language + ".yaml"));
  }
  std::erase_if(files, [](const fs::path& file) { return !fs::exists(file); });
  return files;
}

std::string in_own_language(std::string_view text) {
  static const Catalogue kCatalogue = [] {
    const std::string language = own_language();
    return language == "en" ? Catalogue()
                            : Catalogue(catalogue_files(own_toolchain().exercises(), language));
  }();
  return kCatalogue.translated(text);
}

}  // namespace watchlab::course
