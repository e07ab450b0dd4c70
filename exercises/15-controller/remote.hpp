#pragma once

// How the controller is called from the process that judges it, and how it calls the cache and the
// server there.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exercises/15-controller/subject.hpp"
#include "exercises/toolkit/remote_peer.hpp"

namespace watchlab::exercise {

class RemoteController final
    : public course::Remote<Controller, &Controller::keys_for, &Controller::reconcile> {
 public:
  using Remote::Remote;

  [[nodiscard]] std::vector<std::string> keys_for(const Notice& notice) override {
    return call<&Controller::keys_for>(notice);
  }
  [[nodiscard]] Outcome reconcile(const std::string& key) override {
    return call<&Controller::reconcile>(key);
  }
};

class RemoteCache final : public course::Remote<Cache, &Cache::set, &Cache::pods> {
 public:
  using Remote::Remote;

  [[nodiscard]] std::optional<Set> set(const std::string& name) const override {
    return call<&Cache::set>(name);
  }
  [[nodiscard]] PodList pods(const std::string& set_name) const override {
    return call<&Cache::pods>(set_name);
  }
};

class RemoteServer final : public course::Remote<Server, &Server::find_set, &Server::create_pod,
                                                 &Server::delete_pod, &Server::report> {
 public:
  using Remote::Remote;

  [[nodiscard]] std::optional<Set> find_set(const std::string& name) override {
    return call<&Server::find_set>(name);
  }
  [[nodiscard]] Created create_pod(std::int64_t set_id) override {
    return call<&Server::create_pod>(set_id);
  }
  [[nodiscard]] Answer delete_pod(const std::string& name) override {
    return call<&Server::delete_pod>(name);
  }
  [[nodiscard]] Answer report(const Set& set, std::int64_t reported) override {
    return call<&Server::report>(set, reported);
  }
};

/// What the student's library defines.
using LibraryFunctions = course::Methods<&make_controller>;

}  // namespace watchlab::exercise

namespace watchlab::course {

template <>
struct RemoteTraits<exercise::Controller> {
  using Proxy = exercise::RemoteController;
};
template <>
struct RemoteTraits<exercise::Cache> {
  using Proxy = exercise::RemoteCache;
};
template <>
struct RemoteTraits<exercise::Server> {
  using Proxy = exercise::RemoteServer;
};
template <>
inline constexpr std::uint64_t kValuesOf<exercise::Change> = 4;
template <>
inline constexpr std::uint64_t kValuesOf<exercise::Answer> = 4;
template <>
inline constexpr std::uint64_t kValuesOf<exercise::Outcome> = 2;

}  // namespace watchlab::course
