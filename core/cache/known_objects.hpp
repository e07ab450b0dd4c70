#pragma once

#include <string>
#include <vector>

#include "core/api/object.hpp"

namespace watchlab::cache {

/// Something that knows which keys it holds. Mirrors client-go tools/cache/delta_fifo.go,
/// KeyLister.
class KeyLister {
 public:
  KeyLister() = default;
  KeyLister(const KeyLister&) = delete;
  KeyLister& operator=(const KeyLister&) = delete;
  virtual ~KeyLister() = default;

  /// In no promised order.
  [[nodiscard]] virtual std::vector<std::string> list_keys() const = 0;
};

/// Something that finds an object by its key. Mirrors client-go tools/cache/delta_fifo.go,
/// KeyGetter.
///
/// Differs from client-go: a lookup cannot fail, it finds or does not find. No store of the
/// original's or of ours fails here.
class KeyGetter {
 public:
  KeyGetter() = default;
  KeyGetter(const KeyGetter&) = delete;
  KeyGetter& operator=(const KeyGetter&) = delete;
  virtual ~KeyGetter() = default;

  /// Null when there is none.
  [[nodiscard]] virtual api::ObjectPtr get_by_key(const std::string& key) const = 0;
};

/// What a `DeltaFIFO` asks about the objects that its consumer has stored already; any `Store` is
/// one. The queue calls it under its own lock. Mirrors client-go tools/cache/delta_fifo.go,
/// KeyListerGetter.
class KeyListerGetter : public KeyLister, public KeyGetter {};

}  // namespace watchlab::cache
