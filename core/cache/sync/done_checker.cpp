#include "core/cache/sync/done_checker.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "core/runtime/runtime.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/wait_group.hpp"

namespace watchlab::cache {

bool is_done(const DoneChecker& checker) {
  std::optional<runtime::Unit> nothing;
  return checker.done.try_receive(nothing);
}

namespace {

/// One checker that is waited for. Written by its own task, read after that has ended.
struct Awaited {
  DoneChecker checker;
  bool is_done = false;
};

/// Mirrors the goroutine of client-go WaitFor: of a stop and an end at one moment the end counts.
void await(runtime::Runtime& runtime, const runtime::StopToken& stop, std::string_view what,
           Awaited& awaited) {
  runtime::Select choice(runtime);
  choice.receive(awaited.checker.done);
  choice.receive(stop.done(runtime));
  awaited.is_done = choice.wait() == 0 || is_done(awaited.checker);
  if (awaited.is_done && !what.empty()) {
    runtime.log(runtime::LogLevel::Info,
                fmt::format("done waiting for {}: {}", what, awaited.checker.name));
  }
}

}  // namespace

bool wait_for(runtime::Runtime& runtime, const runtime::StopToken& stop, std::string_view what,
              const std::vector<DoneChecker>& checkers) {
  if (!what.empty()) {
    runtime.log(runtime::LogLevel::Info, fmt::format("waiting for {}", what));
  }
  std::vector<Awaited> all(checkers.size());
  runtime::WaitGroup waiting(runtime, "wait_for");
  for (std::size_t i = 0; i < checkers.size(); ++i) {
    all[i].checker = checkers[i];
    waiting.start("wait-for", [&, i] { await(runtime, stop, what, all[i]); });
  }
  waiting.wait();
  std::vector<std::string> missing;
  for (const Awaited& each : all) {
    if (!each.is_done) {
      missing.push_back(each.checker.name);
    }
  }
  if (!missing.empty() && !what.empty()) {
    std::ranges::sort(missing);
    runtime.log(runtime::LogLevel::Error,
                fmt::format("stopped waiting for {}: {}", what, fmt::join(missing, ", ")));
  }
  return missing.empty();
}

void LatchedSignal::set() {
  if (!is_set_ && !channel_.is_nil()) {
    channel_.close();
  }
  is_set_ = true;
}

runtime::Channel<runtime::Unit> LatchedSignal::channel(runtime::Runtime& runtime) {
  if (channel_.is_nil()) {
    channel_ = runtime::Channel<runtime::Unit>(runtime, 0, "synced");
    if (is_set_) {
      channel_.close();
    }
  }
  return channel_;
}

}  // namespace watchlab::cache
