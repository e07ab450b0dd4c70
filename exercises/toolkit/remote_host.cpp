#include "exercises/toolkit/remote_host.hpp"

#include <unistd.h>

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstdio>
#include <exception>
#include <utility>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "core/runtime/recover.hpp"
#include "exercises/toolkit/remote_code.hpp"
#include "exercises/toolkit/remote_runtime.hpp"
#include "sim/kernel/fiber.hpp"

namespace watchlab::course {
namespace {

constexpr std::size_t kStackBytes = 256 * 1024;

/// Stacks for calls, each with a page below it that must not be touched. Those of calls that have
/// ended are used again: to map one takes longer than most calls.
class Stacks {
 public:
  boost::context::stack_context allocate() {
    if (free().empty()) {
      return boost::context::protected_fixedsize_stack(kStackBytes).allocate();
    }
    const boost::context::stack_context stack = free().back();
    free().pop_back();
    return stack;
  }
  static void deallocate(const boost::context::stack_context& stack) { free().push_back(stack); }

 private:
  static std::vector<boost::context::stack_context>& free() {
    static std::vector<boost::context::stack_context> stacks;
    return stacks;
  }
};

/// Ends this program: the process that has the worlds or the library under test is gone.
[[noreturn]] void end_without_judge() {
  std::fputs("the library has ended\n", stderr);
  std::fflush(stderr);
  ::_exit(kLibraryEndedStatus);
}

}  // namespace

/// One call of the judge, from its beginning to its end.
struct Host::Call {
  explicit Call(std::uint64_t its_number) : number(its_number) {}

  std::uint64_t number;
  std::uint64_t object = 0;
  std::uint32_t method = 0;
  std::string arguments;
  boost::context::fiber fiber;
  boost::context::fiber back;  ///< to the loop that serves
  sim::ExceptionState exceptions;
  ToHost answer = ToHost::Call;  ///< what the operation that it waits for has come to
  std::string result;
  bool is_over = false;
};

Host& Host::of_suite() {
  // For good: tests may keep what ends after everything else.
  static Host& host = *new Host(kLibraryDescriptor);
  return host;
}

Host::Host(int connection)
    : connection_(connection), runtime_(std::make_unique<RemoteRuntime>(*this)) {}

Host::~Host() = default;

void Host::serve(Dispatch functions) {
  publish(std::move(functions));
  keep_published();
  while (receive()) {
  }
  ::_exit(0);  // calls may be in the middle of something, and no task waits for their end
}

bool Host::receive() {
  std::string message;
  if (!connection_.receive(message)) {
    return false;
  }
  ByteReader reader(message);
  const auto kind = static_cast<ToHost>(reader.number());
  if (kind == ToHost::Reset) {
    forget_all(Left::Ends);
    later_ = {};  // of a world that is gone
    return true;
  }
  const std::uint64_t number = reader.number();
  if (kind == ToHost::Call) {
    begin(number, reader);
  } else if (number == kOutsideOfCalls) {
    outside_failure_ = kind == ToHost::Failed ? reader.text() : "";
    outside_result_ = kind == ToHost::Result ? reader.text() : "";
  } else {
    Call& call = *calls_.at(number);
    call.answer = kind;
    call.result = kind == ToHost::Kill ? "" : reader.text();
    enter(call);
  }
  return true;
}

void Host::begin(std::uint64_t number, ByteReader& reader) {
  Call& call = *calls_.emplace(number, std::make_unique<Call>(number)).first->second;
  call.object = reader.number();
  call.method = static_cast<std::uint32_t>(reader.number());
  call.arguments = reader.text();
  call.fiber = boost::context::fiber(std::allocator_arg, Stacks(),
                                     [this, &call](boost::context::fiber&& back) {
                                       call.back = std::move(back);
                                       carry_out(call);
                                       call.is_over = true;
                                       return std::move(call.back);
                                     });
  enter(call);
}

void Host::enter(Call& call) {
  Call* const outer = std::exchange(running_, &call);
  // What the C++ runtime knows of exceptions in flight is the call's own, too.
  sim::ExceptionState* const state = sim::exception_state_of_this_thread();
  std::swap(*state, call.exceptions);
  call.fiber = std::move(call.fiber).resume();
  std::swap(*state, call.exceptions);
  running_ = outer;
  if (call.is_over) {
    calls_.erase(call.number);
  }
}

void Host::carry_out(Call& call) {
  ByteWriter rest;
  ToJudge kind = ToJudge::Returned;
  try {
    rest.text(dispatch(call.object, call.method, call.arguments));
  } catch (const runtime::TaskKilled&) {
    kind = ToJudge::Killed;
  } catch (const runtime::Panic& panic) {
    kind = ToJudge::Panicked;
    rest.text(panic.what());
  } catch (const runtime::EnsureFailed& failed) {
    kind = ToJudge::Failed;
    const std::string_view failure = failed.what();
    rest.text(failure.substr(0, failure.rfind(" (")));  // the place, which the judge adds again
    write_location(rest, failed.where());
  } catch (const std::exception& error) {
    kind = ToJudge::Threw;
    rest.text(error.what());
  } catch (...) {
    kind = ToJudge::Threw;
    rest.text("something that is no std::exception");
  }
  send(kind, call.number, rest);
}

void Host::send(ToJudge kind, std::uint64_t call, const ByteWriter& rest) {
  ByteWriter message;
  message.text(std::exchange(later_, {}).bytes());
  message.number(static_cast<std::uint64_t>(kind));
  message.number(call);
  if (!connection_.send(message.bytes() + rest.bytes())) {
    end_without_judge();
  }
}

/// Serves the judge until the answer is there.
std::string Host::ask_outside(const ByteWriter& operation) {
  keep_published();
  outside_result_.reset();
  send(ToJudge::Operation, kOutsideOfCalls, operation);
  while (!outside_result_) {
    if (!receive()) {
      end_without_judge();
    }
  }
  if (!outside_failure_.empty()) {
    throw runtime::Panic(outside_failure_);
  }
  return *std::move(outside_result_);
}

void Host::write_operation(ByteWriter& writer, std::uint64_t object, std::uint32_t method,
                           std::string_view arguments) {
  writer.number(object);
  writer.number(method);
  writer.text(arguments);
}

std::string Host::request(std::uint64_t object, std::uint32_t method, std::string_view arguments) {
  ByteWriter rest;
  write_operation(rest, object, method, arguments);
  if (running_ == nullptr && object < kRuntimeObject) {
    return ask_outside(rest);
  }
  if (running_ == nullptr) {
    throw runtime::Panic("the runtime is used outside of every call");
  }
  Call& call = *running_;
  send(ToJudge::Operation, call.number, rest);
  call.back = std::move(call.back).resume();
  if (call.answer == ToHost::Kill) {
    send_all_anew();  // the judge may not have looked at what was sent
  }
  if (call.answer == ToHost::Failed) {
    throw runtime::Panic(call.result);
  }
  // A destructor that runs because the task is ended must not throw, and needs no result.
  if (call.answer == ToHost::Kill && std::uncaught_exceptions() == 0) {
    throw runtime::TaskKilled();
  }
  return std::exchange(call.result, "");
}

void Host::end(std::uint64_t object) {
  call_later<LaterOperations, &RemoteCode::end_published>(kOperationsObject, object);
}

}  // namespace watchlab::course
