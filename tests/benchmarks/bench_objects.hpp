#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/runtime.hpp"
#include "core/watch/watch.hpp"

namespace watchlab::benchmarks {

// What the benchmarks of core work on: the same objects as those of client-go/main.go.

inline constexpr std::size_t kObjects = 100'000;
inline constexpr std::size_t kNamespaces = 100;

/// A ConfigMap of about one kilobyte as JSON.
[[nodiscard]] api::ObjectPtr make_object(std::size_t i);

/// The key of `make_object(i)`.
[[nodiscard]] std::string key_number(std::size_t i);

/// `kObjects` of them.
[[nodiscard]] std::vector<api::ObjectPtr> make_objects();

/// The bookmark that ends a streamed list at that revision.
[[nodiscard]] watch::Event end_of_streamed_list(const std::string& revision);

/// Takes a result that a benchmark is not about, so that no compiler leaves it out.
void use(std::size_t value);

/// Three producers and three consumers of 27 items over a buffer of three: one lock, two
/// conditions. The program that Shuttle and threads of the operating system are compared with.
void bounded_buffer(runtime::Runtime& runtime);

}  // namespace watchlab::benchmarks
