#include "scenarios/command_line/xml.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "scenarios/language/plain_text.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::string_view kMarkup = "&<>\"\n\t";  // the last two in attributes only
constexpr std::array<std::string_view, 6> kNames{"&amp;",  "&lt;",  "&gt;",
                                                 "&quot;", "&#10;", "&#9;"};
constexpr std::size_t kInTexts = 4;

std::string escaped(const std::string& text, std::size_t names) {
  std::string out;
  for (const char c : visible_text(text)) {
    const std::size_t i = kMarkup.find(c);
    i < names ? out += kNames.at(i) : out += c;
  }
  return out;
}

void append(std::string& out, const XmlElement& element, std::size_t indent) {
  out.append(indent, ' ') += "<" + element.name;
  for (const auto& [name, value] : element.attributes) {
    out += fmt::format(" {}=\"{}\"", name, escaped(value, kNames.size()));
  }
  if (element.children.empty() && element.text.empty()) {
    out += "/>\n";
    return;
  }
  out += ">" + escaped(element.text, kInTexts);
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
