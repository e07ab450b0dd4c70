#pragma once

// How the processor is called from the process of the tests.
#include <memory>
#include <string>
#include <vector>

#include "exercises/10-cache-first/subject.hpp"
#include "exercises/toolkit/remote_peer.hpp"

namespace watchlab::exercise {

/// The processor uses the tests' cache and calls their handlers: this goes the other way.
class RemoteCache final
    : public course::Remote<Cache, &Cache::get, &Cache::list, &Cache::put, &Cache::remove> {
 public:
  using Remote::Remote;

  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    return call<&Cache::get>(key);
  }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override { return call<&Cache::list>(); }
  void put(const api::ObjectPtr& object) override { call<&Cache::put>(object); }
  void remove(const std::string& key) override { call<&Cache::remove>(key); }
};

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

class RemoteRegistration final : public course::Remote<Registration, &Registration::remove> {
 public:
  using Remote::Remote;

  void remove() override { call<&Registration::remove>(); }
};

}  // namespace watchlab::exercise

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::Cache> {
  using Proxy = exercise::RemoteCache;
};

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::Handler> {
  using Proxy = exercise::RemoteHandler;
};

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::Registration> {
  using Proxy = exercise::RemoteRegistration;
};

namespace watchlab::exercise {

class RemoteProcessor final
    : public course::Remote<Processor, &Processor::process, &Processor::add_handler> {
 public:
  using Remote::Remote;

  void process(const Changes& changes, bool in_first_list) override {
    call<&Processor::process>(changes, in_first_list);
  }
  [[nodiscard]] std::unique_ptr<Registration> add_handler(Handler& handler,
                                                          bool wants_resyncs) override {
    return call<&Processor::add_handler>(handler, wants_resyncs);
  }
};

/// What the student's library defines.
using LibraryFunctions = course::Methods<&make_processor>;

}  // namespace watchlab::exercise

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::Processor> {
  using Proxy = exercise::RemoteProcessor;
};
