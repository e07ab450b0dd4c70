#include "scenarios/language/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/emitterstyle.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/language/yaml_line.hpp"
#include "scenarios/language/yaml_mistake.hpp"

namespace watchlab::scenarios {
namespace {

/// The lines of a text, for what stands at the places that the parser names.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    text.remove_prefix(text.starts_with("\ufeff") ? 3 : 0);
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines_.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  /// The rest of the line; "" outside of the text.
  [[nodiscard]] std::string_view rest_at(Place place) const {
    const std::string_view line = line_at(place.line);
    return line.substr(
        std::min(static_cast<std::size_t>(std::max(place.column, 1) - 1), line.size()));
  }

  /// Up to a space or what ends a value in brackets.
  [[nodiscard]] std::string_view word_at(Place place) const {
    const std::string_view rest = rest_at(place);
    return rest.substr(0, rest.find_first_of(" \t\r,]}"));
  }

  /// Whether a word stands there that YAML takes for nothing.
  [[nodiscard]] bool says_nothing(Place place) const {
    const std::string_view word = word_at(place);
    return word == "~" || word == "null" || word == "Null" || word == "NULL";
  }

  /// Where the last dash or sign before a place stands, which is what has nothing behind it.
  [[nodiscard]] Place before(Place place) const {
    std::string_view line = line_at(place.line);
    line = line.substr(
        0, std::min(static_cast<std::size_t>(std::max(place.column, 1) - 1), line.size()));
    for (int number = place.line; number > 0;) {
      const std::size_t last = line.find_last_not_of(" \t\r");
      const std::size_t first = line.find_first_not_of(" \t");
      if (last != std::string_view::npos && line[first] != '#') {
        return line[last] == '-' ? Place{number, static_cast<int>(last) + 1} : place;
      }
      line = line_at(--number);
    }
    return place;
  }

 private:
  [[nodiscard]] std::string_view line_at(int number) const {
    const auto i = static_cast<std::size_t>(std::max(number, 1) - 1);
    return i < lines_.size() ? lines_[i] : std::string_view();
  }

  std::vector<std::string_view> lines_;
};

Place place_of(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

/// Builds the tree from the parser's events, so that nothing is built that will be refused.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, Problems& problems) : lines_(text), problems_(problems) {}

  [[nodiscard]] std::optional<Node> take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (root_) {
      throw RefusedTree{{place_of(mark), "a second document in the same file",
                         "one scenario a file, without a '---' or '...' in it", ""},
                        true};
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor, "the value, which is missing");
    const bool in_list = !open_.empty() && open_.back().node.kind == Node::Kind::Sequence;
    const Place place = place_of(mark);
    put({.kind = Node::Kind::Scalar,
         .place = in_list && !lines_.says_nothing(place) ? lines_.before(place) : place});
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "an alias", "the value written out: scenarios do without anchors and aliases");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (auto mistake = tag == "!" ? std::nullopt : mistaken_ends(value, place_of(mark))) {
      throw RefusedTree{*std::move(mistake)};
    }
    const bool is_quoted = tag == "!";
    const bool is_cut = !open_.empty() && open_.back().node.in_brackets && !is_quoted &&
                        value.starts_with('(') && value.find(')') == std::string::npos;
    if (is_cut) {
      refuse(mark, "a '(' in brackets", "'[' and ']' for a list, or quotes around a text with ','");
    }
    put({.kind = Node::Kind::Scalar, .place = place_of(mark), .text = value, .quoted = is_quoted});
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(mark, tag, anchor, style, Node::Kind::Sequence);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(mark, tag, anchor, style, Node::Kind::Mapping);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Node node;
    std::optional<Node> key;
  };

  [[noreturn]] static void refuse(const YAML::Mark& mark, std::string what, std::string expected) {
    throw RefusedTree{{place_of(mark), std::move(what), std::move(expected), ""}};
  }
  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor,
                     const char* instead = "the value alone") const {
    if (anchor != YAML::NullAnchor) {
      const std::string_view said = lines_.word_at(place_of(mark));
      refuse(mark, said.starts_with('&') ? fmt::format("an anchor, '{}'", said) : "an anchor",
             fmt::format("{}: scenarios do without anchors and aliases", instead));
    }
  }
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    const std::string_view said = lines_.word_at(place_of(mark));
    if ((!tag.empty() && tag != "?" && tag != "!") || (tag == "!" && said.starts_with('!'))) {
      refuse(mark, fmt::format("the tag '{}'", said.starts_with('!') ? said : tag),
             "the value alone, for scenarios do without tags; or quotes around a text that begins "
             "with '!'");
    }
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style, Node::Kind kind) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (open_.size() >= static_cast<std::size_t>(kDepthMax)) {
      refuse(mark, "nesting deeper than any scenario needs",
             fmt::format("at most {} levels", kDepthMax));
    }
    open_.push_back(
        {{.kind = kind, .place = place_of(mark), .in_brackets = style == YAML::EmitterStyle::Flow},
         std::nullopt});
  }

  void close() {
    Node done = std::move(open_.back().node);
    open_.pop_back();
    put(std::move(done));
  }

  void put(Node node) {
    if (++count_ > kNodesMax) {
      throw RefusedTree{{node.place, "too many values", fmt::format("at most {}", kNodesMax), ""}};
    }
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().node.kind == Node::Kind::Sequence) {
      open_.back().node.items.push_back(std::move(node));
    } else if (!open_.back().key) {
      open_.back().key = std::move(node);
    } else {
      put_entry(std::move(*std::exchange(open_.back().key, std::nullopt)), std::move(node));
    }
  }

  /// Keys are words.
  void refuse_key(const Node& key, const Node& value) const {
    const bool has_value = value.kind != Node::Kind::Scalar || !value.text.empty() || value.quoted;
    if (key.kind != Node::Kind::Scalar) {
      const std::string_view said = enclosed_at(lines_.rest_at(key.place));
      const bool is_template = said.starts_with('{') && !has_value && open_.back().node.in_brackets;
      const std::string meant = key_within(said);
      throw RefusedTree{
          {key.place, fmt::format("'{}' where a key belongs", said.empty() ? "[" : said),
           is_template     ? "one '{'; what stands between {{ and }} is for a template's tool"
           : meant.empty() ? "a name before the ':'"
                           : fmt::format("a name before the ':', as in '{}'", meant),
           ""}};
    }
    if (key.text.empty() && !key.quoted && !has_value && open_.back().node.in_brackets) {
      throw RefusedTree{
          {key.place, "nothing between two commas", "one ',' between two entries", ""}};
    }
    if (key.text.empty()) {
      throw RefusedTree{{key.place, "nothing where a key belongs", "a name before the ':'", ""}};
    }
    const std::string_view line = lines_.rest_at(key.place);
    const bool is_word_alone =
        std::ranges::all_of(key.text, is_word) && line.starts_with(key.text) &&
        is_blank(line.substr(key.text.size(), line.substr(key.text.size()).find('#')));
    if (!has_value && !key.quoted && !open_.back().node.in_brackets && is_word_alone) {
      throw RefusedTree{{key.place, fmt::format("'{}' without a ':' behind it", key.text),
                         fmt::format("'{}:' and its value", key.text), ""},
                        true};
    }
    if (key.text == "<<" && !key.quoted) {
      throw RefusedTree{{key.place, "'<<', which merges another mapping",
                         "its keys written out: scenarios do without anchors and aliases", ""}};
    }
  }

  void put_entry(Node key, Node value) {
    refuse_key(key, value);
    Node& mapping = open_.back().node;
    if (const Node* first = mapping.find(key.text)) {
      problems_.add({key.place, fmt::format("the key '{}' for the second time", key.text),
                     fmt::format("each key once; its first value is on line {}", first->place.line),
                     ""});
      return;
    }
    if (mapping.entries.size() == kKeysMax) {
      throw RefusedTree{
          {key.place, "too many keys in one mapping", fmt::format("at most {}", kKeysMax), ""}};
    }
    if (value.kind == Node::Kind::Scalar && value.text.empty() && !value.quoted &&
        !lines_.says_nothing(value.place)) {
      value.place = key.place;  // nothing stands nowhere; the parser says: where the next thing is
    }
    mapping.entries.push_back({std::move(key.text), key.place, std::move(value)});
  }

  Lines lines_;
  Problems& problems_;
  std::vector<Open> open_;
  std::optional<Node> root_;
  std::size_t count_ = 0;
};

}  // namespace

std::optional<Node> yaml_tree(const std::string& text, Problems& problems) {
  std::istringstream in(text);
  YAML::Parser parser(in);
  TreeBuilder builder(text, problems);
  while (parser.HandleNextDocument(builder)) {
  }
  return builder.take_root();
}

}  // namespace watchlab::scenarios
