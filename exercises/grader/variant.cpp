#include "exercises/grader/variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "exercises/grader/reading.hpp"
#include "scenarios/language/table.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// The lines of a description: those before the diff, or the first comment of a source.
std::vector<std::string> description_lines(std::string_view text, bool is_patch) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!is_patch) {
      if (!line.starts_with("//")) {
        break;
      }
      line.remove_prefix(std::min(line.find_first_not_of("/ "), line.size()));
    }
    if (line.empty() || line.starts_with("---") || line.starts_with("diff ")) {
      break;
    }
    lines.emplace_back(line);
  }
  return lines;
}

double weight_from(const Variant& variant, const std::string& text) {
  double weight = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), weight);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || weight <= 0) {
    throw BadInput(
        fmt::format("{}: the weight '{}' is no number above 0", variant.source.string(), text));
  }
  return weight;
}

const std::vector<std::string>& keys() {
  static const std::vector<std::string> keys{"Clause", "Symptom", "Hint", "Of",
                                             "Breaks", "Weight",  "Real"};
  return keys;
}

void put(Variant& variant, const std::string& key, const std::string& value) {
  if (key == "Clause") {
    variant.clause = value;
  } else if (key == "Symptom") {
    variant.symptom = value;
  } else if (key == "Hint") {
    variant.hint = value;
  } else if (key == "Of") {
    variant.of = value;
  } else if (key == "Breaks") {
    variant.breaks = value;
  } else if (key == "Weight") {
    variant.weight = weight_from(variant, value);
  }
}

bool is_key(const std::string& word) {
  return std::find(keys().begin(), keys().end(), word) != keys().end();
}

std::vector<Variant> read_pool(const fs::path& folder, Pool pool) {
  std::vector<fs::path> files;
  if (fs::is_directory(folder)) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      const fs::path ending = entry.path().extension();
      if (ending == ".cpp" || ending == ".patch") {
        files.push_back(entry.path());
      }
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<Variant> variants;
  for (const fs::path& file : files) {
    Variant variant{.id = file.stem().string(), .pool = pool, .source = file};
    read_description(variant, read_whole(file));
    variants.push_back(std::move(variant));
  }
  return variants;
}

/// A variant as a bundle lists it.
std::vector<Variant> read_built(const Exercise& exercise, const fs::path& list) {
  using scenarios::text;
  scenarios::Table<Variant> entry("a variant", "A built library.");
  entry.required("id", &Variant::id, text("a name"), "Its neutral name.")
      .required_with(
          "pool", scenarios::word("a pool", {"correct", "shown"}),
          [](Variant& variant, const std::string& pool) {
            variant.pool = pool == "correct" ? Pool::Correct : Pool::Shown;
          },
          "What it is for.")
      .optional("clause", &Variant::clause, text("a clause"), "What it breaks.")
      .optional("symptom", &Variant::symptom, text("a sentence"), "What one would notice.")
      .optional("hint", &Variant::hint, text("a sentence"), "A question.")
      .optional_with(
          "weight", text("a number"),
          [](Variant& variant, const std::string& weight) {
            variant.weight = weight_from(variant, weight);
          },
          "How much it counts.");
  using List = std::vector<Variant>;
  struct File {
    List variants;
  };
  scenarios::Table<File> table("a list", "The built variants of an exercise.");
  table.required("variants", &File::variants, list_of("a list of variants", entry.typed()), "All.");
  List variants = read_by(table.typed(), list).variants;
  for (Variant& variant : variants) {
    variant.built = exercise.folder / "variants" / variant.id;
  }
  return variants;
}

}  // namespace

std::string word_for(Pool pool) {
  return pool == Pool::Correct ? "correct" : pool == Pool::Shown ? "shown" : "hidden";
}

void read_description(Variant& variant, std::string_view text) {
  for (const std::string& line : description_lines(text, variant.is_patch())) {
    const std::size_t colon = std::min(line.find(": "), line.size());
    const std::string key = line.substr(0, colon);
    if (is_key(key) && colon < line.size()) {
      put(variant, key, line.substr(colon + 2));
    } else if (variant.is_patch()) {
      throw BadInput(fmt::format("{}: '{}' is no line Key: value with a key {}",
                                 variant.source.string(), line, scenarios::one_of(keys())));
    }
  }
  if (variant.pool != Pool::Correct && (variant.clause.empty() || variant.symptom.empty())) {
    throw BadInput(fmt::format("{}: a defect says its Clause and its Symptom on top",
                               variant.source.string()));
  }
}

std::vector<Variant> read_variants(const Exercise& exercise, const fs::path& hidden) {
  const fs::path folder = exercise.folder / "variants";
  if (fs::exists(folder / "built.yaml")) {
    return read_built(exercise, folder / "built.yaml");
  }
  std::vector<Variant> variants = read_pool(folder / "correct", Pool::Correct);
  const auto whole = std::find_if(variants.begin(), variants.end(),
                                  [](const Variant& variant) { return !variant.is_patch(); });
  const std::string first = whole == variants.end() ? "" : whole->id;
  for (const auto& [path, pool] :
       {std::pair{folder / "shown", Pool::Shown}, std::pair{hidden, Pool::Hidden}}) {
    for (Variant& variant : read_pool(path, pool)) {
      variants.push_back(std::move(variant));
    }
  }
  for (Variant& variant : variants) {
    variant.of = variant.of.empty() && variant.is_patch() ? first : variant.of;
  }
  return variants;
}

}  // namespace watchlab::course
