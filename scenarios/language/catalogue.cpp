#include "scenarios/language/catalogue.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "scenarios/language/plain_text.hpp"

namespace watchlab::scenarios {
namespace {

namespace fs = std::filesystem;

void add_folder(const std::string& folder, std::vector<std::string>& files) {
  std::error_code failure;
  std::vector<std::string> found;
  for (fs::recursive_directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const bool fails = fs::exists(entry->path().parent_path() / "fix.patch", failure);
    if (entry->path().extension() == ".yaml" && !fails && entry->is_regular_file(failure)) {
      found.push_back(entry->path().lexically_normal().string());
    }
  }
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
}

}  // namespace

std::vector<std::string> scenario_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code failure;
    if (fs::is_directory(path, failure)) {
      add_folder(path, files);
    } else {
      files.push_back(path);
    }
  }
  return files;
}

std::vector<CatalogueEntry> load_catalogue(const std::vector<std::string>& paths) {
  std::vector<CatalogueEntry> entries;
  for (const std::string& path : scenario_files(paths)) {
    entries.push_back({path, load_scenario(path)});
  }
  return entries;
}

std::string display_name(const std::string& path) {
  const fs::path file(visible_line(path));
  const std::string folder = file.parent_path().filename().string();
  if (file.stem() == "scenario") {
    return folder;
  }
  return folder.empty() ? file.stem().string() : folder + "/" + file.stem().string();
}

std::string find_scenario(const std::string& root, const std::string& name, std::string& nearest) {
  std::error_code failure;
  if (fs::is_regular_file(name, failure)) {
    return name;
  }
  std::vector<std::string> known;
  for (const std::string& path : scenario_files({root})) {
    const std::string display = display_name(path);
    const std::string alone = fs::path(display).filename().string();
    if (name == display || name == alone) {
      return path;
    }
    known.push_back(display);
    known.push_back(alone);
  }
  for (fs::directory_iterator piece(fs::path(root) / "museum", failure), end;
       !failure && piece != end; piece.increment(failure)) {
    const std::string slug = piece->path().filename().string();
    const fs::path story = piece->path() / "scenario.yaml";
    if ((name == slug || name == "museum/" + slug) && fs::is_regular_file(story, failure)) {
      return story.lexically_normal().string();  // one that core has, which no folder stands for
    }
    known.push_back(slug);
  }
  nearest = nearest_name(name, known);
  return "";
}

}  // namespace watchlab::scenarios
