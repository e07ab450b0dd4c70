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

/// The words that make a shared library of the objects that stand after the compiler.
std::vector<std::string> linking_words(const Toolchain& toolchain, const std::string& name) {
  std::vector<std::string> words = toolchain.compiler;
  words.insert(words.end(), toolchain.flags.begin(), toolchain.flags.end());
  // Without the plugin, because what is compiled must not be able to have the compiler run again.
  words.insert(words.end(), {"-shared", "-fno-use-linker-plugin",
                             fmt::format("-Wl,-soname,{}", name), "-o", name});
  return words;
}

}  // namespace

std::vector<std::string> compiler_words(const Toolchain& toolchain) {
  std::vector<std::string> words = toolchain.compiler;
  words.insert(words.end(), toolchain.flags.begin(), toolchain.flags.end());
  words.push_back("-I" + toolchain.root.string());
  return words;
}

std::vector<std::string> test_words(const Toolchain& toolchain) {
  std::vector<std::string> words = compiler_words(toolchain);
  words.insert(words.end(), {"-DBOOST_TEST_DYN_LINK", "-fPIC"});
  const auto beginning = beginning_words(toolchain, Product::Tests);
  words.emplace_back("-O0");
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

Built Builder::suite_of(const Exercise& exercise, const Stage& stage,
                        const std::vector<std::string>& sources) {
  std::vector<std::string> linking = linking_words(toolchain_, suite_library);
  // Whatever is missing must be told now: the program that loads it can only refuse it.
  linking.insert(linking.end(), {"-Wl,--as-needed", (stage.judge() / subject_library).string()});
  for (const fs::path& library : toolchain_.libraries) {
    linking.push_back((stage.base() / library.filename()).string());
  }
  linking.insert(linking.end(), {"-lboost_unit_test_framework", "-lfmt",
                                 "-Wl,-rpath-link," + stage.base().string()});
  if (!toolchain_.sanitized) {
    linking.emplace_back("-Wl,-z,defs");
  }
  return build(exercise, stage, {test_words(toolchain_), linking}, sources);
}

Built Builder::subject_of(const Exercise& exercise, const Stage& stage,
                          const std::vector<std::string>& sources) {
  std::vector<std::string> linking = linking_words(toolchain_, subject_library);
  // It needs the toolkit for nothing but this: what a library needs is initialised before it, and
  // the toolkit must have read its settings before anything of the student runs.
  linking.insert(linking.end(), {"-Wl,--no-as-needed", (stage.base() / toolkit_library).string()});
  return build(exercise, stage, {library_words(toolchain_), linking}, sources);
}

Built Builder::build(const Exercise& exercise, const Stage& stage, const Steps& steps,
                     const std::vector<std::string>& sources) {
  const fs::path& root = toolchain_.root;
  Confinement confinement{.readable = {root / "core", root / "sim", root / "exercises/toolkit",
                                       precompiled_folder(toolchain_)},
                          .writable = {stage.work()},
                          .silence = compile_time,
                          .processes = 32};
  for (const fs::path& header : headers_of(exercise)) {
    confinement.readable.push_back(header);
  }
  std::vector<std::string> words = steps.compiling;
  words.emplace_back("-c");
  words.insert(words.end(), sources.begin(), sources.end());
  Built built = run(stage, confinement, words);
  if (!built.fine) {
    return built;
  }
  words = steps.linking;
  for (const std::string& source : sources) {
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(toolchain_.compiler.size()),
                 fs::path(source).replace_extension(".o").string());
  }
  confinement.readable = {stage.judge(), stage.base()};
  return run(stage, confinement, words);
}

Built Builder::run(const Stage& stage, const Confinement& confinement,
                   const std::vector<std::string>& words) {
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
  replace_all(built.log, toolchain_.root.string() + "/", "");
  built.log.resize(std::min(built.log.size(), log_bytes_max));
  return built;
}

}  // namespace watchlab::course
