#include "exercises/grader/builder.hpp"

#include <fmt/format.h>

#include "exercises/grader/precompiled.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds compile_time{60'000};
constexpr std::size_t log_bytes_max = 8 * 1024;

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

}  // namespace

std::vector<std::string> compiler_words(const Toolchain& toolchain) {
  std::vector<std::string> words = toolchain.compiler;
  words.insert(words.end(), toolchain.flags.begin(), toolchain.flags.end());
  words.push_back("-I" + toolchain.root.string());
  return words;
}

std::vector<std::string> test_words(const Toolchain& toolchain, const Exercise& exercise) {
  std::vector<std::string> words = compiler_words(toolchain);
  words.push_back("-DBOOST_TEST_DYN_LINK");
  // Thousands of schedules: that pays for the longer compilation.
  const bool runs_long = exercise.task == Task::ModelCheck;
  const auto beginning = runs_long ? plain_beginning_words(toolchain, Product::Tests)
                                   : beginning_words(toolchain, Product::Tests);
  words.push_back(runs_long ? "-O1" : "-O0");
  words.insert(words.end(), beginning.begin(), beginning.end());
  return words;
}

std::vector<std::string> library_words(const Toolchain& toolchain) {
  std::vector<std::string> words = compiler_words(toolchain);
  const auto beginning = beginning_words(toolchain, Product::Library);
  words.insert(words.end(), beginning.begin(), beginning.end());
  words.push_back("-fPIC");
  return words;
}

std::vector<std::string> subject_words(const Toolchain& toolchain, const fs::path& out) {
  std::vector<std::string> words = library_words(toolchain);
  words.insert(words.end(),
               {"-shared", fmt::format("-Wl,-soname,{}", subject_library), "-o", out.string()});
  return words;
}

Built Builder::test_program_of(const Exercise& exercise, const Stage& stage,
                               const std::vector<std::string>& sources) {
  std::vector<std::string> words = test_words(toolchain_, exercise);
  words.insert(words.end(), sources.begin(), sources.end());
  words.insert(words.end(), {"-o", test_program, (stage.subject() / subject_library).string()});
  for (const fs::path& library : toolchain_.libraries) {
    words.push_back((stage.base() / library.filename()).string());
  }
  words.insert(words.end(), {"-lboost_unit_test_framework", "-lfmt",
                             "-Wl,-rpath-link," + stage.base().string()});
  return compile(exercise, stage, words);
}

Built Builder::subject_of(const Exercise& exercise, const Stage& stage,
                          const std::vector<std::string>& sources) {
  std::vector<std::string> words = subject_words(toolchain_, subject_library);
  words.insert(words.end(), sources.begin(), sources.end());
  // It needs the toolkit for nothing but this: what a library needs is initialised before it, and
  // the toolkit must have read its settings before anything of the student runs.
  words.insert(words.end(), {"-Wl,--no-as-needed", (stage.base() / toolkit_library).string()});
  return compile(exercise, stage, words);
}

Built Builder::compile(const Exercise& exercise, const Stage& stage,
                       const std::vector<std::string>& words) {
  const fs::path& root = toolchain_.root;
  Confinement confinement{
      .readable = {root / "core", root / "sim", root / "exercises/toolkit", stage.subject(),
                   stage.base(), precompiled_folder(toolchain_)},
      .writable = {stage.work()},
      .silence = compile_time,
      .processes = 32};
  for (const fs::path& header : headers_of(exercise)) {
    confinement.readable.push_back(header);
  }
  const Ended ended = sandbox_.run(
      {.words = words,
       .environment = {"PATH=/usr/bin:/bin", "LC_ALL=C", "TMPDIR=" + stage.work().string()},
       .folder = stage.work()},
      confinement);
  Built built{.fine = ended.how == Ended::How::Exited && ended.status == 0, .log = ended.output};
  if (!built.fine && (ended.how != Ended::How::Exited || built.log.empty())) {
    built.log += fmt::format("the compiler did not come to its end: {}\n", words_for(ended));
  }
  replace_all(built.log, stage.work().string() + "/", "");
  replace_all(built.log, root.string() + "/", "");
  built.log.resize(std::min(built.log.size(), log_bytes_max));
  return built;
}

}  // namespace watchlab::course
