#pragma once

// How the store is called from the process that judges it.
#include <string>
#include <vector>

#include "exercises/01-store/subject.hpp"
#include "exercises/toolkit/remote_peer.hpp"

namespace watchlab::exercise {

class RemoteStore final : public course::Remote<Store, &Store::put, &Store::remove, &Store::replace,
                                                &Store::get, &Store::list> {
 public:
  using Remote::Remote;

  void put(const api::ObjectPtr& object) override { call<&Store::put>(object); }
  void remove(const api::ObjectPtr& object) override { call<&Store::remove>(object); }
  void replace(const std::vector<api::ObjectPtr>& list) override { call<&Store::replace>(list); }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    return call<&Store::get>(key);
  }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override { return call<&Store::list>(); }
};

/// What the student's library defines.
using LibraryFunctions = course::Methods<&key_of, &make_store>;

}  // namespace watchlab::exercise

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::Store> {
  using Proxy = exercise::RemoteStore;
};
