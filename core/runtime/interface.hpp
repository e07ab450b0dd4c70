#pragma once

namespace watchlab::runtime {

/// The base of classes that others implement: a lister-watcher, a store, a decoder, the metrics of
/// a queue. It says once what holds for each of them:
///
/// - it can be deleted through a pointer to it, so its destructor is virtual;
/// - it is neither copied nor moved, because callers keep references and pointers to it, and a copy
///   of the base alone would be a part of an object.
///
///     class Decoder : public runtime::Interface {
///      public:
///       [[nodiscard]] virtual api::Result<Event> decode() = 0;
///     };
///
/// It has no data and no functions. A class may come to it in several ways (`Store` is a
/// `KeyLister` and a `ReflectorStore`): nothing is ever called by way of a reference to this class,
/// so that is never ambiguous. Where it is inherited twice there are two of it, as there were two
/// tables of virtual functions without it.
class Interface {
 public:
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;
  virtual ~Interface() = default;

 protected:
  Interface() = default;
};

}  // namespace watchlab::runtime
