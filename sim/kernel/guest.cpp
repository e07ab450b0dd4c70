#include "sim/kernel/guest.hpp"

#include <atomic>

#include "sim/kernel/mix.hpp"
#include "sim/kernel/static_storage.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
namespace {

constexpr std::uint64_t kOfTask = 1;
constexpr std::uint64_t kOfNoTask = 2;
constexpr std::uint64_t kOfEarlierRun = 3;

std::uint64_t name_of_no_task() {
  static std::atomic<std::uint64_t> named = 0;
  return mix(kOfNoTask, ++named);
}

std::atomic<std::uint64_t> taken_over_count = 0;

}  // namespace

void Guest::name_by_maker() {
  World* const world = World::here();
  if (world == nullptr) {
    name_ = name_of_no_task();
    return;
  }
  SimTask& maker = world->scheduler().current();
  if (place_in_program(this) == 0) {
    name_ = mix(mix(kOfTask, maker.digest()), ++maker.made_guests);
    made_in_ = world->guests().run();
  }
}

std::uint64_t Guest::name_in(const Guests& guests) {
  if (name_ == 0) {
    const std::uint64_t place = place_in_program(this);
    name_ = place != 0 ? place : name_of_no_task();
  } else if (made_in_ != 0 && made_in_ != guests.run()) {
    name_ = mix(kOfEarlierRun, name_);
    made_in_ = 0;
    ++taken_over_count;
  }
  return name_;
}

std::uint64_t Guests::taken_over() { return taken_over_count; }

std::uint32_t Guests::next_run() {
  static std::atomic<std::uint32_t> runs = 0;
  const std::uint32_t run = ++runs;
  return run != 0 ? run : ++runs;
}

}  // namespace watchlab::sim
