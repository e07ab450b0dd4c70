#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

namespace watchlab::runtime {

/// The numbers of a 64-bit Mersenne Twister, the same as Boost's and the standard library's, for
/// callers that draw few of them. The engine that these have is 2.5 kB, fills all of it from the
/// seed and turns all of it round before it gives the first number. But each of the first 156
/// numbers is made of three words that stand as the seed left them, so this one computes those
/// words at two positions as it needs them and keeps none; only more draws make a whole engine. Not
/// to be shared between tasks. Fits the distributions of Boost.Random.
class RandomEngine {
 public:
  using result_type = std::uint64_t;

  explicit RandomEngine(std::uint64_t seed);
  RandomEngine(RandomEngine&& other) noexcept;
  RandomEngine& operator=(RandomEngine&& other) noexcept;
  ~RandomEngine();

  [[nodiscard]] static constexpr result_type min() { return 0; }
  [[nodiscard]] static constexpr result_type max() {
    return std::numeric_limits<result_type>::max();
  }
  /// The next number, uniform in [min, max].
  result_type operator()();

 private:
  struct Whole;

  [[nodiscard]] result_type draw_from_two_words();

  std::size_t drawn_ = 0;
  std::uint64_t near_;  // the word of the seed with the number `drawn_`
  std::uint64_t far_;   // the one that the last number was made with; the first word before
  std::uint64_t seed_;
  std::unique_ptr<Whole> whole_;  // null for the first numbers
};

}  // namespace watchlab::runtime
