#include "exercises/programs/authoring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>

#include "exercises/programs/texts.hpp"
#include "exercises/programs/variant.hpp"
#include "exercises/sandbox/processes.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// Folders of which an exercise with a library needs something in each.
std::vector<std::string> folders_to_fill(Task task) {
  if (is_suite(task)) {
    return {"variants/correct",
            "variants/shown",
            "variants/hidden",
            "instructor/solution",
            "instructor/suites/happy_path",
            "instructor/suites/ported"};
  }
  return task == Task::Implement
             ? std::vector<std::string>{"variants/correct", "variants/shown", "instructor/solution"}
             : std::vector<std::string>();
}

bool is_text(const fs::path& file) {
  constexpr std::array<std::string_view, 6> endings{".yaml", ".md",    ".hpp",
                                                    ".cpp",  ".patch", ".csv"};
  return std::ranges::find(endings, file.extension().string()) != endings.end();
}

/// Lines that say that they are to be written, and sections of pages that have no lines.
void look_through(const fs::path& file, const std::string& name, std::vector<std::string>& parts) {
  const std::string text = read_whole(file);
  std::size_t number = 0;
  std::string section;
  std::size_t section_line = 0;
  const auto close_section = [&] {
    if (!section.empty()) {
      parts.push_back(fmt::format("{}:{}: the section '{}' is empty", name, section_line, section));
    }
  };
  for (const std::string_view line : lines_in(text)) {
    ++number;
    if (const std::size_t at = line.find("TO WRITE"); at != std::string_view::npos) {
      parts.push_back(fmt::format("{}:{}: {}", name, number, line.substr(at)));
    }
    if (file.extension() == ".md" && line.starts_with("## ")) {
      close_section();
      section = line;
      section_line = number;
    } else if (!line.empty()) {
      section.clear();
    }
  }
  close_section();
}

std::string name_in(const Exercise& exercise, const fs::path& file) {
  return file.lexically_relative(exercise.folder).string();
}

/// What keeps an empty folder in git, where the folder is not empty.
void name_needless_files(const Exercise& exercise, std::vector<std::string>& parts) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(exercise.folder)) {
    const fs::path folder = entry.path().parent_path();
    if (entry.path().filename() == ".gitkeep" &&
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()) > 1) {
      names.push_back(name_in(exercise, entry.path()));
    }
  }
  std::ranges::sort(names);
  for (const std::string& name : names) {
    parts.push_back(name + ": the folder has files now, remove this one");
  }
}

bool continues_a_word(char letter) {
  return letter == '_' || std::isalnum(static_cast<unsigned char>(letter)) != 0;
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !continues_a_word(text[at - 1])) &&
        (end == text.size() || !continues_a_word(text[end]))) {
      return true;
    }
  }
  return false;
}

/// What waits outside of the runtime is not interleaved, and can stop its whole world.
void name_foreign_locks(const Exercise& exercise, std::vector<std::string>& parts) {
  constexpr std::array<std::string_view, 12> foreign{
      "std::mutex",       "std::shared_mutex",
      "std::timed_mutex", "std::recursive_mutex",
      "std::thread",      "std::condition_variable",
      "std::jthread",     "std::condition_variable_any",
      "std::this_thread", "std::counting_semaphore",
      "std::async",       "std::binary_semaphore"};
  for (const fs::path& file : files_with(exercise.folder / "variants/correct", {".cpp", ".hpp"})) {
    const std::string text = read_whole(file);
    std::size_t number = 0;
    for (const std::string_view line : lines_in(text)) {
      ++number;
      const std::string_view code = line.substr(0, line.find("//"));
      for (const std::string_view name : foreign) {
        if (has_word(code, name)) {
          parts.push_back(fmt::format("{}:{}: {} is not of the runtime, so it is not interleaved",
                                      name_in(exercise, file), number, name));
        }
      }
    }
  }
}

/// Half of the reference's lines, or twice as many, is no size to plan with.
void name_wrong_size(const Exercise& exercise, std::vector<std::string>& parts) {
  std::int64_t lines = 0;
  for (const fs::path& file : cpp_files_of(exercise.folder / "instructor/solution")) {
    const std::string text = read_whole(file);
    lines += std::ranges::count(text, '\n');
  }
  const std::int64_t said = exercise.solution_lines;
  if (lines > 0 && (said * 2 < lines || said > lines * 2)) {
    parts.push_back(fmt::format(
        "exercise.yaml: solution_lines: {}, but instructor/solution has {} lines", said, lines));
  }
}

/// The clauses of docs/invariants.md are C1 to C17; others stand in the exercise's headers.
bool is_clause(const std::string& clause, const std::string& headers) {
  constexpr int common = 17;
  for (int number = 1; number <= common; ++number) {
    if (clause == fmt::format("C{}", number)) {
      return true;
    }
  }
  return clause == "-" || (!clause.starts_with('-') && has_word(headers, clause));
}

void name_unknown_clauses(const Exercise& exercise, std::vector<std::string>& parts) {
  std::string headers;
  for (const fs::path& file : headers_of(exercise)) {
    headers += read_whole(file);
  }
  for (const Variant& variant : read_variants(exercise, exercise.folder / "variants/hidden")) {
    if (variant.pool != Pool::Correct && !is_clause(variant.clause, headers)) {
      parts.push_back(fmt::format(
          "{}: the clause {} is neither in docs/invariants.md nor in a header of the exercise",
          name_in(exercise, variant.source), variant.clause));
    }
  }
}

bool is_one_line(const std::string& text) {
  return !text.empty() && text.find('\n') == std::string::npos;
}

/// Of a correct variant and the copy that was broken.
struct Difference {
  std::string of;
  std::string diff;
  std::ptrdiff_t lines = 0;
};

Difference difference_to(const fs::path& correct, const fs::path& copy, const std::string& slug) {
  const std::string path =
      fmt::format("exercises/{}/variants/correct/{}", slug, correct.filename().string());
  const ProcessEnd end =
      run_plainly({"/usr/bin/diff", "-u", "--label", "a/" + path, "--label", "b/" + path,
                   fs::absolute(correct).string(), fs::absolute(copy).string()},
                  correct.parent_path());
  if (end.status > 1) {
    throw BadInput(end.output);
  }
  const auto lines = lines_in(end.output);
  return {.of = correct.stem().string(),
          .diff = end.output,
          .lines = std::ranges::count_if(lines, [](std::string_view line) {
            return line.starts_with('+') || line.starts_with('-');
          })};
}

void require_words(const NewDefect& defect) {
  const std::size_t slash = std::min(defect.name.find('/'), defect.name.size());
  const std::string pool = defect.name.substr(0, slash);
  const std::string_view id =
      std::string_view(defect.name).substr(std::min(slash + 1, defect.name.size()));
  const bool is_id = !id.empty() && std::ranges::all_of(id, [](char letter) {
    return continues_a_word(letter) && std::isupper(static_cast<unsigned char>(letter)) == 0;
  });
  if ((pool != to_string(Pool::Shown) && pool != to_string(Pool::Hidden)) || !is_id) {
    throw BadInput(
        fmt::format("'{}' is no name of a defect: shown/ or hidden/, and small letters: "
                    "shown/loses_a_key",
                    defect.name));
  }
  if (!is_one_line(defect.clause) || !is_one_line(defect.symptom)) {
    throw BadInput("a defect wants --clause and --symptom, one line each");
  }
  if (!defect.hint.empty() && !is_one_line(defect.hint)) {
    throw BadInput("--hint is one line");
  }
}

}  // namespace

std::vector<std::string> unwritten_parts(const Exercise& exercise) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(exercise.folder)) {
    if (entry.is_regular_file() && is_text(entry.path())) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  std::vector<std::string> parts;
  for (const fs::path& file : files) {
    look_through(file, file.lexically_relative(exercise.folder).string(), parts);
  }
  for (const std::string& folder : folders_to_fill(exercise.task)) {
    if (files_with(exercise.folder / folder, {".cpp", ".hpp", ".patch"}).empty()) {
      parts.push_back(folder + ": nothing is in it");
    }
  }
  name_needless_files(exercise, parts);
  name_foreign_locks(exercise, parts);
  name_wrong_size(exercise, parts);
  name_unknown_clauses(exercise, parts);
  return parts;
}

fs::path make_defect(const Exercise& exercise, const NewDefect& defect) {
  require_words(defect);
  const fs::path variants = exercise.folder / "variants";
  const fs::path copy = variants / (defect.name + ".cpp");
  fs::path patch = variants / (defect.name + ".patch");
  const std::vector<fs::path> correct = files_with(variants / "correct", {".cpp"});
  if (correct.empty()) {
    throw BadInput((variants / "correct").string() + " has no variant to break");
  }
  if (!fs::exists(copy)) {
    throw BadInput(fmt::format("{} is missing: copy {} there and break it in one way",
                               copy.string(), correct.front().string()));
  }
  if (fs::exists(patch)) {
    throw BadInput(fmt::format("{} is there already: remove it to make it anew", patch.string()));
  }
  std::optional<Difference> least;
  for (const fs::path& each : correct) {
    Difference difference = difference_to(each, copy, exercise.slug());
    if (!least || difference.lines < least->lines) {
      least = std::move(difference);
    }
  }
  if (least->diff.empty()) {
    throw BadInput(fmt::format("{} is the same as variants/correct/{}.cpp: break it in one way",
                               copy.string(), least->of));
  }
  std::string text = fmt::format("Clause: {}\nSymptom: {}\n", defect.clause, defect.symptom);
  text += defect.hint.empty() ? "" : fmt::format("Hint: {}\n", defect.hint);
  text += least->of == correct.front().stem() ? "" : fmt::format("Of: {}\n", least->of);
  write_output(patch, text + "\n" + least->diff);
  fs::remove(copy);
  return patch;
}

}  // namespace watchlab::course
