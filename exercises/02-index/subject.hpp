#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/api/result.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::exercise {

/// Computes under which values an object stands in an index: none, one or several, in any order,
/// a value perhaps twice.
using ValuesOf = std::function<std::vector<std::string>(const api::ObjectPtr& object)>;

/// Objects by key ("namespace/name", or "name") that are also found by values computed from them.
/// The promises:
///
/// - **I1** `put` stores an object in place of what stood under its key; `remove` takes away what
///   stands under the object's key, whatever its state, if anything does. `get` gives what is
///   stored, or null.
/// - **I2** `replace` takes the list as the whole truth: what is not in it is gone.
/// - **I3** `find(index, value)` gives each stored object once whose *stored* state has that value,
///   and no other, in no promised order. `keys(index, value)` gives the same objects' keys, sorted.
/// - **I4** `alike(index, object)` gives each stored object once that has at least one value in
///   common with `object` as it is given, which need not be stored.
/// - **I5** `values(index)` gives each value once that at least one stored object has, in no
///   promised order.
/// - **I6** `add_index` works at any time: objects that are stored already are found too. A name
///   that is taken is an error, and the old index stays.
/// - **I7** A question about an index that was never added is an error, not an empty answer.
/// - **I8** Any task may call any function at any time. An index never lags behind the objects: a
///   task that finds an object by key finds the same state by its values, unless it was changed in
///   between (C5, C6).
class IndexedStore {
 public:
  using Objects = std::vector<api::ObjectPtr>;

  IndexedStore() = default;
  IndexedStore(const IndexedStore&) = delete;
  IndexedStore& operator=(const IndexedStore&) = delete;
  virtual ~IndexedStore() = default;

  virtual void put(const api::ObjectPtr& object) = 0;
  virtual void remove(const api::ObjectPtr& object) = 0;
  virtual void replace(const Objects& list) = 0;
  [[nodiscard]] virtual api::ObjectPtr get(const std::string& key) const = 0;

  virtual api::Result<void> add_index(const std::string& index, const ValuesOf& values_of) = 0;
  [[nodiscard]] virtual api::Result<Objects> find(const std::string& index,
                                                  const std::string& value) const = 0;
  [[nodiscard]] virtual api::Result<std::vector<std::string>> keys(
      const std::string& index, const std::string& value) const = 0;
  [[nodiscard]] virtual api::Result<Objects> alike(const std::string& index,
                                                   const api::ObjectPtr& object) const = 0;
  [[nodiscard]] virtual api::Result<std::vector<std::string>> values(
      const std::string& index) const = 0;
};

/// An empty store without indices. Each variant of this exercise has its own.
[[nodiscard]] std::unique_ptr<IndexedStore> make_store(runtime::Runtime& runtime);

}  // namespace watchlab::exercise
