// What every test includes, read once a program where there is no compiler cache; as
// core/precompiled/standard.h, nobody includes it.
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
