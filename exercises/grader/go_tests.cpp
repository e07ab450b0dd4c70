#include "exercises/grader/go_tests.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/erase.hpp>
#include <boost/algorithm/string/replace.hpp>
#include <cctype>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <string_view>
#include <utility>

#include "exercises/grader/judge_suite.hpp"
#include "exercises/programs/controllers.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/sandbox.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// What tests may import, beside the exercise and Explore. With fmt, and with what reaches the
/// system, a test could ask which library it meets.
constexpr std::array kOpenPackages{"cmp",    "context",     "errors",  "maps",
                                   "slices", "sort",        "strconv", "strings",
                                   "sync",   "sync/atomic", "testing", "time"};
constexpr std::string_view kExplore = "example.org/watchlab/goroutines";
/// The parts of scenarios/go that a test is built with.
constexpr std::array kParts{"goroutines", "instrument", "instrument/_runtime", "overlay"};
/// Of the compiler, and of a program and those that Explore starts.
constexpr std::size_t kThreadsMax = 128;
/// What the compiler says of a package that it was not given.
constexpr std::string_view kNotOpen = "(open : no such file or directory)";
constexpr const char* kRegistry = "registry/registry.go";
constexpr const char* kOwnExplore = "explore/explore.go";
/// After so many runs that took their whole time the rest would, too.
constexpr std::size_t kHungMax = 2;
constexpr const char* kProgram = "program";

fs::path shared_sources(const Toolchain& toolchain) { return toolchain.exercises() / "races"; }
fs::path explore_module(const Toolchain& toolchain) { return toolchain.root / "scenarios/go"; }

std::vector<fs::path> shared_files(const Toolchain& toolchain) {
  return {shared_sources(toolchain) / "go.mod", shared_sources(toolchain) / kRegistry,
          shared_sources(toolchain) / kOwnExplore};
}

/// go.mod of the libraries, and of a student's homework.
std::string go_mod(const Toolchain& toolchain) {
  std::string text = read_whole(shared_sources(toolchain) / "go.mod");
  boost::replace_all(text, "../../scenarios/go",
                     fs::absolute(explore_module(toolchain)).lexically_normal().string());
  return text;
}

/// The lines that import libraries, and that choose one.
std::pair<std::string, std::string> lines_for(const std::set<std::string>& packages) {
  std::string imports;
  std::string entries;
  for (const std::string& package : packages) {
    imports += fmt::format("\t{0} \"exercise/{0}\"\n", package);
    entries += fmt::format("\t\t\"{0}\": {0}.New,\n", package);
  }
  return {imports, fmt::format("\tregistry.Choose(map[string]any{{\n{}\t}})\n", entries)};
}

/// The name of each variant: a bundle has them already.
std::map<const Variant*, std::string> known_names(const std::vector<Variant>& variants) {
  if (variants.empty() || !variants.front().source.empty()) {
    return names_of(variants);
  }
  std::map<const Variant*, std::string> names;
  for (const Variant& variant : variants) {
    names[&variant] = variant.id;
  }
  return names;
}

std::string whole_source(const Exercise& exercise, const Variant& variant) {
  return variant.source.empty() ? read_whole(variant.built.string() + ".go")
                                : source_of(exercise, variant);
}

/// The functions TestX of a file that go fmt has seen. What is none after all does not compile.
std::vector<std::string> tests_in(const std::string& source) {
  constexpr std::string_view begin = "func Test";
  std::vector<std::string> names;
  for (std::string_view line : lines_in(source)) {
    if (line.starts_with(begin)) {
      line.remove_prefix(std::string_view("func ").size());
      const auto end = std::ranges::find_if(
          line, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; });
      names.emplace_back(line.begin(), end);
    }
  }
  std::ranges::sort(names);
  return names;
}

/// What is said between "=== RUN" and the verdict on a test.
std::string words_on(std::string_view output, const std::string& name) {
  const std::string begin = fmt::format("=== RUN   {}\n", name);
  const std::size_t at = output.find(begin);
  if (at == std::string_view::npos) {
    return "";
  }
  output.remove_prefix(at + begin.size());
  const std::size_t end = std::min(output.find("\n---"), output.find("\n=== RUN "));
  std::string text;
  for (std::string_view line : lines_in(output.substr(0, end))) {
    constexpr std::string_view indent = "    ";
    line.remove_prefix(line.starts_with(indent) ? indent.size() : 0);
    text += fmt::format("{}{}", text.empty() ? "" : "\n", line);
  }
  return beginning_of(text, kCaseTextBytesMax);
}

}  // namespace

/// The Go of this machine.
struct GoTests::Go {
  std::string version;
  fs::path compiler;
};

GoTests::GoTests(const CommandContext& context, const std::vector<Variant>& variants)
    : context_(context), variants_(variants) {
  const Toolchain& toolchain = context.toolchain;
  const bool has_hidden =
      std::ranges::any_of(variants, [](const auto& each) { return each.pool == Pool::Hidden; });
  folder_ = toolchain.is_bundle()
                ? toolchain.root / "precompiled" / context.exercise.slug()
                : toolchain.tree / "exercises/variants" / context.exercise.slug() /
                      (has_hidden ? "graded" : "checked");
  const Go go = go_here();
  compiler_ = go.compiler;
  fs::create_directories(folder_.parent_path());
  const BuildLock lock(toolchain, context.exercise.slug());
  std::string made_of =
      go.version + text_of(headers_of(context.exercise)) + text_of(shared_files(toolchain));
  for (const char* const part : kParts) {
    made_of += text_of(files_with(explore_module(toolchain) / part, {".go"}));
  }
  for (const auto& [variant, name] : known_names(variants)) {
    made_of += name + "\n" +
               read_whole(variant->source.empty() ? variant->built.string() + ".go"
                                                  : variant->source.string());
  }
  made_of += text_of(files_with(context.exercise.folder / "variants/correct", {".go"}));
  const Stamp stamp(folder_ / "stamp", made_of);
  if (!stamp.is_current()) {
    compile_libraries(go);
    stamp.write();
  }
}

GoTests::Go GoTests::go_here() const {
  const ProcessEnd end = run_go({"env", "GOVERSION", "GOTOOLDIR"}, "/");
  const std::vector<std::string_view> lines = lines_in(end.output);
  if (end.status != 0 || lines.size() < 2) {
    throw NotHere(fmt::format("{}{}its tests are built with Go, and there is none",
                              context_.exercise.id, kSkipped));
  }
  return {.version = std::string(lines[0]), .compiler = fs::path(lines[1]) / "compile"};
}

/// A module with a package for each library.
void GoTests::write_module() const {
  const Toolchain& toolchain = context_.toolchain;
  const fs::path module = folder_ / "module";
  write_output(module / "go.mod", go_mod(toolchain));
  for (const fs::path& file : headers_of(context_.exercise)) {
    write_output(module / file.filename(), read_whole(file));
  }
  for (const char* const file : {kRegistry, kOwnExplore}) {
    fs::create_directories((module / file).parent_path());
    write_output(module / file, read_whole(shared_sources(toolchain) / file));
  }
  for (const auto& [variant, name] : known_names(variants_)) {
    fs::create_directories(module / name);
    write_output(module / name / "library.go", whole_source(context_.exercise, *variant));
  }
}

/// Compiles everything that tests are linked with, with the overlay of Go's runtime. Of that,
/// `open` has what tests may import, and `rest` all other packages.
void GoTests::compile_libraries(const Go& go) const {
  if (!context_.toolchain.is_bundle()) {
    require_own_tree(context_.toolchain, context_.exercise.id);
  }
  context_.notify(fmt::format("building {}", context_.exercise.id));
  fs::remove_all(folder_);
  fs::create_directories(folder_ / "module");
  const ProcessEnd overlay = run_go({"run", "./overlay", "-o", (folder_ / "overlay").string()},
                                    explore_module(context_.toolchain));
  if (overlay.status != 0) {
    throw NotHere(fmt::format("{}{}watchlab.Explore cannot be built with {}: {}",
                              context_.exercise.id, kSkipped, go.version,
                              overlay.output.substr(0, overlay.output.find('\n'))));
  }
  write_module();
  constexpr std::string_view line_begin = "packagefile ";
  const ProcessEnd listed =
      run_go({"list", "-deps", "-export", "-trimpath", "-overlay",
              (folder_ / "overlay/overlay.json").string(), "-gcflags=all=-d=ssa/intrinsics/off",
              "-gcflags=std=", "-f",
              fmt::format("{{{{if .Export}}}}{}{{{{.ImportPath}}}}={{{{.Export}}}}{{{{end}}}}",
                          line_begin),
              "./...", "cmp", "context", "maps", "regexp", "slices", "sort", "testing"},
             folder_ / "module");
  if (listed.status != 0) {
    throw BadInput(fmt::format("the libraries of {} cannot be built:\n{}", context_.exercise.id,
                               listed.output));
  }
  for (const char* const name : {"open", "rest"}) {
    fs::create_directories(folder_ / name);
  }
  std::string open =
      fmt::format("importmap unsafe=none\nimportmap {}=exercise/explore\n", kExplore);
  std::string all;
  for (const std::string_view line : lines_in(listed.output)) {
    const std::size_t equals = line.find('=');
    if (!line.starts_with(line_begin) || equals == std::string_view::npos) {
      continue;
    }
    const std::string package(line.substr(line_begin.size(), equals - line_begin.size()));
    const bool is_open = package == "exercise" || package == "exercise/explore" ||
                         std::ranges::find(kOpenPackages, package) != kOpenPackages.end();
    const fs::path archive =
        folder_ / (is_open ? "open" : "rest") / fmt::format("{:016x}.a", digest_of(package));
    fs::copy_file(fs::path(line.substr(equals + 1)), archive, fs::copy_options::overwrite_existing);
    const std::string entry = fmt::format("{}{}={}\n", line_begin, package, archive.string());
    open += is_open ? entry : "";
    all += entry;
  }
  write_output(folder_ / "open/importcfg", open);
  write_output(folder_ / "rest/importcfg", all);
  for (const char* const name : {"module", "overlay"}) {
    fs::remove_all(folder_ / name);
  }
}

Built GoTests::contained(const Stage& stage, std::vector<fs::path> readable,
                         std::vector<std::string> words) const {
  readable.insert(readable.end(), {compiler_.parent_path(), stage.work()});
  const Ended ended = context_.sandbox.run(
      {.words = std::move(words),
       .environment = {"LC_ALL=C", "GOMAXPROCS=2", "TMPDIR=" + stage.work().string()},
       .folder = stage.work()},
      {.readable = std::move(readable),
       .writable = {stage.work()},
       .silence = kCompileTime * kCompileClockTimes,
       .processor_max = kCompileTime,
       .processes = kThreadsMax});
  Built built{.fine = ended.how == Ended::How::Exited && ended.status == 0,
              .lacked_time = ended.lacked_time,
              .log = ended.output};
  if (ended.how != Ended::How::Exited) {
    built.log += fmt::format("the compiler did not come to its end: {}\n", describe(ended));
  }
  boost::erase_all(built.log, stage.work().string() + "/");
  boost::replace_all(built.log, kNotOpen,
                     fmt::format("(here tests can import exercise, {} and of Go: {})", kExplore,
                                 fmt::join(kOpenPackages, ", ")));
  return built;
}

Built GoTests::build(const Stage& stage, const fs::path& file) {
  const std::string source = read_whole(file);
  const std::string name = file.filename().string();
  names_ = tests_in(source);
  if (names_.empty()) {
    return {.fine = false, .log = name + ": there is no func TestX(t *testing.T)\n"};
  }
  stage.bring({file});
  const std::string compile = compiler_.string();
  Built built =
      contained(stage, {folder_ / "open"},
                {compile, "-p", "exercise/tests", "-complete", "-lang=go1.25",
                 "-d=ssa/intrinsics/off", "-trimpath=" + stage.work().string(), "-importcfg",
                 (folder_ / "open/importcfg").string(), "-pack", "-o", "tests.a", name});
  if (!built.fine) {
    return built;
  }
  std::set<std::string> packages;
  for (const auto& [variant, package] : known_names(variants_)) {
    packages.insert(package);
  }
  const auto& [imports, choice] = lines_for(packages);
  std::string tests;
  for (const std::string& test : names_) {
    tests += fmt::format("\t\t{{\"{0}\", tests.{0}}},\n", test);
  }
  // What of the student is linked cannot read it: these are for the compiler and the linker.
  write_output(stage.judge() / "main.go",
               fmt::format("package main\n\nimport (\n\t\"exercise/registry\"\n\ttests "
                           "\"exercise/tests\"\n\t\"regexp\"\n\t\"testing\"\n{})\n\nfunc main() "
                           "{{\n{}\ttesting.Main(regexp.MatchString, []testing.InternalTest{{\n{}"
                           "\t}}, nil, nil)\n}}\n",
                           imports, choice, tests));
  write_output(stage.judge() / "importcfg", fmt::format("{}packagefile exercise/tests={}\n",
                                                        read_whole(folder_ / "rest/importcfg"),
                                                        (stage.work() / "tests.a").string()));
  const std::vector<fs::path> readable{folder_ / "open", folder_ / "rest", stage.judge()};
  const std::string config = (stage.judge() / "importcfg").string();
  built = contained(stage, readable,
                    {compile, "-p", "main", "-complete", "-importcfg", config, "-pack", "-o",
                     "main.a", (stage.judge() / "main.go").string()});
  if (built.fine) {
    built =
        contained(stage, readable,
                  {(compiler_.parent_path() / "link").string(), "-s", "-w", "-X",
                   "runtime.defaultGOROOT=/go", "-importcfg", config, "-o", kProgram, "main.a"});
  }
  if (built.fine) {
    fs::copy_file(stage.work() / kProgram, stage.server() / kProgram);
  }
  return built;
}

TestRun GoTests::run_with(const Stage& stage, const Variant& library, std::uint64_t seed,
                          const std::vector<std::string>& names) const {
  const Ended ended = context_.sandbox.run(
      {.words = {(stage.server() / kProgram).string(), "-test.v", "-test.timeout=0",
                 fmt::format("-test.run=^({})$", fmt::join(names, "|"))},
       .environment = {"LIBRARY=" + known_names(variants_).at(&library),
                       fmt::format("SEED={}", seed % (std::uint64_t{1} << 32)),
                       fmt::format("ORDERS={}", context_.exercise.schedules),
                       "TMPDIR=" + stage.work().string(), "LC_ALL=C"},
       .folder = stage.work()},
      // Explore starts its own program again, as a compiler does its parts; with what is written
      // comes the filter of system calls that allows it.
      {.readable = {stage.server(), stage.work()},
       .writable = {stage.work()},
       .silence = std::chrono::seconds(context_.exercise.wall_seconds),
       .processes = kThreadsMax,
       .until = context_.until});
  TestRun run{.output = ended.output};
  for (const std::string& name : names) {
    CaseRun& entry = run.cases.emplace_back();
    entry.name = name;
    const auto has = [&](std::string_view verdict) {
      return ("\n" + ended.output).find(fmt::format("\n--- {}: {} (", verdict, name)) !=
             std::string::npos;
    };
    entry.by_watchdog = ended.lacked_time && !has("PASS") && !has("FAIL");
    entry.by_limit = entry.by_watchdog;
    entry.outcome = has("FAIL")         ? CaseRun::Outcome::Failed
                    : has("PASS")       ? CaseRun::Outcome::Passed
                    : entry.by_watchdog ? CaseRun::Outcome::Hung
                                        : CaseRun::Outcome::Crashed;
    entry.text = entry.outcome == CaseRun::Outcome::Failed    ? words_on(ended.output, name)
                 : entry.outcome == CaseRun::Outcome::Crashed ? describe(ended)
                                                              : "";
  }
  return run;
}

SuiteRuns GoTests::run(const Stage& stage, const SuiteOptions& options) const {
  const std::vector<std::string>& chosen = options.cases.empty() ? names_ : options.cases;
  require_cases({.cases =
                     [&] {
                       std::vector<CaseRun> cases;
                       for (const std::string& name : names_) {
                         cases.emplace_back().name = name;
                       }
                       return cases;
                     }()},
                options.cases);
  std::mt19937_64 seeds(options.seed);
  std::vector<TestedLibrary> tested;
  std::size_t hung = 0;
  for (const Variant& variant : variants_) {
    if (!options.cases.empty() && !is_correct(variant)) {
      continue;
    }
    TestedLibrary& library = tested.emplace_back();
    library.variant = variant;
    std::vector<std::string> names = chosen;
    for (std::size_t i = 0;
         i < runs_with(variant) * options.rounds && !names.empty() && hung < kHungMax; ++i) {
      context_.notify(fmt::format("running the tests: {} of {}", tested.size(), variants_.size()));
      library.runs.push_back({.seed = seeds(), .run = {}});
      TestRun& run = library.runs.back().run;
      run = run_with(stage, variant, library.runs.back().seed, names);
      hung += std::ranges::any_of(run.cases, &CaseRun::by_watchdog) ? 1 : 0;
      if (!is_correct(variant)) {  // what has passed once does not catch it
        std::erase_if(names,
                      [&](const std::string& name) { return !is_failure(*find_case(run, name)); });
      }
    }
  }
  SuiteRuns runs;
  if (hung >= kHungMax) {
    runs.given_up = "it takes too long, and not all libraries were run";
  }
  judge_suite(runs, tested, {});
  return runs;
}

std::vector<std::pair<std::string, std::string>> go_module_to_read(const Toolchain& toolchain,
                                                                   const Exercise& exercise) {
  std::vector<std::pair<std::string, std::string>> files{
      {"go.mod", go_mod(toolchain)},
      {kRegistry, read_whole(shared_sources(toolchain) / kRegistry)}};
  std::set<std::string> packages;
  const std::vector<Variant> variants = read_variants(exercise, "");
  for (const auto& [variant, name] : known_names(variants)) {
    if (variant->pool == Pool::Shown) {
      packages.insert(name);
      files.emplace_back(name + "/library.go",
                         without_description(whole_source(exercise, *variant)));
    }
  }
  const auto& [imports, choice] = lines_for(packages);
  files.emplace_back(
      "libraries_test.go",
      fmt::format("package exercise_test\n\nimport (\n{}\t\"exercise/registry\"\n)\n\n"
                  "// The variable LIBRARY says which one the tests meet.\n"
                  "func init() {{\n{}}}\n",
                  imports, choice));
  return files;
}

std::vector<Variant> bring_go_libraries(const CommandContext& context, const fs::path& out,
                                        const fs::path& to) {
  const Toolchain& toolchain = context.toolchain;
  const auto bring_sources = [&](const fs::path& folder,
                                 const std::vector<std::string_view>& kinds) {
    const fs::path there = out / folder.lexically_relative(toolchain.root);
    fs::create_directories(there);
    for (const fs::path& file : files_with(folder, kinds)) {
      if (!file.filename().string().ends_with("_test.go")) {
        fs::copy_file(file, there / file.filename(), fs::copy_options::overwrite_existing);
      }
    }
  };
  for (const fs::path& file : shared_files(toolchain)) {
    bring_sources(file.parent_path(), {".go", ".mod"});
  }
  bring_sources(explore_module(toolchain), {".mod", ".sum"});
  for (const char* const part : kParts) {
    bring_sources(explore_module(toolchain) / part, {".go"});
  }
  std::vector<Variant> variants = read_variants(context.exercise, "");
  const auto names = names_of(variants);
  fs::create_directories(to / "variants");
  for (Variant& variant : variants) {
    variant.built = to / "variants" / names.at(&variant);
    write_output(variant.built.string() + ".go",
                 without_description(source_of(context.exercise, variant)));
  }
  return variants;
}

}  // namespace watchlab::course
