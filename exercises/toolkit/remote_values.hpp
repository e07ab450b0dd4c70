#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/api/result.hpp"
#include "core/cache/queue.hpp"
#include "core/runtime/channel.hpp"
#include "exercises/toolkit/remote_peer.hpp"

/// How values of core travel between processes.
namespace watchlab::course {

template <>
struct Coded<api::Labels> {
  static void write(const Outgoing& out, const api::Labels& labels) {
    out.bytes.number(labels.size());
    for (const auto& [key, text] : labels) {
      out.bytes.text(key);
      out.bytes.text(text);
    }
  }
  static api::Labels read(const Incoming& in) {
    api::Labels labels;
    for (std::uint64_t left = in.bytes.number(); left > 0; --left) {
      std::string key(in.bytes.text());
      labels.try_emplace(std::move(key), in.bytes.text());
    }
    return labels;
  }
};

/// Of a failure that is modelled, its kind and its message.
template <typename T>
struct Coded<api::Result<T>> {
  static void write(const Outgoing& out, const api::Result<T>& result) {
    out.bytes.number(result.ok() ? 1 : 0);
    if (!result.ok()) {
      out.bytes.number(static_cast<std::uint64_t>(result.error().kind));
      out.bytes.text(result.error().message);
    } else if constexpr (!std::is_void_v<T>) {
      Coded<T>::write(out, *result);
    }
  }
  static api::Result<T> read(const Incoming& in) {
    if (in.bytes.number() == 0) {
      const auto kind = static_cast<api::ErrorKind>(in.bytes.number());
      return api::Error{.kind = kind, .message = std::string(in.bytes.text()), .status = {}};
    }
    if constexpr (std::is_void_v<T>) {
      return {};
    } else {
      return Coded<T>::read(in);
    }
  }
};

/// Tombstones are copies; the objects in them are not. A delta is a record of a type and an item.
template <>
struct Coded<cache::Item> {
  static void write(const Outgoing& out, const cache::Item& item) {
    const auto* const tombstone = std::get_if<cache::TombstonePtr>(&item);
    out.bytes.number(tombstone == nullptr ? 0 : 1);
    if (tombstone != nullptr) {
      out.bytes.text((*tombstone)->key);
    }
    out.peer.write(out.bytes, cache::object_of(item));
  }
  static cache::Item read(const Incoming& in) {
    if (in.bytes.number() == 0) {
      return in.peer.read(in.bytes);
    }
    std::string key(in.bytes.text());
    return std::make_shared<const cache::DeletedFinalStateUnknown>(
        cache::DeletedFinalStateUnknown{std::move(key), in.peer.read(in.bytes)});
  }
};

/// Deltas of the queues of exercises have none: it is for queues of client-go 0.36 and later.
template <>
struct Coded<std::shared_ptr<const cache::DeltaInfo>> {
  static void write(const Outgoing&, const std::shared_ptr<const cache::DeltaInfo>&) {}
  static std::shared_ptr<const cache::DeltaInfo> read(const Incoming&) { return nullptr; }
};

/// A channel that only signals, from the side that a student wrote to the one that has the worlds.
template <>
struct Coded<runtime::Channel<runtime::Unit>> {
  using Signal = runtime::Channel<runtime::Unit>;

  static void write(const Outgoing& out, const Signal& signal);
  static Signal read(const Incoming& in);
};

}  // namespace watchlab::course
