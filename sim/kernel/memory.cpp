#include "sim/kernel/memory.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace watchlab::sim {

std::string_view to_string(Memory memory) { return memory == Memory::ReleaseAcquire ? "ra" : "sc"; }

Memory memory_named(std::string_view name) {
  for (const Memory memory : {Memory::SequentiallyConsistent, Memory::ReleaseAcquire}) {
    if (to_string(memory) == name) {
      return memory;
    }
  }
  throw std::invalid_argument(fmt::format("there is no memory model '{}'; there are sc, ra", name));
}

}  // namespace watchlab::sim
