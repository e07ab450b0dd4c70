#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

/// The floors of the house, the lowest first; a floor includes itself and what is below.
constexpr std::array<std::string_view, 5> kFloors{"core/", "sim/", "scenarios/", "exercises/",
                                                  "tests/"};

/// Headers that cost seconds in every file that sees them.
struct HeavyHeader {
  std::string_view prefix;
  std::string_view instead;
  bool allowed_in_sources;
  std::array<std::string_view, 6> allowed_in;  ///< beginnings of paths
};
constexpr std::array kHeavyHeaders{
    HeavyHeader{"boost/asio",
                "keep Asio in the files named for it; see architecture.md 3",
                false,
                {"sim/http/http_server.cpp", "sim/http/socket_wire.", "sim/kernel/asio_",
                 "core/runtime/fibers/event_loop.cpp", "core/client/socket.cpp", "tests/"}},
    HeavyHeader{"boost/beast",
                "keep Beast in core/client/http_message.cpp",
                false,
                {"core/client/http_message.cpp", "-", "-", "-", "-", "-"}},
    HeavyHeader{"boost/json/src.hpp",
                "link boost_json and include <boost/json.hpp>",
                false,
                {"-", "-", "-", "-", "-", "-"}},
    HeavyHeader{"boost/json",
                "include <boost/json.hpp> in a .cpp, boost/json/fwd.hpp never",
                true,
                {"tests/", "scenarios/report/", "-", "-", "-", "-"}},
    HeavyHeader{
        "regex", "write a small matcher by hand", false, {"tests/", "-", "-", "-", "-", "-"}},
    HeavyHeader{"iostream",
                "include <ostream>, or write through fmt",
                true,
                {"tests/", "-", "-", "-", "-", "-"}},
};

std::optional<std::size_t> floor_of(std::string_view path) {
  const auto found = std::find_if(kFloors.begin(), kFloors.end(), [path](std::string_view floor) {
    return path.starts_with(floor);
  });
  if (found == kFloors.end()) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - kFloors.begin());
}

std::optional<std::string> problem_of_own(const Source& source, std::string_view included) {
  const auto from = floor_of(source.path());
  const auto to = floor_of(included);
  if (!to) {
    return "includes \"" + std::string(included) +
           "\": name it from the root, or use <> for others'";
  }
  // Exercises and tests stand side by side: tests may look at exercises, not the other way round.
  if (from && *to > *from) {
    return "includes \"" + std::string(included) + "\": " + std::string(kFloors[*from]) +
           " must not know " + std::string(kFloors[*to]) + "; turn the dependency round";
  }
  return std::nullopt;
}

std::optional<std::string> problem_of_other(const Source& source, std::string_view included) {
  if (floor_of(included)) {
    return "includes <" + std::string(included) + ">: our own files are quoted";
  }
  for (const HeavyHeader& heavy : kHeavyHeaders) {
    const bool allowed =
        (heavy.allowed_in_sources && !source.is_header()) ||
        std::any_of(heavy.allowed_in.begin(), heavy.allowed_in.end(),
                    [&source](std::string_view place) { return source.in(place); });
    if (included.starts_with(heavy.prefix)) {
      return allowed ? std::nullopt
                     : std::optional("includes <" + std::string(included) +
                                     ">: " + std::string(heavy.instead));
    }
  }
  return std::nullopt;
}

}  // namespace

Problems check_includes(const Tree& tree) {
  Problems problems;
  for (const Source& source : tree) {
    // What a hostile submission includes is its attack.
    const bool is_ours = source.is_cpp() && !source.in("tests/exercises/hostile/");
    for (std::size_t i = 0; is_ours && i < source.lines().size(); ++i) {
      const std::optional<Include> include = include_of(source.lines()[i]);
      if (!include) {
        continue;
      }
      const auto message = include->is_quoted ? problem_of_own(source, include->path)
                                              : problem_of_other(source, include->path);
      if (message) {
        problems.push_back({source.path(), i + 1, *message});
      }
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
