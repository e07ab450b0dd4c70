#include "exercises/toolkit/remote_runtime.hpp"

#include <bit>
#include <utility>

#include "core/runtime/order.hpp"
#include "exercises/toolkit/remote_values.hpp"

namespace watchlab::course {
namespace {

using runtime::Duration;
using runtime::Location;
using runtime::TimePoint;

/// A primitive of the judge's world, by its number there.
template <typename Backend>
class Handle : public Backend {
 public:
  using Interface = Backend;

  Handle(Host& host, std::uint64_t number) : host_(host), number_(number) {}
  ~Handle() override {
    host_.call_later<LaterOperations, &RemoteCode::retire>(kOperationsObject, number_);
  }
  [[nodiscard]] std::uint64_t number() const { return number_; }

 protected:
  /// Has the judge do what the method of that name does.
  template <auto method, typename... Arguments>
  auto call(const Arguments&... arguments) const {
    return MethodsOf<Backend>::template call<method>(host_, number_, arguments...);
  }
  Host& host_;

 private:
  std::uint64_t number_;
};

struct RemoteMutex final : Handle<runtime::MutexBackend> {
  using Handle::Handle;
  void lock(Location here) override { call<&Interface::lock>(here); }
  bool try_lock(Location here) override { return call<&Interface::try_lock>(here); }
  void unlock(Location here) override { call<&Interface::unlock>(here); }
};

struct RemoteSharedMutex final : Handle<runtime::SharedMutexBackend> {
  using Handle::Handle;
  void lock(Location here) override { call<&Interface::lock>(here); }
  void unlock(Location here) override { call<&Interface::unlock>(here); }
  void lock_shared(Location here) override { call<&Interface::lock_shared>(here); }
  void unlock_shared(Location here) override { call<&Interface::unlock_shared>(here); }
};

struct RemoteCondVar final : Handle<runtime::CondVarBackend> {
  using Handle::Handle;
  bool wait(const runtime::HeldLock& held, const std::optional<TimePoint>& deadline,
            Location here) override {
    if (held.mutex() == nullptr) {
      throw runtime::Panic("a wait with a shared mutex is not known across processes");
    }
    return Operations::call<&RemoteCode::wait>(host_, kOperationsObject, number(),
                                               static_cast<RemoteMutex&>(*held.mutex()).number(),
                                               deadline, here);
  }
  void notify_one(Location here) override { call<&Interface::notify_one>(here); }
  void notify_all(Location here) override { call<&Interface::notify_all>(here); }
};

struct RemoteWaitGroup final : Handle<runtime::WaitGroupBackend> {
  using Handle::Handle;
  void add(std::ptrdiff_t delta, Location here) override { call<&Interface::add>(delta, here); }
  void wait(Location here) override { call<&Interface::wait>(here); }
};

struct RemoteCell final : Handle<runtime::CellBackend> {
  using Handle::Handle;
  void atomic_access(runtime::AccessKind kind, Location here) override {
    call<&Interface::atomic_access>(kind, here);
  }
  void plain_access(runtime::AccessKind kind, Location here) override {
    host_.call_later<LaterOperations, &RemoteCode::plain_access>(kOperationsObject, number(), kind,
                                                                 here);
  }
};

struct RemoteChannel final : Handle<runtime::ChannelBackend> {
  using Handle::Handle;
  void close(Location here) override { call<&Interface::close>(here); }
  [[nodiscard]] std::size_t size(Location here) override { return call<&Interface::size>(here); }
  bool has_moments = false;  ///< a timer's: its values are the judge's
};

/// Keeps its channel alive, as the world's own does.
struct RemoteTimer final : Handle<runtime::TimerBackend> {
  RemoteTimer(Host& host, std::uint64_t number, std::shared_ptr<runtime::ChannelBackend> channel)
      : Handle(host, number), channel_(std::move(channel)) {}
  bool stop(Location here) override { return call<&Interface::stop>(here); }
  bool reset(Duration delay, Location here) override {
    return call<&Interface::reset>(delay, here);
  }

 private:
  std::shared_ptr<runtime::ChannelBackend> channel_;
};

struct RemoteTask final : Handle<runtime::TaskBackend> {
  using Handle::Handle;
  void join(Location here) override { call<&Interface::join>(here); }
  [[nodiscard]] bool done(Location here) override { return call<&Interface::done>(here); }
};

}  // namespace

std::shared_ptr<runtime::TaskBackend> RemoteRuntime::spawn(std::string_view name,
                                                           std::function<void()> body,
                                                           Location here) {
  // What the body holds ends with the task, and in the task: it may be something of this world.
  const std::uint64_t task = next_object_++;  // other tasks may make something before it is done
  unfinished_->emplace(task, name);
  const auto finish = [left = unfinished_, task](const void*) { left->erase(task); };
  struct Once {
    std::function<void()> body;
    std::shared_ptr<const void> life;  ///< until the task ends, or is given up before it began
  };
  auto once = std::make_shared<Once>();
  once->body = std::move(body);
  once->life = std::shared_ptr<const void>(once.get(), finish);
  const std::uint64_t object =
      host_.publish([once = std::move(once)](std::uint32_t /*method*/, ByteReader& /*reader*/) {
        const std::shared_ptr<const void> life = std::move(once->life);
        const std::function<void()> run = std::exchange(once->body, nullptr);
        if (run == nullptr) {
          throw BrokenProtocol("a task begins twice");
        }
        run();
        return std::string();
      });
  Operations::call<&RemoteCode::spawn>(host_, kOperationsObject, task, object, name, here);
  return std::make_shared<RemoteTask>(host_, task);
}

void RemoteRuntime::yield(Location here) {
  RuntimeMethods::call<&Runtime::yield>(host_, kRuntimeObject, here);
}

TimePoint RemoteRuntime::now() {
  return RuntimeMethods::call<&Runtime::now>(host_, kRuntimeObject);
}

void RemoteRuntime::sleep_until(TimePoint deadline, Location here) {
  Operations::call<&RemoteCode::sleep_until>(host_, kOperationsObject, deadline, here);
}

template <typename Remote, auto make_primitive>
auto RemoteRuntime::made(std::string_view name, Location here) {
  host_.call_later<LaterOperations, &RemoteCode::make<make_primitive>>(kOperationsObject,
                                                                       next_object_, name, here);
  return runtime::Owned<typename Remote::Interface>(new Remote(host_, next_object_++));
}

runtime::Owned<runtime::MutexBackend> RemoteRuntime::make_mutex(std::string_view name,
                                                                Location here) {
  return made<RemoteMutex, &Runtime::make_mutex>(name, here);
}
runtime::Owned<runtime::SharedMutexBackend> RemoteRuntime::make_shared_mutex(std::string_view name,
                                                                             Location here) {
  return made<RemoteSharedMutex, &Runtime::make_shared_mutex>(name, here);
}
runtime::Owned<runtime::CondVarBackend> RemoteRuntime::make_cond_var(std::string_view name,
                                                                     Location here) {
  return made<RemoteCondVar, &Runtime::make_cond_var>(name, here);
}
runtime::Owned<runtime::WaitGroupBackend> RemoteRuntime::make_wait_group(std::string_view name,
                                                                         Location here) {
  return made<RemoteWaitGroup, &Runtime::make_wait_group>(name, here);
}
runtime::Owned<runtime::CellBackend> RemoteRuntime::make_cell(std::string_view name,
                                                              Location here) {
  return made<RemoteCell, &Runtime::make_cell>(name, here);
}

std::shared_ptr<runtime::ChannelBackend> RemoteRuntime::make_channel(std::size_t capacity,
                                                                     std::string_view name,
                                                                     Location here) {
  host_.call_later<LaterOperations, &RemoteCode::make_channel>(kOperationsObject, next_object_,
                                                               capacity, name, here);
  return std::make_shared<RemoteChannel>(host_, next_object_++);
}

runtime::Owned<runtime::TimerBackend> RemoteRuntime::make_timer(
    std::shared_ptr<runtime::ChannelBackend> channel, std::optional<Duration> delay,
    std::optional<Duration> period, Location here) {
  auto& remote = static_cast<RemoteChannel&>(*channel);
  remote.has_moments = true;
  host_.call_later<LaterOperations, &RemoteCode::make_timer>(kOperationsObject, next_object_,
                                                             remote.number(), delay, period, here);
  return runtime::Owned<runtime::TimerBackend>(
      new RemoteTimer(host_, next_object_++, std::move(channel)));
}

/// The value of a send is put aside until it is known whether that arm has happened.
RemoteArm RemoteRuntime::remote_arm(runtime::SelectCase& arm) {
  const auto* const channel = static_cast<const RemoteChannel*>(arm.channel);
  RemoteArm remote{.sends = arm.direction == runtime::SelectCase::Direction::Send, .channel = {}};
  if (channel == nullptr) {
    return remote;
  }
  remote.channel = channel->number();
  if (remote.sends && channel->has_moments) {
    remote.value =
        std::bit_cast<std::uint64_t>(arm.any_value.unpack<TimePoint>().value_or(TimePoint()));
  } else if (remote.sends) {
    remote.value = next_value_;
    values_.emplace(next_value_++, std::move(arm.any_value));
  }
  return remote;
}

runtime::AnyValue RemoteRuntime::received(const runtime::SelectCase& arm, std::uint64_t value) {
  if (static_cast<const RemoteChannel*>(arm.channel)->has_moments) {
    return runtime::AnyValue::of(std::bit_cast<TimePoint>(value));
  }
  auto found = values_.extract(value);
  return found ? std::move(found.mapped()) : runtime::AnyValue();
}

std::optional<std::size_t> RemoteRuntime::select(std::span<runtime::SelectCase> cases,
                                                 bool blocking, Location here) {
  const std::uint64_t first = next_value_;
  std::vector<RemoteArm> arms;
  for (runtime::SelectCase& arm : cases) {
    arms.push_back(remote_arm(arm));
  }
  const std::uint64_t last = next_value_;
  const auto [chosen, value] =
      Operations::call<&RemoteCode::select>(host_, kOperationsObject, arms, blocking, here);
  const bool sent = chosen && arms[*chosen].sends;
  for (std::uint64_t kept = first; kept < last; ++kept) {
    if (!sent || kept != arms[*chosen].value) {
      values_.erase(kept);
    }
  }
  if (chosen && !sent) {
    cases[*chosen].any_value = value ? received(cases[*chosen], *value) : runtime::AnyValue();
  }
  return chosen;
}

std::uint64_t RemoteRuntime::seed_for(std::string_view purpose) {
  return Operations::call<&RemoteCode::seed_for>(host_, kOperationsObject, purpose);
}

std::size_t RemoteRuntime::choose(std::size_t options, std::string_view what) {
  return Operations::call<&RemoteCode::choose>(host_, kOperationsObject, options, what);
}

runtime::Order RemoteRuntime::order(std::size_t size, std::string_view what) {
  auto places = Operations::call<&RemoteCode::order>(host_, kOperationsObject, size, what);
  return size == 0 ? runtime::Order(0) : runtime::Order::of(std::move(places));
}

void RemoteRuntime::label(std::string_view text) {
  host_.call_later<LaterRuntimeMethods, &Runtime::label>(kRuntimeObject, text);
}

void RemoteRuntime::note(const runtime::Note& note) {
  host_.call_later<LaterRuntimeMethods, &Runtime::note>(kRuntimeObject, note);
}

void RemoteRuntime::log(runtime::LogLevel level, std::string_view text) {
  host_.call_later<LaterRuntimeMethods, &Runtime::log>(kRuntimeObject, level, text);
}

bool RemoteRuntime::checks() const {
  return RuntimeMethods::call<&Runtime::checks>(host_, kRuntimeObject);
}

using Signal = runtime::Channel<runtime::Unit>;

void Coded<Signal>::write(const Outgoing& out, const Signal& signal) {
  const auto* const channel = static_cast<const RemoteChannel*>(signal.backend().get());
  out.bytes.number(channel == nullptr ? 0 : channel->number());
}

Signal Coded<Signal>::read(const Incoming& in) {
  const std::uint64_t number = in.bytes.number();
  auto& code = static_cast<RemoteCode&>(in.peer);
  return number == 0 ? Signal::nil(code.runtime())
                     : Signal(code.runtime(), code.at<runtime::ChannelBackend>(number));
}

}  // namespace watchlab::course
