// Named .h and without a guard: nobody includes it, it is the main file of its own compilation.
// What most sources include, read once a library where there is no compiler cache (see ./watchlab,
// configure). Sources still include what they use: most builds leave this file out.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>
