#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

bool is_page(const Source& source) { return source.path().ends_with(".md"); }

/// The lines of a page that are no sample: what stands between fences is a quotation.
std::vector<std::string_view> prose_of(const Source& page) {
  std::vector<std::string_view> prose;
  bool in_sample = false;
  for (std::string_view line : page.lines()) {
    in_sample ^= line.starts_with("```");
    if (!in_sample) {
      prose.push_back(line);
    }
  }
  return prose;
}

void check_title(const Source& page, Problems& problems) {
  const auto titles = std::ranges::count_if(
      prose_of(page), [](std::string_view line) { return line.starts_with("# "); });
  if (titles != 1) {
    problems.push_back(
        {page.path(), 1, "has " + std::to_string(titles) + " titles; a page has one line `# …`"});
  }
}

void add_targets(const Source& page, std::string_view line, std::set<std::string>& targets) {
  for (std::size_t at = line.find("]("); at != line.npos; at = line.find("](", at + 1)) {
    const std::string target(line.substr(at + 2, line.find_first_of(") #", at + 2) - at - 2));
    if (!target.empty() && target.find("://") == std::string::npos) {
      targets.insert(
          (std::filesystem::path(page.folder()) / target).lexically_normal().generic_string());
    }
  }
}

/// Paths from the root that `page` links to. Links to other sites and within the page are left out.
std::set<std::string> targets_of(const Source& page) {
  std::set<std::string> targets;
  for (std::string_view line : prose_of(page)) {
    add_targets(page, line, targets);
  }
  return targets;
}

bool leads_somewhere(const Tree& tree, const std::string& target) {
  return target == "LICENSE" || target.ends_with(".svg") || target.ends_with(".html") ||
         std::ranges::any_of(tree, [&target](const Source& source) {
           return source.path() == target || source.in(target + "/") ||
                  (target.ends_with('/') && source.in(target));
         });
}

}  // namespace

Problems check_pages(const Tree& tree) {
  Problems problems;
  std::set<std::string> linked;
  for (const Source& page : tree) {
    if (!is_page(page)) {
      continue;
    }
    check_title(page, problems);
    for (const std::string& target : targets_of(page)) {
      if (!leads_somewhere(tree, target)) {
        problems.push_back({page.path(), 1, "links to " + target + ", which is not there"});
      }
      if (target != page.path()) {
        linked.insert(target);
      }
    }
  }
  for (const Source& page : tree) {
    if (is_page(page) && page.in("docs/") && !linked.contains(page.path())) {
      problems.push_back(
          {page.path(), 1, "no page links here; add a link where a reader comes by"});
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
