#pragma once

// What every file of tests begins with, whether it says so or not: read once, it need not be read
// again with each edit.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/runtime/task.hpp"
#include "exercises/toolkit/cluster.hpp"
#include "exercises/toolkit/mirror.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"
