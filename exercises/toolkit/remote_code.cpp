#include "exercises/toolkit/remote_code.hpp"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "core/runtime/ensure.hpp"
#include "core/runtime/recover.hpp"
#include "exercises/toolkit/session.hpp"
#include "sim/kernel/world.hpp"

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
  left_behind_ += primitives_.size();
  if (!primitives_.empty()) {
    // Of a world that failed and is gone: nothing may touch them any more.
    static_cast<void>(new Primitives(std::move(primitives_)));
    primitives_.clear();
    static_cast<void>(new Tickers(std::move(tickers_)));
    tickers_.clear();
  }
  left_behind_ += forget_all(Left::Stays);
  if (serves_ && left_behind_ > kLeftBehindMax) {
    end_with("the tests leave too much behind");
  }
}

void RemoteCode::begin_run() {
  if (runtime_ == nullptr && !serves_) {
    return;  // no world has called the library yet
  }
  leave_world();
  if (is_rehearsing_) {
    return;  // without the tests
  }
  ByteWriter message;
  message.number(static_cast<std::uint64_t>(ToHost::Reset));
  connection_.send_later(message.bytes());
}

RemoteCode::Run::Run(RemoteCode& code, runtime::Runtime& runtime) : code_(code) {
  code.begin_run();
  if (code.dialogue_ != nullptr) {
    *code.dialogue_ = {.turns = {}, .rest = {}, .numbers = code.numbers()};
  }
  code.tests_steps_ = 0;
  code.tests_tasks_ = 0;
  code.tests_bytes_ = 0;
  code.tests_nested_.clear();
  code.began_ = runtime.now();
  if (code.serves_ && Session::of_program().is_graded()) {
    code.last_step_ = runtime.make_cell(kEndOfCall, runtime::Location::current());
  }
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
  if (is_rehearsing_) {
    rehearsal_differs_ = true;
    throw runtime::Panic("the library calls what it had not called");
  }
  if (dialogue_ != nullptr) {
    ++dialogue_->calls;
  }
  const Nested nested(*this);
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
    tests_bytes_ += bytes.size();
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
      answer(call, before, message, killed_by);
    } else if (killed_by) {
      std::rethrow_exception(killed_by);
    } else if (kind == ToJudge::Returned) {
      if (dialogue_ != nullptr) {
        dialogue_->rest = before;
        dialogue_->has_ended = true;
      }
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

/// Where graded tests are; null where there is no world, or nothing to keep from them.
sim::World* RemoteCode::world_of_tests() const {
  return last_step_ ? dynamic_cast<sim::World*>(runtime_) : nullptr;
}

/// In a world that comes to its end a task may do some last operations, the library's among them:
/// tests that continue there would count those.
bool RemoteCode::is_over_for_tests() const {
  sim::World* const world = world_of_tests();
  return world != nullptr && world->scheduler().stopping();
}

RemoteCode::Nested::Nested(RemoteCode& code) {
  sim::World* const world = code.world_of_tests();
  if (world == nullptr) {
    return;
  }
  std::size_t& depth = code.tests_nested_[world->scheduler().running_or_none()];
  if (depth == kTestsNestedMax) {
    throw runtime::Panic(std::string(kTooLong));
  }
  ++depth;
  depth_ = &depth;
}

RemoteCode::Nested::~Nested() {
  if (depth_ != nullptr) {
    --*depth_;
  }
}

RemoteCode::Answer RemoteCode::answer_to(std::uint64_t call, const Operation& asked,
                                         std::exception_ptr& killed_by) {
  ByteWriter rest;
  try {
    if (is_over_for_tests()) {
      throw runtime::TaskKilled();
    }
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

void RemoteCode::answer(std::uint64_t call, std::string_view before, ByteReader& message,
                        std::exception_ptr& killed_by) {
  const std::uint64_t object = message.number();
  const auto method = static_cast<std::uint32_t>(message.number());
  const std::string_view arguments = message.text();
  const Operation asked{object, method, arguments};
  const Answer answer = answer_to(call, asked, killed_by);
  write_down(before, asked, answer);
  send(answer.kind, call, answer.text);
}

void RemoteCode::write_down(std::string_view before, const Operation& asked, const Answer& answer) {
  if (dialogue_ == nullptr) {
    return;
  }
  dialogue_->bytes += before.size() + asked.arguments.size() + answer.text.size();
  if (dialogue_->bytes <= Dialogue::kBytesMax) {
    dialogue_->turns.push_back({std::string(before), asked.object, asked.method,
                                std::string(asked.arguments), answer.kind, answer.text});
  }
}

bool RemoteCode::holds_in_rehearsal(const std::function<bool()>& play) {
  is_rehearsing_ = true;
  rehearsal_differs_ = false;
  const bool holds = play();
  is_rehearsing_ = false;
  return holds && !rehearsal_differs_;
}

/// Numbers of this side are those of that run, by which the tests have named what they got; what is
/// made by them goes with this run.
void RemoteCode::rehearse(const Dialogue& known, runtime::Runtime& runtime) {
  const std::unique_ptr<const Numbers, std::function<void(const Numbers*)>> before(
      new Numbers(numbers()), [this](const Numbers* own) {
        renumber(*own);
        delete own;
      });
  set_runtime(runtime);
  renumber(known.numbers);
  std::exception_ptr killed_by;
  for (const Dialogue::Turn& turn : known.turns) {
    if (!catch_up(turn.before, killed_by)) {
      break;
    }
    const Answer answer = answer_to(0, {turn.object, turn.method, turn.arguments}, killed_by);
    if (killed_by) {
      break;
    }
    runtime::ensure(answer.kind == turn.kind && answer.text == turn.answer,
                    "the library answers as it did");
  }
  if (killed_by || !catch_up(known.rest, killed_by)) {
    std::rethrow_exception(killed_by);
  }
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
  count_step_of_tests();
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
