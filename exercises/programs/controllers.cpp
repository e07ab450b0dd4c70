#include "exercises/programs/controllers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <map>

#include "exercises/programs/builder.hpp"
#include "exercises/programs/texts.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "program";
/// Where go.mod looks for the module that lets a controller live in a story.
constexpr const char* kStoryModule = "../../scenarios/go";

fs::path own_module(const Toolchain& toolchain) { return toolchain.exercises() / "go"; }
fs::path story_module(const Toolchain& toolchain) { return toolchain.root / "scenarios/go"; }

/// The variants of one program, in the order of their names, and these names.
using Named = std::map<std::string, const Variant*>;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

void require_go(const Exercise& exercise, const fs::path& module) {
  if (run_go({"env", "GOVERSION"}, "/").status != 0) {
    throw NotHere(fmt::format("{}{}its controllers are built with Go, and there is none",
                              exercise.id, kSkipped));
  }
  const ProcessEnd end = run_go({"mod", "download"}, module, std::chrono::minutes(10));
  if (end.status != 0) {
    throw NotHere(fmt::format("{}{}the Go modules of its controllers cannot be had: {}",
                              exercise.id, kSkipped, first_line(end.output)));
  }
}

/// A module with a package for each controller and the program that holds them.
void write_module(const CommandContext& context, const Named& variants, const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(own_module(context.toolchain))) {
    std::string text = read_whole(entry.path());
    boost::replace_all(text, kStoryModule, story_module(context.toolchain).string());
    write_output(folder / entry.path().filename(), text);
  }
  std::string imports;
  std::string entries;
  std::size_t number = 0;
  for (const auto& [name, variant] : variants) {
    const std::string package = fmt::format("v{}", ++number);
    fs::create_directories(folder / package);
    write_output(folder / package / "controller.go", source_of(context.exercise, *variant));
    imports += fmt::format("\t{0} \"controllers/{0}\"\n", package);
    entries += fmt::format("\tcluster.Controllers[\"{}\"] = {}.Run\n", name, package);
  }
  write_output(folder / "variants_test.go",
               fmt::format("package cluster_test\n\nimport (\n\tcluster \"controllers\"\n{})\n\n"
                           "func init() {{\n{}}}\n",
                           imports, entries));
}

/// All that the program is made of.
std::string made_of(const Toolchain& toolchain, const Exercise& exercise, const Named& variants) {
  std::string text;
  for (const auto& [name, variant] : variants) {
    text += name + "\n" + read_whole(variant->source);
  }
  text += text_of(files_with(exercise.folder / "variants/correct", {".go"}));
  for (const fs::path& module : {own_module(toolchain), story_module(toolchain)}) {
    text += text_of(files_with(module, {".go", ".mod", ".sum"}));
  }
  return text;
}

/// Builds one program into `folder`, unless it is there.
void build_program(const CommandContext& context, const Named& variants, const fs::path& folder) {
  const BuildLock lock(context.toolchain, context.exercise.slug());
  const Stamp stamp(folder / "stamp", made_of(context.toolchain, context.exercise, variants));
  if (stamp.is_current()) {
    return;
  }
  require_go(context.exercise, own_module(context.toolchain));
  require_own_tree(context.toolchain, context.exercise.id);
  context.notify(fmt::format("building {}", context.exercise.id));
  fs::remove_all(folder);
  fs::create_directories(folder / "module");
  write_module(context, variants, folder / "module");
  const ProcessEnd end =
      run_go({"test", "-c", "-trimpath", "-ldflags=-s -w", "-o", (folder / kProgram).string(), "."},
             folder / "module");
  if (end.status != 0) {
    throw BadInput(
        fmt::format("the controllers of {} cannot be built:\n{}", context.exercise.id, end.output));
  }
  fs::remove_all(folder / "module");
  for (const auto& [name, variant] : variants) {
    fs::create_symlink(kProgram, folder / name);
  }
  stamp.write();
}

}  // namespace

std::map<const Variant*, std::string> names_of(const std::vector<Variant>& variants) {
  std::vector<const Variant*> ordered;
  for (const Variant& variant : variants) {
    ordered.push_back(&variant);
  }
  std::ranges::stable_sort(ordered, {},
                           [](const Variant* variant) { return digest_of(variant->id); });
  std::map<Pool, std::size_t> numbers;
  std::map<const Variant*, std::string> names;
  for (const Variant* const variant : ordered) {
    names[variant] = variant->pool == Pool::Shown
                         ? variant->id
                         : fmt::format("{}_{}", to_string(variant->pool), ++numbers[variant->pool]);
  }
  return names;
}

ProcessEnd run_go(const std::vector<std::string>& arguments, const fs::path& folder,
                  std::chrono::seconds time_max) {
  std::vector<std::string> words{"/usr/bin/env",
                                 "CGO_ENABLED=0",
                                 "GOTOOLCHAIN=local",
                                 "GOWORK=off",
                                 "GOFLAGS=-mod=readonly",
                                 "/usr/bin/timeout",
                                 std::to_string(time_max.count()),
                                 "go"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  ProcessEnd end = run_plainly(words, folder);
  constexpr int given_up = 124;  // of timeout
  if (end.status == given_up) {
    end.output += fmt::format(
        "go did not finish within {} s and was stopped; try again when this machine is less "
        "busy\n",
        time_max.count());
  }
  return end;
}

std::string source_of(const Exercise& exercise, const Variant& variant) {
  std::string text = read_whole(variant.source);
  if (!variant.is_patch()) {
    return text;
  }
  const fs::path file =
      exercise.folder / "variants/correct" / fs::path(patched_file(text)).filename();
  ProcessEnd end = run_plainly(
      {"/usr/bin/patch", "--force", "--fuzz=0", "--silent", "--reject-file=-", "--output=-", "-i",
       fs::absolute(variant.source).string(), fs::absolute(file).string()},
      "/");
  if (end.status != 0) {
    throw BadInput(fmt::format("{} cannot be built: {}", variant.source.string(), end.output));
  }
  return std::move(end.output);
}

std::string without_description(const std::string& source) {
  return source.substr(source.find("// Package"));
}

std::vector<std::pair<std::string, std::string>> shown_sources(const Exercise& exercise) {
  std::vector<std::pair<std::string, std::string>> sources;
  for (const Variant& variant : read_variants(exercise, "")) {
    if (variant.pool == Pool::Shown) {
      sources.emplace_back(variant.id, without_description(source_of(exercise, variant)));
    }
  }
  return sources;
}

std::vector<std::pair<std::string, std::string>> sources_to_read(const Toolchain& toolchain,
                                                                 const Exercise& exercise) {
  std::vector<std::pair<std::string, std::string>> sources;
  if (toolchain.is_bundle()) {
    for (const fs::path& file : files_with(exercise.folder / "controllers", {".go"})) {
      sources.emplace_back(file.filename().string(), read_whole(file));
    }
    return sources;
  }
  const fs::path shared = own_module(toolchain) / "cluster.go";
  sources.emplace_back(shared.filename().string(), read_whole(shared));
  for (auto& [name, text] : shown_sources(exercise)) {
    sources.emplace_back(name + ".go", std::move(text));
  }
  return sources;
}

void build_controllers(const CommandContext& context, std::vector<Variant>& variants) {
  if (context.toolchain.is_bundle()) {
    for (const Variant& variant : variants) {
      if (!fs::exists(variant.built)) {
        throw BadInput(
            fmt::format("{} is missing: the bundle is not whole", variant.built.string()));
      }
    }
    return;
  }
  const fs::path folder =
      context.toolchain.tree / "exercises/variants" / context.exercise.slug() / "controllers";
  const auto names = names_of(variants);
  std::map<std::string, Named> programs;
  for (Variant& variant : variants) {
    const std::string& name = names.at(&variant);
    const std::string program = variant.pool == Pool::Hidden ? "hidden" : "shown";
    programs[program][name] = &variant;
    variant.built = folder / program / name;
  }
  for (const auto& [program, named] : programs) {
    build_program(context, named, folder / program);
  }
}

std::vector<Variant> bring_controllers(const CommandContext& context, const fs::path& to) {
  std::vector<Variant> controllers = read_variants(context.exercise, "");
  build_controllers(context, controllers);
  const fs::path program = fs::canonical(controllers.front().built);
  fs::create_directories(to / "variants");
  fs::copy_file(program, to / "variants" / program.filename());
  for (const Variant& controller : controllers) {
    fs::create_symlink(program.filename(), to / "variants" / controller.built.filename());
  }
  fs::create_directories(to / "controllers");
  for (const auto& [name, text] : sources_to_read(context.toolchain, context.exercise)) {
    write_output(to / "controllers" / name, text);
  }
  return controllers;
}

std::string missing_here(const CommandContext& context) {
  if (!is_about_controllers(context.exercise)) {
    return "";
  }
  try {
    std::vector<Variant> controllers = read_variants(context.exercise, "");
    build_controllers(context, controllers);
  } catch (const NotHere& missing) {
    return missing.what();
  }
  return "";
}

}  // namespace watchlab::course
