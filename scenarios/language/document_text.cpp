#include <fmt/format.h>

#include <algorithm>

#include "scenarios/language/document.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::size_t kColumns = 96;

/// Letters that mean nothing special wherever they stand.
bool is_plain(char c) {
  constexpr std::string_view kHarmless = "_-./$+%";
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x80 && std::isalnum(byte) != 0) || kHarmless.find(c) != std::string_view::npos;
}

std::string quoted(const std::string& text) {
  std::string written = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      written += '\\';
    }
    written += c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : std::string(1, c);
  }
  return written + '"';
}

std::string scalar(const Node& node) {
  const bool plain = !node.text.empty() && node.text.front() != '-' && node.text.front() != '%' &&
                     std::all_of(node.text.begin(), node.text.end(), is_plain);
  if (!node.quoted) {
    // What was written without quotes can be written so again, unless the place forbids it.
    return plain || node.text.empty() || node.text.find_first_of(",[]{}#:\n") == std::string::npos
               ? node.text
               : quoted(node.text);
  }
  return quoted(node.text);
}

std::string key_text(const std::string& key) {
  return std::all_of(key.begin(), key.end(), is_plain) && key.front() != '-' ? key : quoted(key);
}

/// The whole value on one line.
std::string flow(const Node& node) {
  std::string text;
  if (node.kind == Node::Kind::Scalar) {
    return node.text.empty() && !node.quoted ? "null" : scalar(node);
  }
  for (const Node& item : node.items) {
    text += (text.empty() ? "" : ", ") + flow(item);
  }
  for (const Node::Entry& entry : node.entries) {
    text += (text.empty() ? "" : ", ") + key_text(entry.key) + ": " + flow(entry.value);
  }
  return node.kind == Node::Kind::Sequence ? "[" + text + "]" : "{" + text + "}";
}

class Writer {
 public:
  void write_entries(const Node& mapping, std::size_t indent) {
    for (const Node::Entry& entry : mapping.entries) {
      start_line(indent);
      text_ += key_text(entry.key) + ":";
      write_value(entry.value, indent);
    }
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  /// An item's first line continues behind its dash.
  void start_line(std::size_t indent) {
    if (behind_dash_) {
      behind_dash_ = false;
    } else {
      text_.append(indent, ' ');
    }
  }

  void write_value(const Node& value, std::size_t indent) {
    if (value.kind == Node::Kind::Scalar && value.text.find('\n') != std::string::npos &&
        value.text.ends_with('\n') && value.text.front() != ' ') {
      return write_block(value.text, indent + 2);
    }
    const std::string line = flow(value);
    const bool is_list = value.kind == Node::Kind::Sequence && !value.items.empty() &&
                         value.items.front().kind != Node::Kind::Scalar;
    const bool fits = indent + line.size() < kColumns && (!is_list || value.items.size() == 1);
    if (value.kind == Node::Kind::Scalar || (fits && indent > 0) ||
        (value.items.empty() && value.entries.empty())) {
      text_ += " " + line + "\n";
      return;
    }
    text_ += "\n";
    if (value.kind == Node::Kind::Mapping) {
      write_entries(value, indent + 2);
    } else {
      write_items(value, indent + 2);
    }
  }

  void write_items(const Node& sequence, std::size_t indent) {
    for (const Node& item : sequence.items) {
      text_.append(indent, ' ');
      const bool opens = item.kind == Node::Kind::Mapping && !item.entries.empty();
      if (!opens) {
        text_ += "- " + flow(item) + "\n";
        continue;
      }
      text_ += "- ";
      behind_dash_ = true;
      write_entries(item, indent + 2);
    }
  }

  void write_block(const std::string& lines, std::size_t indent) {
    text_ += " |\n";
    std::size_t begin = 0;
    while (begin < lines.size()) {
      const std::size_t end = lines.find('\n', begin);
      const std::string line = lines.substr(begin, end - begin);
      text_ += line.empty() ? "\n" : std::string(indent, ' ') + line + "\n";
      begin = end == std::string::npos ? lines.size() : end + 1;
    }
  }

  std::string text_;
  bool behind_dash_ = false;
};

}  // namespace

std::string document_text(const Node& root) {
  Writer writer;
  writer.write_entries(root, 0);
  return writer.take();
}

}  // namespace watchlab::scenarios
