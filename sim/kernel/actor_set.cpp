#include "sim/kernel/actor_set.hpp"

namespace watchlab::sim {

bool ActorSet::contains_further(std::uint32_t slot) const {
  const std::size_t i = slot / kFirst - 1;
  return i < further_.size() && (further_[i] >> slot % kFirst & 1U) != 0;
}

void ActorSet::insert_further(std::uint32_t slot) {
  const std::size_t i = slot / kFirst - 1;
  if (i >= further_.size()) {
    further_.resize(i + 1);
    filled_.resize(i / kFirst + 1);
  }
  further_count_ += contains_further(slot) ? 0 : 1;
  further_[i] |= std::uint64_t{1} << slot % kFirst;
  filled_[i / kFirst] |= std::uint64_t{1} << i % kFirst;
}

void ActorSet::erase_further(std::uint32_t slot) {
  if (contains_further(slot)) {
    const std::size_t i = slot / kFirst - 1;
    further_[i] &= ~(std::uint64_t{1} << slot % kFirst);
    if (further_[i] == 0) {
      filled_[i / kFirst] &= ~(std::uint64_t{1} << i % kFirst);
    }
    --further_count_;
  }
}

void ActorSet::insert_all_further(const ActorSet& others) {
  for (std::size_t i = others.next_filled(0); i < others.further_.size();
       i = others.next_filled(i + 1)) {
    for (std::uint64_t word = others.further_[i]; word != 0; word &= word - 1) {
      insert_further(slot_of(i, word));
    }
  }
}

void ActorSet::erase_all_further(const ActorSet& others) {
  for (std::size_t i = others.next_filled(0); i < others.further_.size();
       i = others.next_filled(i + 1)) {
    for (std::uint64_t word = others.further_[i]; word != 0; word &= word - 1) {
      erase_further(slot_of(i, word));
    }
  }
}

std::uint32_t ActorSet::after(std::uint32_t slot) const {
  if (slot < kFirst - 1) {
    const std::uint64_t above = first_ & ~std::uint64_t{0} << (slot + 1);
    if (above != 0) {
      return static_cast<std::uint32_t>(std::countr_zero(above));
    }
  }
  if (further_count_ > 0) {
    const std::uint32_t next = slot < kFirst ? kFirst : slot + 1;
    std::size_t i = next / kFirst - 1;
    const std::uint64_t above =
        i < further_.size() ? further_[i] & ~std::uint64_t{0} << next % kFirst : 0;
    if (above != 0) {
      return slot_of(i, above);
    }
    i = next_filled(i + 1);
    if (i < further_.size()) {
      return slot_of(i, further_[i]);
    }
  }
  return first();
}

std::uint32_t ActorSet::nth_of_many(std::size_t index, std::uint32_t left_out) const {
  const std::uint64_t low = without(first_, left_out);
  const std::size_t count = count_bits(low);
  if (index < count) {
    return nth_bit(low, index);
  }
  index -= count;
  for (std::size_t i = next_filled(0); i < further_.size(); i = next_filled(i + 1)) {
    std::uint64_t word = further_[i];
    if (left_out / kFirst == i + 1) {
      word &= ~(std::uint64_t{1} << left_out % kFirst);
    }
    const std::size_t members = count_bits(word);
    if (index < members) {
      return static_cast<std::uint32_t>((i + 1) * kFirst) + nth_bit(word, index);
    }
    index -= members;
  }
  return UINT32_MAX;
}

}  // namespace watchlab::sim
