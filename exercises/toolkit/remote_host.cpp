#include "exercises/toolkit/remote_host.hpp"

#include <unistd.h>

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <exception>
#include <utility>

#include "core/runtime/ensure.hpp"
#include "core/runtime/recover.hpp"
#include "exercises/toolkit/remote_runtime.hpp"
#include "sim/kernel/fiber.hpp"

namespace watchlab::course {
namespace {

constexpr std::size_t kStackBytes = 256 * 1024;

}  // namespace

/// One call of the judge, from its beginning to its end.
struct Host::Call {
  explicit Call(std::uint64_t its_number) : number(its_number) {}

  std::uint64_t number;
  std::uint64_t object = 0;
  std::uint32_t method = 0;
  std::string arguments;
  boost::context::fiber fiber;
  boost::context::fiber back;  ///< to whoever serves
  sim::ExceptionState exceptions;
  ToHost answer = ToHost::Call;  ///< what the operation that it waits for has come to
  std::string result;
  bool is_over = false;
};

Host::Host(int connection, Dispatch functions)
    : connection_(connection), runtime_(std::make_unique<RemoteRuntime>(*this)) {
  publish(std::move(functions));
}

Host::~Host() = default;

void Host::serve() {
  while (receive()) {
  }
  ::_exit(0);  // calls may be in the middle of something, and nobody waits for their end
}

bool Host::receive() {
  std::string message;
  if (!receive_message(connection_, message)) {
    return false;
  }
  ByteReader reader(message);
  const auto kind = static_cast<ToHost>(reader.number());
  if (kind == ToHost::Reset) {
    forget_all();
    return true;
  }
  const std::uint64_t number = reader.number();
  if (kind == ToHost::Call) {
    Call& call = *calls_.emplace(number, std::make_unique<Call>(number)).first->second;
    call.object = reader.number();
    call.method = static_cast<std::uint32_t>(reader.number());
    call.arguments = reader.text();
    call.fiber = boost::context::fiber(std::allocator_arg,
                                       boost::context::protected_fixedsize_stack(kStackBytes),
                                       [this, &call](boost::context::fiber&& back) {
                                         call.back = std::move(back);
                                         carry_out(call);
                                         call.is_over = true;
                                         return std::move(call.back);
                                       });
    enter(call);
    return true;
  }
  Call& call = *calls_.at(number);
  call.answer = kind;
  call.result = kind == ToHost::Kill ? "" : reader.text();
  enter(call);
  return true;
}

void Host::enter(Call& call) {
  running_ = &call;
  // What the C++ runtime knows of exceptions in flight is the call's own, too.
  sim::ExceptionState* const state = sim::exception_state_of_this_thread();
  std::swap(*state, call.exceptions);
  call.fiber = std::move(call.fiber).resume();
  std::swap(*state, call.exceptions);
  running_ = nullptr;
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
    rest.text(failed.what());
    write_location(rest, failed.where());
  } catch (const std::exception& error) {
    kind = ToJudge::Threw;
    rest.text(error.what());
  } catch (...) {
    kind = ToJudge::Threw;
    rest.text("something that is no std::exception");
  }
  send(kind, call, rest);
}

void Host::send(ToJudge kind, const Call& call, const ByteWriter& rest) {
  ByteWriter message;
  message.text(std::exchange(later_, ""));
  message.number(static_cast<std::uint64_t>(kind));
  message.number(call.number);
  if (!send_message(connection_, message.bytes() + rest.bytes())) {
    std::terminate();  // there is no judge any more
  }
}

std::string Host::operate(Operation operation, std::string_view arguments) {
  if (running_ == nullptr) {
    throw runtime::Panic("the runtime is used outside of every call");
  }
  Call& call = *running_;
  ByteWriter rest;
  rest.number(static_cast<std::uint64_t>(operation));
  rest.text(arguments);
  send(ToJudge::Operation, call, rest);
  call.back = std::move(call.back).resume();
  if (call.answer == ToHost::Failed) {
    throw runtime::Panic(call.result);
  }
  // A destructor that runs because the task is ended must not throw, and needs no result.
  if (call.answer == ToHost::Kill && std::uncaught_exceptions() == 0) {
    throw runtime::TaskKilled();
  }
  return std::exchange(call.result, "");
}

void Host::operate_later(Operation operation, std::string_view arguments) {
  ByteWriter writer;
  writer.number(static_cast<std::uint64_t>(operation));
  writer.text(arguments);
  later_ += writer.bytes();
}

std::string Host::request(std::uint64_t object, std::uint32_t method, std::string_view arguments) {
  ByteWriter writer;
  writer.number(object);
  writer.number(method);
  writer.text(arguments);
  return operate(Operation::Request, writer.bytes());
}

}  // namespace watchlab::course
