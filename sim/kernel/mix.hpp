#pragma once

#include <cstdint>
#include <string_view>

namespace watchlab::sim {

/// Folds one more word into a running 64-bit digest. Order matters. The same on every platform;
/// changing it changes every stored digest and schedule.
[[nodiscard]] inline std::uint64_t mix(std::uint64_t digest, std::uint64_t word) {
  digest = (digest ^ word) * 0x9E3779B97F4A7C15ULL;
  return digest ^ (digest >> 32U);
}

/// The seed of one of many runs. Adjacent seeds share no run: with a single fold, seeds 1 and 2
/// would have the same runs in another order.
[[nodiscard]] inline std::uint64_t seed_of_run(std::uint64_t seed, std::uint64_t run) {
  return mix(mix(0, seed), run);
}

/// A 64-bit digest of a text (FNV-1a).
[[nodiscard]] inline std::uint64_t digest_of(std::string_view text) {
  std::uint64_t digest = 0xCBF29CE484222325ULL;
  const auto add = [&](char letter) {
    digest = (digest ^ static_cast<unsigned char>(letter)) * 0x100000001B3ULL;
  };
  for (; text.size() >= 4; text.remove_prefix(4)) {
    add(text[0]);
    add(text[1]);
    add(text[2]);
    add(text[3]);
  }
  for (const char letter : text) {
    add(letter);
  }
  return digest;
}

}  // namespace watchlab::sim
