#include <fmt/format.h>

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/runtime/order.hpp"
#include "exercises/toolkit/remote_code.hpp"

// What a library asks of its runtime, done in the world of the calling task.
namespace watchlab::course {
namespace {

using runtime::Duration;
using runtime::Location;
using runtime::TimePoint;

std::optional<Duration> read_span(ByteReader& reader) {
  const bool is_there = reader.number() != 0;
  const Duration span(static_cast<std::int64_t>(reader.number()));
  return is_there ? std::optional(span) : std::nullopt;
}

std::string as_result(std::uint64_t number) {
  ByteWriter writer;
  writer.number(number);
  return writer.take();
}

/// Tells who listens of a call, however it ends.
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

template <typename T>
T& RemoteCode::at(std::uint64_t number) {
  const auto found = handles_.find(number);
  T* const handle = found == handles_.end() ? nullptr : std::get_if<T>(&found->second);
  if (handle == nullptr) {
    throw BrokenProtocol("there is no such object in the world");
  }
  return *handle;
}

// A copy, because the library may let go of it while somebody waits for it.
template <typename T>
std::shared_ptr<T> RemoteCode::shared_at(std::uint64_t number) {
  return at<std::shared_ptr<T>>(number);
}

std::shared_ptr<runtime::ChannelBackend> RemoteCode::channel_at(std::uint64_t number) {
  return at<Channel>(number).backend;
}

std::string RemoteCode::operate(Operation operation, ByteReader& arguments) {
  count_step_of_tests();
  arm_tickers();
  switch (operation) {
    case Operation::Request:
      return serve_call(arguments);
    case Operation::Spawn:
      return spawn(arguments);
    case Operation::Select:
      return select(arguments);
    case Operation::Order:
      return order(arguments);
    default:
      return use_lock(operation, arguments);
  }
}

std::string RemoteCode::serve_call(ByteReader& arguments) {
  const std::uint64_t object = arguments.number();
  const auto method = static_cast<std::uint32_t>(arguments.number());
  const CallReport report(listener_);
  std::string result = dispatch(object, method, arguments.text());
  if (const auto last_step = last_step_) {
    report.closes();
    last_step->atomic_access(runtime::AccessKind::Read, runtime::Location::current());
  }
  return result;
}

/// What a number is drawn for, by a name that the library has not: how many of a name there were
/// would be told by what is drawn.
std::string RemoteCode::name_of_tests(std::string_view purpose) const {
  return last_step_ ? fmt::format("{}, of the tests", purpose) : std::string(purpose);
}

std::string RemoteCode::spawn(ByteReader& arguments) {
  const std::uint64_t number = arguments.number();
  const std::uint64_t object = arguments.number();
  const std::string_view name = arguments.text();
  const Location here = read_location(arguments);
  keep(number, runtime().spawn(
                   name, [this, object] { static_cast<void>(request(object, 0, "")); }, here));
  return "";
}

void RemoteCode::make(Operation operation, ByteReader& arguments) {
  const std::uint64_t number = arguments.number();
  const std::string_view name = arguments.text();
  const Location here = read_location(arguments);
  switch (operation) {
    case Operation::MakeMutex:
      return keep(number, runtime().make_mutex(name, here));
    case Operation::MakeSharedMutex:
      return keep(number, runtime().make_shared_mutex(name, here));
    case Operation::MakeCondVar:
      return keep(number, runtime().make_cond_var(name, here));
    case Operation::MakeWaitGroup:
      return keep(number, runtime().make_wait_group(name, here));
    case Operation::MakeCell:
      return keep(number, runtime().make_cell(name, here));
    case Operation::MakeChannel: {
      const std::uint64_t capacity = arguments.number_below(1U << 20U);
      return keep(number, Channel{runtime().make_channel(capacity, name, here)});
    }
    case Operation::MakeTimer: {
      auto& channel = at<Channel>(arguments.number());
      const auto delay = read_span(arguments);
      const auto period = read_span(arguments);
      channel.has_moments = true;
      return keep(number, timer_for(channel, number, delay, period, here));
    }
    default:
      throw BrokenProtocol("an operation comes where it must not");
  }
}

std::string RemoteCode::use_lock(Operation operation, ByteReader& arguments) {
  const auto on = [&]<typename T>(std::type_identity<T>) {
    return shared_at<T>(arguments.number());
  };
  constexpr std::type_identity<runtime::MutexBackend> kMutex;
  constexpr std::type_identity<runtime::SharedMutexBackend> kShared;
  constexpr std::type_identity<runtime::CondVarBackend> kCondVar;
  switch (operation) {
    case Operation::Lock:
      on(kMutex)->lock(read_location(arguments));
      return "";
    case Operation::TryLock:
      return as_result(on(kMutex)->try_lock(read_location(arguments)) ? 1 : 0);
    case Operation::Unlock:
      on(kMutex)->unlock(read_location(arguments));
      return "";
    case Operation::LockExclusive:
      on(kShared)->lock(read_location(arguments));
      return "";
    case Operation::UnlockExclusive:
      on(kShared)->unlock(read_location(arguments));
      return "";
    case Operation::LockShared:
      on(kShared)->lock_shared(read_location(arguments));
      return "";
    case Operation::UnlockShared:
      on(kShared)->unlock_shared(read_location(arguments));
      return "";
    case Operation::Wait: {
      const auto changed = on(kCondVar);
      const auto mutex = on(kMutex);
      const auto span = read_span(arguments);
      const auto deadline =
          span && is_in_time(TimePoint(*span)) ? std::optional(TimePoint(*span)) : std::nullopt;
      return as_result(changed->wait(*mutex, deadline, read_location(arguments)) ? 1 : 0);
    }
    case Operation::NotifyOne:
      on(kCondVar)->notify_one(read_location(arguments));
      return "";
    case Operation::NotifyAll:
      on(kCondVar)->notify_all(read_location(arguments));
      return "";
    default:
      return use_other(operation, arguments);
  }
}

std::string RemoteCode::use_other(Operation operation, ByteReader& arguments) {
  switch (operation) {
    case Operation::Yield:
      runtime().yield(read_location(arguments));
      return "";
    case Operation::Now:
      return as_result(bits_of(runtime().now()));
    case Operation::SleepUntil: {
      const TimePoint deadline = moment_of(arguments.number());
      if (!is_in_time(deadline)) {
        throw runtime::Panic(std::string(kTooLong));
      }
      runtime().sleep_until(deadline, read_location(arguments));
      return "";
    }
    case Operation::GroupAdd: {
      const auto group = shared_at<runtime::WaitGroupBackend>(arguments.number());
      const auto delta = static_cast<std::ptrdiff_t>(arguments.number());
      group->add(delta, read_location(arguments));
      return "";
    }
    case Operation::GroupWait:
      shared_at<runtime::WaitGroupBackend>(arguments.number())->wait(read_location(arguments));
      return "";
    case Operation::AtomicAccess: {
      const auto cell = shared_at<runtime::CellBackend>(arguments.number());
      const auto kind = static_cast<runtime::AccessKind>(arguments.number_below(3));
      cell->atomic_access(kind, read_location(arguments));
      return "";
    }
    case Operation::Close:
      channel_at(arguments.number())->close(read_location(arguments));
      return "";
    case Operation::Size:
      return as_result(channel_at(arguments.number())->size(read_location(arguments)));
    case Operation::TimerStop: {
      const std::uint64_t number = arguments.number();
      const auto timer = shared_at<runtime::TimerBackend>(number);
      tickers_.erase(number);
      return as_result(timer->stop(read_location(arguments)) ? 1 : 0);
    }
    case Operation::TimerReset: {
      const auto timer = shared_at<runtime::TimerBackend>(arguments.number());
      const Duration delay = read_span(arguments).value_or(Duration::zero());
      const Location here = read_location(arguments);
      const bool was_armed = fires_in(delay) ? timer->reset(delay, here) : timer->stop(here);
      return as_result(was_armed ? 1 : 0);
    }
    case Operation::Join:
      shared_at<runtime::TaskBackend>(arguments.number())->join(read_location(arguments));
      return "";
    case Operation::Done:
      return as_result(
          shared_at<runtime::TaskBackend>(arguments.number())->done(read_location(arguments)) ? 1
                                                                                              : 0);
    case Operation::SeedFor:
      return as_result(runtime().seed_for(name_of_tests(arguments.text())));
    case Operation::Choose: {
      const std::uint64_t options = arguments.number();
      return as_result(runtime().choose(options, arguments.text()));
    }
    case Operation::Checks:
      return as_result(runtime().checks() ? 1 : 0);
    default:
      throw BrokenProtocol("an operation comes where it must not");
  }
}

std::string RemoteCode::select(ByteReader& arguments) {
  using runtime::SelectCase;
  const bool blocking = arguments.number() != 0;
  const Location here = read_location(arguments);
  std::vector<SelectCase> cases(arguments.number_below(1U << 12U));
  std::vector<std::uint64_t> values(cases.size());
  std::vector<std::shared_ptr<runtime::ChannelBackend>> kept;  // a retired one is still waited for
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const bool sends = arguments.number() != 0;
    const std::uint64_t number = arguments.number();
    cases[i].direction = sends ? SelectCase::Direction::Send : SelectCase::Direction::Receive;
    if (number == 0) {
      continue;
    }
    const Channel& channel = at<Channel>(number - 1);
    cases[i].channel = kept.emplace_back(channel.backend).get();
    if (sends) {
      values[i] = arguments.number();
      cases[i].any_value = channel.has_moments ? runtime::AnyValue::of(moment_of(values[i]))
                                               : runtime::AnyValue::of(RemoteValue{values[i]});
    }
    // From here on only for those that receive.
    values[i] = sends ? values[i] : std::uint64_t{channel.has_moments};
  }
  const auto chosen = runtime().select(cases, blocking, here);
  ByteWriter result;
  result.number(chosen ? *chosen + 1 : 0);
  const bool sent = chosen && cases[*chosen].direction == SelectCase::Direction::Send;
  result.number(sent ? values[*chosen] + 1 : 0);
  if (chosen && !sent) {
    runtime::AnyValue& any_value = cases[*chosen].any_value;
    result.number(any_value ? 1 : 0);
    if (any_value) {
      result.number(values[*chosen] != 0 ? bits_of(*any_value.unpack<TimePoint>())
                                         : any_value.unpack<RemoteValue>()->number);
    }
  }
  return result.take();
}

std::string RemoteCode::order(ByteReader& arguments) {
  const std::uint64_t size = arguments.number_below(1U << 20U);
  const runtime::Order order = runtime().order(size, name_of_tests(arguments.text()));
  ByteWriter result;
  for (std::size_t place = 0; place < size; ++place) {
    result.number(order[place]);
  }
  return result.take();
}

void RemoteCode::operate_without_result(std::string_view operations) {
  for (ByteReader reader(operations); !reader.at_end();) {
    const auto operation = static_cast<Operation>(reader.number());
    ByteReader arguments(reader.text());
    if (serves_ && !is_in_world()) {
      continue;  // of a world that is gone
    }
    if (operation == Operation::PlainAccess) {
      const auto cell = shared_at<runtime::CellBackend>(arguments.number());
      const auto kind = static_cast<runtime::AccessKind>(arguments.number_below(3));
      cell->plain_access(kind, read_location(arguments));
    } else if (operation == Operation::Retire) {
      const std::uint64_t number = arguments.number();
      tickers_.erase(number);
      handles_.erase(number);
    } else if (operation == Operation::End) {
      static_cast<void>(dispatch(arguments.number(), kDestroy, ""));
    } else if (operation == Operation::Label) {
      runtime().label(arguments.text());
    } else if (operation == Operation::Note) {
      const std::string_view kind = arguments.text();
      const std::string_view subject = arguments.text();
      runtime().note({.kind = kind, .subject = subject, .text = arguments.text()});
    } else if (operation == Operation::Log) {
      const auto level = static_cast<runtime::LogLevel>(arguments.number_below(4));
      runtime().log(level, arguments.text());
    } else {
      make(operation, arguments);
    }
  }
}

}  // namespace watchlab::course
