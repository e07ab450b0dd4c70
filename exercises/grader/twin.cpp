#include "exercises/grader/twin.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <random>
#include <system_error>

#include "exercises/grader/builder.hpp"
#include "exercises/grader/variant_builder.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// Whoever grades may enter it, and nobody else.
fs::path new_twin_folder() {
  std::string pattern = (fs::temp_directory_path() / "watchlab-twin-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw fs::filesystem_error("no folder for a library", pattern,
                               std::error_code(errno, std::generic_category()));
  }
  return pattern;
}

std::vector<Variant> those_with_code(const std::vector<Variant>& variants) {
  std::vector<Variant> found;
  std::ranges::copy_if(variants, std::back_inserter(found), [](const Variant& variant) {
    return variant.pool == Pool::Correct && !variant.source.empty() && !variant.is_patch();
  });
  return found;
}

const Variant& drawn_of(const std::vector<Variant>& variants) {
  std::random_device device;
  return variants[std::uniform_int_distribution<std::size_t>(0, variants.size() - 1)(device)];
}

Variant twin_in(const fs::path& folder, const std::string& id) {
  return {.id = id + ", built once more",
          .pool = Pool::Correct,
          .source = {},
          .built = folder / "built" / id,
          .twin_of = id};
}

[[noreturn]] void build_and_end(const Workplace& place, const Variant& sibling,
                                const std::vector<Variant>& variants, const fs::path& to) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    const fs::path unfinished = to.parent_path().parent_path() / "unfinished" / "libraries";
    VariantBuilder(place.toolchain, place.exercise, [](std::string_view) {
    }).build_twin(sibling, variants, unfinished);
    fs::create_directories(to.parent_path());
    fs::rename(unfinished, to);
  } catch (const std::exception&) {
    ::_exit(1);  // the walls of the grade tell that there is none
  }
  ::_exit(0);
}

}  // namespace

TwinBuild::TwinBuild(const Workplace& place, const std::vector<Variant>& variants) : place_(place) {
  const std::vector<Variant> candidates = those_with_code(variants);
  if (candidates.empty() || place.toolchain.is_bundle() || place.toolchain.sanitized) {
    return;
  }
  const Variant& sibling = drawn_of(candidates);
  folder_ = new_twin_folder();
  twin_ = twin_in(folder_, sibling.id);
  builder_ = ::fork();
  if (builder_ == 0) {
    build_and_end(place, sibling, variants, twin_.built);
  }
  if (builder_ > 0) {
    ::setpgid(builder_, builder_);
    place_.sandbox.spare(builder_);
  }
}

TwinBuild::~TwinBuild() {
  if (builder_ > 0) {
    ::kill(-builder_, SIGKILL);
    ::waitpid(builder_, nullptr, 0);
    place_.sandbox.spare(0);
  }
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::optional<Variant> TwinBuild::finished() {
  if (builder_ > 0) {
    int status = 0;
    is_built_ = ::waitpid(builder_, &status, 0) == builder_ && WIFEXITED(status) &&
                WEXITSTATUS(status) == 0;
    builder_ = 0;
    place_.sandbox.spare(0);
  }
  return is_built_ ? std::optional(twin_) : std::nullopt;
}

std::optional<Variant> read_twin(const fs::path& folder) {
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder / "built", missing)) {
    if (fs::exists(entry.path() / subject_library)) {
      return twin_in(folder, entry.path().filename().string());
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::course
