#include <fmt/format.h>

#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "core/runtime/order.hpp"
#include "exercises/toolkit/protocol.hpp"
#include "exercises/toolkit/remote_code.hpp"

// What a library asks of its runtime, done in the world of the calling task.
namespace watchlab::course {
namespace {

using runtime::Location;
using runtime::TimePoint;

constexpr std::size_t kArmsMax = 1U << 12U;
constexpr std::size_t kSizeMax = 1U << 20U;

void check_at_most(std::size_t limit, std::size_t size) {
  if (size > limit) {
    throw BrokenProtocol("a number is out of range");
  }
}

/// Notifies the listener of a call, however it ends.
class CallReport {
 public:
  explicit CallReport(CallListener* listener) : listener_(listener) {
    if (listener_ != nullptr) {
      listener_->begins();
    }
  }
  CallReport(const CallReport&) = delete;
  CallReport& operator=(const CallReport&) = delete;
  ~CallReport() {
    if (listener_ != nullptr) {
      listener_->ends();
    }
  }

  void closes() const {
    if (listener_ != nullptr) {
      listener_->closes();
    }
  }

 private:
  CallListener* listener_;
};

/// A value in a channel, which stays with the library.
struct RemoteValue {
  std::uint64_t number = 0;
};

}  // namespace

std::string RemoteCode::operate(std::uint64_t object, std::uint32_t method,
                                std::string_view arguments) {
  count_step_of_tests();
  arm_tickers();
  if (object < kRuntimeObject) {
    return serve_call(object, method, arguments);
  }
  ByteReader reader(arguments);
  if (object == kRuntimeObject) {
    return RuntimeMethods::run(runtime(), method, *this, reader);
  }
  if (object == kOperationsObject) {
    return Operations::run(*this, method, *this, reader);
  }
  // A copy, because the library may let go of it while a task waits for it.
  const auto backend = primitive_at(object).backend;
  return std::visit(
      [&]<typename Backend>(const std::shared_ptr<Backend>& used) {
        return MethodsOf<Backend>::run(*used, method, *this, reader);
      },
      backend);
}

std::string RemoteCode::serve_call(std::uint64_t object, std::uint32_t method,
                                   std::string_view arguments) {
  const CallReport report(listener_);
  std::string result = dispatch(object, method, arguments);
  if (const auto last_step = last_step_) {
    report.closes();
    last_step->atomic_access(runtime::AccessKind::Read, Location::current());
  }
  return result;
}

void RemoteCode::operate_without_result(std::string_view operations) {
  for (ByteReader reader(operations); !reader.at_end();) {
    const std::uint64_t object = reader.number();
    const auto method = static_cast<std::uint32_t>(reader.number());
    ByteReader arguments(reader.text());
    if (serves_ && !is_in_world()) {
      continue;  // of a world that is gone
    }
    if (object == kRuntimeObject) {
      static_cast<void>(LaterRuntimeMethods::run(runtime(), method, *this, arguments));
    } else {
      static_cast<void>(LaterOperations::run(*this, method, *this, arguments));
    }
  }
}

/// What a number is drawn for, by a name that the library has not: how many of a name there were
/// would show in what is drawn. Names are known by digests, and two of one digest can be found; so
/// it is another digest of the purpose, which the tests do not choose.
std::string RemoteCode::name_of_tests(std::string_view purpose) const {
  return last_step_ ? fmt::format("{:016x}{}", one_way_digest_of(purpose), UnevenWalk::kOfTests)
                    : std::string(purpose);
}

std::size_t RemoteCode::choose(std::size_t options, std::string_view what) {
  return runtime().choose(options, name_of_tests(what));
}

void RemoteCode::spawn(std::uint64_t number, std::uint64_t object, std::string_view name,
                       Location here) {
  if (last_step_ && ++tests_tasks_ > kTestsTasksMax) {
    throw runtime::Panic(std::string(kTooLong));
  }
  keep(number, {runtime().spawn(
                   name, [this, object] { static_cast<void>(request(object, 0, "")); }, here)});
}

void RemoteCode::sleep_until(TimePoint deadline, Location here) {
  if (!is_in_time(deadline)) {
    throw runtime::Panic(std::string(kWaitsTooLong));
  }
  runtime().sleep_until(deadline, here);
}

bool RemoteCode::wait(std::uint64_t cond_var, std::uint64_t mutex,
                      std::optional<TimePoint> deadline, Location here) {
  const auto changed = at<runtime::CondVarBackend>(cond_var);
  const auto held = at<runtime::MutexBackend>(mutex);
  if (deadline && !is_in_time(*deadline)) {
    deadline.reset();
  }
  return changed->wait(*held, deadline, here);
}

std::uint64_t RemoteCode::seed_for(std::string_view purpose) {
  return runtime().seed_for(name_of_tests(purpose));
}

std::vector<std::size_t> RemoteCode::order(std::size_t size, std::string_view what) {
  check_at_most(kSizeMax, size);
  const runtime::Order order = runtime().order(size, name_of_tests(what));
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < size; ++place) {
    places.push_back(order[place]);
  }
  return places;
}

RemoteChoice RemoteCode::select(const std::vector<RemoteArm>& arms, bool blocking, Location here) {
  using runtime::AnyValue;
  using runtime::SelectCase;
  check_at_most(kArmsMax, arms.size());
  std::vector<SelectCase> cases(arms.size());
  std::vector<Primitive> used(arms.size());  // copies: a retired channel is still waited for
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].direction =
        arms[i].sends ? SelectCase::Direction::Send : SelectCase::Direction::Receive;
    if (!arms[i].channel) {
      continue;
    }
    cases[i].channel = at<runtime::ChannelBackend>(*arms[i].channel).get();
    used[i] = primitive_at(*arms[i].channel);
    if (arms[i].sends) {
      cases[i].any_value = used[i].has_moments
                               ? AnyValue::of(std::bit_cast<TimePoint>(arms[i].value))
                               : AnyValue::of(RemoteValue{arms[i].value});
    }
  }
  RemoteChoice choice{.arm = runtime().select(cases, blocking, here), .received = {}};
  if (choice.arm && !arms[*choice.arm].sends) {
    AnyValue& value = cases[*choice.arm].any_value;
    if (value && used[*choice.arm].has_moments) {
      choice.received = std::bit_cast<std::uint64_t>(*value.unpack<TimePoint>());
    } else if (value) {
      choice.received = value.unpack<RemoteValue>()->number;
    }
  }
  return choice;
}

void RemoteCode::make_channel(std::uint64_t number, std::size_t capacity, std::string_view name,
                              Location here) {
  check_at_most(kSizeMax, capacity);
  keep(number, {runtime().make_channel(capacity, name, here)});
}

void RemoteCode::plain_access(std::uint64_t cell, runtime::AccessKind kind, Location here) {
  at<runtime::CellBackend>(cell)->plain_access(kind, here);
}

void RemoteCode::retire(std::uint64_t number) {
  tickers_.erase(number);
  primitives_.erase(number);
}

void RemoteCode::end_published(std::uint64_t object) {
  static_cast<void>(dispatch(object, kDestroy, ""));
}

}  // namespace watchlab::course
