#pragma once

#include <functional>

#include "core/api/object.hpp"
#include "core/api/result.hpp"

namespace watchlab::cache {

/// Changes each object once, before it is queued, for instance to drop what nobody reads. It makes
/// a new object; the given one may be shared. It must give the same for its own result. A failure
/// keeps the object out of the queue. Mirrors client-go tools/cache/controller.go, TransformFunc.
using TransformFunction = std::function<api::Result<api::ObjectPtr>(const api::ObjectPtr& object)>;

}  // namespace watchlab::cache
