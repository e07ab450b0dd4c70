#include "exercises/grader/cohort.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/trim.hpp>
#include <cerrno>
#include <climits>
#include <cstring>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "exercises/programs/builder.hpp"
#include "exercises/programs/exercise.hpp"
#include "exercises/programs/texts.hpp"
#include "scenarios/language/document.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// Leaves those that are named. Throws `BadInput` for a name that is not there.
void keep_only(std::vector<fs::path>& folders, const std::set<std::string>& only,
               const fs::path& submissions) {
  std::vector<std::string> names;
  std::ranges::transform(folders, std::back_inserter(names),
                         [](const fs::path& folder) { return folder.filename().string(); });
  for (const std::string& name : only) {
    if (std::ranges::find(names, name) == names.end()) {
      const std::string nearest = scenarios::nearest_name(name, names);
      throw BadInput(fmt::format(
          "{} has no submission {}{}", submissions.string(), visible_line(name),
          nearest.empty() ? "" : fmt::format("; did you mean {}?", visible_line(nearest))));
    }
  }
  std::erase_if(folders, [&](const fs::path& folder) {
    return !only.empty() && !only.contains(folder.filename().string());
  });
}

/// A grader at work.
struct Running {
  std::string name;
  int output = -1;  ///< to read what it prints
};

pid_t start(const std::vector<std::string>& words, int output) {
  const pid_t child = ::fork();
  if (child != 0) {
    return child;
  }
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  ::execv(arguments.front(), arguments.data());
  ::_exit(127);
}

/// What is there to read by now, without waiting for more.
std::string read_all(int descriptor) {
  ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t size = ::read(descriptor, buffer.data(), buffer.size()); size > 0;
       size = ::read(descriptor, buffer.data(), buffer.size())) {
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
  ::close(descriptor);
  return text;
}

/// The graders of one cohort.
class Graders {
 public:
  explicit Graders(const std::function<void(const std::string&)>& progress) : progress_(progress) {}

  CohortResult result;
  std::size_t all = 0;

  [[nodiscard]] std::size_t running() const { return running_.size(); }

  void begin(const std::string& name, const std::vector<std::string>& words) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw std::runtime_error(fmt::format("no pipe: {}", std::strerror(errno)));
    }
    const pid_t child = start(words, ends[1]);
    ::close(ends[1]);
    if (child < 0) {
      ::close(ends[0]);
      throw std::runtime_error(fmt::format("no process: {}", std::strerror(errno)));
    }
    running_[child] = {name, ends[0]};
  }

  /// Waits for one of them. A child that is none of them, such as a leftover of what a submission
  /// has started, is no result.
  void wait_for_one() {
    int status = 0;
    const pid_t ended = ::waitpid(-1, &status, 0);
    const auto found = running_.find(ended);
    if (found == running_.end()) {
      if (ended < 0 && errno != EINTR) {
        throw std::runtime_error(fmt::format("cannot wait for graders: {}", std::strerror(errno)));
      }
      return;
    }
    const Running grader = found->second;
    running_.erase(found);
    count(grader.name, status, read_all(grader.output));
    progress_(fmt::format("{} of {} submissions: {}", ++ended_, all, visible_line(grader.name)));
  }

 private:
  void count(const std::string& name, int status, const std::string& output) {
    const bool is_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    const std::string shown = visible_line(name);
    if (is_well && output.starts_with(kNotGradableMark)) {
      const std::string why = output.substr(kNotGradableMark.size());
      result.not_gradable.push_back(
          fmt::format("{}: {}", shown, visible_line(why.substr(0, why.find('\n')))));
    } else if (is_well) {
      ++result.graded;
      result.without_points += output.find(": 0.00 of ") != std::string::npos ? 1 : 0;
    } else if (WIFEXITED(status)) {
      result.broken.push_back(
          fmt::format("{}: the grader ended with status {}", shown, WEXITSTATUS(status)));
    } else {
      result.broken.push_back(
          fmt::format("{}: the grader died of signal {}", shown, WTERMSIG(status)));
    }
  }

  const std::function<void(const std::string&)>& progress_;
  std::size_t ended_ = 0;
  std::map<pid_t, Running> running_;
};

/// What lies in a folder of submissions; each part sorted.
struct Submissions {
  std::vector<fs::path> folders;
  std::vector<std::string> skipped;  ///< what is no folder, with why; a link is none
  std::vector<std::string> refused;  ///< what cannot be named in a line, with why
};

/// Throws `BadInput` where that is no folder.
Submissions submissions_in(const fs::path& cohort) {
  if (!fs::is_directory(cohort)) {
    throw BadInput(fmt::format("{} is no folder", cohort.string()));
  }
  Submissions found;
  for (const auto& entry : fs::directory_iterator(cohort)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory() || entry.is_symlink() || name.starts_with('.')) {
      found.skipped.push_back(visible_line(name) + ": skipped, it is no folder of a submission");
    } else if (has_line_break(name)) {
      found.refused.push_back(visible_line(name) +
                              ": refused, its name has a line break; rename it");
    } else {
      found.folders.push_back(entry.path());
    }
  }
  std::ranges::sort(found.folders);
  std::ranges::sort(found.skipped);
  std::ranges::sort(found.refused);
  return found;
}

}  // namespace

CohortResult grade_cohort(const CohortRequest& request,
                          const std::function<std::vector<std::string>(const fs::path&)>& describe,
                          const std::function<void(const std::string&)>& progress) {
  Graders graders(progress);
  auto [folders, skipped, refused] = submissions_in(request.submissions);
  graders.result.skipped = std::move(skipped);
  graders.result.broken = std::move(refused);
  if (folders.empty() && graders.result.broken.empty()) {
    throw BadInput(
        fmt::format("{} has no folders: a submission is a folder", request.submissions.string()));
  }
  keep_only(folders, request.only, request.submissions);
  graders.all = folders.size();
  for (const fs::path& folder : folders) {
    while (graders.running() >= std::max<std::size_t>(1, request.jobs)) {
      graders.wait_for_one();
    }
    graders.begin(folder.filename().string(), describe(folder));
  }
  while (graders.running() > 0) {
    graders.wait_for_one();
  }
  std::sort(graders.result.not_gradable.begin(), graders.result.not_gradable.end());
  std::sort(graders.result.broken.begin(), graders.result.broken.end());
  return graders.result;
}

void require_apart(const fs::path& output, const fs::path& inputs) {
  const fs::path folder = (fs::weakly_canonical(inputs) / "").parent_path();
  const fs::path out = (fs::weakly_canonical(output) / "").parent_path();
  if (std::ranges::mismatch(folder, out).in1 == folder.end()) {
    throw BadInput(
        fmt::format("{}: this is in {}, which is an input; expected an output outside of it",
                    output.string(), inputs.string()));
  }
}

std::set<std::string> names_listed_in(const fs::path& file) {
  const std::string text = read_whole(file);
  std::set<std::string> names;
  for (const std::string_view line : lines_in(text)) {
    const std::string name = boost::algorithm::trim_copy(std::string(line));
    if (!name.empty() && !name.starts_with('#')) {
      names.insert(name);
    }
  }
  if (names.empty()) {
    throw BadInput(fmt::format("{} names no submission", file.string()));
  }
  return names;
}

namespace {

/// What `write_output` calls a file before it is whole: another process may have up to 4194304.
constexpr std::string_view kLongestEnding = ".json.4194304.part";
constexpr std::size_t kNameBytesMax = NAME_MAX - kLongestEnding.size();
/// Of a name that is longer: so much that a reader still knows whose it is.
constexpr std::size_t kBeginningBytes = 200;

}  // namespace

std::string ResultNames::name_for(const std::string& folder) {
  if (folder.size() <= kNameBytesMax) {
    return folder;
  }
  const auto known = shortened_.find(folder);
  if (known != shortened_.end()) {
    return known->second;
  }
  const std::string beginning = beginning_of(folder, kBeginningBytes);
  std::uint64_t digest = digest_of(folder);
  std::string name = fmt::format("{}-{:016x}", beginning, digest);
  while (is_taken(name)) {
    name = fmt::format("{}-{:016x}", beginning, ++digest);
  }
  return shortened_[folder] = name;
}

std::vector<std::string> ResultNames::notes() const {
  std::vector<std::string> notes;
  for (const auto& [folder, name] : shortened_) {
    notes.push_back(fmt::format("{}: its name is too long for a file; the result is {}.json",
                                visible_line(folder), visible_line(name)));
  }
  return notes;
}

/// A student can work out the digest and name a folder like the result of another one.
bool ResultNames::is_taken(const std::string& name) const {
  std::error_code unknown;
  return std::filesystem::exists(std::filesystem::symlink_status(submissions_ / name, unknown)) ||
         std::ranges::any_of(shortened_, [&](const auto& one) { return one.second == name; });
}

}  // namespace watchlab::course
