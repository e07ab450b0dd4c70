#pragma once

#include <memory>
#include <utility>

#include "core/api/result.hpp"
#include "core/cache/queue.hpp"
#include "core/runtime/channel.hpp"
#include "exercises/toolkit/remote_peer.hpp"

/// How values of core travel between processes, for exercises whose functions have them.
namespace watchlab::course {

/// Of a failure that is modelled, its kind and its words.
template <typename T>
struct Coded<api::Result<T>> {
  static void write(Peer& peer, ByteWriter& writer, const api::Result<T>& result,
                    Published& published) {
    writer.number(result.ok() ? 1 : 0);
    if (!result.ok()) {
      writer.number(static_cast<std::uint64_t>(result.error().kind));
      writer.text(result.error().message);
    } else if constexpr (!std::is_void_v<T>) {
      Coded<T>::write(peer, writer, *result, published);
    }
  }
  static api::Result<T> read(Peer& peer, ByteReader& reader, Published& published) {
    if (reader.number() == 0) {
      const auto kind = static_cast<api::ErrorKind>(reader.number());
      return api::Error{.kind = kind, .message = std::string(reader.text()), .status = {}};
    }
    if constexpr (std::is_void_v<T>) {
      return {};
    } else {
      return Coded<T>::read(peer, reader, published);
    }
  }
};

/// Tombstones are copies; the objects in them are not.
template <>
struct Coded<cache::Item> {
  static void write(Peer& peer, ByteWriter& writer, const cache::Item& item,
                    Published& /*published*/) {
    const auto* const tombstone = std::get_if<cache::TombstonePtr>(&item);
    writer.number(tombstone == nullptr ? 0 : 1);
    if (tombstone != nullptr) {
      writer.text((*tombstone)->key);
    }
    peer.write(writer, cache::object_of(item));
  }
  static cache::Item read(Peer& peer, ByteReader& reader, Published& /*published*/) {
    if (reader.number() == 0) {
      return peer.read(reader);
    }
    std::string key(reader.text());
    return std::make_shared<const cache::DeletedFinalStateUnknown>(
        cache::DeletedFinalStateUnknown{std::move(key), peer.read(reader)});
  }
};

template <>
struct Coded<cache::Delta> {
  static void write(Peer& peer, ByteWriter& writer, const cache::Delta& delta,
                    Published& published) {
    writer.number(static_cast<std::uint64_t>(delta.type));
    Coded<cache::Item>::write(peer, writer, delta.object, published);
  }
  static cache::Delta read(Peer& peer, ByteReader& reader, Published& published) {
    const auto type = static_cast<cache::DeltaType>(reader.number());
    return {type, Coded<cache::Item>::read(peer, reader, published)};
  }
};

/// A channel that only signals, from the side that a student wrote to the one that has the worlds.
template <>
struct Coded<runtime::Channel<runtime::Unit>> {
  using Signal = runtime::Channel<runtime::Unit>;

  static void write(Peer& peer, ByteWriter& writer, const Signal& signal, Published& published);
  static Signal read(Peer& peer, ByteReader& reader, Published& published);
};

}  // namespace watchlab::course
