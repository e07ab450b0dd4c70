#include "scenarios/language/document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <numeric>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "scenarios/language/input_file.hpp"
#include "scenarios/language/utf8.hpp"
#include "scenarios/language/yaml_mistake.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::size_t kComparedMax = 64;

/// Insertions, deletions, substitutions and swaps of neighbours, ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1])) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last = std::exchange(last, row);
  }
  return last[b.size()];
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
      problem.nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", problem.nearest);
  constexpr std::size_t kLongList = 200;  // behind it, the name that is nearest would be overlooked
  return (expected.size() > kLongList || problem.nearest_first) && !meant.empty()
             ? text + meant + " Expected " + problem.expected
             : text + expected + meant;
}

Problem note_of(const Renaming& renaming) {
  return {renaming.place,
          fmt::format("'{}' in {} is called '{}' now", renaming.old, renaming.within, renaming.now),
          "", ""};
}

void Problems::add(Problem problem) {
  if (found_.size() < kKeptMax) {
    found_.push_back(std::move(problem));
  }
}

std::vector<Problem> Problems::take() {
  std::stable_sort(found_.begin(), found_.end(),
                   [](const Problem& a, const Problem& b) { return a.place < b.place; });
  return std::exchange(found_, {});
}

std::string nearest_name(std::string_view word, std::span<const std::string> candidates) {
  if (word.empty() || word.size() > kComparedMax) {
    return "";
  }
  std::size_t best = (word.size() + 2) / 3 + 1;
  std::string nearest;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  constexpr std::size_t kBeginningMin = 4;
  for (const std::string& candidate : candidates) {
    if (nearest.empty() && word.size() >= kBeginningMin && candidate.starts_with(word)) {
      return candidate;
    }
  }
  return nearest;
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

/// Ends the parse at once: what follows could cost more than the whole file is worth.
struct Refused {
  Problem problem;
};

Place place_of(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

/// Builds the tree from the parser's events, so that nothing is built that will be refused.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(Problems& problems) : problems_(problems) {}

  [[nodiscard]] std::optional<Node> take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (root_) {
      refuse(mark, "a second document in the same file", "one scenario a file");
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    put({.kind = Node::Kind::Scalar, .place = place_of(mark)});
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "an alias", "the value written out: scenarios do without anchors and aliases");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (auto mistake = tag == "!" ? std::nullopt : mistaken_beginning(value, place_of(mark))) {
      throw Refused{*std::move(mistake)};
    }
    put({.kind = Node::Kind::Scalar, .place = place_of(mark), .text = value, .quoted = tag == "!"});
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Node::Kind::Sequence);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Node::Kind::Mapping);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Node node;
    std::optional<Node> key;
  };

  [[noreturn]] static void refuse(const YAML::Mark& mark, std::string what, std::string expected) {
    throw Refused{{place_of(mark), std::move(what), std::move(expected), ""}};
  }
  static void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) {
      refuse(mark, "an anchor", "the value alone: scenarios do without anchors and aliases");
    }
  }
  static void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (!tag.empty() && tag != "?" && tag != "!") {
      refuse(mark, fmt::format("the tag '{}'", tag), "the value alone: scenarios do without tags");
    }
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            Node::Kind kind) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (open_.size() >= static_cast<std::size_t>(kDepthMax)) {
      refuse(mark, "nesting deeper than any scenario needs",
             fmt::format("at most {} levels", kDepthMax));
    }
    open_.push_back({{.kind = kind, .place = place_of(mark)}, std::nullopt});
  }

  void close() {
    Node done = std::move(open_.back().node);
    open_.pop_back();
    put(std::move(done));
  }

  void put(Node node) {
    if (++count_ > kNodesMax) {
      throw Refused{{node.place, "too many values", fmt::format("at most {}", kNodesMax), ""}};
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

  void put_entry(Node key, Node value) {
    if (key.kind == Node::Kind::Scalar && key.text.empty() && value.text.empty()) {
      throw Refused{{key.place, "nothing between two commas", "one ',' between two entries", ""}};
    }
    if (key.kind != Node::Kind::Scalar || key.text.empty()) {
      throw Refused{{key.place, "a key that is no word", "a name before the colon", ""}};
    }
    Node& mapping = open_.back().node;
    if (const Node* first = mapping.find(key.text)) {
      problems_.add({key.place, fmt::format("the key '{}' for the second time", key.text),
                     fmt::format("each key once; its first value is on line {}", first->place.line),
                     ""});
      return;
    }
    if (mapping.entries.size() == kKeysMax) {
      throw Refused{
          {key.place, "too many keys in one mapping", fmt::format("at most {}", kKeysMax), ""}};
    }
    if (value.kind == Node::Kind::Scalar && value.text.empty() && !value.quoted) {
      value.place = key.place;  // nothing stands nowhere; the parser says: where the next thing is
    }
    mapping.entries.push_back({std::move(key.text), key.place, std::move(value)});
  }

  Problems& problems_;
  std::vector<Open> open_;
  std::optional<Node> root_;
  std::size_t count_ = 0;
};

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

bool is_blank(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
}

/// Runs the parser over the text; throws `Refused` and the parser's own exceptions.
std::optional<Node> build_tree(const std::string& text, Problems& problems) {
  std::istringstream in(text);
  YAML::Parser parser(in);
  TreeBuilder builder(problems);
  while (parser.HandleNextDocument(builder)) {
  }
  return builder.take_root();
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &found->value;
}

bool Node::operator==(const Node& other) const {
  return kind == other.kind && text == other.text && quoted == other.quoted &&
         items == other.items && entries == other.entries;
}

Node parse_document(const std::string& text, Problems& problems) {
  const Node nothing{.kind = Node::Kind::Mapping};
  const std::string start = "a scenario that begins with 'apiVersion: watchlab/v1'";
  if (is_blank(text)) {
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
  if (auto problem = binary_byte(text)) {
    problems.add(std::move(*problem));
    return nothing;
  }
  try {
    std::optional<Node> root = build_tree(text, problems);
    if (auto mistake = open_quote_at_the_end(text)) {
      problems.add(*std::move(mistake));
      return nothing;
    }
    if (root && root->kind == Node::Kind::Mapping) {
      return std::move(*root);
    }
    const bool has_content = root && !(root->kind == Node::Kind::Scalar && root->text.empty());
    problems.add({root ? root->place : Place{1, 1},
                  has_content ? "the file has no keys" : "the file is empty", start, ""});
  } catch (const Refused& refused) {
    problems.add(refused.problem);
  } catch (const YAML::Exception& failure) {
    problems.add(yaml_mistake(text, place_of(failure.mark), failure.msg));
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
