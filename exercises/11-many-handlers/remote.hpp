#pragma once

// How the informer is called from the process of the tests.
#include <memory>
#include <string>

#include "core/runtime/interface.hpp"
#include "exercises/11-many-handlers/subject.hpp"
#include "exercises/toolkit/cluster_server.hpp"
#include "exercises/toolkit/remote_values.hpp"

namespace watchlab::exercise {

/// The informer calls the tests' handlers: this goes the other way.
class RemoteHandler final
    : public course::Remote<Handler, &Handler::on_add, &Handler::on_update, &Handler::on_delete> {
 public:
  using Remote::Remote;

  void on_add(const api::ObjectPtr& object, bool was_there) override {
    call<&Handler::on_add>(object, was_there);
  }
  void on_update(const api::ObjectPtr& before, const api::ObjectPtr& after) override {
    call<&Handler::on_update>(before, after);
  }
  void on_delete(const api::ObjectPtr& last, bool was_missed) override {
    call<&Handler::on_delete>(last, was_missed);
  }
};

class RemoteRegistration final
    : public course::Remote<Registration, &Registration::has_synced, &Registration::remove> {
 public:
  using Remote::Remote;

  [[nodiscard]] bool has_synced() const override { return call<&Registration::has_synced>(); }
  void remove() override { call<&Registration::remove>(); }
};

}  // namespace watchlab::exercise

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::Handler> {
  using Proxy = exercise::RemoteHandler;
};

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::Registration> {
  using Proxy = exercise::RemoteRegistration;
};

namespace watchlab::exercise {

/// An informer that stops when a channel is closed: tokens do not travel.
class ServedInformer : public runtime::Interface {
 public:
  virtual void run_until(const runtime::Channel<runtime::Unit>& stop) = 0;
  [[nodiscard]] virtual std::unique_ptr<Registration> add_handler(
      Handler& handler, runtime::Duration resync_period) = 0;
  [[nodiscard]] virtual bool has_synced() const = 0;
  [[nodiscard]] virtual api::ObjectPtr get(const std::string& key) const = 0;
};

class RemoteInformer final
    : public course::Remote<ServedInformer, &ServedInformer::run_until,
                            &ServedInformer::add_handler, &ServedInformer::has_synced,
                            &ServedInformer::get> {
 public:
  using Remote::Remote;

  void run_until(const runtime::Channel<runtime::Unit>& stop) override {
    call<&ServedInformer::run_until>(stop);
  }
  [[nodiscard]] std::unique_ptr<Registration> add_handler(
      Handler& handler, runtime::Duration resync_period) override {
    return call<&ServedInformer::add_handler>(handler, resync_period);
  }
  [[nodiscard]] bool has_synced() const override { return call<&ServedInformer::has_synced>(); }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    return call<&ServedInformer::get>(key);
  }
};

[[nodiscard]] std::unique_ptr<ServedInformer> serve_informer(
    runtime::Runtime& runtime, std::shared_ptr<cache::ListerWatcher> source);

/// What the process of the library has.
using LibraryFunctions = course::Methods<&serve_informer>;

}  // namespace watchlab::exercise

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::ServedInformer> {
  using Proxy = exercise::RemoteInformer;
};
