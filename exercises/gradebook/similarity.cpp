#include "exercises/gradebook/similarity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "exercises/gradebook/csv.hpp"
#include "exercises/programs/builder.hpp"
#include "exercises/programs/texts.hpp"

namespace watchlab::course {
namespace {

/// Of words that are no names; only those that make much of how a program is built.
constexpr std::array<std::string_view, 34> kKeywords{
    "auto",      "bool",     "break",    "case",   "catch",  "class",     "const",
    "constexpr", "continue", "do",       "double", "else",   "enum",      "false",
    "for",       "if",       "int",      "new",    "public", "namespace", "nullptr",
    "return",    "sizeof",   "static",   "struct", "switch", "throw",     "true",
    "try",       "typename", "unsigned", "using",  "void",   "while"};
constexpr std::size_t kRunTokens = 20;
constexpr std::size_t kWindow = 16;
constexpr std::size_t kCommonAmongMin = 8;

bool is_name_part(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
}

/// Takes a source apart.
class CodeReader {
 public:
  explicit CodeReader(std::string_view text) : text_(text) {}

  /// The next token as it stands there; "" at the end.
  std::string_view next() {
    skip();
    if (at_ >= text_.size()) {
      return "";
    }
    const std::size_t begin = at_;
    line_of_token_ = line_;
    const char first = text_[at_];
    if (first == '"' || first == '\'') {
      skip_quoted(first);
    } else if (is_name_part(first)) {
      while (at_ < text_.size() && is_name_part(text_[at_])) {
        ++at_;
      }
    } else {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }
  [[nodiscard]] std::size_t line() const { return line_of_token_; }

 private:
  void skip_quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_) {
      at_ += text_[at_] == '\\' ? 1 : 0;
    }
    at_ = std::min(at_ + 1, text_.size());
  }
  void skip_to(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    const std::size_t stop = found == std::string_view::npos ? text_.size() : found;
    line_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                 text_.begin() + static_cast<std::ptrdiff_t>(stop),
                                                 '\n'));
    at_ = stop;
  }
  void skip() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("//") || rest.starts_with('#')) {
        skip_to("\n");
      } else if (rest.starts_with("/*")) {
        at_ += 2;
        skip_to("*/");
        at_ = std::min(at_ + 2, text_.size());
      } else if (std::isspace(static_cast<unsigned char>(rest.front())) != 0) {
        line_ += rest.front() == '\n' ? 1 : 0;
        ++at_;
      } else {
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_of_token_ = 1;
};

std::string kind_of(std::string_view token, const std::set<std::string>& kept) {
  const auto first = static_cast<unsigned char>(token.front());
  if (first == '"' || first == '\'') {
    return "text";
  }
  if (std::isdigit(first) != 0) {
    return "number";
  }
  const bool is_name = is_name_part(token.front());
  const bool stays = !is_name || std::ranges::find(kKeywords, token) != kKeywords.end() ||
                     kept.contains(std::string(token));
  return stays ? std::string(token) : "name";
}

std::set<std::uint64_t> digests_in(const Fingerprints& fingerprints) {
  std::set<std::uint64_t> digests;
  for (const auto& [digest, places] : fingerprints.at) {
    digests.insert(digest);
  }
  return digests;
}

void mark(std::set<std::size_t>& lines, const Fingerprints& of, std::uint64_t digest) {
  for (const auto& [first, last] : of.at.at(digest)) {
    for (std::size_t line = first; line <= last; ++line) {
      lines.insert(line);
    }
  }
}

/// All fingerprints of a text, not only the chosen ones: what is given to all counts nowhere.
std::set<std::uint64_t> every_digest(const std::vector<CodeToken>& tokens);

std::uint64_t digest_at(const std::vector<CodeToken>& tokens, std::size_t begin) {
  std::string run;
  for (std::size_t i = begin; i < begin + kRunTokens; ++i) {
    run += tokens[i].text + " ";
  }
  return digest_of(run);
}

std::set<std::uint64_t> every_digest(const std::vector<CodeToken>& tokens) {
  std::set<std::uint64_t> digests;
  for (std::size_t i = 0; i + kRunTokens <= tokens.size(); ++i) {
    digests.insert(digest_at(tokens, i));
  }
  return digests;
}

/// Takes away what is given, and what most have.
void leave_common_out(std::vector<Fingerprints>& all, const std::set<std::uint64_t>& given) {
  std::map<std::uint64_t, std::size_t> owners;
  for (const Fingerprints& one : all) {
    for (const auto& [digest, places] : one.at) {
      ++owners[digest];
    }
  }
  const bool many = all.size() >= kCommonAmongMin;
  for (Fingerprints& one : all) {
    std::erase_if(one.at, [&](const auto& entry) {
      return given.contains(entry.first) || (many && owners[entry.first] * 2 > all.size());
    });
  }
}

std::string marked_source(const std::string& text, const std::set<std::size_t>& lines) {
  std::string out;
  std::size_t number = 0;
  for (const std::string_view line : lines_in(text)) {
    const std::string shown = in_html(plain_line(line));
    out += fmt::format("{:>4}  {}\n", ++number,
                       lines.contains(number) ? "<mark>" + shown + "</mark>" : shown);
  }
  return out;
}

}  // namespace

std::vector<CodeToken> tokens_of(std::string_view source, const std::set<std::string>& kept) {
  std::vector<CodeToken> tokens;
  CodeReader reader(source);
  for (std::string_view token = reader.next(); !token.empty(); token = reader.next()) {
    tokens.push_back({kind_of(token, kept), reader.line()});
  }
  return tokens;
}

std::set<std::string> functions_in(std::string_view source) {
  std::set<std::string> names;
  CodeReader reader(source);
  std::string_view before = " ";
  for (std::string_view token = reader.next(); !token.empty(); token = reader.next()) {
    if (token == "(" && is_name_part(before.front())) {
      names.emplace(before);
    }
    before = token;
  }
  return names;
}

Fingerprints fingerprints_of(const std::vector<CodeToken>& tokens) {
  std::vector<std::uint64_t> digests;
  for (std::size_t i = 0; i + kRunTokens <= tokens.size(); ++i) {
    digests.push_back(digest_at(tokens, i));
  }
  Fingerprints chosen;
  std::size_t last = digests.size();
  for (std::size_t i = 0; i < digests.size(); ++i) {
    if (i + kWindow > digests.size() && i > 0) {
      break;  // a text shorter than a window has one
    }
    const std::size_t end = std::min(i + kWindow, digests.size());
    std::size_t least = end - 1;  // the rightmost of the smallest
    for (std::size_t j = end; j-- > i;) {
      least = digests[j] < digests[least] ? j : least;
    }
    if (least != last) {
      chosen.at[digests[least]].emplace_back(tokens[least].line,
                                             tokens[least + kRunTokens - 1].line);
      last = least;
    }
  }
  return chosen;
}

std::vector<SimilarPair> similar_pairs(const std::vector<ComparedSource>& sources,
                                       const std::string& given, double share_min) {
  const std::set<std::string> kept = functions_in(given);
  std::vector<Fingerprints> all;
  for (const ComparedSource& source : sources) {
    all.push_back(fingerprints_of(tokens_of(source.text, kept)));
  }
  leave_common_out(all, every_digest(tokens_of(given, kept)));
  std::vector<std::set<std::uint64_t>> digests;
  std::ranges::transform(all, std::back_inserter(digests), digests_in);
  std::vector<SimilarPair> pairs;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      std::vector<std::uint64_t> common;
      std::ranges::set_intersection(digests[i], digests[j], std::back_inserter(common));
      const std::size_t smaller = std::min(digests[i].size(), digests[j].size());
      const double share =
          smaller == 0 ? 0 : static_cast<double>(common.size()) / static_cast<double>(smaller);
      if (common.empty() || share < share_min) {
        continue;
      }
      SimilarPair pair{.one = i,
                       .other = j,
                       .share = share,
                       .common = common.size(),
                       .lines_of_one = {},
                       .lines_of_other = {}};
      for (const std::uint64_t digest : common) {
        mark(pair.lines_of_one, all[i], digest);
        mark(pair.lines_of_other, all[j], digest);
      }
      pairs.push_back(std::move(pair));
    }
  }
  std::ranges::stable_sort(pairs, [](const SimilarPair& one, const SimilarPair& other) {
    return std::pair(one.share, one.common) > std::pair(other.share, other.common);
  });
  return pairs;
}

std::string to_csv(const std::vector<ComparedSource>& sources,
                   const std::vector<SimilarPair>& pairs) {
  std::string text = "one,other,share,common\n";
  for (const SimilarPair& pair : pairs) {
    text += csv_line({sources[pair.one].name, sources[pair.other].name,
                      fmt::format("{:.2f}", pair.share), std::to_string(pair.common)});
  }
  return text;
}

std::string to_html(const std::vector<ComparedSource>& sources,
                    const std::vector<SimilarPair>& pairs) {
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=en><meta charset=utf-8><title>What is alike</title>\n"
      "<style>body{{font:16px sans-serif;margin:2em;color:#1a1a1a;background:#fff}}"
      "td,th{{padding:.2em 1em;text-align:left;vertical-align:top}}"
      "pre{{font-size:13px;margin:0}}mark{{background:#ffe08a}}</style>\n"
      "<h1>{} submissions, {} pairs that are alike</h1>\n"
      "<p>A pair is a reason to look, not a proof: short solutions of one exercise are alike."
      "\n<table>\n<tr><th>one<th>other<th>share\n",
      sources.size(), pairs.size());
  std::string sections;
  for (const SimilarPair& pair : pairs) {
    const std::string one = in_html(sources[pair.one].name);
    const std::string other = in_html(sources[pair.other].name);
    const std::string anchor = fmt::format("p{}-{}", pair.one, pair.other);
    text += fmt::format("<tr><td>{}<td>{}<td><a href=\"#{}\">{:.0f} %</a>\n", one, other, anchor,
                        pair.share * 100);
    sections += fmt::format(
        "<h2 id=\"{}\">{} and {}: {:.0f} %</h2>\n<table><tr><td><pre>{}</pre><td><pre>{}</pre>"
        "</table>\n",
        anchor, one, other, pair.share * 100,
        marked_source(sources[pair.one].text, pair.lines_of_one),
        marked_source(sources[pair.other].text, pair.lines_of_other));
  }
  return text + "</table>\n" + sections + "</html>\n";
}

}  // namespace watchlab::course
