#pragma once

// How the reflector is called from the process that judges it, and how it calls the server and the
// store there.
#include <memory>
#include <string>
#include <vector>

#include "exercises/08-reflector/subject.hpp"
#include "exercises/toolkit/remote_peer.hpp"

namespace watchlab::exercise {

class RemoteReflector final : public course::Remote<Reflector, &Reflector::run, &Reflector::stop> {
 public:
  using Remote::Remote;

  void run() override { call<&Reflector::run>(); }
  void stop() override { call<&Reflector::stop>(); }
};

class RemoteWatch final : public course::Remote<Watch, &Watch::next, &Watch::stop> {
 public:
  using Remote::Remote;

  [[nodiscard]] Event next() override { return call<&Watch::next>(); }
  void stop() override { call<&Watch::stop>(); }
};

class RemoteServer final : public course::Remote<Server, &Server::list, &Server::watch> {
 public:
  using Remote::Remote;

  [[nodiscard]] List list(const std::string& version) override {
    return call<&Server::list>(version);
  }
  [[nodiscard]] std::unique_ptr<Watch> watch(const std::string& version) override {
    return call<&Server::watch>(version);
  }
};

class RemoteStore final
    : public course::Remote<Store, &Store::put, &Store::remove, &Store::replace> {
 public:
  using Remote::Remote;

  void put(const api::ObjectPtr& object) override { call<&Store::put>(object); }
  void remove(const api::ObjectPtr& object) override { call<&Store::remove>(object); }
  void replace(const std::vector<api::ObjectPtr>& objects) override {
    call<&Store::replace>(objects);
  }
};

/// What the student's library defines.
using LibraryFunctions = course::Methods<&make_reflector>;

}  // namespace watchlab::exercise

namespace watchlab::course {

template <>
struct RemoteTraits<exercise::Reflector> {
  using Proxy = exercise::RemoteReflector;
};
template <>
struct RemoteTraits<exercise::Watch> {
  using Proxy = exercise::RemoteWatch;
};
template <>
struct RemoteTraits<exercise::Server> {
  using Proxy = exercise::RemoteServer;
};
template <>
struct RemoteTraits<exercise::Store> {
  using Proxy = exercise::RemoteStore;
};
template <>
inline constexpr std::uint64_t kValuesOf<exercise::EventType> = 7;

}  // namespace watchlab::course
