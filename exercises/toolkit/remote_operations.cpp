#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "core/runtime/order.hpp"
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

/// A value in a channel, which stays with the library.
struct RemoteValue {
  std::uint64_t number = 0;
};

}  // namespace

std::string RemoteCode::operate(std::uint64_t object, std::uint32_t method,
                                std::string_view arguments) {
  if (object < kRuntimeObject) {
    return dispatch(object, method, arguments);
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

std::size_t RemoteCode::choose(std::size_t options, std::string_view what) {
  return runtime().choose(options, what);
}

void RemoteCode::spawn(std::uint64_t number, std::uint64_t object, std::string_view name,
                       Location here) {
  keep(number, {runtime().spawn(
                   name, [this, object] { static_cast<void>(request(object, 0, "")); }, here)});
}

void RemoteCode::sleep_until(TimePoint deadline, Location here) {
  runtime().sleep_until(deadline, here);
}

bool RemoteCode::wait(std::uint64_t cond_var, std::uint64_t mutex,
                      std::optional<TimePoint> deadline, Location here) {
  const auto changed = at<runtime::CondVarBackend>(cond_var);
  const auto held = at<runtime::MutexBackend>(mutex);
  return changed->wait(*held, deadline, here);
}

std::uint64_t RemoteCode::seed_for(std::string_view purpose) { return runtime().seed_for(purpose); }

std::vector<std::size_t> RemoteCode::order(std::size_t size, std::string_view what) {
  check_at_most(kSizeMax, size);
  const runtime::Order order = runtime().order(size, what);
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

void RemoteCode::make_timer(std::uint64_t number, std::uint64_t channel,
                            std::optional<runtime::Duration> delay,
                            std::optional<runtime::Duration> period, Location here) {
  const auto target = at<runtime::ChannelBackend>(channel);
  primitive_at(channel).has_moments = true;
  keep(number, {std::shared_ptr(runtime().make_timer(target, delay, period, here))});
}

void RemoteCode::plain_access(std::uint64_t cell, runtime::AccessKind kind, Location here) {
  at<runtime::CellBackend>(cell)->plain_access(kind, here);
}

void RemoteCode::retire(std::uint64_t number) { primitives_.erase(number); }

void RemoteCode::end_published(std::uint64_t object) {
  static_cast<void>(dispatch(object, kDestroy, ""));
}

}  // namespace watchlab::course
