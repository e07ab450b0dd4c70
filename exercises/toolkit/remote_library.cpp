#include "exercises/toolkit/remote_library.hpp"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "core/runtime/ensure.hpp"
#include "core/runtime/recover.hpp"

namespace watchlab::course {
namespace {

/// A library that goes on after so many attempts to end its task is broken.
constexpr int kKillsMax = 1000;

/// Ends this program: the case at hand has failed, and there is nothing to go on with.
[[noreturn]] void end_with(const char* why) {
  std::fprintf(stderr, "%s\n", why);
  std::fflush(stderr);
  ::_exit(library_ended_status);
}

/// What the library has thrown, thrown here.
[[noreturn]] void rethrow(ToJudge kind, ByteReader& message) {
  const std::string text(message.text());
  if (kind == ToJudge::Panicked) {
    throw runtime::Panic(text);
  }
  if (kind == ToJudge::Failed) {
    runtime::ensure_failed(text, read_location(message));
  }
  throw std::runtime_error(text);
}

}  // namespace

RemoteLibrary& RemoteLibrary::of_program() {
  static RemoteLibrary library(library_descriptor);
  return library;
}

RemoteLibrary::RemoteLibrary(int connection) : connection_(connection) {
  defines_ = true;
  publish([](std::uint32_t /*method*/, ByteReader& /*reader*/) -> std::string {
    throw BrokenProtocol("a judge has no functions");
  });
}

void RemoteLibrary::begin_run() {
  if (runtime_ == nullptr) {
    return;  // no world has called the library yet
  }
  if (!handles_.empty()) {
    // Of a world that failed and is gone: nothing may touch them any more.
    static_cast<void>(new Handles(std::move(handles_)));
    handles_.clear();
  }
  forget_all();
  ByteWriter message;
  message.number(static_cast<std::uint64_t>(ToHost::Reset));
  if (!send_message(connection_, message.bytes())) {
    end_with("the library has ended");
  }
}

void RemoteLibrary::send(ToHost kind, std::uint64_t call, std::string_view rest) {
  ByteWriter message;
  message.number(static_cast<std::uint64_t>(kind));
  message.number(call);
  if (!send_message(connection_, message.bytes() + std::string(rest))) {
    end_with("the library has ended");
  }
}

std::string RemoteLibrary::request(std::uint64_t object, std::uint32_t method,
                                   std::string_view arguments) {
  const std::uint64_t call = next_call_++;
  ByteWriter rest;
  rest.number(object);
  rest.number(method);
  rest.text(arguments);
  send(ToHost::Call, call, rest.bytes());
  try {
    return follow(call);
  } catch (const BrokenProtocol& broken) {
    end_with(broken.what());
  }
}

/// Does what the call asks for, in the calling task, until it has ended. Between a message and its
/// answer other tasks may call the library; the host waits meanwhile.
std::string RemoteLibrary::follow(std::uint64_t call) {
  std::exception_ptr killed_by;
  for (int kills = 0; kills < kKillsMax; kills += killed_by ? 1 : 0) {
    std::string bytes;
    if (!receive_message(connection_, bytes)) {
      end_with("the library has ended");
    }
    ByteReader message(bytes);
    const std::string_view before = message.text();
    const auto kind =
        static_cast<ToJudge>(message.number_below(static_cast<std::uint64_t>(ToJudge::Count)));
    if (message.number() != call) {
      throw BrokenProtocol("the library answers what was not asked");
    }
    if (!killed_by && !catch_up(before, killed_by) && kind == ToJudge::Operation) {
      send(ToHost::Kill, call, "");
    } else if (kind == ToJudge::Operation) {
      answer(call, message, killed_by);
    } else if (killed_by) {
      std::rethrow_exception(killed_by);
    } else if (kind == ToJudge::Returned) {
      return std::string(message.text());
    } else if (kind == ToJudge::Killed) {
      throw BrokenProtocol("the library left a call that nobody ended");
    } else {
      rethrow(kind, message);
    }
  }
  throw BrokenProtocol("the library does not leave a call that is ended");
}

/// Does what the library has done without waiting for it. False when that has ended the run.
bool RemoteLibrary::catch_up(std::string_view operations, std::exception_ptr& killed_by) {
  try {
    operate_without_result(operations);
  } catch (const BrokenProtocol&) {
    throw;
  } catch (...) {
    killed_by = std::current_exception();
  }
  return !killed_by;
}

void RemoteLibrary::answer(std::uint64_t call, ByteReader& message, std::exception_ptr& killed_by) {
  const auto operation =
      static_cast<Operation>(message.number_below(static_cast<std::uint64_t>(Operation::Count)));
  ByteReader arguments(message.text());
  ToHost kind = ToHost::Result;
  ByteWriter rest;
  try {
    rest.text(operate(operation, arguments));
  } catch (const BrokenProtocol&) {
    throw;
  } catch (const runtime::Panic& panic) {
    kind = ToHost::Failed;
    rest.text(panic.what());
  } catch (...) {
    // The world ends this task, or the run has failed: the library's own stack goes first.
    kind = ToHost::Kill;
    killed_by = killed_by ? killed_by : std::current_exception();
  }
  send(kind, call, rest.bytes());
}

void RemoteLibrary::keep(std::uint64_t number, Handle handle) {
  if (!handles_.try_emplace(number, std::move(handle)).second) {
    throw BrokenProtocol("a number is used twice");
  }
}

}  // namespace watchlab::course
