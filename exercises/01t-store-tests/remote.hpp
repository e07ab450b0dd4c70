#pragma once

// How the store is called from the process of the tests.
#include <string>
#include <vector>

#include "exercises/01t-store-tests/subject.hpp"
#include "exercises/toolkit/remote_peer.hpp"

namespace watchlab::exercise {

class RemoteStore final : public course::Remote<Store, &Store::add, &Store::update, &Store::remove,
                                                &Store::replace, &Store::get, &Store::list> {
 public:
  using Remote::Remote;

  void add(const api::ObjectPtr& object) override { call<&Store::add>(object); }
  void update(const api::ObjectPtr& object) override { call<&Store::update>(object); }
  void remove(const api::ObjectPtr& object) override { call<&Store::remove>(object); }
  void replace(const std::vector<api::ObjectPtr>& objects) override {
    call<&Store::replace>(objects);
  }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    return call<&Store::get>(key);
  }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override { return call<&Store::list>(); }
};

/// What the library defines.
using LibraryFunctions = course::Methods<&make_store>;

}  // namespace watchlab::exercise

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::Store> {
  using Proxy = exercise::RemoteStore;
};
