#include "exercises/grader/variant_builder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include "exercises/grader/builder.hpp"
#include "exercises/grader/plain_process.hpp"
#include "exercises/grader/precompiled.hpp"
#include "exercises/grader/program_cache.hpp"
#include "exercises/grader/reading.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// The first file that a unified diff changes, from the root.
std::string patched_file(std::string_view patch) {
  constexpr std::string_view mark = "\n+++ b/";
  const std::size_t at = patch.find(mark);
  if (at == std::string_view::npos) {
    return "";
  }
  const std::string_view rest = patch.substr(at + mark.size());
  return std::string(rest.substr(0, rest.find_first_of("\t\n")));
}

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

/// The files of core that the exercise's defects change, those that are not built now among them:
/// all libraries of an exercise have the same ones of their own.
std::set<std::string> core_files_of(const Exercise& exercise, const std::vector<Variant>& all) {
  std::set<std::string> files;
  for (const Variant& variant : all) {
    files.insert(patched_core(variant.source));
  }
  for (const char* const pool : {"shown", "hidden"}) {
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(exercise.folder / "variants" / pool, missing)) {
      files.insert(patched_core(entry.path()));
    }
  }
  files.erase("");
  return files;
}

/// A diff that puts a comment at the end of a file, so that no line gets another number.
std::string change_of_nothing(const fs::path& root, const std::string& file) {
  const std::string text = read_whole(root / file);
  const auto lines = std::count(text.begin(), text.end(), '\n');
  const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
  return fmt::format("--- a/{0}\n+++ b/{0}\n@@ -{1},1 +{1},2 @@\n {2}+//\n", file, lines,
                     text.substr(last));
}

/// Several graders of one exercise find what one of them has built. Where nothing can be written
/// nothing is built, and no lock is needed.
class BuildLock {
 public:
  explicit BuildLock(const fs::path& file)
      : lock_(::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    while (lock_ >= 0 && ::flock(lock_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;
  ~BuildLock() {
    if (lock_ >= 0) {
      ::close(lock_);
    }
  }

 private:
  int lock_;
};

/// As a shell would have it.
std::string quoted(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    line += (line.empty() ? "'" : " '") + word + "'";
  }
  return line;
}

void run_or_throw(const std::vector<std::string>& words, const fs::path& folder,
                  const fs::path& file) {
  const ProcessEnd end = run_plainly(words, folder);
  if (end.status != 0) {
    throw BadInput(fmt::format("{} cannot be built: {}", file.string(), end.output));
  }
}

}  // namespace

VariantBuilder::VariantBuilder(const Toolchain& toolchain, const Exercise& exercise, Ear tell,
                               BuiltFor purpose)
    : toolchain_(toolchain), exercise_(exercise), tell_(std::move(tell)), purpose_(purpose) {}

std::vector<std::string> VariantBuilder::traits_of(const Variant& variant) const {
  return trait_words(toolchain_, purpose_,
                     exercise_.slug() + "/" + word_for(variant.pool) + "/" + variant.id);
}

void VariantBuilder::build(std::vector<Variant>& variants) {
  const BuildLock lock(toolchain_.tree /
                       fmt::format("exercises/variants.{}.lock", exercise_.slug()));
  // The patched ones use what the plain ones have left.
  for (const bool patches : {false, true}) {
    for (Variant& variant : variants) {
      if (variant.source.empty()) {
        if (!fs::exists(variant.built / subject_library)) {
          throw BadInput(fmt::format("{} is missing: the bundle is not whole",
                                     (variant.built / subject_library).string()));
        }
      } else if (variant.is_patch() == patches) {
        build_one(variant, variants);
      }
    }
  }
}

std::string VariantBuilder::fingerprint(const Variant& variant,
                                        const std::vector<Variant>& all) const {
  std::string text = read_whole(variant.source);
  for (const fs::path& header : headers_of(exercise_)) {
    text += read_whole(header);
  }
  if (variant.is_patch()) {
    text += read_whole(named(all, variant).source);
  }
  text += known_trait_words();
  for (const std::string& file : core_files_of(exercise_, all)) {
    text += file + "\n";
  }
  for (const fs::path& library : toolchain_.libraries) {
    text += state_of(library);
  }
  return fmt::format("{:016x}\n", digest_of(text));
}

void VariantBuilder::build_one(Variant& variant, const std::vector<Variant>& all) {
  variant.built = toolchain_.tree / "exercises/variants" /
                  (purpose_ == BuiltFor::Grading ? "graded" : "handed_out") / exercise_.slug() /
                  word_for(variant.pool) / variant.id;
  const fs::path stamp = variant.built / "stamp";
  const std::string wanted = fingerprint(variant, all);
  if (fs::exists(stamp) && read_whole(stamp) == wanted) {
    return;
  }
  require_own_tree(toolchain_, exercise_.id);
  tell_(fmt::format("building {} variant {}", word_for(variant.pool), variant.id));
  precompile_headers(toolchain_, tell_);
  fs::remove_all(variant.built);
  fs::create_directories(variant.built);
  const Traits traits = traits_of(variant);
  if (!variant.is_patch()) {
    build_source(variant, variant.source, traits);
  } else if (!patched_core(variant.source).empty()) {
    build_source(variant, named(all, variant).source, traits);
  } else {
    build_patched_subject(variant, read_whole(variant.source), traits);
  }
  build_core_for(variant, all, traits);
  std::ofstream(stamp) << wanted;
}

void VariantBuilder::build_twin(const Variant& variant, const std::vector<Variant>& all,
                                const fs::path& folder) {
  Variant twin = variant;
  twin.built = folder;
  fs::create_directories(folder);
  const Traits traits = fresh_trait_words(toolchain_);
  build_source(twin, twin.source, traits);
  build_core_for(twin, all, traits);
}

void VariantBuilder::build_source(const Variant& variant, const fs::path& source,
                                  const Traits& traits) {
  // Under a name that says nothing: a library knows the names of its sources.
  const fs::path neutral = variant.built / "subject.cpp";
  fs::copy_file(source, neutral);
  std::vector<std::string> words = subject_words(toolchain_, variant.built / subject_library);
  words.insert(words.end(), traits.begin(), traits.end());
  words.push_back(fmt::format("-ffile-prefix-map={}/=", variant.built.string()));
  words.push_back(neutral.string());
  run_or_throw(words, toolchain_.root, variant.source);
  fs::remove(neutral);
}

void VariantBuilder::build_patched_subject(const Variant& variant, std::string_view patch,
                                           const Traits& traits) {
  const std::string file = patched_file(patch);
  const fs::path copy = variant.built / "source" / file;
  fs::create_directories(copy.parent_path());
  if (!fs::exists(toolchain_.root / file)) {
    throw BadInput(
        fmt::format("{} changes {}, which does not exist", variant.source.string(), file));
  }
  fs::copy_file(toolchain_.root / file, copy);
  run_or_throw({"/usr/bin/patch", "-p1", "--force", "--fuzz=0", "--no-backup-if-mismatch",
                "--reject-file=-", "-i", fs::absolute(variant.source).string()},
               variant.built / "source", variant.source);
  build_source(variant, copy, traits);
  fs::remove_all(variant.built / "source");
}

/// Where defects are patches over core, every library has all the files that any of them changes of
/// its own, in the same order: whoever compares core with the one that is handed out, or asks which
/// files are changed, would otherwise know the right ones, or the wrong ones.
void VariantBuilder::build_core_for(const Variant& variant, const std::vector<Variant>& all,
                                    const Traits& traits) {
  const std::string own = patched_core(variant.source);
  if (traits.empty()) {
    if (!own.empty()) {
      build_patched_libraries(toolchain_, variant.source, variant.built);
    }
    return;
  }
  std::string changes;
  for (const std::string& file : core_files_of(exercise_, all)) {
    changes += file == own ? read_whole(variant.source) : change_of_nothing(toolchain_.root, file);
  }
  if (!changes.empty()) {
    const fs::path patch = variant.built / "core.patch";
    std::ofstream(patch) << changes;
    build_patched_libraries(toolchain_, patch, variant.built, traits);
    fs::remove(patch);
  }
}

void build_patched_libraries(const Toolchain& toolchain, const fs::path& patch,
                             const fs::path& folder, const std::vector<std::string>& traits) {
  // A library remembers the folder that its sources were in, so that must not be named like the
  // variant.
  const fs::path out = folder.parent_path().parent_path() / "patched";
  fs::remove_all(out);
  std::vector<std::string> compiler = library_words(toolchain);
  compiler.insert(compiler.end(), traits.begin(), traits.end());
  run_or_throw({"/usr/bin/python3", (toolchain.root / "tests/variants/variant.py").string(),
                fs::absolute(patch).string(), out.string(), "--tree", toolchain.tree.string(),
                "--compiler", quoted(compiler)},
               toolchain.root, patch);
  for (const auto& entry : fs::directory_iterator(out)) {
    if (entry.path().extension() == ".so") {
      fs::rename(entry.path(), folder / entry.path().filename());
    }
  }
  fs::remove_all(out);
}

}  // namespace watchlab::course
