#pragma once

// How the reflector is called from the process of the tests.
#include <memory>
#include <vector>

#include "exercises/08t-reflector-tests/subject.hpp"
#include "exercises/toolkit/cluster_server.hpp"
#include "exercises/toolkit/remote_values.hpp"

namespace watchlab::exercise {

/// The reflector writes into the tests' mirror.
class RemoteMirror final
    : public course::Remote<Mirror, &Mirror::put, &Mirror::remove, &Mirror::replace> {
 public:
  using Remote::Remote;

  void put(const api::ObjectPtr& object) override { call<&Mirror::put>(object); }
  void remove(const api::ObjectPtr& object) override { call<&Mirror::remove>(object); }
  void replace(const std::vector<api::ObjectPtr>& objects) override {
    call<&Mirror::replace>(objects);
  }
};

/// A reflector that stops when a channel is closed: tokens do not travel.
class ServedReflector {
 public:
  ServedReflector() = default;
  ServedReflector(const ServedReflector&) = delete;
  ServedReflector& operator=(const ServedReflector&) = delete;
  virtual ~ServedReflector() = default;

  virtual void run_until(const runtime::Channel<runtime::Unit>& stop) = 0;
};

class RemoteReflector final : public course::Remote<ServedReflector, &ServedReflector::run_until> {
 public:
  using Remote::Remote;

  void run_until(const runtime::Channel<runtime::Unit>& stop) override {
    call<&ServedReflector::run_until>(stop);
  }
};

[[nodiscard]] std::unique_ptr<ServedReflector> serve_reflector(
    runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source, Mirror& mirror);

/// What the process of the library has.
using LibraryFunctions = course::Methods<&serve_reflector>;

}  // namespace watchlab::exercise

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::Mirror> {
  using Proxy = exercise::RemoteMirror;
};

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::ServedReflector> {
  using Proxy = exercise::RemoteReflector;
};
