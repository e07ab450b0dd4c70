#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "scenarios/language/document.hpp"
#include "scenarios/museum/piece.hpp"

namespace watchlab::scenarios {
namespace {

/// Words that say nothing of a bug.
constexpr std::array<std::string_view, 30> kEmptyWords{
    "the", "and",  "that", "this", "with", "for",  "are",  "was",  "not",    "has",
    "but", "what", "when", "who",  "one",  "all",  "any",  "from", "into",   "been",
    "had", "then", "they", "them", "why",  "will", "more", "most", "before", "after"};

/// What "deleted", "deletes" and "deletion" have in common.
std::string stem_of(std::string word) {
  constexpr std::size_t kStemMin = 3;
  constexpr std::size_t kStemMax = 6;
  for (const std::string_view ending : {"ions", "ion", "ing", "ed", "es", "s", "e"}) {
    if (word.ends_with(ending) && word.size() >= ending.size() + kStemMin) {
      word.resize(word.size() - ending.size());
      break;
    }
  }
  return word.substr(0, kStemMax);
}

std::set<std::string> stems_in(std::string_view text) {
  std::set<std::string> stems;
  std::string word;
  const auto end_of_word = [&] {
    if (word.size() > 2 && std::ranges::find(kEmptyWords, word) == kEmptyWords.end()) {
      stems.insert(stem_of(word));
    }
    word.clear();
  };
  for (const char each : text) {
    const auto letter = static_cast<unsigned char>(each);
    if (std::isalnum(letter) != 0) {
      word += static_cast<char>(std::tolower(letter));
    } else {
      end_of_word();
    }
  }
  end_of_word();
  return stems;
}

/// What a piece says, by how much a word there says of the bug.
struct SaidOfPiece {
  explicit SaidOfPiece(const Piece& piece)
      : title(stems_in(piece.title + " " + piece.slug)),
        symptom(stems_in(piece.summary + " " + piece.fails)) {
    Problems problems;
    const std::string text = read_text_file(piece.folder + "/README.md", problems);
    page = stems_in(std::string_view(text).substr(0, text.find("\n---\n")));  // then come links
  }

  [[nodiscard]] int weight(const std::string& stem) const {
    return title.contains(stem) ? 3 : symptom.contains(stem) ? 2 : page.contains(stem) ? 1 : 0;
  }

  std::set<std::string> title;
  std::set<std::string> symptom;
  std::set<std::string> page;
};

}  // namespace

std::vector<const Piece*> search_pieces(const Museum& museum, std::string_view words) {
  const std::vector<SaidOfPiece> said(museum.pieces.begin(), museum.pieces.end());
  std::vector<double> scores(said.size());
  for (const std::string& stem : stems_in(words)) {
    const auto pieces = std::ranges::count_if(
        said, [&](const SaidOfPiece& piece) { return piece.weight(stem) > 0; });
    // A word that few pieces have says more.
    const double rarity =
        std::log(1 + static_cast<double>(said.size()) / static_cast<double>(1 + pieces));
    for (std::size_t i = 0; i < said.size(); ++i) {
      scores[i] += rarity * said[i].weight(stem);
    }
  }
  std::vector<std::pair<double, const Piece*>> found;
  for (std::size_t i = 0; i < said.size(); ++i) {
    if (scores[i] > 0) {
      found.emplace_back(scores[i], &museum.pieces[i]);
    }
  }
  std::ranges::stable_sort(found, std::greater(), [](const auto& each) { return each.first; });
  std::vector<const Piece*> best;
  constexpr std::size_t kShown = 5;
  for (const auto& [score, piece] : found) {
    if (best.size() < kShown && score * 2 >= found.front().first) {
      best.push_back(piece);
    }
  }
  return best;
}

}  // namespace watchlab::scenarios
