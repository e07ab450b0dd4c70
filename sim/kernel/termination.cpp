#include "sim/kernel/termination.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string_view>

#include "sim/kernel/scheduler.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
namespace {

constexpr std::size_t kNamedMax = 4;

std::atomic<std::terminate_handler> handler_before = nullptr;

[[noreturn]] void on_terminate() {
  World* const world = World::here();
  if (world != nullptr && world->scheduler().runs_on_stack(__builtin_frame_address(0))) {
    world->scheduler().terminate_current();
  }
  if (const std::terminate_handler before = handler_before.load()) {
    before();
  }
  std::abort();
}

std::string demangled(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : symbol;
}

/// Whether a function is none of ours and none of the C++ library; told by its name alone, without
/// its arguments.
bool is_foreign(const std::string& signature, const Dl_info& found) {
  const std::string_view file = found.dli_fname != nullptr ? found.dli_fname : "";
  const std::string_view name = std::string_view(signature).substr(0, signature.find('(', 1));
  const auto begins = [&](std::string_view with) {
    return name.starts_with(with) || name.find(" " + std::string(with)) != std::string_view::npos;
  };
  return file.find("/libstdc++") == std::string_view::npos &&
         file.find("/libgcc_s") == std::string_view::npos &&
         file.find("/libc.so") == std::string_view::npos && !begins("watchlab") &&
         !begins("std::") && !begins("__clang_call_terminate");
}

}  // namespace

void catch_terminations() {
  if (std::get_terminate() != &on_terminate) {
    handler_before = std::set_terminate(&on_terminate);
  }
}

std::string functions_on_the_stack() {
  std::array<void*, 64> frames{};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  std::string names;
  std::size_t named = 0;
  for (int i = 0; i < count && named < kNamedMax; ++i) {
    Dl_info found{};
    if (dladdr(frames.at(static_cast<std::size_t>(i)), &found) == 0 || found.dli_sname == nullptr) {
      continue;
    }
    const std::string name = demangled(found.dli_sname);
    if (is_foreign(name, found)) {
      names += (named++ == 0 ? "; it was called in " : " < ") + name;
    }
  }
  return names;
}

}  // namespace watchlab::sim
