#include "scenarios/command_line/xml.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "scenarios/command_line/plain_text.hpp"

namespace watchlab::scenarios {
namespace {

std::string escaped(const std::string& text) {
  constexpr std::string_view kMarkup = "&<>\"";
  constexpr std::array<std::string_view, 4> kNames{"&amp;", "&lt;", "&gt;", "&quot;"};
  std::string out;
  for (const char c : plain_text(text)) {
    const std::size_t i = kMarkup.find(c);
    i != std::string_view::npos ? out += kNames.at(i) : out += c;
  }
  return out;
}

void append(std::string& out, const XmlElement& element, std::size_t indent) {
  out.append(indent, ' ') += "<" + element.name;
  for (const auto& [name, value] : element.attributes) {
    out += fmt::format(" {}=\"{}\"", name, escaped(value));
  }
  if (element.children.empty() && element.text.empty()) {
    out += "/>\n";
    return;
  }
  out += ">" + escaped(element.text);
  if (!element.children.empty()) {
    out += "\n";
    for (const XmlElement& child : element.children) {
      append(out, child, indent + 2);
    }
    out.append(indent, ' ');
  }
  out += "</" + element.name + ">\n";
}

}  // namespace

std::string xml_document(const XmlElement& root) {
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  append(out, root, 0);
  return out;
}

}  // namespace watchlab::scenarios
