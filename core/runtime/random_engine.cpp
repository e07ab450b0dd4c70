#include "core/runtime/random_engine.hpp"

#include <boost/random/mersenne_twister.hpp>

namespace watchlab::runtime {

namespace {

using Boosts = boost::random::mt19937_64;

constexpr std::size_t kFew = Boosts::state_size - Boosts::shift_size;
constexpr std::uint64_t kLower = (std::uint64_t{1} << Boosts::mask_bits) - 1;

/// The word after `word` in what a seed fills the engine with; `number` is that of the result.
std::uint64_t word_after(std::uint64_t word, std::size_t number) {
  return Boosts::initialization_multiplier * (word ^ (word >> 62U)) + number;
}

std::uint64_t tempered(std::uint64_t word) {
  word ^= (word >> Boosts::tempering_u) & Boosts::tempering_d;
  word ^= (word << Boosts::tempering_s) & Boosts::tempering_b;
  word ^= (word << Boosts::tempering_t) & Boosts::tempering_c;
  return word ^ (word >> Boosts::tempering_l);
}

}  // namespace

struct RandomEngine::Whole {
  Boosts numbers;
};

RandomEngine::RandomEngine(std::uint64_t seed) : near_(seed), far_(seed), seed_(seed) {}
RandomEngine::RandomEngine(RandomEngine&& other) noexcept = default;
RandomEngine& RandomEngine::operator=(RandomEngine&& other) noexcept = default;
RandomEngine::~RandomEngine() = default;

RandomEngine::result_type RandomEngine::operator()() {
  if (drawn_ < kFew) {
    return draw_from_two_words();
  }
  if (!whole_) {
    whole_ = std::make_unique<Whole>(Whole{Boosts(seed_)});
    whole_->numbers.discard(kFew);
  }
  return whole_->numbers();
}

RandomEngine::result_type RandomEngine::draw_from_two_words() {
  if (drawn_ == 0) {
    for (std::size_t number = 1; number < Boosts::shift_size; ++number) {
      far_ = word_after(far_, number);
    }
  }
  far_ = word_after(far_, drawn_ + Boosts::shift_size);
  const std::uint64_t next = word_after(near_, drawn_ + 1);
  const std::uint64_t joined = (near_ & ~kLower) | (next & kLower);
  near_ = next;
  ++drawn_;
  return tempered(far_ ^ (joined >> 1U) ^ ((joined & 1U) != 0 ? Boosts::xor_mask : 0));
}

}  // namespace watchlab::runtime
