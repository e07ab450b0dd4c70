#include "scenarios/museum/piece.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#include "scenarios/language/document.hpp"

namespace watchlab::scenarios {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGoFolder = "go";

/// The text of a file; "" after a problem when it is missing or too large.
std::string text_of(const std::string& path, std::vector<std::string>& found) {
  Problems problems;
  std::string text = read_text_file(path, problems);
  for (const Problem& problem : problems.take()) {
    found.push_back(describe(path, problem));
  }
  return text;
}

/// What stands behind `word` and a colon at the beginning of a line, or of a comment of Go, before
/// the diff or the program begins.
std::string header_line(const std::string& patch, const std::string& word) {
  std::istringstream lines(patch);
  for (std::string line;
       std::getline(lines, line) && !line.starts_with("--- ") && !line.starts_with("package ");) {
    if (line.starts_with("// ")) {
      line.erase(0, 3);
    }
    if (line.starts_with(word + ": ")) {
      return line.substr(word.size() + 2);
    }
  }
  return "";
}

/// The first paragraph below the heading, on one line.
std::string first_paragraph(std::istringstream& lines) {
  std::string paragraph;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() && !paragraph.empty()) {
      break;
    }
    paragraph += (paragraph.empty() || line.empty() ? "" : " ") + line;
  }
  return paragraph;
}

void read_page(Piece& piece, std::vector<std::string>& problems) {
  std::istringstream lines(text_of(piece.folder + "/README.md", problems));
  std::string heading;
  std::getline(lines, heading);
  if (!heading.starts_with("# ")) {
    problems.push_back(piece.folder + "/README.md: begins with no heading");
    return;
  }
  piece.title = heading.substr(2);
  piece.summary = first_paragraph(lines);
}

void read_patch(Piece& piece, std::vector<std::string>& problems) {
  const std::string path = piece.patch();
  const std::string patch = text_of(path, problems);
  const auto required = [&](const std::string& word) {
    std::string line = header_line(patch, word);
    if (line.empty()) {
      problems.push_back(fmt::format("{}: says no '{}: …' before the {}", path, word,
                                     piece.in_go ? "package" : "diff"));
    }
    return line;
  };
  const std::string order = required("Order");
  std::from_chars(order.data(), order.data() + order.size(), piece.order);
  piece.bug = required("Bug");
  piece.needs = required("Needs");
  piece.fails = required("Fails");
  piece.upstream = required("Upstream");
  piece.leads_to = header_line(patch, "Leads-to");
  piece.live = piece.live || header_line(patch, "Live") == "yes";
  if (!piece.needs.empty() && needs_words(piece.needs).empty()) {
    problems.push_back(fmt::format("{}: '{}' is no list of S, O, F, T and P", path, piece.needs));
  }
  if (piece.fails.find(": ") == std::string::npos) {
    problems.push_back(path + ": 'Fails' is to be a kind of failure, a colon, and a part of it");
  }
}

Piece read_piece(const fs::path& folder, std::vector<std::string>& problems) {
  Piece piece{.slug = folder.filename().string(),
              .folder = folder.string(),
              .in_go = folder.parent_path().filename() == kGoFolder};
  std::error_code failure;
  piece.live = fs::exists(folder / "fix.patch", failure);
  if (piece.live && fs::exists(folder / "defect.patch", failure)) {
    problems.push_back(piece.folder + ": has a defect.patch and a fix.patch; one is enough");
  }
  read_page(piece, problems);
  read_patch(piece, problems);
  for (const std::string_view file : {"scenario.yaml", "schedule.txt"}) {
    const bool wanted = !piece.in_go || file == "schedule.txt";
    if (wanted && !fs::is_regular_file(folder / file, failure)) {
      problems.push_back(fmt::format("{}: has no {}", piece.folder, file));
    }
  }
  return piece;
}

/// What can only be seen of all pieces together.
void check_together(const Museum& museum, std::vector<std::string>& problems) {
  for (std::size_t i = 0; i < museum.pieces.size(); ++i) {
    const Piece& piece = museum.pieces[i];
    if (i > 0 && museum.pieces[i - 1].order == piece.order) {
      problems.push_back(fmt::format("{} and {} have the same order {}", museum.pieces[i - 1].slug,
                                     piece.slug, piece.order));
    }
    if (!piece.leads_to.empty() && museum.find(piece.leads_to) == nullptr) {
      problems.push_back(
          fmt::format("{} leads to '{}', which is no piece", piece.slug, piece.leads_to));
    }
  }
}

}  // namespace

const Piece* Museum::find(const std::string& slug) const {
  const auto found = std::find_if(pieces.begin(), pieces.end(),
                                  [&](const Piece& piece) { return piece.slug == slug; });
  return found == pieces.end() ? nullptr : &*found;
}

Museum read_museum(const std::string& root) {
  Museum museum;
  std::error_code failure;
  std::error_code no_go;
  for (const fs::directory_entry& entry : fs::directory_iterator(root, failure)) {
    if (entry.is_directory(failure) && entry.path().filename() != kGoFolder) {
      museum.pieces.push_back(read_piece(entry.path().lexically_normal(), museum.problems));
    }
  }
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(root) / kGoFolder, no_go)) {
    if (entry.is_directory(failure)) {
      museum.pieces.push_back(read_piece(entry.path().lexically_normal(), museum.problems));
    }
  }
  if (fs::exists(fs::path(root) / "found.txt", failure)) {
    museum.found = text_of(root + "/found.txt", museum.problems);
  }
  if (failure || museum.pieces.empty()) {
    museum.problems.push_back(root + ": has no folder with a piece");
  }
  std::sort(museum.pieces.begin(), museum.pieces.end(), [](const Piece& one, const Piece& other) {
    return std::pair(one.order, one.slug) < std::pair(other.order, other.slug);
  });
  check_together(museum, museum.problems);
  std::sort(museum.problems.begin(), museum.problems.end());
  return museum;
}

std::string needs_words(const std::string& needs) {
  constexpr std::array<std::pair<char, std::string_view>, 5> meanings{{
      {'S', "a certain interleaving"},
      {'O', "here the default one"},
      {'F', "a fault or a certain sequence of events"},
      {'T', "time"},
      {'P', "only its input"},
  }};
  std::string words;
  std::istringstream letters(needs);
  for (std::string letter; std::getline(letters >> std::ws, letter, ',');) {
    const auto* const found = std::find_if(
        meanings.begin(), meanings.end(),
        [&](const auto& meaning) { return letter.size() == 1 && letter.front() == meaning.first; });
    if (found == meanings.end()) {
      return "";
    }
    words += (words.empty() ? "" : "; ") + std::string(found->second);
  }
  return words;
}

}  // namespace watchlab::scenarios
