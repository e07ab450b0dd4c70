#pragma once

#include <map>
#include <utility>

#include "core/api/resource.hpp"

namespace watchlab::sim {

/// What servers keep for each resource, in the order of resources. Most look-ups in a row ask for
/// the same resource, so the last one found is remembered: to compare three strings at each step
/// down a tree takes longer than most of what is done with what is found. Like all of a server not
/// to be used by two threads at once, even to read.
template <typename T>
class ByResource {
 public:
  ByResource() = default;
  ByResource(const ByResource&) = delete;
  ByResource& operator=(const ByResource&) = delete;

  /// Null when nothing is kept for it.
  [[nodiscard]] T* find(const api::GroupVersionResource& resource) {
    return remembers(resource) ? &last_->second : remembered(entries_.find(resource));
  }
  [[nodiscard]] const T* find(const api::GroupVersionResource& resource) const {
    return const_cast<ByResource*>(this)->find(resource);
  }
  /// Made when there is none.
  [[nodiscard]] T& operator[](const api::GroupVersionResource& resource) {
    T* const found = find(resource);
    return found != nullptr ? *found : *remembered(entries_.try_emplace(resource).first);
  }
  /// There must be none for it.
  T& emplace(const api::GroupVersionResource& resource, T value) {
    return *remembered(entries_.emplace(resource, std::move(value)).first);
  }

  [[nodiscard]] auto begin() { return entries_.begin(); }
  [[nodiscard]] auto end() { return entries_.end(); }
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }

 private:
  using Entries = std::map<api::GroupVersionResource, T>;

  [[nodiscard]] bool remembers(const api::GroupVersionResource& resource) const {
    return last_ != nullptr && last_->first == resource;
  }
  T* remembered(typename Entries::iterator found) {
    if (found == entries_.end()) {
      return nullptr;
    }
    last_ = &*found;
    return &found->second;
  }

  Entries entries_;
  typename Entries::value_type* last_ = nullptr;  // entries stay where they are
};

}  // namespace watchlab::sim
