#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

enum class Where : unsigned char {
  Pages,       ///< README, CONTRIBUTING and docs
  Names,       ///< the names in C++ code
  Everywhere,  ///< both
  Language     ///< the names in scenarios/language
};

/// A word of no textbook, and the term that a reader can search for. A blank in it stands between
/// words of a page, and between parts of a name: "goes on" is also found in `continues_from`.
struct Word {
  std::string_view word;
  std::string_view instead;
  Where where = Where::Everywhere;
};

constexpr std::string_view kDelivery = "notified, delivered or receives";
constexpr std::string_view kActor = "the actor: a task, no task, the caller, the reader";

constexpr std::array kWords{
    Word{"told", kDelivery},
    Word{"tell", kDelivery},
    Word{"tells", kDelivery},
    Word{"hear", kDelivery},
    Word{"hears", kDelivery},
    Word{"heard", kDelivery},
    Word{"sentence", "message", Where::Pages},  // Failure::sentence is read by others
    Word{"sentences", "messages", Where::Pages},
    Word{"mend", "fix"},
    Word{"mends", "fixes"},
    Word{"mended", "fixed"},
    Word{"passage", "message context"},
    Word{"workplace", "CommandContext"},
    Word{"typed", "Parser<T>", Where::Language},
    Word{"shape", "Schema", Where::Language},
    Word{"reading", "ParseContext", Where::Language},
    Word{"complain", "report an error"},
    Word{"complains", "reports an error"},
    Word{"complaint", "error"},
    Word{"remark", "note"},
    Word{"parcel", "AnyValue"},
    Word{"judged", "evaluated", Where::Pages},  // a judge is a real implementation as an oracle
    Word{"judgement", "evaluation", Where::Pages},
    Word{"asker", "FaultDecision, or who asks"},
    Word{"intervene", "transact"},
    Word{"intervention", "transaction"},
    Word{"usual", "default"},
    Word{"ordinary", "default"},
    Word{"ear", "callback or listener"},
    Word{"cutter", "tokenizer"},
    Word{"bury", "retire"},
    Word{"buried", "retired"},
    Word{"graveyard", "retired"},
    Word{"strike", "activate"},
    Word{"strikes", "activates"},
    Word{"patience", "timeout"},
    Word{"farewell", "grace period"},
    Word{"linger", "grace period"},
    Word{"dawn", "start time"},
    Word{"robbed", "lost events"},
    Word{"crowd", "bulk objects"},
    Word{"manieth", "the number of it"},
    Word{"two fingers", "the mechanism"},
    Word{"great race", "the mechanism"},
    Word{"somebody", kActor},
    Word{"nobody", kActor},
    Word{"anybody", kActor},
    Word{"everybody", kActor},
    Word{"whoever", kActor},
    Word{"for ever", "indefinitely"},
    Word{"goes on", "continues"},
    Word{"go on", "continue"},
    Word{"out of step", "the unit and the purpose"},
    Word{"asked alone", "the unit and the purpose"},
    Word{"straight", "the unit and the purpose", Where::Names},
};

/// Functions that are called as the invariants that they check, whose names scenarios hold, and
/// names of libraries.
constexpr std::array<std::string_view, 6> kStoredNames{
    "check_nobody_waits_for_ever",       "check_synced_means_told",
    "check_requests_name_what_was_told", "check_arrivals_are_told",
    "check_handlers_hear_in_one_order",  "linger" /* of sockets */};

/// A word of a page or a part of a name, in small letters.
struct Part {
  std::string text;
  std::size_t at;
  bool is_joined;  ///< with the part before it
};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_capital(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

/// Where the part that starts at `at` ends: "list_and", "LIST_", "listAnd" and "LISTAnd" have two.
std::size_t end_of_part(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  const auto is = [text](bool (*has)(char), std::size_t place) {
    return place < text.size() && has(text[place]);
  };
  while (is(is_letter, end)) {
    const bool starts_word = is_capital(text[end]) && !is_capital(text[end - 1]);
    const bool ends_capitals = is_capital(text[end]) && is_capital(text[end - 1]) &&
                               is(is_letter, end + 1) && !is_capital(text[end + 1]);
    if (starts_word || ends_capitals) {
      break;
    }
    ++end;
  }
  return end;
}

/// The parts of `text`; only characters of `joints` stand between one and the next that is joined.
std::vector<Part> parts_of(std::string_view text, std::string_view joints) {
  std::vector<Part> parts;
  std::size_t before = std::string_view::npos;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_letter(text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = end_of_part(text, at);
    Part part{.text = std::string(text.substr(at, end - at)), .at = at, .is_joined = false};
    std::ranges::transform(part.text, part.text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    part.is_joined = before != text.npos &&
                     text.substr(before, at - before).find_first_not_of(joints) == text.npos;
    parts.push_back(std::move(part));
    before = at = end;
  }
  return parts;
}

/// Whether the word is a piece of a name, as in missed_delete, or of a picture's path.
bool is_of_name(std::string_view text, const Part& part) {
  const std::size_t end = part.at + part.text.size();
  return (part.at > 0 && text[part.at - 1] == '_') || (end < text.size() && text[end] == '_');
}

bool is_stored_name(std::string_view code, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && is_word_char(code[begin - 1])) {
    --begin;
  }
  std::size_t end = at;
  while (end < code.size() && is_word_char(code[end])) {
    ++end;
  }
  return std::ranges::find(kStoredNames, code.substr(begin, end - begin)) != kStoredNames.end();
}

/// Sources of an exercise: the names of its tests are kept in grades.
bool is_of_exercise(const Source& source) {
  constexpr std::string_view kFolder = "exercises/";
  return source.in(kFolder) &&
         std::isdigit(static_cast<unsigned char>(source.path()[kFolder.size()])) != 0;
}

/// Blanks what is quoted on a page: samples between fences, code in back quotes, targets of links.
std::string unquoted(const Source& page) {
  std::string text = page.text();
  struct Quotation {
    std::string_view opening;
    std::string_view closing;
  };
  for (const auto& [opening, closing] :
       {Quotation{"```", "\n```"}, Quotation{"`", "`"}, Quotation{"](", ")"}}) {
    for (std::size_t at = text.find(opening); at != text.npos; at = text.find(opening, at)) {
      const std::size_t end = text.find(closing, at + opening.size());
      const std::size_t size = end == text.npos ? text.size() - at : end + closing.size() - at;
      text.replace(at, size, size, '.');
    }
  }
  return text;
}

bool is_found_at(std::string_view word, const std::vector<Part>& parts, std::size_t first) {
  for (std::size_t i = first; i < parts.size(); ++i) {
    const std::size_t end = std::min(word.find(' '), word.size());
    if (parts[i].text != word.substr(0, end) || (i > first && !parts[i].is_joined)) {
      return false;
    }
    if (end == word.size()) {
      return true;
    }
    word.remove_prefix(end + 1);
  }
  return false;
}

bool counts_in(Where where, const Source& source, bool is_page) {
  return where == Where::Everywhere ||
         (is_page ? where == Where::Pages
                  : where == Where::Names ||
                        (where == Where::Language && source.in("scenarios/language/")));
}

bool is_public_page(const Source& source) {
  return source.path().ends_with(".md") &&
         (source.in("docs/") || source.path() == "README.md" || source.path() == "CONTRIBUTING.md");
}

}  // namespace

Problems check_words(const Tree& tree) {
  Problems problems;
  for (const Source& source : tree) {
    const bool is_page = is_public_page(source);
    if (!is_page && (!source.is_cpp() || is_of_exercise(source))) {
      continue;
    }
    const std::string text = is_page ? unquoted(source) : source.code();
    const std::vector<Part> parts = parts_of(text, is_page ? " \n" : "_");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (is_page ? is_of_name(text, parts[i]) : is_stored_name(text, parts[i].at)) {
        continue;
      }
      for (const Word& word : kWords) {
        if (counts_in(word.where, source, is_page) && is_found_at(word.word, parts, i)) {
          problems.push_back({source.path(), source.line_of(parts[i].at),
                              "\"" + std::string(word.word) + "\" is a word of this house; write " +
                                  std::string(word.instead)});
        }
      }
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
