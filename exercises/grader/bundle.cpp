#include "exercises/grader/bundle.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <algorithm>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "exercises/grader/diagnosis.hpp"
#include "exercises/grader/go_tests.hpp"
#include "exercises/grader/grading.hpp"
#include "exercises/programs/builder.hpp"
#include "exercises/programs/controllers.hpp"
#include "exercises/programs/secrets.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/programs/trusted_program.hpp"
#include "exercises/programs/variant.hpp"
#include "exercises/sandbox/processes.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, std::string_view text) {
  fs::create_directories(file.parent_path());
  write_output(file, text);
}

void bring(const fs::path& file, const fs::path& to) {
  fs::create_directories(to.parent_path());
  fs::copy_file(file, to, fs::copy_options::overwrite_existing);
}

/// A page for students calls the program as it is called in a bundle; other files stay.
void bring_page(const fs::path& file, const fs::path& to) {
  bring(file, to);
  if (file.extension() == ".md") {
    write(to, typeable_as("./watchlab-course", read_whole(file)));
  }
}

/// A library or program without the names that only its makers need.
void copy_stripped(const fs::path& file, const fs::path& to) {
  bring(file, to);
  run_or_throw({"/usr/bin/strip", "--strip-unneeded", to.string()}, "/",
               fmt::format("{} cannot be stripped: ", to.string()));
}

void copy_headers(const fs::path& root, const std::string& folder, const fs::path& out) {
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    if (entry.path().extension() == ".hpp") {
      bring(entry.path(), out / entry.path().lexically_relative(root));
    }
  }
}

/// cases.yaml without the lines that name the bugs.
std::string without_patches(std::string_view text) {
  std::string out;
  for (const std::string_view line : lines_in(text)) {
    if (!trimmed(line).starts_with("patch:")) {
      out.append(line).append("\n");
    }
  }
  return out;
}

/// A page of docs/ without its section for authors.
std::string for_students(const std::string& page) {
  const std::size_t begin = page.find("\n## For authors");
  const std::size_t end = begin == page.npos ? page.npos : page.find("\n## ", begin + 1);
  return page.substr(0, begin) + (end == page.npos ? "" : page.substr(end)) +
         (begin != page.npos && end == page.npos ? "\n" : "");
}

/// A page of docs/ without its links to files that a bundle does not have: their words stay.
std::string without_dead_links(std::string page, const fs::path& folder) {
  for (std::size_t at = page.find("]("); at != std::string::npos; at = page.find("](", at + 1)) {
    const std::size_t start = page.rfind('[', at);
    const std::size_t end = page.find(')', at);
    const std::string file = page.substr(at + 2, page.find_first_of("#:)", at) - at - 2);
    if (!file.empty() && page[at + 2 + file.size()] != ':' && !fs::exists(folder / file)) {
      page = page.replace(at, end + 1 - at, "").erase(start, 1);
      at = start;
    }
  }
  return page;
}

/// "Debian GNU/Linux 12 (bookworm), x86_64": where this program and its libraries run.
std::string system_here() {
  std::string name = "Linux";
  const std::string release = fs::exists("/etc/os-release") ? read_whole("/etc/os-release") : "";
  for (const std::string_view line : lines_in(release)) {
    constexpr std::string_view key = "PRETTY_NAME=";
    if (line.starts_with(key)) {
      name = boost::algorithm::trim_copy_if(std::string(line.substr(key.size())),
                                            boost::algorithm::is_any_of("\"'"));
    }
  }
  utsname machine{};
  return ::uname(&machine) == 0 ? fmt::format("{}, {}", name, machine.machine) : name;
}

/// The Debian packages of the libraries that the programs need, beside those of the compiler.
std::string packages_to_run(const std::vector<fs::path>& programs) {
  std::vector<std::string> words{"/usr/bin/dpkg-query", "-S"};
  for (const fs::path& program : programs) {
    const ProcessEnd needs = run_plainly({"/usr/bin/ldd", program.string()}, "/");
    for (const std::string_view line : lines_in(needs.output)) {
      const std::string_view name = trimmed(line.substr(0, line.find(" => ")));
      if (line.find(" => /") != std::string_view::npos && !name.starts_with("libwatchlab")) {
        words.push_back(fmt::format("*-gnu/{}", name));
      }
    }
  }
  std::set<std::string> packages;
  const ProcessEnd owners = run_plainly(words, "/");
  for (const std::string_view line : lines_in(owners.output)) {
    const std::string_view package = line.substr(0, line.find(':'));
    if (line.find(": /") != std::string_view::npos && !package.starts_with("libc6")) {
      packages.emplace(package);
    }
  }
  return fmt::format("{}", fmt::join(packages, " "));
}

/// Starts a program of the bundle: {0} the program, {1} the system, {2} packages.
constexpr std::string_view kStarter = R"sh(#!/bin/sh
# Starts the program of this bundle, wherever it lies.
here=$(cd "$(dirname "$0")" && pwd)
case $here in
  *[:\;\$]*)
    echo "$0: the loader of libraries cannot be given a folder with : ; or \$ in its name; move $here elsewhere" >&2
    exit 2 ;;
esac
export LD_LIBRARY_PATH="${{LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}}$here/lib"
missing=$(LC_ALL=C ldd "$here/bin/{0}" 2>&1 | sed -n 's/^[[:space:]]*\(.*\) => not found.*/\1/p; s/.*\(version .* not found\).*/\1/p' | sort -u)
if [ -n "$missing" ]; then
  echo "$0: this computer lacks:" $missing >&2
  echo "The bundle was made on {1}. There, as root: apt install {2}" >&2
  echo "Elsewhere use its container, as README.md says." >&2
  exit 2
fi
case $0 in
  *[!A-Za-z0-9_./-]*) WATCHLAB_CALLED_AS="'$0'" ;;
  *) WATCHLAB_CALLED_AS=$0 ;;
esac
export WATCHLAB_CALLED_AS
exec "$here/bin/{0}" "$@"
)sh";

/// README.md: {0} the system, {1} packages, {2} links to homeworks, {3} what to start.
constexpr std::string_view kPage = R"md(# The exercises

| your computer | what to do | tried |
|---|---|---|
| {0} | as root: `apt install {1}`, then go on below | yes |
| another Linux, macOS or Windows, with Docker or Podman | in this folder: `docker build -t course - < Dockerfile`, then `docker run --rm -it -v "$PWD:/course" course`, and go on below in its shell | not with an engine |
| VS Code or another editor with dev containers | "Reopen in Container" | not with an engine |

Exercises without C++ (`list` says predict, diagnose or write-scenario) need no compiler, only the libraries.

{2}    ./watchlab-course list
    ./watchlab-course start {3}
    ./watchlab-course check

Checks and hints cost no points, however many you take. If you write tests of a library,
a check gives them 300 s of CPU time for all libraries, and 900 s in all; a grade runs
more libraries and gives more time in proportion.

Your files are in the folder homework. `check` in the folder of an exercise checks that one.
)md";

constexpr std::string_view kChinesePage = R"md(# 练习

| 你的电脑 | 怎么做 | 试过吗 |
|---|---|---|
| {0} | 以 root 身份运行 `apt install {1}`，然后看下文 | 试过 |
| 其他 Linux、macOS 或 Windows，装有 Docker 或 Podman | 在这个文件夹里运行 `docker build -t course - < Dockerfile`，再运行 `docker run --rm -it -v "$PWD:/course" course`，然后在打开的 shell 里继续 | 没有用真正的引擎试过 |
| 支持 dev container 的编辑器，例如 VS Code | 选 “Reopen in Container” | 没有用真正的引擎试过 |

不用写 C++ 的练习（`list` 中标为预测、诊断或写场景）不需要编译器，只需要那些库。

{2}    ./watchlab-course list
    ./watchlab-course start {3}
    ./watchlab-course check

检查和提示都不扣分，次数不限。如果写的是对库的测试，每次检查有 300 秒处理器时间供所有的库使用，总时限为 900 秒；
评分时的库更多，时间也按比例增加。

你的文件在文件夹 homework 里。在某个练习的文件夹里运行 `check`，检查的就是那个练习。
)md";

/// The image of a student's computer, for `docker build` and for editors. {0} the packages.
constexpr std::string_view kRecipe =
    R"sh(# What the exercises need. Build: docker build -t course - < Dockerfile
# Run, in the folder of the exercises: docker run --rm -it -v "$PWD:/course" course
FROM debian:12
RUN apt-get update \
 && apt-get install -y --no-install-recommends {0} \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /course
CMD ["/bin/bash"]
)sh";

constexpr std::string_view kContainerOfEditor =
    "{\n  \"name\": \"exercises\",\n  \"build\": {\"dockerfile\": \"../Dockerfile\"}\n}\n";

/// Makes the bundle of one run.
class Bundler {
 public:
  Bundler(const Toolchain& toolchain, const fs::path& out,
          const std::function<void(std::string_view)>& notify)
      : toolchain_(toolchain), out_(out), notify_(notify) {}

  void write_program(const std::vector<ExerciseSet>& sets) {
    copy_stripped(fs::read_symlink("/proc/self/exe"), out_ / "bin/watchlab-course");
    copy_stripped(toolchain_.player(), out_ / "bin/watchlab");
    copy_stripped(toolchain_.player().string() + "-serve", out_ / "bin/watchlab-serve");
    copy_stripped(toolchain_.suite_runner(), out_ / "bin/watchlab-suite");
    std::string libraries;
    for (const fs::path& library : toolchain_.libraries) {
      copy_stripped(library, out_ / "lib" / library.filename());
      libraries +=
          (libraries.empty() ? "" : ", ") + quoted("../lib/" + library.filename().string());
    }
    copy_stripped(toolchain_.wall(), out_ / "lib" / kWallLibrary);
    write(out_ / "bin/toolchain.yaml",
          fmt::format("compiler: [{}]\nflags: [{}]\nroot: ..\nlibraries: [{}]\n",
                      quoted(toolchain_.compiler.front()), flags(), libraries));
    const fs::path player = toolchain_.player();
    packages_ = packages_to_compile() + " " +
                packages_to_run({fs::read_symlink("/proc/self/exe"), player,
                                 player.string() + "-serve", toolchain_.suite_runner()});
    for (const char* const name : {"watchlab", "watchlab-course"}) {
      write_starter(name);
    }
    for (const char* const page : {"docs/faults.md", "docs/glossary.md", "docs/glossary.zh.md",
                                   "docs/invariants.md", "exercises/languages/zh.yaml"}) {
      bring(toolchain_.root / page, out_ / page);
    }
    for (const char* const folder : {"core", "sim", "exercises/toolkit"}) {
      copy_headers(toolchain_.root, folder, out_);
    }
    for (const auto& page : fs::directory_iterator(out_ / "docs")) {
      write(page.path(), without_dead_links(for_students(read_whole(page.path())), out_ / "docs"));
    }
    write_pages(sets);
  }

  void add(const Exercise& exercise) {
    notify_(fmt::format("bundling {}", exercise.id));
    const fs::path to = out_ / "exercises" / exercise.slug();
    for (const fs::path& text : texts_of(exercise)) {
      bring_page(text, to / text.filename());
    }
    for (const fs::path& header : headers_of(exercise)) {
      bring(header, to / header.filename());
    }
    for (const char* const folder : {"starter", "tests", "scenarios"}) {
      if (fs::is_directory(exercise.folder / folder)) {
        fs::copy(exercise.folder / folder, to / folder, fs::copy_options::recursive);
      }
    }
    if (has_cases(exercise)) {
      write(to / "cases.yaml", without_patches(read_whole(exercise.folder / "cases.yaml")));
      add_broken_builds(exercise, to / "built");
    }
    if (is_about_controllers(exercise)) {
      write_list(bring_controllers(context_of(exercise), to), to / "variants", "");
      return;
    }
    if (is_in_go(exercise)) {
      write_list(bring_go_libraries(context_of(exercise), out_, to), to / "variants",
                 fmt::format("not_shown: {}\n", defects_not_shown(exercise)));
      return;
    }
    add_variants(exercise, to / "variants");
    if (exercise.task == Task::Implement) {
      const fs::path program =
          trusted_program(context_of(exercise), "visible", cpp_files_of(exercise.folder / "tests"));
      copy_stripped(program, to / "built/visible" / kTestProgram);
      copy_stripped(library_host(context_of(exercise)), to / "built/library" / kHostLibrary);
    } else if (is_suite(exercise.task)) {
      copy_stripped(stand_in_of_library(context_of(exercise)),
                    to / "built/stand_in" / kSubjectLibrary);
      copy_stripped(server_of_library(context_of(exercise)), to / "built/server" / kHostLibrary);
    }
  }

 private:
  /// The first page: what runs where, and of a homework, its own page. In both languages.
  void write_pages(const std::vector<ExerciseSet>& sets) {
    std::string first = "E00";
    std::string links;
    std::string links_zh;
    for (const ExerciseSet& set : sets) {
      const fs::path to = fs::path("exercises") / set.folder.filename();
      for (const char* const name : {"homework.yaml", "README.md", "README.zh.md"}) {
        if (fs::exists(set.folder / name)) {
          bring_page(set.folder / name, out_ / to / name);
        }
      }
      links +=
          fmt::format("[{}]({}): read this first.\n\n", set.title, (to / "README.md").string());
      links_zh += fmt::format("请先读[作业说明]({})。\n\n", (to / "README.zh.md").string());
      first = sets.size() == 1 ? set.id : first;
    }
    const std::string system = system_here();
    write(out_ / "README.md", fmt::format(kPage, system, packages_, links, first));
    write(out_ / "README.zh.md", fmt::format(kChinesePage, system, packages_, links_zh, first));
    write(out_ / "Dockerfile", fmt::format(kRecipe, packages_));
    write(out_ / ".devcontainer/devcontainer.json", kContainerOfEditor);
  }

  void write_starter(const std::string& name) {
    const fs::path starter = out_ / name;
    write(starter, fmt::format(kStarter, name, system_here(), packages_));
    fs::permissions(starter, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                                 fs::perms::others_read | fs::perms::others_exec);
  }

  [[nodiscard]] std::string flags() const {
    std::string flags;
    for (const std::string& flag : toolchain_.flags) {
      flags += (flags.empty() ? "" : ", ") + quoted(flag);
    }
    return flags;
  }

  [[nodiscard]] CommandContext context_of(const Exercise& exercise) {
    return {toolchain_, sandbox_, exercise, notify_};
  }

  void add_broken_builds(const Exercise& exercise, const fs::path& to) {
    const CommandContext context = context_of(exercise);
    for (const DiagnosedCase& diagnosed : read_cases(exercise)) {
      add_libraries(broken_build(context, diagnosed), to / diagnosed.id);
    }
  }

  void add_variants(const Exercise& exercise, const fs::path& to) {
    std::vector<Variant> variants = read_variants(exercise, "");
    VariantBuilder(toolchain_, exercise, notify_).build(variants);
    // Neither names nor their order shall say what is wrong with a library.
    std::sort(variants.begin(), variants.end(), [](const Variant& one, const Variant& other) {
      return std::pair(one.pool, digest_of(one.id)) < std::pair(other.pool, digest_of(other.id));
    });
    std::string list = "variants:\n";
    for (std::size_t i = 0; i < variants.size(); ++i) {
      const std::string name = fmt::format("v{}", i + 1);
      add_libraries(variants[i].built, to / name);
      list += line_of(variants[i], name);
    }
    if (!variants.empty()) {
      write(to / "built.yaml", list + fmt::format("not_shown: {}\n", defects_not_shown(exercise)));
    }
  }

  /// `more` is what else the list says.
  static void write_list(const std::vector<Variant>& variants, const fs::path& folder,
                         const std::string& more) {
    std::string list = "variants:\n";
    for (const Variant& variant : variants) {
      list += line_of(variant, variant.built.filename().string());
    }
    write(folder / "built.yaml", list + more);
  }

  static void add_libraries(const fs::path& built, const fs::path& to) {
    for (const fs::path& library : libraries_in(built)) {
      copy_stripped(library, to / library.filename());
    }
  }

  static std::string line_of(const Variant& variant, const std::string& name) {
    std::string line = fmt::format("  - {{id: {}, pool: {}", name, to_string(variant.pool));
    if (variant.pool != Pool::Correct) {
      line += fmt::format(", clause: {}, weight: \"{}\", symptom: {}", quoted(variant.clause),
                          variant.weight, quoted(variant.symptom));
      line += variant.hint.empty() ? "" : ", hint: " + quoted(variant.hint);
    }
    return line + "}\n";
  }

  const Toolchain& toolchain_;
  const fs::path& out_;
  const std::function<void(std::string_view)>& notify_;
  std::string packages_;  ///< that a student's computer needs
  Sandbox sandbox_;
};

/// The folder that the bundle becomes, behind links. Throws `BadInput` when it cannot become one.
fs::path target_of(const fs::path& out) {
  fs::path target = fs::weakly_canonical(out);
  target = target.has_filename() ? target : target.parent_path();
  const auto found = fs::status(target);
  if (fs::exists(found) && !fs::is_directory(found)) {
    throw BadInput(fmt::format("{} is no folder", out.string()));
  }
  if (fs::exists(found) && !fs::is_empty(target)) {
    throw BadInput(fmt::format("{} is not empty", out.string()));
  }
  struct stat own {};
  struct stat above {};
  if (::stat(target.c_str(), &own) == 0 && ::stat(target.parent_path().c_str(), &above) == 0 &&
      (own.st_dev != above.st_dev || own.st_ino == above.st_ino)) {
    throw BadInput(
        fmt::format("{} is the root of a file system, and the bundle cannot replace it; expected a "
                    "folder inside it",
                    out.string()));
  }
  std::error_code missing;
  if (fs::equivalent(target, fs::current_path(), missing)) {
    throw BadInput(fmt::format(
        "{} is the current folder, and the bundle cannot replace it; expected a folder inside it",
        out.string()));
  }
  return target;
}

}  // namespace

void write_bundle(const Toolchain& toolchain, const BundleContents& contents, const fs::path& out,
                  const std::function<void(std::string_view)>& notify) {
  if (toolchain.is_bundle()) {
    throw BadInput("a bundle makes no bundles; they are made from the repository");
  }
  const fs::path target = target_of(out);
  const fs::path part = unfinished_bundle(out);
  fs::remove_all(part);
  fs::create_directories(part);
  try {
    Bundler bundler(toolchain, part, notify);
    bundler.write_program(contents.sets);
    for (const Exercise& exercise : contents.exercises) {
      bundler.add(exercise);
    }
    fs::rename(part, target);  // in the place of a folder that is empty
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(part, ignored);
    throw;
  }
}

fs::path unfinished_bundle(const fs::path& out) {
  const fs::path target = target_of(out);
  return target.parent_path() / fmt::format(".{}.part", target.filename().string());
}

}  // namespace watchlab::course
