#include "exercises/grader/precompiled.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <system_error>

#include "exercises/grader/builder.hpp"
#include "exercises/grader/plain_process.hpp"
#include "exercises/grader/program_cache.hpp"
#include "exercises/grader/reading.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

const char* header_of(Product product) {
  return product == Product::Tests ? "for_tests.hpp" : "for_libraries.hpp";
}

fs::path source_of(const Toolchain& toolchain, Product product) {
  return toolchain.root / "exercises/toolkit" / header_of(product);
}

std::vector<std::string> words_for(const Toolchain& toolchain, Product product) {
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
  for (const std::string& word : words_for(toolchain, product)) {
    text += word + "\n";
  }
  text += state_of(toolchain.compiler.front());
  for (const fs::path& library : toolchain.libraries) {
    text += state_of(library);
  }
  return fmt::format("{:016x}\n", digest_of(text));
}

bool is_up_to_date(const fs::path& folder, Product product, const std::string& wanted) {
  const fs::path stamp = folder / (std::string(header_of(product)) + ".stamp");
  return fs::exists(stamp) && read_whole(stamp) == wanted;
}

/// False when it could not be done.
bool compile(const Toolchain& toolchain, Product product, const fs::path& folder) {
  const fs::path header = folder / header_of(product);
  const fs::path fresh = fmt::format("{}.{}", header.string(), ::getpid());
  std::vector<std::string> words = words_for(toolchain, product);
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

void precompile_headers(const Toolchain& toolchain,
                        const std::function<void(std::string_view)>& tell) {
  const fs::path folder = precompiled_folder(toolchain);
  std::error_code failed;
  fs::create_directories(folder, failed);
  for (const Product product : {Product::Library, Product::Tests}) {
    const std::string wanted = fingerprint(toolchain, product);
    if (failed || is_up_to_date(folder, product, wanted)) {
      continue;
    }
    tell("compiling headers, once for all exercises");
    if (compile(toolchain, product, folder)) {
      std::ofstream(folder / (std::string(header_of(product)) + ".stamp")) << wanted;
    }
  }
}

std::vector<std::string> plain_beginning_words(const Toolchain& toolchain, Product product) {
  return {"-include", source_of(toolchain, product).string()};
}

std::vector<std::string> beginning_words(const Toolchain& toolchain, Product product) {
  const fs::path folder = precompiled_folder(toolchain);
  return is_up_to_date(folder, product, fingerprint(toolchain, product))
             ? std::vector<std::string>{"-include", (folder / header_of(product)).string()}
             : plain_beginning_words(toolchain, product);
}

}  // namespace watchlab::course
