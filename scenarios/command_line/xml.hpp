#pragma once

#include <string>
#include <utility>
#include <vector>

namespace watchlab::scenarios {

/// An element of an XML document as a value: what programs write for others to read, such as
/// results in the form of JUnit.
///
///     XmlElement suite{.name = "testsuite", .attributes = {{"tests", "1"}}};
///     suite.children.push_back({.name = "testcase", .text = "a < b"});
///     write(xml_document(suite));
///
/// An element has children or a text, not both. Names of elements and attributes are the program's
/// own and are written as they are; what comes from a file or a submission stands in values and
/// texts only.
struct XmlElement {
  std::string name;
  /// In the order in which they are written. Their values may be any text, as `text` may.
  std::vector<std::pair<std::string, std::string>> attributes = {};
  std::string text = {};
  std::vector<XmlElement> children = {};
};

/// The document with this root, in UTF-8, with two spaces a level. What would be markup in a text
/// is escaped, and so are line breaks in values; what XML 1.0 forbids shows as it does elsewhere,
/// see plain_text.hpp.
[[nodiscard]] std::string xml_document(const XmlElement& root);

}  // namespace watchlab::scenarios
