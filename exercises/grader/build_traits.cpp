#include "exercises/grader/build_traits.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <utility>

#include "exercises/grader/program_cache.hpp"
#include "exercises/grader/reading.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// Of several graders that draw one at the same time, the first one's counts.
std::string secret_of(const fs::path& tree) {
  const fs::path file = tree / "exercises/variants/secret";
  if (!fs::exists(file)) {
    fs::create_directories(file.parent_path());
    const fs::path fresh = fmt::format("{}.{}", file.string(), ::getpid());
    const int descriptor = ::open(fresh.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    std::random_device device;
    const std::string drawn = fmt::format("{:08x}{:08x}\n", device(), device());
    const bool is_written = descriptor >= 0 && ::write(descriptor, drawn.data(), drawn.size()) ==
                                                   static_cast<ssize_t>(drawn.size());
    ::close(descriptor);
    const bool is_kept =
        is_written && (::link(fresh.c_str(), file.c_str()) == 0 || errno == EEXIST);
    fs::remove(fresh);
    if (!is_kept) {
      throw std::runtime_error(fmt::format("{} cannot be written", file.string()));
    }
  }
  return read_whole(file);
}

/// Each changes which instructions there are, and none makes GCC leave a precompiled header aside.
constexpr std::array kPairs{
    std::pair{"-fomit-frame-pointer", "-fno-omit-frame-pointer"},
    std::pair{"-fstack-protector-all", "-fno-stack-protector"},
    std::pair{"-fplt", "-fno-plt"},
    std::pair{"-fnon-call-exceptions", "-fexceptions"},  // the "no" of the first is that of both
    std::pair{"-fcf-protection=full", "-fcf-protection=none"},
};
/// What Clang does not know.
constexpr std::array kPairsOfGcc{
    std::pair{"-fharden-compares", "-fno-harden-compares"},
    std::pair{"-fharden-conditional-branches", "-fno-harden-conditional-branches"},
    std::pair{"-fzero-call-used-regs=used-gpr", "-fzero-call-used-regs=skip"},
};

std::vector<std::string> words_drawn_from(const Toolchain& toolchain, std::uint64_t seed) {
  std::mt19937_64 drawn(seed);
  std::vector<std::string> words{fmt::format("-fpatchable-function-entry={}", 1 + drawn() % 31),
                                 fmt::format("-falign-functions={}", 16U << drawn() % 6)};
  const auto draw = [&](const auto& pairs) {
    for (const auto& [one, other] : pairs) {
      words.emplace_back(drawn() % 2 == 0 ? one : other);
    }
  };
  draw(kPairs);
  if (toolchain.compiler.front().find("clang") == std::string::npos) {
    draw(kPairsOfGcc);
  }
  return words;
}

}  // namespace

std::vector<std::string> trait_words(const Toolchain& toolchain, BuiltFor purpose,
                                     std::string_view name) {
  if (purpose == BuiltFor::Students || toolchain.is_bundle() || toolchain.sanitized) {
    return {};
  }
  return words_drawn_from(toolchain, digest_of(secret_of(toolchain.tree) + std::string(name)));
}

std::string known_trait_words() {
  std::string text;
  const auto add = [&](const auto& pairs) {
    for (const auto& [one, other] : pairs) {
      text += fmt::format("{} {}\n", one, other);
    }
  };
  add(kPairs);
  add(kPairsOfGcc);
  return text;
}

std::vector<std::string> fresh_trait_words(const Toolchain& toolchain) {
  std::random_device device;
  return words_drawn_from(toolchain, std::uint64_t{device()} << 32U | device());
}

}  // namespace watchlab::course
