#include "scenarios/command_line/go_programs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include "scenarios/command_line/child_process.hpp"
#include "scenarios/command_line/output_file.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

/// Flags that belong to the test program, without their dash; the others are the build's.
constexpr std::array<std::string_view, 13> kTestFlags{
    "run",      "v",    "count",   "timeout", "short",     "parallel", "cpu",
    "failfast", "skip", "shuffle", "bench",   "benchtime", "fullpath"};
/// Flags that are whole without a value.
constexpr std::array<std::string_view, 10> kPlainFlags{
    "v", "short", "failfast", "fullpath", "race", "msan", "asan", "cover", "trimpath", "a"};

/// What a command line prints, and whether it succeeded.
std::pair<std::string, bool> output_of(const std::string& line) {
  std::string text;
  FILE* const pipe = ::popen((line + " 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    return {"no shell can be started", false};
  }
  std::array<char, 4096> chunk{};
  while (const std::size_t size = std::fread(chunk.data(), 1, chunk.size(), pipe)) {
    text.append(chunk.data(), size);
  }
  const bool succeeded = ::pclose(pipe) == 0;
  while (text.ends_with('\n')) {
    text.pop_back();
  }
  return {text, succeeded};
}

std::string line_for_sh(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    line += (line.empty() ? "" : " ") + word_for_sh(word);
  }
  return line;
}

/// A folder that is gone when the process ends.
class PassingFolder {
 public:
  PassingFolder() = default;
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;
  ~PassingFolder() {
    std::error_code ignored;
    if (owner_ == ::getpid()) {
      std::filesystem::remove_all(path_, ignored);
    }
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_ = make_temporary_folder("watchlab-go");
  pid_t owner_ = ::getpid();
};

/// The words that run what was built, or why it cannot be built.
std::pair<std::vector<std::string>, std::string> built(const GoTest& test,
                                                       const std::string& folder, bool chosen) {
  static const PassingFolder kFolder;
  static std::map<std::pair<std::string, std::vector<std::string>>, std::string> programs;
  std::vector<std::string> key = test.build;
  key.push_back(test.package);
  key.emplace_back(chosen ? "chosen" : "");
  std::string& program = programs[{folder, key}];
  const std::string there = line_for_sh({"cd", folder.empty() ? "." : folder}) + " && ";
  const auto [package_folder, is_package] =
      output_of(there + line_for_sh({"go", "list", "-f", "{{.Dir}}", test.package}));
  if (!is_package) {
    return {{}, package_folder};
  }
  if (program.empty()) {
    const std::string made = fmt::format("{}/{}.test", kFolder.path(), programs.size());
    std::vector<std::string> words{"go", "test", "-c", "-o", made};
    if (chosen && std::ranges::none_of(test.build, [](const std::string& flag) {
          return flag.starts_with("-overlay=");
        })) {
      words.insert(words.begin(), {"go", "run", "example.org/watchlab/overlay"});
    }
    words.insert(words.end(), test.build.begin(), test.build.end());
    words.push_back(test.package);
    const auto [output, succeeded] = output_of(there + line_for_sh(words));
    if (!succeeded) {
      return {{}, output};
    }
    program = made;
  }
  // A test runs in the folder of its package.
  std::vector<std::string> run{"sh", "-c", "cd \"$0\" && exec \"$@\"", package_folder, program};
  run.insert(run.end(), test.arguments.begin(), test.arguments.end());
  return {run, ""};
}

/// The program of the Go test that plays this story, as a list in JSON, or a program's path;
/// nothing when neither is given.
std::vector<std::string> named_program() {
  std::vector<std::string> words;
  const char* const text = std::getenv("WATCHLAB_GO_PROGRAM");
  if (text != nullptr && *text != '\0' && *text != '[') {
    return {std::filesystem::absolute(text).string()};
  }
  boost::system::error_code failure;
  const boost::json::value json =
      text == nullptr ? boost::json::value() : boost::json::parse(text, failure);
  if (const boost::json::array* const list = failure ? nullptr : json.if_array()) {
    for (const boost::json::value& word : *list) {
      words.emplace_back(word.is_string() ? std::string_view(word.get_string()) : "");
    }
  }
  return words;
}

void check_is_there(const std::filesystem::path& program, const sim::StoryClientOptions& client,
                    std::vector<Problem>& problems) {
  if (program.has_parent_path() && !std::filesystem::exists(program)) {
    problems.push_back({.place = {.line = 1, .column = 1},
                        .what = fmt::format("the program {} of '{}', which is not there",
                                            program.string(), client.name),
                        .expected = "a program, named from the folder of the story",
                        .nearest = ""});
  }
}

/// What is run as it is must be there.
void check_program(const sim::StoryClientOptions& client, const std::string& folder,
                   std::vector<Problem>& problems) {
  if (client.run.empty()) {
    problems.push_back(
        {.place = {.line = 1, .column = 1},
         .what = fmt::format("the client '{}', which has nothing to run", client.name),
         .expected = "'run', or a Go test that names this story",
         .nearest = ""});
    return;
  }
  if (client.run.front().find('/') != std::string::npos) {
    check_is_there(std::filesystem::path(folder) / client.run.front(), client, problems);
  }
}

}  // namespace

std::optional<GoTest> go_test_in(const std::vector<std::string>& words) {
  const bool has_folder = words.size() > 3 && words[1] == "-C";
  const std::size_t verb = has_folder ? 3 : 1;
  if (words.size() <= verb || std::filesystem::path(words[0]).filename() != "go" ||
      words[verb] != "test") {
    return std::nullopt;
  }
  GoTest test{.folder = has_folder ? words[2] : ""};
  for (std::size_t i = verb + 1; i < words.size(); ++i) {
    if (!words[i].starts_with('-')) {
      test.package = words[i];
      continue;
    }
    std::string flag = words[i].substr(words[i].find_first_not_of('-'));
    const std::string name = flag.substr(0, flag.find('='));
    const bool is_plain = std::ranges::find(kPlainFlags, name) != kPlainFlags.end();
    if (name == flag && !is_plain && i + 1 < words.size()) {
      flag += "=" + words[++i];
    }
    const bool of_program = std::ranges::find(kTestFlags, name) != kTestFlags.end();
    (of_program ? test.arguments : test.build).push_back((of_program ? "-test." : "-") + flag);
  }
  return test;
}

std::vector<std::string> run_from_folder(const std::vector<std::string>& run,
                                         const std::filesystem::path& from,
                                         const std::filesystem::path& to) {
  const auto whole = [](const std::filesystem::path& folder) {
    return (std::filesystem::weakly_canonical(std::filesystem::absolute("." / folder)) / "")
        .parent_path();
  };
  const std::filesystem::path way = whole(from).lexically_relative(whole(to));
  if (run.empty() || way == ".") {
    return run;
  }
  const std::optional<GoTest> test = go_test_in(run);
  std::vector<std::string> words{"sh", "-c", "cd \"$0\" && exec \"$@\"", way.string()};
  if (test) {
    const std::filesystem::path deeper = test->folder.empty() ? way : way / test->folder;
    words = {run.front(), "-C", deeper.lexically_normal().string()};
  }
  words.insert(words.end(), run.begin() + (!test ? 0 : test->folder.empty() ? 1 : 3), run.end());
  return words;
}

std::string go_test_line() {
  constexpr std::string_view kPattern = "-test.run=";
  constexpr std::size_t kFolder = 3;  // behind: sh -c SCRIPT
  const std::vector<std::string> words = named_program();
  const auto pattern = std::ranges::find_if(
      words, [&](const std::string& word) { return word.starts_with(kPattern); });
  if (pattern == words.end() || words.size() <= kFolder || words.front() != "sh") {
    return "";
  }
  return fmt::format("cd{} && go test -count=1 -run{} .", for_shell({words[kFolder]}),
                     for_shell({pattern->substr(kPattern.size())}));
}

void build_go_programs(CatalogueEntry& entry) {
  if (!entry.parsed.scenario) {
    return;
  }
  const std::string folder = std::filesystem::path(entry.path).parent_path().string();
  for (sim::StoryClientOptions& client : entry.parsed.scenario->clients) {
    if (!traits_of(client.kind).in_lockstep) {
      continue;
    }
    client.built = named_program();
    if (!client.built.empty()) {
      check_is_there(client.built.front(), client, entry.parsed.problems);
      continue;
    }
    const std::optional<GoTest> test = go_test_in(client.run);
    if (!test) {
      check_program(client, folder, entry.parsed.problems);
      continue;
    }
    auto [words, problem] =
        built(*test, (std::filesystem::path(folder) / test->folder).lexically_normal().string(),
              client.chosen);
    client.built = std::move(words);
    if (!problem.empty()) {
      entry.parsed.problems.push_back(
          {.place = {.line = 1, .column = 1},
           .what = fmt::format("the program of '{}', which cannot be built", client.name),
           .expected = "what 'go test' builds",
           .nearest = "",
           .output = problem});
    }
  }
  if (!entry.parsed.problems.empty()) {
    entry.parsed.scenario.reset();
  }
}

}  // namespace watchlab::scenarios
