#include "exercises/programs/secrets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "exercises/programs/controllers.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/programs/variant.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// Of an exercise, what students read.
constexpr std::array kTexts{"exercise.yaml", "README.md",          "README.zh.md",
                            "hints.yaml",    "hints.zh.yaml",      "questions.yaml",
                            "texts.zh.yaml", "misconceptions.yaml"};

/// A shorter line may well be written twice by different people.
constexpr std::size_t kDistinctiveLineMin = 40;

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  if (fs::is_directory(folder)) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) {
        files.push_back(entry.path());
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// All that students may see of an exercise, and the headers that all students have.
std::string public_text(const Exercise& exercise) {
  std::string text;
  const auto add = [&text](const fs::path& file) { text += read_whole(file) + "\n"; };
  std::ranges::for_each(texts_of(exercise), add);
  for (const char* const folder : {"starter", "tests", "scenarios"}) {
    std::ranges::for_each(files_of(exercise.folder / folder), add);
  }
  std::ranges::for_each(headers_of(exercise), add);
  if (is_about_controllers(exercise)) {
    std::ranges::for_each(files_with(exercise.folder / "../go", {".go"}), add);
  }
  if (is_in_go(exercise)) {
    for (const char* const folder : {"variants/correct", "../races/explore", "../races/registry",
                                     "../../scenarios/go/goroutines"}) {
      std::ranges::for_each(files_with(exercise.folder / folder, {".go"}), add);
    }
  }
  if (is_about_controllers(exercise) || is_in_go(exercise)) {
    for (const auto& [name, source] : shown_sources(exercise)) {
      text += source + "\n";
    }
  }
  const fs::path root = exercise.folder.parent_path().parent_path();
  for (const char* const folder : {"core", "sim", "exercises/toolkit"}) {
    for (const fs::path& file : files_of(root / folder)) {
      if (file.extension() == ".hpp") {
        add(file);
      }
    }
  }
  return text;
}

/// Collects what is secret.
class Secrets {
 public:
  explicit Secrets(std::string open) : open_(std::move(open)) {}

  std::set<std::string> all;

  void add(std::string_view text) {
    if (!text.empty() && open_.find(text) == std::string::npos) {
      all.emplace(text);
    }
  }
  void add_lines(const std::string& text) {
    for (const std::string_view line : lines_in(text)) {
      if (trimmed(line).size() >= kDistinctiveLineMin) {
        add(trimmed(line));
      }
    }
  }
  void add_names_of_tests(std::string_view text) {
    constexpr std::string_view before = "TEST_CASE(";
    for (std::size_t at = text.find(before); at != std::string_view::npos; at = text.find(before)) {
      text.remove_prefix(at + before.size());
      add(text.substr(0, text.find_first_of(",)")));
    }
  }
  /// Lines that a patch takes away are those of a correct library, which is secret as a whole.
  void add_variant(const Variant& variant) {
    add(variant.id);
    if (variant.pool == Pool::Hidden) {
      add(variant.symptom);
      add(variant.hint);
    }
    const std::string text = read_whole(variant.source);
    for (const std::string_view line : lines_in(text)) {
      const bool is_code = !variant.is_patch() || line.starts_with('+');
      const std::string_view code = line.substr(is_code && variant.is_patch() ? 1 : 0);
      if (is_code && trimmed(code).size() >= kDistinctiveLineMin) {
        add(trimmed(code));
      }
    }
  }

 private:
  std::string open_;
};

}  // namespace

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  const std::size_t last = line.find_last_not_of(" \t\r");
  return first == std::string_view::npos ? "" : line.substr(first, last - first + 1);
}

std::vector<fs::path> texts_of(const Exercise& exercise) {
  std::vector<fs::path> found;
  for (const char* const name : kTexts) {
    if (fs::exists(exercise.folder / name)) {
      found.push_back(exercise.folder / name);
    }
  }
  return found;
}

std::vector<std::string> secrets_of(const Exercise& exercise, const fs::path& instructor) {
  Secrets secrets(public_text(exercise));
  for (const fs::path& file : files_of(instructor)) {
    const std::string text = read_whole(file);
    secrets.add_lines(text);
    secrets.add_names_of_tests(text);
  }
  for (const Variant& variant : read_variants(exercise, hidden_folder(exercise, instructor))) {
    // A correct one is called "first" or "classic", which many texts say.
    if (variant.pool != Pool::Correct) {
      secrets.add_variant(variant);
    } else {
      secrets.add_lines(read_whole(variant.source));
    }
  }
  return {secrets.all.begin(), secrets.all.end()};
}

std::vector<std::string> leaks_of(const fs::path& folder, const std::vector<std::string>& secrets) {
  std::vector<std::boyer_moore_horspool_searcher<std::string::const_iterator>> searchers;
  for (const std::string& secret : secrets) {
    searchers.emplace_back(secret.begin(), secret.end());
  }
  std::vector<std::string> leaks;
  for (const fs::path& file : files_of(folder)) {
    const std::string text = read_whole(file);
    for (std::size_t i = 0; i < secrets.size(); ++i) {
      if (std::search(text.begin(), text.end(), searchers[i]) != text.end()) {
        leaks.push_back(
            fmt::format("{} shows {}", file.lexically_relative(folder).string(), secrets[i]));
      }
    }
  }
  return leaks;
}

}  // namespace watchlab::course
