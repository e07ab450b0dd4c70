#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

constexpr std::string_view kRoot = "meson.build";

/// The words between single quotes.
std::vector<std::string> quoted_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t from = text.find('\''); from != text.npos; from = text.find('\'', from)) {
    const std::size_t end = text.find('\'', from + 1);
    if (end == text.npos) {
      break;
    }
    words.emplace_back(text.substr(from + 1, end - from - 1));
    from = end + 1;
  }
  return words;
}

/// The library of each source: folders say it by `NAME_sources += files(…)`.
std::map<std::string, std::string> products_of(const Tree& tree) {
  constexpr std::string_view kList = "_sources += files(";
  std::map<std::string, std::string> products;
  for (const Source& list : tree) {
    if (!list.path().ends_with("/meson.build")) {
      continue;
    }
    const std::string_view text = list.text();
    for (std::size_t at = text.find(kList); at != text.npos; at = text.find(kList, at + 1)) {
      const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is the beginning
      const std::size_t open = at + kList.size();
      for (const std::string& file : quoted_words(text.substr(open, text.find(')', open) - open))) {
        const auto path = (std::filesystem::path(list.folder()) / file).lexically_normal();
        products[path.generic_string()] = text.substr(begin, at - begin);
      }
    }
  }
  return products;
}

/// What the rows of the root's `products` say, each on what it stands:
/// `'port': {'sources': port_sources, … 'on': ['kernel'], …`.
std::map<std::string, std::set<std::string>> rows_of(std::string_view text) {
  constexpr std::string_view kRow = "': {'sources': ";
  constexpr std::string_view kOn = "'on': [";
  std::map<std::string, std::set<std::string>> rows;
  for (std::size_t at = text.find(kRow); at != text.npos; at = text.find(kRow, at + 1)) {
    const std::size_t begin = text.rfind('\'', at - 1) + 1;
    const std::size_t on = text.find(kOn, at);
    if (on != text.npos) {
      const std::size_t open = on + kOn.size();
      const auto words = quoted_words(text.substr(open, text.find(']', open) - open));
      rows[std::string(text.substr(begin, at - begin))] = {words.begin(), words.end()};
    }
  }
  return rows;
}

}  // namespace

Problems check_products(const Tree& tree) {
  Problems problems;
  const Source* const root = find(tree, kRoot);
  if (root == nullptr) {
    return problems;
  }
  const auto rows = rows_of(root->text());
  const auto products = products_of(tree);
  for (const Source& source : tree) {
    const auto own = products.find(source.path());
    const auto row = own == products.end() ? rows.end() : rows.find(own->second);
    for (std::size_t i = 0; row != rows.end() && i < source.lines().size(); ++i) {
      const std::optional<Include> include = include_of(source.lines()[i]);
      const auto other = include ? products.find(std::string(include->path)) : products.end();
      if (other != products.end() && other->second != own->second &&
          !row->second.contains(other->second)) {
        problems.push_back({source.path(), i + 1,
                            "belongs to watchlab-" + own->second +
                                ", which does not stand on watchlab-" + other->second +
                                ", and includes " + other->first + " of that"});
      }
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
