#include "exercises/programs/builder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/algorithm/string/erase.hpp>
#include <boost/version.hpp>
#include <fstream>
#include <system_error>

#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/processes.hpp"
#include "exercises/toolkit/protocol.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLogBytesMax = 8 * 1024;

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

std::string packages_to_compile() {
  return fmt::format(
      "g++ libboost{0}-dev libboost-test{0}-dev libboost-context{0}-dev libboost-json{0}-dev "
      "libfmt-dev libyaml-cpp-dev",
      fmt::format("{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000));
}

std::string missing_to_compile(const Toolchain& toolchain, const std::string& log) {
  const std::string& compiler = toolchain.compiler.front();
  if (!fs::exists(compiler)) {
    return fmt::format("there is no compiler {}", compiler);
  }
  std::vector<std::string> words = compiler_words(toolchain);
  words.insert(words.end(), {"-DBOOST_TEST_DYN_LINK", "-fsyntax-only", "-x", "c++",
                             (toolchain.root / "exercises/toolkit/for_tests.hpp").string()});
  const ProcessEnd own = run_plainly(words, toolchain.root);
  const std::string& text = own.status == 0 ? log : own.output;
  const std::string_view mark = own.status == 0 ? "cannot find -l" : "error: ";
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) {
    return own.status == 0 ? "" : "its compiler does not compile the course's own headers";
  }
  const std::size_t begin = at + (own.status == 0 ? 0 : mark.size());
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::vector<fs::path> libraries_in(const fs::path& folder) {
  std::vector<fs::path> libraries;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".so") || name.find(".so.") != std::string::npos) {
      libraries.push_back(entry.path());
    }
  }
  std::ranges::sort(libraries);
  return libraries;
}

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
               {"-shared", fmt::format("-Wl,-soname,{}", kSubjectLibrary), "-o", out.string()});
  return words;
}

Built Builder::suite_of(const Exercise& exercise, const Stage& stage,
                        const std::vector<std::string>& sources) {
  std::vector<std::string> linking = linking_words(toolchain_, kSuiteLibrary);
  // What is missing must be reported now: the program that loads it can only refuse it.
  linking.insert(linking.end(), {"-Wl,--no-as-needed", (stage.base() / kWallLibrary).string(),
                                 "-Wl,--as-needed", (stage.judge() / kSubjectLibrary).string()});
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
  std::vector<std::string> linking = linking_words(toolchain_, kSubjectLibrary);
  // It needs these for nothing but this: what a library needs is initialised before it. The toolkit
  // must have read its settings, and the wall must be up, before anything of the student runs.
  linking.insert(linking.end(), {"-Wl,--no-as-needed", (stage.base() / kToolkitLibrary).string(),
                                 (stage.base() / kWallLibrary).string()});
  return build(exercise, stage, {library_words(toolchain_), linking}, sources);
}

Built Builder::build(const Exercise& exercise, const Stage& stage, const Steps& steps,
                     const std::vector<std::string>& sources) {
  const fs::path& root = toolchain_.root;
  Confinement confinement{.readable = {root / "core", root / "sim", root / "exercises/toolkit",
                                       precompiled_folder(toolchain_)},
                          .writable = {stage.work()},
                          .silence = processor_max_ * kCompileClockTimes,
                          .processor_max = processor_max_,
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
  Built built{.fine = ended.how == Ended::How::Exited && ended.status == 0,
              .lacked_time = ended.lacked_time,
              .log = ended.output};
  if (!built.fine && (ended.how != Ended::How::Exited || built.log.empty())) {
    built.log += fmt::format("the compiler did not come to its end: {}\n", describe(ended));
  }
  boost::erase_all(built.log, stage.work().string() + "/");
  boost::erase_all(built.log, toolchain_.root.string() + "/");
  built.log.resize(std::min(built.log.size(), kLogBytesMax));
  return built;
}

namespace {

namespace fs = std::filesystem;

const char* header_of(Product product) {
  return product == Product::Tests ? "for_tests.hpp" : "for_libraries.hpp";
}

fs::path source_of(const Toolchain& toolchain, Product product) {
  return toolchain.root / "exercises/toolkit" / header_of(product);
}

std::vector<std::string> describe(const Toolchain& toolchain, Product product) {
  std::vector<std::string> words = compiler_words(toolchain);
  words.emplace_back("-fPIC");
  if (product == Product::Tests) {
    words.emplace_back("-DBOOST_TEST_DYN_LINK");
  }
  return words;
}

/// GCC does not look whether a header has changed since it was compiled.
std::string fingerprint(const Toolchain& toolchain, Product product) {
  std::string text = read_whole(source_of(toolchain, product));
  for (const std::string& word : describe(toolchain, product)) {
    text += word + "\n";
  }
  text += state_of(toolchain.compiler.front());
  return text + state_of(toolchain.libraries);
}

Stamp stamp_of(const Toolchain& toolchain, Product product) {
  return {precompiled_folder(toolchain) / (std::string(header_of(product)) + ".stamp"),
          fingerprint(toolchain, product)};
}

/// False when it could not be done.
bool compile(const Toolchain& toolchain, Product product, const fs::path& folder) {
  const fs::path header = folder / header_of(product);
  const fs::path fresh = fmt::format("{}.{}", header.string(), ::getpid());
  std::vector<std::string> words = describe(toolchain, product);
  words.insert(words.end(), {"-x", "c++-header", header.string(), "-o", fresh.string()});
  std::error_code failed;
  fs::copy_file(source_of(toolchain, product), header, fs::copy_options::overwrite_existing,
                failed);
  if (failed || run_plainly(words, folder).status != 0) {
    return false;
  }
  fs::rename(fresh, header.string() + ".gch", failed);  // others may be at the same
  return !failed;
}

}  // namespace

fs::path precompiled_folder(const Toolchain& toolchain) {
  return toolchain.is_bundle() ? toolchain.root / "precompiled"
                               : toolchain.tree / "exercises/precompiled";
}

void precompile_headers(const Toolchain& toolchain, Product product,
                        const std::function<void(std::string_view)>& notify) {
  const fs::path folder = precompiled_folder(toolchain);
  std::error_code failed;
  fs::create_directories(folder, failed);
  const Stamp stamp = stamp_of(toolchain, product);
  if (failed || stamp.is_current()) {
    return;
  }
  notify("compiling headers, once for all exercises");
  if (compile(toolchain, product, folder)) {
    stamp.write();
  }
}

std::vector<std::string> plain_beginning_words(const Toolchain& toolchain, Product product) {
  return {"-include", source_of(toolchain, product).string()};
}

std::vector<std::string> beginning_words(const Toolchain& toolchain, Product product) {
  const fs::path header = precompiled_folder(toolchain) / header_of(product);
  return stamp_of(toolchain, product).is_current()
             ? std::vector<std::string>{"-include", header.string()}
             : plain_beginning_words(toolchain, product);
}

namespace fs = std::filesystem;

std::string text_of(const std::vector<fs::path>& files) {
  std::string text;
  for (const fs::path& file : files) {
    text += file.filename().string() + "\n" + read_whole(file);
  }
  return text;
}

std::string state_of(const fs::path& file) {
  std::error_code missing;
  const auto written = fs::last_write_time(file, missing).time_since_epoch().count();
  return missing ? "" : fmt::format("{} {} {}\n", file.string(), fs::file_size(file), written);
}

std::string state_of(const std::vector<fs::path>& files) {
  std::string text;
  for (const fs::path& file : files) {
    text += state_of(file);
  }
  return text;
}

Stamp::Stamp(fs::path file, std::string_view made_of)
    : file_(std::move(file)), text_(fmt::format("{:016x}\n", digest_of(made_of))) {}

bool Stamp::is_current() const { return fs::exists(file_) && read_whole(file_) == text_; }

void Stamp::write() const { std::ofstream(file_) << text_; }

void run_or_throw(const std::vector<std::string>& words, const fs::path& folder,
                  const std::string& failure) {
  const ProcessEnd end = run_plainly(words, folder);
  if (end.status != 0) {
    throw BadInput(failure + end.output);
  }
}

std::string ProgramCache::fingerprint(const std::vector<fs::path>& files) const {
  std::string text;
  for (const std::string& word : compiler_words(toolchain_)) {
    text += word + "\n";
  }
  text += state_of(toolchain_.libraries) + state_of(toolchain_.wall()) + text_of(files);
  return fmt::format("{:016x}", one_way_digest_of(text));
}

Built ProgramCache::get(const Stage& stage, const std::string& name,
                        const std::vector<fs::path>& files,
                        const std::function<Built()>& compile) const {
  if (folder_.empty()) {
    return compile();
  }
  const fs::path kept = folder_ / (fingerprint(files) + "-" + name);
  if (fs::exists(kept)) {
    stage.bring({kept});
    fs::rename(stage.work() / kept.filename(), stage.work() / name);
    return {.fine = true, .log = {}};
  }
  Built built = compile();
  if (built.fine) {
    // Another grader may be at the same program. What cannot be kept is compiled again next time.
    const fs::path fresh = fmt::format("{}.{}.part", kept.string(), ::getpid());
    std::error_code not_kept;
    fs::create_directories(folder_, not_kept);
    fs::copy_file(stage.work() / name, fresh, fs::copy_options::overwrite_existing, not_kept);
    if (!not_kept) {
      fs::rename(fresh, kept, not_kept);
    }
    if (not_kept) {
      fs::remove(fresh, not_kept);
    }
  }
  return built;
}

}  // namespace watchlab::course
