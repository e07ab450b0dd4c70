#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

constexpr std::string_view kMapPath = "docs/architecture.dot";

using Arrow = std::pair<std::string, std::string>;

/// The node that stands for a file; "" for what is not on the map.
std::string module_of(std::string_view path) {
  if (path.starts_with("tests/") || path.starts_with("docs/")) {
    return "";
  }
  const std::size_t floor = path.find('/');
  const std::size_t folder = floor == path.npos ? floor : path.find('/', floor + 1);
  if (folder == path.npos) {
    return "";
  }
  // Exercises are numbered and all alike.
  const bool is_exercise =
      path.starts_with("exercises/") && path[floor + 1] >= '0' && path[floor + 1] <= '9';
  return is_exercise ? "exercises/NN-slug" : std::string(path.substr(0, folder));
}

/// `"a" -> "b"`, each with its line.
std::map<Arrow, std::size_t> arrows_of(const Source& map) {
  std::map<Arrow, std::size_t> arrows;
  for (std::size_t i = 0; i < map.lines().size(); ++i) {
    const std::string_view line = map.lines()[i];
    const std::size_t arrow = line.find("\" -> \"");
    if (arrow != line.npos) {
      const std::size_t from = line.find('"') + 1;
      const std::size_t to = arrow + std::string_view("\" -> \"").size();
      arrows.try_emplace({std::string(line.substr(from, arrow - from)),
                          std::string(line.substr(to, line.find('"', to) - to))},
                         i + 1);
    }
  }
  return arrows;
}

/// Whether one can go from `from` to `to` by arrows other than `without`.
bool leads(const std::map<Arrow, std::size_t>& arrows, const std::string& from,
           const std::string& to, const Arrow& without) {
  std::set<std::string> seen{from};
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& [arrow, line] : arrows) {
      if (arrow != without && seen.contains(arrow.first)) {
        if (arrow.second == to) {
          return true;
        }
        grows = seen.insert(arrow.second).second || grows;
      }
    }
  }
  return false;
}

/// The pairs of folders of which one includes the other. Reports those that the map forbids.
std::set<Arrow> includes_of(const Tree& tree, const std::map<Arrow, std::size_t>& arrows,
                            Problems& problems) {
  std::set<Arrow> includes;
  for (const Source& source : tree) {
    const std::string from = source.is_cpp() ? module_of(source.path()) : "";
    for (std::size_t i = 0; !from.empty() && i < source.lines().size(); ++i) {
      const std::optional<Include> include = include_of(source.lines()[i]);
      const std::string to = include && include->is_quoted ? module_of(include->path) : "";
      if (to.empty() || to == from) {
        continue;
      }
      const bool is_new = includes.emplace(from, to).second;
      if (is_new && !leads(arrows, from, to, {})) {
        problems.push_back({source.path(), i + 1,
                            "includes " + to + ", to which no arrow of " + std::string(kMapPath) +
                                " leads from " + from});
      }
    }
  }
  return includes;
}

}  // namespace

Problems check_modules(const Tree& tree) {
  Problems problems;
  const Source* const map = find(tree, kMapPath);
  if (map == nullptr) {
    return problems;
  }
  const std::map<Arrow, std::size_t> arrows = arrows_of(*map);
  const std::set<Arrow> includes = includes_of(tree, arrows, problems);
  for (const auto& [arrow, line] : arrows) {
    const auto& [from, to] = arrow;
    if (leads(arrows, to, from, {})) {
      problems.push_back({map->path(), line, from + " and " + to + " lead to each other"});
    } else if (!includes.contains(arrow)) {
      problems.push_back({map->path(), line, from + " includes nothing of " + to});
    } else if (leads(arrows, from, to, arrow)) {
      problems.push_back(
          {map->path(), line, "other arrows lead from " + from + " to " + to + ": take it out"});
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
