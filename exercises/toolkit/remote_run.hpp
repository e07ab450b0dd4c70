#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/runtime/channel.hpp"
#include "core/runtime/interface.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/stop_token.hpp"
#include "exercises/toolkit/mirror.hpp"
#include "exercises/toolkit/remote_values.hpp"

/// How a library that runs until it is stopped is called across processes. Stop tokens do not
/// travel; channels do.
namespace watchlab::course {

using Signal = runtime::Channel<runtime::Unit>;

/// Runs until the channel is closed.
class ServedRun : public runtime::Interface {
 public:
  virtual void run_until(const Signal& stop) = 0;
};

class RemoteRun final : public Remote<ServedRun, &ServedRun::run_until> {
 public:
  using Remote::Remote;

  void run_until(const Signal& stop) override { call<&ServedRun::run_until>(stop); }
};

template <>
struct RemoteTraits<ServedRun> {
  using Proxy = RemoteRun;
};

/// Calls `run` with a token that is stopped when the channel is closed.
void run_until(runtime::Runtime& runtime, const Signal& stop,
               const std::function<void(const runtime::StopToken&)>& run);

/// In the process of the library: runs its `Subject`.
template <typename Subject>
class LocalRun final : public ServedRun {
 public:
  LocalRun(runtime::Runtime& runtime, std::unique_ptr<Subject> subject)
      : runtime_(runtime), subject_(std::move(subject)) {}

  void run_until(const Signal& stop) override {
    course::run_until(runtime_, stop,
                      [this](const runtime::StopToken& own) { subject_->run(own); });
  }

 private:
  runtime::Runtime& runtime_;
  std::unique_ptr<Subject> subject_;
};

/// In the process of the tests: their `Subject`, which runs in the other one.
template <typename Subject>
class RunElsewhere final : public Subject {
 public:
  RunElsewhere(runtime::Runtime& runtime, std::unique_ptr<ServedRun> served)
      : runtime_(runtime), served_(std::move(served)) {}

  void run(const runtime::StopToken& stop) override { served_->run_until(stop.done(runtime_)); }

 private:
  runtime::Runtime& runtime_;
  std::unique_ptr<ServedRun> served_;
};

/// The library writes into the tests' mirror.
class RemoteMirror final : public Remote<exercise::Mirror, &exercise::Mirror::put,
                                         &exercise::Mirror::remove, &exercise::Mirror::replace> {
 public:
  using Remote::Remote;

  void put(const api::ObjectPtr& object) override { call<&exercise::Mirror::put>(object); }
  void remove(const api::ObjectPtr& object) override { call<&exercise::Mirror::remove>(object); }
  void replace(const std::vector<api::ObjectPtr>& objects) override {
    call<&exercise::Mirror::replace>(objects);
  }
};

template <>
struct RemoteTraits<exercise::Mirror> {
  using Proxy = RemoteMirror;
};

}  // namespace watchlab::course
