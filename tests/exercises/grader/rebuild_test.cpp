// What is kept of one build for the next, and when it is built anew. A script takes the place of
// the compiler: it makes whatever it is asked for, slowly, and notes that it was asked.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "exercises/programs/builder.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/programs/trusted_program.hpp"
#include "exercises/programs/variant.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCompiler = R"(#!/bin/sh
while [ $# -gt 0 ]; do
  if [ "$1" = -o ]; then out=$2; fi
  shift
done
echo "$out" >> "$(dirname "$0")/asked"
sleep 0.05
echo made > "$out"
)";

struct RebuildFixture : GradingFixture {
  RebuildFixture() {
    const fs::path compiler = scratch.write("compiler", kCompiler);
    fs::permissions(compiler, fs::perms::owner_exec, fs::perm_options::add);
    toolchain.compiler = {compiler.string()};
    toolchain.libraries = {core};
    toolchain.tree = scratch.path() / "tree";
    fs::create_directories(toolchain.wall().parent_path());
    scratch.write("tree/exercises/toolkit/libwatchlab-wall.so", "wall");
  }

  /// How often the compiler was asked by now for something of that name.
  [[nodiscard]] std::ptrdiff_t asked_for(const std::string& name) const {
    std::ptrdiff_t count = 0;
    const fs::path file = scratch.path() / "asked";
    const std::string lines = fs::exists(file) ? read_whole(file) : "";
    for (std::size_t at = lines.find(name + "\n"); at != std::string::npos;
         at = lines.find(name + "\n", at + 1)) {
      ++count;
    }
    return count;
  }
  /// As if `ninja` had linked it once more.
  void rebuild_core() const { rebuild(core); }
  static void rebuild(const fs::path& library) {
    fs::last_write_time(library, fs::last_write_time(library) + std::chrono::seconds(1));
  }
  std::size_t build_variants() {
    std::vector<Variant> variants = read_variants(exercise, "");
    VariantBuilder(toolchain, exercise, [](std::string_view) {}).build(variants);
    return variants.size();
  }

  fs::path core = scratch.write("libwatchlab-port.so", "port");
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(rebuild_test, RebuildFixture)

BOOST_AUTO_TEST_CASE(variants_are_built_once_for_each_build_of_core) {
  const auto variants = static_cast<std::ptrdiff_t>(build_variants());
  BOOST_TEST(variants > 1);
  BOOST_TEST(asked_for(kSubjectLibrary) == variants);
  build_variants();
  BOOST_TEST(asked_for(kSubjectLibrary) == variants);
  rebuild_core();
  build_variants();
  BOOST_TEST(asked_for(kSubjectLibrary) == 2 * variants);
}

BOOST_AUTO_TEST_CASE(programs_of_the_course_are_built_once_for_each_build_of_core) {
  exercise.folder = scratch.path() / "99-nothing";
  scratch.write("99-nothing/remote.hpp", "");
  scratch.write("99-nothing/remote.cpp", "");
  const fs::path tests = scratch.write("tests.cpp", "");
  const CommandContext context{toolchain, sandbox, exercise, [](std::string_view) {}};
  const auto build = [&] { static_cast<void>(trusted_program(context, "visible", {tests})); };
  build();
  build();
  BOOST_TEST(asked_for(std::string("/") + kTestProgram) == 1);
  rebuild_core();
  build();
  BOOST_TEST(asked_for(std::string("/") + kTestProgram) == 2);
}

BOOST_AUTO_TEST_CASE(programs_of_students_are_kept_for_one_build_of_core) {
  const fs::path file = scratch.write("handin/counter_test.cpp", "// nothing\n");
  const Stage stage(toolchain, sandbox);
  std::size_t compiled = 0;
  const auto get = [&] {
    const Built built =
        ProgramCache(scratch.path() / "cache", toolchain).get(stage, kSuiteLibrary, {file}, [&] {
          ++compiled;
          fs::copy_file(file, stage.work() / kSuiteLibrary, fs::copy_options::overwrite_existing);
          return Built{.fine = true, .log = {}};
        });
    BOOST_TEST(built.fine);
  };
  get();
  get();
  BOOST_TEST(compiled == 1U);
  rebuild_core();
  get();
  BOOST_TEST(compiled == 2U);
  rebuild(toolchain.wall());
  get();
  BOOST_TEST(compiled == 3U);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_kept_is_used_all_the_same) {
  const fs::path file = scratch.write("handin/counter_test.cpp", "// nothing\n");
  const fs::path no_folder = scratch.write("cache", "a file\n");
  const Stage stage(toolchain, sandbox);
  const Built built = ProgramCache(no_folder, toolchain).get(stage, kSuiteLibrary, {file}, [&] {
    fs::copy_file(file, stage.work() / kSuiteLibrary);
    return Built{.fine = true, .log = {}};
  });
  BOOST_TEST(built.fine);
  BOOST_TEST(fs::exists(stage.work() / kSuiteLibrary));
}

// Without the lock each would find nothing built, and take away what the other one has made.
BOOST_AUTO_TEST_CASE(graders_with_nothing_built_wait_for_one_of_them) {
  std::vector<pid_t> graders;
  for (int i = 0; i < 3; ++i) {
    graders.push_back(::fork());
    if (graders.back() == 0) {
      try {
        build_variants();
        ::_exit(0);
      } catch (const std::exception&) {
        ::_exit(1);
      }
    }
  }
  for (const pid_t grader : graders) {
    int status = 0;
    BOOST_TEST_REQUIRE(::waitpid(grader, &status, 0) == grader);
    BOOST_TEST(WIFEXITED(status));
    BOOST_TEST(WEXITSTATUS(status) == 0);
  }
  BOOST_TEST(asked_for(kSubjectLibrary) ==
             static_cast<std::ptrdiff_t>(read_variants(exercise, "").size()));
}

/// Both halves of `uuid.uuid5(uuid.NAMESPACE_OID, text)` of Python, turned over each other.
BOOST_AUTO_TEST_CASE(a_one_way_digest_is_a_sha_1) {
  BOOST_TEST(one_way_digest_of("") == 0x94f5ccaf96e2f07bU);
  BOOST_TEST(one_way_digest_of("a") == 0x617ba1f0380b3532U);
  BOOST_TEST(one_way_digest_of("hidden and shown") == 0x6f91a0e2b48e019eU);
}

/// Of two texts whose digests end alike, `digest_of` tells by how much they differ once the same is
/// added to both, whatever that is. So the seed of one submission told that of another.
BOOST_AUTO_TEST_CASE(what_is_hidden_does_not_drop_out_of_a_one_way_digest) {
  std::string other = "a";
  while ((sim::digest_of(other) ^ sim::digest_of("A")) % 256 != 0) {
    other += "a";
  }
  const auto difference = [&](const auto& digest, const std::string& hidden) -> std::uint64_t {
    return digest(other + hidden) - digest("A" + hidden);
  };
  const auto quick = [](const std::string& text) { return sim::digest_of(text); };
  BOOST_TEST(difference(quick, "hidden") == difference(quick, "secret"));
  BOOST_TEST(difference(one_way_digest_of, "hidden") != difference(one_way_digest_of, "secret"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
