#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::course {

// Students are addressed in English or in Simplified Chinese. Pages lie beside each other:
// README.md and README.zh.md. Messages are written in English where they arise, results of grades
// stay so, and what is shown to a student goes through the catalogue: exercises/languages/zh.yaml
// has the words of the program, texts.zh.yaml of an exercise those of that exercise.

/// "zh" for "zh-CN", "zh_CN.UTF-8" and the like, "en" for all else.
[[nodiscard]] std::string language_of(std::string_view name);

/// That of WATCHLAB_LANG (`--lang`), else of LC_ALL, LC_MESSAGES or LANG, the first that is set.
[[nodiscard]] std::string own_language();

/// The file in that language: "README.zh.md" for "README.md" where there is one, else the same.
[[nodiscard]] std::filesystem::path in_language(const std::filesystem::path& file,
                                                const std::string& language);

/// The messages of one language by what they are in English. An entry is a line; `{}` in it stands
/// for anything, `{n}` for a number, `{l}` for one letter, `{*}` for something that is translated,
/// too, and `{2}` in the translation for the second of these. A line of several sentences may be
/// translated sentence by sentence.
class Catalogue {
 public:
  /// That of English: every text stays.
  Catalogue() = default;
  /// Throws `BadInput` with file:line:column.
  explicit Catalogue(const std::vector<std::filesystem::path>& files);

  struct Message {
    std::string english;
    std::string translation;
    std::vector<std::string> literals;  ///< of the English, what stands between its placeholders
    std::vector<std::string> marks;     ///< of each placeholder, what stands in its braces
    std::size_t letters = 0;            ///< of all literals
  };
  /// Those with the most letters first, which are the ones that are tried first.
  [[nodiscard]] const std::vector<Message>& messages() const { return messages_; }

  /// The text with each of its lines translated that the catalogue has; blanks before a line stay.
  [[nodiscard]] std::string translated(std::string_view text) const;
  /// Whether that line or each of its sentences is in the catalogue.
  [[nodiscard]] bool knows(std::string_view line) const;

 private:
  [[nodiscard]] bool translate(std::string_view line, std::string& out) const;

  std::vector<Message> messages_;
};

/// The files of a language's catalogue in a folder of exercises.
[[nodiscard]] std::vector<std::filesystem::path> catalogue_files(
    const std::filesystem::path& exercises, const std::string& language);

/// The text in the language of this program's user.
[[nodiscard]] std::string in_own_language(std::string_view text);

}  // namespace watchlab::course
