#pragma once

// What every library under test begins with, whether it says so or not: read once, it need not be
// read again for each of them.
#include <algorithm>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/shared.hpp"
