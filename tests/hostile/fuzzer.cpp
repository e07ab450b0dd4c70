#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/hostile/readers.hpp"

// What libFuzzer calls. With WATCHLAB_SEEDS, the seeds are first written into that folder.

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  if (const char* const folder = std::getenv("WATCHLAB_SEEDS"); folder != nullptr) {
    int number = 0;
    for (const std::string& seed : watchlab::hostile::seeds()) {
      std::ofstream(std::string(folder) + "/seed" + std::to_string(number++), std::ios::binary)
          << seed;
    }
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  (void)watchlab::hostile::read({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
