#include "exercises/grader/homework.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>
#include <stdexcept>
#include <vector>

#include "exercises/grader/go_tests.hpp"
#include "exercises/grader/questions.hpp"
#include "exercises/programs/controllers.hpp"
#include "exercises/programs/language.hpp"
#include "exercises/programs/texts.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "sim/kernel/mix.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr const char* kHomework = "homework";
constexpr const char* kProgress = "progress.json";
constexpr const char* kFlags = "compile_flags.txt";

/// What an older file does not have is 0.
std::size_t number_or_none(const json::object& value, std::string_view key) {
  const json::value* const number = value.if_contains(key);
  return number == nullptr ? 0 : number->to_number<std::size_t>();
}

Progress progress_from(const json::object& value) {
  Progress progress{.attempts = value.at("attempts").to_number<std::size_t>(),
                    .hints = value.at("hints").to_number<std::size_t>(),
                    .best = value.at("best").to_number<double>(),
                    .caught = number_or_none(value, "caught"),
                    .shown = number_or_none(value, "shown"),
                    .done = value.at("done").as_bool(),
                    .holds = value.contains("holds") && value.at("holds").as_bool(),
                    .checked = std::string(value.at("checked").as_string())};
  for (const auto& [defect, attempts] : value.at("survivals").as_object()) {
    progress.survivals[defect] = attempts.to_number<std::size_t>();
  }
  return progress;
}

json::object to_value(const Progress& progress) {
  json::object survivals;
  for (const auto& [defect, attempts] : progress.survivals) {
    survivals[defect] = attempts;
  }
  return {{"attempts", progress.attempts},
          {"hints", progress.hints},
          {"best", progress.best},
          {"caught", progress.caught},
          {"shown", progress.shown},
          {"done", progress.done},
          {"holds", progress.holds},
          {"checked", progress.checked},
          {"survivals", std::move(survivals)}};
}

/// What a command has to say of an exercise, with what another has written about it meanwhile.
Progress joined(Progress own, const Progress& written) {
  own.attempts = std::max(own.attempts, written.attempts);
  own.hints = std::max(own.hints, written.hints);
  own.best = std::max(own.best, written.best);
  own.caught = std::max(own.caught, written.caught);
  own.shown = std::max(own.shown, written.shown);
  own.done = own.done || written.done;
  return own;
}

/// No other command of the course writes to the folder meanwhile.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (folder_ >= 0 && ::flock(folder_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() { folder_ >= 0 ? (void)::close(folder_) : void(); }

 private:
  int folder_;
};

/// Where a link of a page leads from another folder, unless what it names lies there, too. Links to
/// other sites and within the page stay.
std::string link_from(const std::string& link, const fs::path& page, const fs::path& folder) {
  const std::string file = link.substr(0, link.find('#'));
  if (file.empty() || file.find(':') != std::string::npos || fs::exists(folder / file)) {
    return link;
  }
  const fs::path target = (page.parent_path() / file).lexically_normal();
  return target.lexically_relative(folder).string() + link.substr(file.size());
}

/// The page as it reads in a student's folder: links lead to where their targets are, and commands
/// are as they are typed here.
std::string page_for(const fs::path& page, const fs::path& folder) {
  constexpr std::string_view before = "](";
  const std::string text = read_whole(page);
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, done)) {
    const std::size_t begin = at + before.size();
    const std::size_t end = text.find(')', begin);
    if (end == std::string::npos) {
      break;
    }
    out +=
        text.substr(done, begin - done) + link_from(text.substr(begin, end - begin), page, folder);
    done = end;
  }
  return typeable_as(own_call(), out + text.substr(done));
}

/// Puts a file into a student's folder, whole or not at all. What is there stays as it is; but
/// where `repairs`, a beginning of the text is what a start has left that had no room or no time
/// for the rest. Returns whether something was written.
bool bring(const fs::path& file, const std::string& text, bool repairs) {
  const bool is_there = fs::exists(fs::symlink_status(file));
  const bool is_part = is_there && repairs && fs::is_regular_file(file) &&
                       fs::file_size(file) < text.size() && text.starts_with(read_whole(file));
  if (is_there && !is_part) {
    return false;
  }
  write_output(file, text);
  return true;
}

/// For editors that ask clangd: what the files of all exercises include starts at one folder.
void write_flags(const Exercise& exercise, const fs::path& folder) {
  const fs::path root = fs::absolute(exercise.folder).parent_path().parent_path();
  bring(
      folder / kFlags,
      fmt::format("-std=c++20\n-DBOOST_TEST_DYN_LINK\n-I{}\n", fs::relative(root, folder).string()),
      true);
}

}  // namespace

std::string words_of(const Progress* progress) {
  if (progress == nullptr) {
    return "";
  }
  if (progress->done) {
    return progress->shown > 0 ? "all shown" : "done";
  }
  return progress->attempts == 0 ? "started"
         : progress->shown > 0   ? fmt::format("{} of {} shown", progress->caught, progress->shown)
                                 : fmt::format("{:.0f} points", progress->best);
}

Homework::Homework(fs::path folder) : folder_(std::move(folder)) {
  Written written = read(folder_);
  current_ = std::move(written.current);
  progress_ = std::move(written.exercises);
}

Homework::Written Homework::read(const fs::path& folder) {
  const fs::path file = folder / kProgress;
  Written written;
  if (!fs::exists(file)) {
    return written;
  }
  try {
    const json::value root = json::parse(read_whole(file));
    written.current = std::string(root.at("current").as_string());
    for (const auto& [id, progress] : root.at("exercises").as_object()) {
      written.exercises[id] = progress_from(progress.as_object());
    }
  } catch (const std::exception&) {
    throw BadInput(
        fmt::format("{} is broken; it can be deleted, then progress starts anew", file.string()));
  }
  return written;
}

std::string Homework::fingerprint_of(const Exercise& exercise) const {
  std::string text;
  for (const std::string& file : exercise.files) {
    if (const fs::path path = folder_of(exercise) / file; fs::exists(path)) {
      text += read_whole(path);
    }
  }
  return fmt::format("{:016x}", sim::digest_of(text));
}

const Progress* Homework::find(const std::string& id) const {
  const auto found = progress_.find(id);
  return found == progress_.end() ? nullptr : &found->second;
}

Progress& Homework::of(const std::string& id) {
  current_ = id;
  changed_.insert(id);
  return progress_[id];
}

bool Homework::start(const Toolchain& toolchain, const Exercise& exercise) {
  const fs::path folder = folder_of(exercise);
  fs::create_directories(folder);
  std::vector<fs::path> files = headers_of(exercise);
  std::erase_if(files, [](const fs::path& file) { return file.filename() == "remote.hpp"; });
  for (const char* const name : {"questions.yaml", "cases.yaml"}) {
    files.push_back(exercise.folder / name);
  }
  if (fs::is_directory(exercise.folder / "starter")) {
    for (const auto& entry : fs::directory_iterator(exercise.folder / "starter")) {
      files.push_back(entry.path());
    }
  }
  // A start that came to its end is in progress.json. From then on a short file may be a student's
  // own change, if it is one that the student writes.
  const bool is_begun = find(exercise.id) != nullptr;
  bool copied = false;
  const auto put = [&](const std::string& name, const std::string& text) {
    const bool is_own = std::ranges::find(exercise.files, name) != exercise.files.end();
    fs::create_directories((folder / name).parent_path());
    copied = bring(folder / name, text, !is_own || !is_begun) || copied;
  };
  for (const fs::path& file : files) {
    if (fs::exists(file)) {
      put(file.filename().string(), read_whole(file));
    }
  }
  if (is_about_controllers(exercise)) {
    for (const auto& [name, text] : sources_to_read(toolchain, exercise)) {
      put(name, text);
    }
  }
  if (is_in_go(exercise)) {
    for (const auto& [name, text] : go_module_to_read(toolchain, exercise)) {
      put(name, text);
    }
  }
  if (exercise.task == Task::Predict) {
    put("questions.html", questions_page(exercise));
  }
  write_flags(exercise, folder_);
  const fs::path page = exercise.folder / "README.md";
  for (const fs::path& each : {page, in_language(page, own_language())}) {
    put(each.filename().string(), page_for(each, folder));
  }
  static_cast<void>(of(exercise.id));
  return copied;
}

void Homework::save() const {
  fs::create_directories(folder_);
  const FolderLock lock(folder_);
  Written written = read(folder_);
  for (const std::string& id : changed_) {
    Progress& progress = written.exercises[id];
    progress = joined(progress_.at(id), progress);
    written.current = current_;
  }
  json::object exercises;
  for (const auto& [id, progress] : written.exercises) {
    exercises[id] = to_value(progress);
  }
  write_output(
      folder_ / kProgress,
      json::serialize(json::object{{"current", written.current}, {"exercises", exercises}}) + "\n");
}

namespace {

/// The homework that the folder lies in, or that the nearest one has; else the folder's own, which
/// is not there yet.
fs::path nearest_homework(const fs::path& folder) {
  for (fs::path at = folder; at != at.parent_path(); at = at.parent_path()) {
    if (fs::exists(at / kProgress) && fs::exists(at / kFlags)) {
      return at;
    }
    if (fs::exists(at / kHomework / kProgress)) {
      return at / kHomework;
    }
  }
  return folder / kHomework;
}

}  // namespace

Homework homework_at(const std::string& given) {
  carry_homework(given.empty() ? "" : " --homework" + scenarios::for_shell({given}));
  return Homework(given.empty() ? nearest_homework(fs::current_path()) : fs::absolute(given));
}

}  // namespace watchlab::course
