// What sources that read and write texts include, read once a target where there is no compiler
// cache; as core/precompiled/standard.h, nobody includes it.
#include <fmt/format.h>
#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>
