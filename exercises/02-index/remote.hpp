#pragma once

// How the store is called from the process of the tests.
#include <string>
#include <vector>

#include "exercises/02-index/subject.hpp"
#include "exercises/toolkit/remote_values.hpp"

/// The store keeps the function of an index: it can be called until the run is over.
template <>
struct watchlab::course::Coded<watchlab::exercise::ValuesOf>
    : watchlab::course::FunctionForARun<std::vector<std::string>, const api::ObjectPtr&> {};

namespace watchlab::exercise {

class RemoteIndexedStore final
    : public course::Remote<IndexedStore, &IndexedStore::put, &IndexedStore::remove,
                            &IndexedStore::replace, &IndexedStore::get, &IndexedStore::add_index,
                            &IndexedStore::find, &IndexedStore::keys, &IndexedStore::alike,
                            &IndexedStore::values> {
 public:
  using Remote::Remote;
  using Texts = std::vector<std::string>;

  void put(const api::ObjectPtr& object) override { call<&IndexedStore::put>(object); }
  void remove(const api::ObjectPtr& object) override { call<&IndexedStore::remove>(object); }
  void replace(const Objects& list) override { call<&IndexedStore::replace>(list); }
  [[nodiscard]] api::ObjectPtr get(const std::string& key) const override {
    return call<&IndexedStore::get>(key);
  }

  api::Result<void> add_index(const std::string& index, const ValuesOf& values_of) override {
    return call<&IndexedStore::add_index>(index, values_of);
  }
  [[nodiscard]] api::Result<Objects> find(const std::string& index,
                                          const std::string& value) const override {
    return call<&IndexedStore::find>(index, value);
  }
  [[nodiscard]] api::Result<Texts> keys(const std::string& index,
                                        const std::string& value) const override {
    return call<&IndexedStore::keys>(index, value);
  }
  [[nodiscard]] api::Result<Objects> alike(const std::string& index,
                                           const api::ObjectPtr& object) const override {
    return call<&IndexedStore::alike>(index, object);
  }
  [[nodiscard]] api::Result<Texts> values(const std::string& index) const override {
    return call<&IndexedStore::values>(index);
  }
};

/// What the process of the library serves.
using LibraryFunctions = course::Methods<&make_store>;

}  // namespace watchlab::exercise

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::IndexedStore> {
  using Proxy = exercise::RemoteIndexedStore;
};
