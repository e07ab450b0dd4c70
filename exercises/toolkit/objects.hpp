#pragma once

#include <string>
#include <string_view>

#include "core/api/object.hpp"
#include "core/cache/key.hpp"

namespace watchlab::exercise {

/// A ConfigMap with that key, "namespace/name" or "name", in that state: the resource version.
[[nodiscard]] api::ObjectPtr object(std::string_view key, std::string_view resource_version = "1",
                                    api::Labels labels = {});
/// A tombstone: the object of that key is gone, and `last` is its last known state.
[[nodiscard]] cache::Item tombstone(std::string_view key, api::ObjectPtr last = nullptr);

/// "namespace/name@version", or "null".
[[nodiscard]] std::string text_of(const api::ObjectPtr& object);
/// An object as above; a tombstone as "gone(namespace/name@version)".
[[nodiscard]] std::string text_of(const cache::Item& item);

}  // namespace watchlab::exercise
