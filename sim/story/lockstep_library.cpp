#include "sim/story/lockstep_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/story/client.hpp"
#include "sim/story/story.hpp"

namespace watchlab::sim {
namespace {

/// By its name, as the linker finds libraries, or beside the library that this function is in:
/// where AddressSanitizer calls dlopen for us, our own search path is not used.
void* load_library() {
  if (void* const found = ::dlopen(WATCHLAB_SERVE_LIBRARY, RTLD_NOW | RTLD_LOCAL)) {
    return found;
  }
  Dl_info here{};
  if (::dladdr(reinterpret_cast<void*>(&load_library), &here) == 0) {
    return nullptr;
  }
  const auto beside = std::filesystem::path(here.dli_fname).parent_path() / WATCHLAB_SERVE_LIBRARY;
  return ::dlopen(beside.c_str(), RTLD_NOW | RTLD_LOCAL);
}

/// Loads it at the first call; it stays until the process ends. Throws `StoryError`.
const LockstepLibrary& lockstep_library() {
  static const LockstepLibrary* const loaded = [] {
    void* const library = load_library();
    void* const found = library == nullptr ? nullptr : ::dlsym(library, kLockstepSymbol);
    if (found == nullptr) {
      throw StoryError(fmt::format("a client that is a program needs {}: {}",
                                   WATCHLAB_SERVE_LIBRARY, ::dlerror()));
    }
    return static_cast<const LockstepLibrary*>(found);
  }();
  return *loaded;
}

}  // namespace

std::shared_ptr<Client> make_go_client(std::shared_ptr<StoryStage> stage,
                                       StoryClientOptions options) {
  return lockstep_library().make(std::move(stage), std::move(options));
}

}  // namespace watchlab::sim
