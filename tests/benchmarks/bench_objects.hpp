#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/api/object.hpp"

/// What the benchmarks of core work on: the same objects as those of client-go/main.go.
namespace watchlab::benchmarks {

inline constexpr std::size_t kObjects = 100'000;
inline constexpr std::size_t kNamespaces = 100;

/// A ConfigMap of about one kilobyte as JSON.
[[nodiscard]] api::ObjectPtr make_object(std::size_t i);

/// The key of `make_object(i)`.
[[nodiscard]] std::string key_number(std::size_t i);

/// `kObjects` of them.
[[nodiscard]] std::vector<api::ObjectPtr> make_objects();

/// Takes a result that a benchmark is not about, so that no compiler leaves it out.
void use(std::size_t value);

}  // namespace watchlab::benchmarks
