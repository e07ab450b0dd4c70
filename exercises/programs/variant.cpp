#include "exercises/programs/variant.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "exercises/programs/builder.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/toolkit/protocol.hpp"
#include "scenarios/language/table.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// The lines of a description: those before the diff, or the first comment of a source.
std::vector<std::string> description_lines(std::string_view text, bool is_patch) {
  std::vector<std::string> lines;
  for (std::string_view line : lines_in(text)) {
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

/// The keys of a description, and where a text goes; `Real` is for people only.
const std::map<std::string, std::string Variant::*>& texts_by_key() {
  static const std::map<std::string, std::string Variant::*> texts{{"Clause", &Variant::clause},
                                                                   {"Symptom", &Variant::symptom},
                                                                   {"Hint", &Variant::hint},
                                                                   {"Of", &Variant::of},
                                                                   {"Breaks", &Variant::breaks},
                                                                   {"Weight", nullptr},
                                                                   {"Real", nullptr}};
  return texts;
}

void put(Variant& variant, const std::string& key, const std::string& value) {
  if (const auto text = texts_by_key().at(key); text != nullptr) {
    variant.*text = value;
  } else if (key == "Weight") {
    variant.weight = weight_from(variant, value);
  }
}

std::vector<std::string> names_of_keys() {
  std::vector<std::string> names;
  for (const auto& [key, text] : texts_by_key()) {
    names.push_back(key);
  }
  return names;
}

std::vector<Variant> read_pool(const fs::path& folder, Pool pool) {
  std::vector<Variant> variants;
  for (const fs::path& file : files_with(folder, {".cpp", ".go", ".patch"})) {
    Variant variant{.id = file.stem().string(), .pool = pool, .source = file};
    read_description(variant, read_whole(file));
    variants.push_back(std::move(variant));
  }
  return variants;
}

/// What a bundle lists.
struct BuiltList {
  std::vector<Variant> variants;
  std::int64_t not_shown = 0;
};

BuiltList read_built(const Exercise& exercise, const fs::path& list) {
  using scenarios::text;
  scenarios::Table<Variant> entry("a variant", "A built library.");
  entry.required("id", &Variant::id, text("a name"), "Its neutral name.")
      .required(
          "pool", &Variant::pool,
          scenarios::choice<Pool>("a pool", {{"correct", Pool::Correct}, {"shown", Pool::Shown}}),
          "What it is for.")
      .optional("clause", &Variant::clause, text("a clause"), "What it breaks.")
      .optional("symptom", &Variant::symptom, text("a sentence"), "What one would notice.")
      .optional("hint", &Variant::hint, text("a sentence"), "A question.")
      .key(
          {"weight", "How much it counts."}, text("a number"),
          [](Variant& variant, const std::string& weight) {
            variant.weight = weight_from(variant, weight);
          },
          [](const Variant& variant) { return fmt::format("{}", variant.weight); });
  scenarios::Table<BuiltList> table("a list", "The built variants of an exercise.");
  table
      .required("variants", &BuiltList::variants, list_of("a list of variants", entry.codec()),
                "All.")
      .optional("not_shown", &BuiltList::not_shown, scenarios::integer("defects", 0, 1000),
                "How many defects are not here.");
  BuiltList built = read_by(table.codec(), list);
  for (Variant& variant : built.variants) {
    variant.built = exercise.folder / "variants" / variant.id;
  }
  return built;
}

}  // namespace

std::string patched_file(std::string_view patch) {
  constexpr std::string_view mark = "\n+++ b/";
  const std::size_t at = patch.find(mark);
  if (at == std::string_view::npos) {
    return "";
  }
  const std::string_view rest = patch.substr(at + mark.size());
  return std::string(rest.substr(0, rest.find_first_of("\t\n")));
}

std::string to_string(Pool pool) {
  return pool == Pool::Correct ? "correct" : pool == Pool::Shown ? "shown" : "hidden";
}

void read_description(Variant& variant, std::string_view text) {
  for (const std::string& line : description_lines(text, variant.is_patch())) {
    const std::size_t colon = std::min(line.find(": "), line.size());
    const std::string key = line.substr(0, colon);
    if (texts_by_key().contains(key) && colon < line.size()) {
      put(variant, key, line.substr(colon + 2));
    } else if (variant.is_patch()) {
      throw BadInput(fmt::format("{}: '{}' is no line Key: value with a key {}",
                                 variant.source.string(), line,
                                 scenarios::one_of(names_of_keys())));
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
    return read_built(exercise, folder / "built.yaml").variants;
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

std::size_t defects_not_shown(const Exercise& exercise) {
  const fs::path folder = exercise.folder / "variants";
  if (fs::exists(folder / "built.yaml")) {
    return static_cast<std::size_t>(read_built(exercise, folder / "built.yaml").not_shown);
  }
  return read_pool(folder / "hidden", Pool::Hidden).size();
}

namespace {

namespace fs = std::filesystem;

const Variant& named(const std::vector<Variant>& all, const Variant& wanted) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Variant& variant) {
    return variant.pool == Pool::Correct && variant.id == wanted.of && !variant.is_patch();
  });
  if (found == all.end()) {
    throw BadInput(fmt::format("{} is a patch of '{}', but no correct variant is called that",
                               wanted.source.string(), wanted.of));
  }
  return *found;
}

/// The file of core or sim that a patch changes; "" of all else, and of what cannot be read.
std::string patched_core(const fs::path& source) {
  if (source.extension() != ".patch" || ::access(source.c_str(), R_OK) != 0) {
    return "";
  }
  const std::string file = patched_file(read_whole(source));
  return file.starts_with("exercises/") ? "" : file;
}

/// As a shell would have it.
std::string quoted(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    line += (line.empty() ? "'" : " '") + word + "'";
  }
  return line;
}

void build_or_throw(const std::vector<std::string>& words, const fs::path& folder,
                    const fs::path& file) {
  run_or_throw(words, folder, fmt::format("{} cannot be built: ", file.string()));
}

/// Copies all files that a patch changes below a folder, as it leaves them.
void write_patched(const Toolchain& toolchain, const fs::path& patch, const fs::path& folder) {
  constexpr std::string_view mark = "+++ b/";
  const std::string text = read_whole(patch);
  for (const std::string_view line : lines_in(text)) {
    if (line.starts_with(mark)) {
      const std::string file = patched_file(fmt::format("\n{}\n", line));
      fs::create_directories((folder / file).parent_path());
      fs::copy_file(toolchain.root / file, folder / file);
    }
  }
  build_or_throw({"/usr/bin/patch", "-p1", "--force", "--fuzz=0", "--no-backup-if-mismatch",
                  "--reject-file=-", "-i", fs::absolute(patch).string()},
                 folder, patch);
}

}  // namespace

VariantBuilder::VariantBuilder(const Toolchain& toolchain, const Exercise& exercise,
                               Listener notify)
    : toolchain_(toolchain), exercise_(exercise), notify_(std::move(notify)) {}

void VariantBuilder::build(std::vector<Variant>& variants) {
  const BuildLock lock(toolchain_, exercise_.slug());
  std::vector<Variant*> missing;
  for (Variant& variant : variants) {
    if (variant.source.empty()) {
      if (!fs::exists(variant.built / kSubjectLibrary)) {
        throw BadInput(fmt::format("{} is missing: the bundle is not whole",
                                   (variant.built / kSubjectLibrary).string()));
      }
      continue;
    }
    variant.built = toolchain_.tree / "exercises/variants" / exercise_.slug() /
                    to_string(variant.pool) / variant.id;
    if (!stamp_of(variant, variants).is_current()) {
      missing.push_back(&variant);
    }
  }
  if (!missing.empty()) {
    require_own_tree(toolchain_, exercise_.id);
    precompile_headers(toolchain_, Product::Library, notify_);
    build_all(missing, variants);
  }
}

/// Several at a time. The caller gets all that cannot be built, in their order.
void VariantBuilder::build_all(const std::vector<Variant*>& variants,
                               const std::vector<Variant>& all) {
  std::vector<std::exception_ptr> failures(variants.size());
  std::atomic<std::size_t> next = 0;
  std::mutex notifying;
  const auto work = [&](std::size_t worker) {
    for (std::size_t i = next++; i < variants.size(); i = next++) {
      {
        const std::scoped_lock lock(notifying);
        notify_(fmt::format("building what {} is checked with: {} of {} libraries", exercise_.id,
                            i + 1, variants.size()));
      }
      try {
        build_one(*variants[i], all, worker);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    const std::size_t most = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 4);
    for (std::size_t i = 0; i < std::min(most, variants.size()); ++i) {
      workers.emplace_back(work, i);
    }
  }
  std::string wrong;
  for (const std::exception_ptr& failure : failures) {
    try {
      if (failure != nullptr) {
        std::rethrow_exception(failure);
      }
    } catch (const BadInput& input) {
      const std::string_view text = input.what();
      wrong += (wrong.empty() ? "" : "\n") +
               std::string(text.substr(0, text.find_last_not_of('\n') + 1));
    }
  }
  if (!wrong.empty()) {
    throw BadInput(wrong);
  }
}

std::string VariantBuilder::fingerprint(const Variant& variant,
                                        const std::vector<Variant>& all) const {
  std::string text = read_whole(variant.source);
  if (variant.is_patch()) {
    text += read_whole(named(all, variant).source);
  }
  return text + text_of(headers_of(exercise_)) +
         text_of(files_with(exercise_.folder / "variants", {".hpp"})) +
         state_of(toolchain_.libraries);
}

Stamp VariantBuilder::stamp_of(const Variant& variant, const std::vector<Variant>& all) const {
  return {variant.built / "stamp", fingerprint(variant, all)};
}

void VariantBuilder::build_one(const Variant& variant, const std::vector<Variant>& all,
                               std::size_t worker) {
  fs::remove_all(variant.built);
  fs::create_directories(variant.built);
  if (!variant.is_patch()) {
    build_source(variant, variant.source);
  } else if (!patched_core(variant.source).empty()) {
    // It has objects of classes that a patched header may lay out otherwise.
    write_patched(toolchain_, variant.source, variant.built / "source");
    build_source(variant, named(all, variant).source, variant.built / "source");
    fs::remove_all(variant.built / "source");
    build_patched_libraries(toolchain_, variant.source, variant.built, worker);
  } else {
    build_patched_subject(variant, read_whole(variant.source));
  }
  stamp_of(variant, all).write();
}

void VariantBuilder::build_source(const Variant& variant, const fs::path& source,
                                  const fs::path& headers) {
  // Under a name that says nothing: a library knows the names of its sources.
  const fs::path neutral = variant.built / kVariantSource;
  fs::copy_file(source, neutral);
  std::vector<std::string> words = subject_words(toolchain_, variant.built / kSubjectLibrary);
  if (!headers.empty()) {
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(toolchain_.compiler.size()),
                 "-I" + headers.string());
  }
  words.push_back(fmt::format("-ffile-prefix-map={}/=", variant.built.string()));
  words.push_back(neutral.string());
  build_or_throw(words, toolchain_.root, variant.source);
  fs::remove(neutral);
}

void VariantBuilder::build_patched_subject(const Variant& variant, std::string_view patch) {
  const std::string file = patched_file(patch);
  if (file.empty()) {
    throw BadInput(fmt::format("{} has no diff: was the file saved?", variant.source.string()));
  }
  if (!fs::exists(toolchain_.root / file)) {
    throw BadInput(
        fmt::format("{} changes {}, which does not exist", variant.source.string(), file));
  }
  write_patched(toolchain_, variant.source, variant.built / "source");
  build_source(variant, variant.built / "source" / file);
  fs::remove_all(variant.built / "source");
}

void build_patched_libraries(const Toolchain& toolchain, const fs::path& patch,
                             const fs::path& folder, std::size_t worker) {
  // A library remembers the folder that its sources were in, so that must not be named like the
  // variant.
  const fs::path out = folder.parent_path().parent_path() / fmt::format("patched{}", worker);
  fs::remove_all(out);
  build_or_throw({"/usr/bin/python3", (toolchain.root / "tests/variants/variant.py").string(),
                  fs::absolute(patch).string(), out.string(), "--tree", toolchain.tree.string(),
                  "--compiler", quoted(library_words(toolchain))},
                 toolchain.root, patch);
  for (const fs::path& library : libraries_in(out)) {
    fs::rename(library, folder / library.filename());
  }
  fs::remove_all(out);
}

}  // namespace watchlab::course
