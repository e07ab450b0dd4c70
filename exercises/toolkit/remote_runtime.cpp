#include "exercises/toolkit/remote_runtime.hpp"

#include <utility>

#include "core/runtime/order.hpp"
#include "exercises/toolkit/remote_code.hpp"
#include "exercises/toolkit/remote_values.hpp"

namespace watchlab::course {
namespace {

using runtime::Duration;
using runtime::Location;
using runtime::TimePoint;

/// The arguments of an operation, and the operation itself.
class Request {
 public:
  Request(Host& host, Operation operation) : host_(host), operation_(operation) {}

  Request& operator<<(std::uint64_t number) {
    writer_.number(number);
    return *this;
  }
  Request& operator<<(std::string_view text) {
    writer_.text(text);
    return *this;
  }
  /// Moments and spans that may be missing.
  Request& operator<<(std::optional<Duration> span) {
    writer_.number(span ? 1 : 0);
    writer_.number(span ? bits_of(TimePoint(*span)) : 0);
    return *this;
  }
  Request& operator<<(Location here) {
    write_location(writer_, here);
    return *this;
  }
  std::string done() { return host_.operate(operation_, writer_.bytes()); }
  /// Done where the result is one number.
  std::uint64_t number() {
    const std::string result = done();
    return result.empty() ? 0 : ByteReader(result).number();
  }
  void done_later() { host_.operate_later(operation_, writer_.bytes()); }
  [[nodiscard]] ByteWriter& writer() { return writer_; }

 private:
  Host& host_;
  Operation operation_;
  ByteWriter writer_;
};

/// An object of the judge's world, by its number there.
template <typename Interface>
class Handle : public Interface {
 public:
  Handle(Host& host, std::uint64_t number) : host_(host), number_(number) {}
  ~Handle() override { to(Operation::Retire).done_later(); }
  [[nodiscard]] std::uint64_t number() const { return number_; }

 protected:
  [[nodiscard]] Request to(Operation operation) const {
    Request request(host_, operation);
    request << number_;
    return request;
  }
  Host& host_;

 private:
  std::uint64_t number_;
};

struct RemoteMutex final : Handle<runtime::MutexBackend> {
  using Handle::Handle;
  void lock(Location here) override { (to(Operation::Lock) << here).done(); }
  bool try_lock(Location here) override { return (to(Operation::TryLock) << here).number() != 0; }
  void unlock(Location here) override { (to(Operation::Unlock) << here).done(); }
};

struct RemoteSharedMutex final : Handle<runtime::SharedMutexBackend> {
  using Handle::Handle;
  void lock(Location here) override { (to(Operation::LockExclusive) << here).done(); }
  void unlock(Location here) override { (to(Operation::UnlockExclusive) << here).done(); }
  void lock_shared(Location here) override { (to(Operation::LockShared) << here).done(); }
  void unlock_shared(Location here) override { (to(Operation::UnlockShared) << here).done(); }
};

struct RemoteCondVar final : Handle<runtime::CondVarBackend> {
  using Handle::Handle;
  bool wait(runtime::MutexBackend& mutex, std::optional<TimePoint> deadline,
            Location here) override {
    Request request = to(Operation::Wait);
    request << static_cast<RemoteMutex&>(mutex).number()
            << (deadline ? std::optional(deadline->time_since_epoch()) : std::nullopt) << here;
    return request.number() != 0;
  }
  void notify_one(Location here) override { (to(Operation::NotifyOne) << here).done(); }
  void notify_all(Location here) override { (to(Operation::NotifyAll) << here).done(); }
};

struct RemoteWaitGroup final : Handle<runtime::WaitGroupBackend> {
  using Handle::Handle;
  void add(std::ptrdiff_t delta, Location here) override {
    (to(Operation::GroupAdd) << static_cast<std::uint64_t>(delta) << here).done();
  }
  void wait(Location here) override { (to(Operation::GroupWait) << here).done(); }
};

struct RemoteCell final : Handle<runtime::CellBackend> {
  using Handle::Handle;
  void atomic_access(runtime::AccessKind kind, Location here) override {
    (to(Operation::AtomicAccess) << static_cast<std::uint64_t>(kind) << here).done();
  }
  void plain_access(runtime::AccessKind kind, Location here) override {
    (to(Operation::PlainAccess) << static_cast<std::uint64_t>(kind) << here).done_later();
  }
};

struct RemoteChannel final : Handle<runtime::ChannelBackend> {
  using Handle::Handle;
  void close(Location here) override { (to(Operation::Close) << here).done(); }
  [[nodiscard]] std::size_t size(Location here) override {
    return (to(Operation::Size) << here).number();
  }
  bool has_moments = false;  ///< a timer's: its values are the judge's
};

/// Keeps its channel alive, as the world's own does.
struct RemoteTimer final : Handle<runtime::TimerBackend> {
  RemoteTimer(Host& host, std::uint64_t number, std::shared_ptr<runtime::ChannelBackend> channel)
      : Handle(host, number), channel_(std::move(channel)) {}
  bool stop(Location here) override { return (to(Operation::TimerStop) << here).number() != 0; }
  bool reset(Duration delay, Location here) override {
    return (to(Operation::TimerReset) << std::optional(delay) << here).number() != 0;
  }

 private:
  std::shared_ptr<runtime::ChannelBackend> channel_;
};

struct RemoteTask final : Handle<runtime::TaskBackend> {
  using Handle::Handle;
  void join(Location here) override { (to(Operation::Join) << here).done(); }
  [[nodiscard]] bool done(Location here) override {
    return (to(Operation::Done) << here).number() != 0;
  }
};

template <typename T>
runtime::Owned<T> owned(T* made) {
  return runtime::Owned<T>(made);
}

}  // namespace

std::shared_ptr<runtime::TaskBackend> RemoteRuntime::spawn(std::string_view name,
                                                           std::function<void()> body,
                                                           Location here) {
  // What the body holds ends with the task, and in the task: it may be something of this world.
  const std::uint64_t object =
      host_.publish([once = std::make_shared<std::function<void()>>(std::move(body))](
                        std::uint32_t /*method*/, ByteReader& /*reader*/) {
        const std::function<void()> run = std::exchange(*once, nullptr);
        if (run == nullptr) {
          throw BrokenProtocol("a task begins twice");
        }
        run();
        return std::string();
      });
  const std::uint64_t task = next_object_++;  // other tasks may make something before it is done
  (Request(host_, Operation::Spawn) << task << object << name << here).done();
  return std::make_shared<RemoteTask>(host_, task);
}

void RemoteRuntime::yield(Location here) { (Request(host_, Operation::Yield) << here).done(); }

TimePoint RemoteRuntime::now() { return moment_of(Request(host_, Operation::Now).number()); }

void RemoteRuntime::sleep_until(TimePoint deadline, Location here) {
  (Request(host_, Operation::SleepUntil) << bits_of(deadline) << here).done();
}

std::uint64_t RemoteRuntime::make(Operation operation, std::string_view name, Location here) {
  (Request(host_, operation) << next_object_ << name << here).done_later();
  return next_object_++;
}

runtime::Owned<runtime::MutexBackend> RemoteRuntime::make_mutex(std::string_view name,
                                                                Location here) {
  return owned<runtime::MutexBackend>(
      new RemoteMutex(host_, make(Operation::MakeMutex, name, here)));
}
runtime::Owned<runtime::SharedMutexBackend> RemoteRuntime::make_shared_mutex(std::string_view name,
                                                                             Location here) {
  return owned<runtime::SharedMutexBackend>(
      new RemoteSharedMutex(host_, make(Operation::MakeSharedMutex, name, here)));
}
runtime::Owned<runtime::CondVarBackend> RemoteRuntime::make_cond_var(std::string_view name,
                                                                     Location here) {
  return owned<runtime::CondVarBackend>(
      new RemoteCondVar(host_, make(Operation::MakeCondVar, name, here)));
}
runtime::Owned<runtime::WaitGroupBackend> RemoteRuntime::make_wait_group(std::string_view name,
                                                                         Location here) {
  return owned<runtime::WaitGroupBackend>(
      new RemoteWaitGroup(host_, make(Operation::MakeWaitGroup, name, here)));
}
runtime::Owned<runtime::CellBackend> RemoteRuntime::make_cell(std::string_view name,
                                                              Location here) {
  return owned<runtime::CellBackend>(new RemoteCell(host_, make(Operation::MakeCell, name, here)));
}

std::shared_ptr<runtime::ChannelBackend> RemoteRuntime::make_channel(std::size_t capacity,
                                                                     std::string_view name,
                                                                     Location here) {
  Request request(host_, Operation::MakeChannel);
  (request << next_object_ << name << here << std::uint64_t{capacity}).done_later();
  return std::make_shared<RemoteChannel>(host_, next_object_++);
}

runtime::Owned<runtime::TimerBackend> RemoteRuntime::make_timer(
    std::shared_ptr<runtime::ChannelBackend> channel, std::optional<Duration> delay,
    std::optional<Duration> period, Location here) {
  auto& remote = static_cast<RemoteChannel&>(*channel);
  remote.has_moments = true;
  Request request(host_, Operation::MakeTimer);
  (request << next_object_ << "" << here << remote.number() << delay << period).done_later();
  return owned<runtime::TimerBackend>(new RemoteTimer(host_, next_object_++, std::move(channel)));
}

void RemoteRuntime::put_case(ByteWriter& writer, runtime::SelectCase& arm) {
  const auto* const channel = static_cast<const RemoteChannel*>(arm.channel);
  const bool sends = arm.direction == runtime::SelectCase::Direction::Send;
  writer.number(sends ? 1 : 0);
  writer.number(channel == nullptr ? 0 : channel->number() + 1);
  if (!sends || channel == nullptr) {
    return;
  }
  if (channel->has_moments) {
    const auto moment = arm.any_value.unpack<TimePoint>();
    writer.number(bits_of(moment.value_or(TimePoint())));
    return;
  }
  writer.number(next_value_);
  values_.emplace(next_value_++, std::move(arm.any_value));
}

void RemoteRuntime::take_value(runtime::SelectCase& arm, ByteReader& reader) {
  if (reader.number() == 0) {
    arm.any_value.reset();  // closed
    return;
  }
  const std::uint64_t value = reader.number();
  if (static_cast<const RemoteChannel*>(arm.channel)->has_moments) {
    arm.any_value = runtime::AnyValue::of(moment_of(value));
    return;
  }
  const auto found = values_.find(value);
  if (found != values_.end()) {
    arm.any_value = std::move(found->second);
    values_.erase(found);
  }
}

std::optional<std::size_t> RemoteRuntime::select(std::span<runtime::SelectCase> cases,
                                                 bool blocking, Location here) {
  Request request(host_, Operation::Select);
  request << std::uint64_t{blocking} << here << std::uint64_t{cases.size()};
  const std::uint64_t first = next_value_;
  for (runtime::SelectCase& arm : cases) {
    put_case(request.writer(), arm);
  }
  const std::uint64_t last = next_value_;
  const std::string result = request.done();
  ByteReader reader(result);
  const std::uint64_t chosen = reader.number();  // 0: none
  const std::uint64_t sent = reader.number();    // 0: none, else the value's number + 1
  for (std::uint64_t value = first; value < last; ++value) {
    if (value + 1 != sent) {
      values_.erase(value);
    }
  }
  if (chosen == 0) {
    return std::nullopt;
  }
  runtime::SelectCase& arm = cases[chosen - 1];
  if (arm.direction == runtime::SelectCase::Direction::Receive) {
    take_value(arm, reader);
  }
  return chosen - 1;
}

std::uint64_t RemoteRuntime::seed_for(std::string_view purpose) {
  return (Request(host_, Operation::SeedFor) << purpose).number();
}

std::size_t RemoteRuntime::choose(std::size_t options, std::string_view what) {
  return (Request(host_, Operation::Choose) << std::uint64_t{options} << what).number();
}

runtime::Order RemoteRuntime::order(std::size_t size, std::string_view what) {
  const std::string result =
      (Request(host_, Operation::Order) << std::uint64_t{size} << what).done();
  ByteReader reader(result);
  std::vector<std::size_t> numbers(size);
  for (std::size_t& number : numbers) {
    number = reader.number();
  }
  return size == 0 ? runtime::Order(0) : runtime::Order::of(std::move(numbers));
}

void RemoteRuntime::label(std::string_view text) {
  ByteWriter writer;
  writer.text(text);
  host_.operate_later(Operation::Label, writer.bytes());
}

void RemoteRuntime::note(const runtime::Note& note) {
  ByteWriter writer;
  writer.text(note.kind);
  writer.text(note.subject);
  writer.text(note.text);
  host_.operate_later(Operation::Note, writer.bytes());
}

void RemoteRuntime::log(runtime::LogLevel level, std::string_view text) {
  ByteWriter writer;
  writer.number(static_cast<std::uint64_t>(level));
  writer.text(text);
  host_.operate_later(Operation::Log, writer.bytes());
}

bool RemoteRuntime::checks() const { return Request(host_, Operation::Checks).number() != 0; }

using Signal = runtime::Channel<runtime::Unit>;

void Coded<Signal>::write(Peer& /*peer*/, ByteWriter& writer, const Signal& signal,
                          Published& /*published*/) {
  const auto* const channel = static_cast<const RemoteChannel*>(signal.backend().get());
  writer.number(channel == nullptr ? 0 : channel->number() + 1);
}

Signal Coded<Signal>::read(Peer& peer, ByteReader& reader, Published& /*published*/) {
  const std::uint64_t number = reader.number();
  return number == 0
             ? Signal::nil(peer.runtime())
             : Signal(peer.runtime(), static_cast<RemoteCode&>(peer).channel_at(number - 1));
}

}  // namespace watchlab::course
