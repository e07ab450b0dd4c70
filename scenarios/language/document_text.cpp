#include <yaml-cpp/emitter.h>
#include <yaml-cpp/emittermanip.h>

#include <algorithm>

#include "scenarios/language/document.hpp"
#include "scenarios/language/plain_text.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::size_t kColumns = 96;
constexpr std::size_t kIndent = 2;

/// Whether a text can stand as lines below its key: a block ends with exactly one line break, and
/// its first line says how far it is indented.
bool is_block_text(const std::string& text) {
  return text.ends_with('\n') && !text.ends_with("\n\n") && text.front() != ' ' &&
         text.front() != '\n' && text.find('\t') == std::string::npos && is_plain_text(text);
}

void write_scalar(YAML::Emitter& out, const Node& node) {
  if (node.text.empty() && !node.quoted) {
    out << YAML::Null;
  } else if (node.quoted || !is_plain_text(node.text)) {
    out << YAML::DoubleQuoted << node.text;
  } else {
    out << node.text;  // the emitter quotes it where the place demands that
  }
}

/// About the length of a value on one line: quotation marks only where the text needs them.
std::size_t flow_size(const Node& node) {
  std::size_t size = node.text.size() + (node.quoted || node.kind != Node::Kind::Scalar ? 2 : 0);
  for (const Node& item : node.items) {
    size += flow_size(item) + (&item == node.items.data() ? 0 : 2);
  }
  for (const Node::Entry& entry : node.entries) {
    size += entry.key.size() + 2 + flow_size(entry.value);
    size += &entry == node.entries.data() ? 0 : 2;
  }
  return size;
}

/// Whether a value has to be written over several lines: it or a part of it is too long for one, or
/// is a list of several mappings or lists. Those far to the right never are.
bool needs_lines(const Node& node, std::size_t indent) {
  if (node.kind == Node::Kind::Scalar || indent >= kColumns) {
    return node.kind == Node::Kind::Scalar && indent < kColumns && node.quoted &&
           is_block_text(node.text);
  }
  const auto is_collection = [](const Node& item) { return item.kind != Node::Kind::Scalar; };
  return std::count_if(node.items.begin(), node.items.end(), is_collection) > 1 ||
         indent + flow_size(node) > kColumns ||
         std::any_of(node.items.begin(), node.items.end(),
                     [&](const Node& item) { return needs_lines(item, indent + kIndent); }) ||
         std::any_of(node.entries.begin(), node.entries.end(), [&](const Node::Entry& entry) {
           return needs_lines(entry.value, indent + kIndent);
         });
}

void write_node(YAML::Emitter& out, const Node& node, std::size_t indent);

void write_mapping(YAML::Emitter& out, const Node& node, std::size_t indent) {
  out << YAML::BeginMap;
  for (const Node::Entry& entry : node.entries) {
    out << YAML::Key;
    if (!is_plain_text(entry.key)) {
      out << YAML::DoubleQuoted;
    }
    out << entry.key << YAML::Value;
    write_node(out, entry.value, indent);
  }
  out << YAML::EndMap;
}

void write_node(YAML::Emitter& out, const Node& node, std::size_t indent) {
  const bool lines = indent == 0 || needs_lines(node, indent);
  if (node.kind == Node::Kind::Scalar && lines) {
    // The emitter ends the last line itself.
    out << YAML::Literal << node.text.substr(0, node.text.size() - 1);
    return;
  }
  if (node.kind == Node::Kind::Scalar) {
    return write_scalar(out, node);
  }
  const std::size_t below = lines ? indent + kIndent : kColumns;
  out << (lines ? YAML::Block : YAML::Flow);
  if (node.kind == Node::Kind::Mapping) {
    return write_mapping(out, node, below);
  }
  out << YAML::BeginSeq;
  for (const Node& item : node.items) {
    if (lines && item.entries.size() == 1) {  // "- heal: name" needs no braces
      out << YAML::Block;
      write_mapping(out, item, below + kIndent);
    } else {
      write_node(out, item, below);
    }
  }
  out << YAML::EndSeq;
}

/// Where a place is in a text; the text's end if it is not in there.
std::size_t offset_of(const std::string& text, Place place) {
  std::size_t line_start = 0;
  for (int line = 1; line < place.line && line_start != std::string::npos; ++line) {
    const std::size_t line_end = text.find('\n', line_start);
    line_start = line_end == std::string::npos ? line_end : line_end + 1;
  }
  return line_start == std::string::npos
             ? text.size()
             : std::min(text.size(), line_start + static_cast<std::size_t>(place.column - 1));
}

}  // namespace

std::string migrated(const std::string& text, std::vector<Renaming> renamings) {
  std::string out = text;
  // From the last to the first: what stands before a replaced word keeps its place.
  std::sort(renamings.begin(), renamings.end(),
            [](const Renaming& a, const Renaming& b) { return a.place > b.place; });
  for (const Renaming& renaming : renamings) {
    std::size_t offset = offset_of(out, renaming.place);
    if (offset < out.size() && (out[offset] == '"' || out[offset] == '\'')) {
      ++offset;
    }
    if (out.compare(offset, renaming.old.size(), renaming.old) == 0) {
      out.replace(offset, renaming.old.size(), renaming.now);
    }
  }
  return out;
}

std::string document_text(const Node& root, const std::string& comment) {
  YAML::Emitter out;
  if (!comment.empty()) {
    out << YAML::Comment(visible_text(comment));
  }
  write_node(out, root, 0);
  return plain_yaml(out.c_str()) + "\n";
}

}  // namespace watchlab::scenarios
