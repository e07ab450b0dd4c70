#include "exercises/toolkit/remote_code.hpp"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "core/runtime/ensure.hpp"
#include "core/runtime/recover.hpp"

namespace watchlab::course {
namespace {

/// A library that continues after so many attempts to end its task is broken.
constexpr int kKillsMax = 1000;

/// Of the exception that is being handled.
std::string words_of_current() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "something that is no std::exception";
  }
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

RemoteCode& RemoteCode::of_program() {
  static RemoteCode library(kLibraryDescriptor);
  return library;
}

/// Ends this program: the case at hand has failed, and there is nothing to continue with. Tests end
/// like this as well when all is well.
void RemoteCode::end_with(const char* why) const {
  if (!serves_) {
    std::fprintf(stderr, "%s\n", why);
    std::fflush(stderr);
  }
  ::_exit(kLibraryEndedStatus);
}

void RemoteCode::serve() {
  serves_ = true;
  keep_published();
  while (true) {
    try {
      static_cast<void>(follow(kOutsideOfCalls));
    } catch (const std::exception& broken) {
      end_with(broken.what());
    }
  }
}

void RemoteCode::leave_world() {
  if (!primitives_.empty()) {
    // Of a world that failed and is gone: nothing may touch them any more.
    static_cast<void>(new Primitives(std::move(primitives_)));
    primitives_.clear();
  }
  forget_all(Left::Stays);
}

void RemoteCode::begin_run() {
  if (runtime_ == nullptr && !serves_) {
    return;  // no world has called the library yet
  }
  leave_world();
  ByteWriter message;
  message.number(static_cast<std::uint64_t>(ToHost::Reset));
  connection_.send_later(message.bytes());
}

void RemoteCode::send(ToHost kind, std::uint64_t call, std::string_view rest) {
  ByteWriter message;
  message.number(static_cast<std::uint64_t>(kind));
  message.number(call);
  if (!connection_.send(message.bytes() + std::string(rest))) {
    end_with("the library has ended");
  }
}

std::string RemoteCode::request(std::uint64_t object, std::uint32_t method,
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
std::string RemoteCode::follow(std::uint64_t call) {
  std::exception_ptr killed_by;
  for (int kills = 0; kills < kKillsMax; kills += killed_by ? 1 : 0) {
    std::string bytes;
    if (!connection_.receive(bytes)) {
      end_with("the library has ended");
    }
    ByteReader message(bytes);
    const std::string_view before = message.text();
    const auto kind =
        static_cast<ToJudge>(message.number_below(static_cast<std::uint64_t>(ToJudge::Count)));
    if (message.number() != call) {
      throw BrokenProtocol("the library answers what was not asked");
    }
    if (call == kOutsideOfCalls) {
      leave_world();
      runtime_ = nullptr;
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
      throw BrokenProtocol("the library left a call that was not ended");
    } else {
      rethrow(kind, message);
    }
  }
  throw BrokenProtocol("the library does not leave a call that is ended");
}

/// Does what the library has done without waiting for it. False when that has ended the run.
bool RemoteCode::catch_up(std::string_view operations, std::exception_ptr& killed_by) {
  try {
    operate_without_result(operations);
  } catch (const BrokenProtocol&) {
    throw;
  } catch (...) {
    killed_by = std::current_exception();
  }
  return !killed_by;
}

RemoteCode::Answer RemoteCode::answer_to(std::uint64_t call, const Operation& asked,
                                         std::exception_ptr& killed_by) {
  ByteWriter rest;
  try {
    if (call == kOutsideOfCalls) {
      rest.text(operate_outside(asked.object, asked.method, asked.arguments));
    } else {
      rest.text(operate(asked.object, asked.method, asked.arguments));
    }
    return {ToHost::Result, rest.take()};
  } catch (const BrokenProtocol&) {
    throw;
  } catch (const runtime::Panic& panic) {
    rest.text(panic.what());
    return {ToHost::Failed, rest.take()};
  } catch (...) {
    // In a call the world ends this task, or the run has failed: the stack over there goes first.
    // Outside of calls there is no world.
    if (call == kOutsideOfCalls) {
      rest.text(words_of_current());
      return {ToHost::Failed, rest.take()};
    }
    killed_by = killed_by ? killed_by : std::current_exception();
    return {ToHost::Kill, {}};
  }
}

void RemoteCode::answer(std::uint64_t call, ByteReader& message, std::exception_ptr& killed_by) {
  const std::uint64_t object = message.number();
  const auto method = static_cast<std::uint32_t>(message.number());
  const std::string_view arguments = message.text();
  const Answer answer = answer_to(call, {object, method, arguments}, killed_by);
  send(answer.kind, call, answer.text);
}

/// A caller that has kept something of a world gets a panic.
std::string RemoteCode::operate_outside(std::uint64_t object, std::uint32_t method,
                                        std::string_view arguments) {
  if (object >= kRuntimeObject) {
    throw BrokenProtocol("an operation comes where it must not");
  }
  try {
    return operate(object, method, arguments);
  } catch (const BrokenProtocol& broken) {
    throw runtime::Panic(broken.what());
  }
}

runtime::Runtime& RemoteCode::runtime() {
  if (runtime_ == nullptr) {
    throw BrokenProtocol("there is no world");
  }
  return *runtime_;
}

void RemoteCode::keep(std::uint64_t number, Primitive primitive) {
  if (!primitives_.try_emplace(number, std::move(primitive)).second) {
    throw BrokenProtocol("a number is used twice");
  }
}

RemoteCode::Primitive& RemoteCode::primitive_at(std::uint64_t number) {
  const auto found = primitives_.find(number);
  if (found == primitives_.end()) {
    throw BrokenProtocol("there is no such object in the world");
  }
  return found->second;
}

}  // namespace watchlab::course
