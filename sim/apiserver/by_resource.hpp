#pragma once

#include <map>
#include <utility>

#include "core/api/object.hpp"

namespace watchlab::sim {

/// What servers keep for each resource, in the order of resources. Most look-ups in a row ask for
/// the same resource, or for it and for namespaces in turn, so the last two found are remembered:
/// to compare three strings at each step down a tree takes longer than most of what is done with
/// what is found. Like all of a server not to be used by two threads at once, even to read.
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
    return entry(resource).second;
  }
  /// The same, with the resource as it stands here for as long as this does.
  [[nodiscard]] std::pair<const api::GroupVersionResource, T>& entry(
      const api::GroupVersionResource& resource) {
    if (find(resource) == nullptr) {
      (void)remembered(entries_.try_emplace(resource).first);
    }
    return *last_;
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

  /// The names first: what is asked for differs by them.
  [[nodiscard]] static bool same(const api::GroupVersionResource& one,
                                 const api::GroupVersionResource& other) {
    return one.resource == other.resource && one.group == other.group &&
           one.version == other.version;
  }
  /// Whether it is one of the two that were found last; then it is the last one now.
  [[nodiscard]] bool remembers(const api::GroupVersionResource& resource) {
    if (last_ != nullptr && same(last_->first, resource)) {
      return true;
    }
    if (before_ == nullptr || !same(before_->first, resource)) {
      return false;
    }
    std::swap(last_, before_);
    return true;
  }
  T* remembered(typename Entries::iterator found) {
    if (found == entries_.end()) {
      return nullptr;
    }
    before_ = std::exchange(last_, &*found);
    return &found->second;
  }

  Entries entries_;
  typename Entries::value_type* last_ = nullptr;    // entries stay where they are
  typename Entries::value_type* before_ = nullptr;  // the one that was found before it
};

}  // namespace watchlab::sim
