#pragma once

// How the listener is called from the process of the tests.
#include "exercises/12-processor-listener/subject.hpp"
#include "exercises/toolkit/remote_peer.hpp"

namespace watchlab::exercise {

class RemoteListener final
    : public course::Remote<Listener, &Listener::add, &Listener::run, &Listener::close,
                            &Listener::has_synced, &Listener::resync_is_due, &Listener::resynced> {
 public:
  using Remote::Remote;

  void add(const Notification& notification) override { call<&Listener::add>(notification); }
  void run() override { call<&Listener::run>(); }
  void close() override { call<&Listener::close>(); }
  [[nodiscard]] bool has_synced() const override { return call<&Listener::has_synced>(); }
  [[nodiscard]] bool resync_is_due() const override { return call<&Listener::resync_is_due>(); }
  void resynced() override { call<&Listener::resynced>(); }
};

/// The listener calls the tests' handler and informer: these calls go the other way.
class RemoteHandler final : public course::Remote<Handler, &Handler::handle> {
 public:
  using Remote::Remote;

  [[nodiscard]] bool handle(const Notification& notification) override {
    return call<&Handler::handle>(notification);
  }
};

class RemoteInformer final : public course::Remote<Informer, &Informer::has_synced> {
 public:
  using Remote::Remote;

  [[nodiscard]] bool has_synced() const override { return call<&Informer::has_synced>(); }
};

/// What the student's library defines.
using LibraryFunctions = course::Methods<&make_listener>;

}  // namespace watchlab::exercise

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::Listener> {
  using Proxy = exercise::RemoteListener;
};

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::Handler> {
  using Proxy = exercise::RemoteHandler;
};

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::Informer> {
  using Proxy = exercise::RemoteInformer;
};
