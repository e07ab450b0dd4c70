#include "exercises/programs/trusted_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "exercises/programs/builder.hpp"
#include "exercises/programs/texts.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

std::string fingerprint(const Toolchain& toolchain, const Exercise& exercise,
                        const std::vector<fs::path>& files) {
  return text_of(headers_of(exercise)) + text_of(files) + state_of(toolchain.libraries);
}

/// What a program is linked against in place of the library under test. It should have what the
/// tests call: the linker makes programs that the loader refuses when several functions are in no
/// library.
fs::path source_of_stand_in(const Exercise& exercise, const fs::path& folder) {
  const auto correct = cpp_files_of(exercise.folder / "variants/correct");
  if (!correct.empty()) {
    return correct.front();
  }
  const fs::path nothing = folder / "nothing.cpp";
  std::ofstream(nothing) << "";
  return nothing;
}

/// Links as if there were a library under test, unless this stands for one.
std::vector<std::string> describe(const Toolchain& toolchain, std::vector<std::string> words,
                                  const fs::path& out) {
  words.insert(words.end(), {"-o", out.string()});
  if (out.filename() != kSubjectLibrary) {
    words.push_back((out.parent_path() / kSubjectLibrary).string());
  }
  words.insert(words.end(), {"-Wl,--no-as-needed", "-Wl,--unresolved-symbols=ignore-all"});
  for (const fs::path& library : toolchain.libraries) {
    words.push_back(library.string());
  }
  words.insert(words.end(), {"-lboost_unit_test_framework", "-lfmt"});
  return words;
}

/// What a program of tests is compiled from.
std::vector<std::string> tests_of(const CommandContext& context,
                                  const std::vector<fs::path>& files) {
  std::vector<std::string> words = test_words(context.toolchain);
  for (const fs::path& file : files) {
    if (file.extension() == ".cpp") {
      words.push_back(file.string());
    }
  }
  return words;
}

/// What serves the exercise's library by that function of the toolkit; everything else is in
/// headers and the toolkit. A student's library is loaded in a copy of a program that holds nothing
/// of the student: the program that waits runs no code of the student, and no name of the library
/// takes the place of one that is used there.
std::vector<std::string> host_of(const CommandContext& context, const fs::path& folder,
                                 const char* header, const char* function) {
  const fs::path main = folder / "host.cpp";
  std::ofstream(main) << fmt::format(
      "#include \"{}/remote.hpp\"\n"
      "#include \"exercises/toolkit/{}\"\n"
      "extern \"C\" void watchlab_serve() {{ "
      "watchlab::course::{}<watchlab::exercise::LibraryFunctions>(); }}\n",
      context.exercise.folder.string(), header, function);
  std::vector<std::string> words = compiler_words(context.toolchain);
  words.insert(words.end(), {"-O1", "-fPIC", "-shared", main.string()});
  return words;
}

std::vector<fs::path> served_files_of(const Exercise& exercise) {
  const fs::path served = exercise.folder / "served.cpp";
  return fs::exists(served) ? std::vector<fs::path>{served} : std::vector<fs::path>();
}

void compile_or_throw(const std::vector<std::string>& words, const fs::path& folder,
                      const Exercise& exercise) {
  run_or_throw(words, folder,
               exercise.id +
                   ": what the course adds to a library or to tests does not compile "
                   "(docs/exercises.md, \"remote.hpp and remote.cpp\"):\n");
}

/// A program of an exercise: where it lies, what it is made of, and what compiles it.
struct Recipe {
  std::string folder;
  std::string name;
  std::vector<fs::path> files;
  std::function<std::vector<std::string>(const fs::path& folder)> words;
  Product product = Product::Library;
};

/// What an exercise must have for its tests to be in another process than the library.
void require_remote(const Exercise& exercise) {
  for (const char* const name : {"remote.hpp", "remote.cpp"}) {
    if (!fs::exists(exercise.folder / name)) {
      throw BadInput(fmt::format("{} is missing: docs/exercises.md says what stands in it",
                                 (exercise.folder / name).string()));
    }
  }
}

/// Where the program lies. Files of an instructor's own folder have another place than those of the
/// exercise, so that who grades with the one never takes away what somebody with the other copies.
std::string folder_name(const Recipe& recipe, const Exercise& exercise) {
  const bool is_own = std::ranges::all_of(recipe.files, [&](const fs::path& file) {
    return file.lexically_relative(exercise.folder).string().substr(0, 2) != "..";
  });
  return recipe.folder + (is_own ? "" : "-elsewhere");
}

/// Builds a program, unless it is up to date.
fs::path built(const CommandContext& context, const Recipe& recipe) {
  const Toolchain& toolchain = context.toolchain;
  const Exercise& exercise = context.exercise;
  if (toolchain.is_bundle()) {
    return exercise.folder / "built" / recipe.folder / recipe.name;
  }
  const fs::path folder =
      toolchain.tree / "exercises/programs" / exercise.slug() / folder_name(recipe, exercise);
  require_remote(exercise);
  const BuildLock lock(toolchain, exercise.slug());
  const Stamp stamp(folder / "stamp", fingerprint(toolchain, exercise, recipe.files));
  if (fs::exists(folder / recipe.name) && stamp.is_current()) {
    return folder / recipe.name;
  }
  require_own_tree(toolchain, exercise.id);
  context.notify(fmt::format("building the {} {}", recipe.folder, recipe.name));
  precompile_headers(toolchain, recipe.product, context.notify);
  fs::remove_all(folder);
  fs::create_directories(folder);
  if (recipe.name != kSubjectLibrary) {
    std::vector<std::string> stand_in = subject_words(toolchain, folder / kSubjectLibrary);
    stand_in.push_back(source_of_stand_in(exercise, folder).string());
    compile_or_throw(stand_in, folder, exercise);
  }
  compile_or_throw(describe(toolchain, recipe.words(folder), folder / recipe.name), folder,
                   exercise);
  stamp.write();
  return folder / recipe.name;
}

}  // namespace

fs::path trusted_program(const CommandContext& context, const std::string& name,
                         std::vector<fs::path> files) {
  files.push_back(context.exercise.folder / "remote.cpp");
  return built(context, {name, kTestProgram, files,
                         [&](const fs::path& /*folder*/) { return tests_of(context, files); },
                         Product::Tests});
}

fs::path library_host(const CommandContext& context) {
  return built(context, {"library", kHostLibrary, {}, [&](const fs::path& folder) {
                           return host_of(context, folder, "remote_host.hpp", "serve_library");
                         }});
}

fs::path stand_in_of_library(const CommandContext& context) {
  const fs::path remote = context.exercise.folder / "remote.cpp";
  return built(context, {"stand_in", kSubjectLibrary, {remote}, [&](const fs::path& folder) {
                           std::vector<std::string> words =
                               subject_words(context.toolchain, folder / kSubjectLibrary);
                           words.push_back(remote.string());
                           return words;
                         }});
}

fs::path server_of_library(const CommandContext& context) {
  const std::vector<fs::path> files = served_files_of(context.exercise);
  return built(context, {"server", kHostLibrary, files, [&](const fs::path& folder) {
                           std::vector<std::string> words =
                               host_of(context, folder, "search.hpp", "serve_tests_of");
                           for (const fs::path& file : files) {
                             words.push_back(file.string());
                           }
                           return words;
                         }});
}

}  // namespace watchlab::course
