#include <fmt/format.h>

#include <memory>

#include "exercises/grader/bundle.hpp"
#include "exercises/grader/commands.hpp"

namespace watchlab::course {
namespace {

struct BundleOptions {
  std::string out;
  std::vector<std::string> names;
};

int bundle(const BundleOptions& options) {
  const Toolchain toolchain = own_toolchain();
  const std::vector<Exercise> all = read_exercises(toolchain.exercises());
  std::vector<Exercise> chosen;
  for (const std::string& name : options.names) {
    chosen.push_back(find_exercise(all, name));
  }
  Console console({});
  write_bundle(toolchain, chosen.empty() ? all : chosen, std::filesystem::absolute(options.out),
               [&console](std::string_view words) { console.progress(words); });
  console.line(fmt::format("{} holds {} exercises for students", options.out,
                           chosen.empty() ? all.size() : chosen.size()));
  return scenarios::exit_held;
}

}  // namespace

scenarios::Command bundle_command() {
  const auto options = std::make_shared<BundleOptions>();
  return {.name = "bundle",
          .summary = "writes what students get, without solutions and hidden parts",
          .footer = "Example: watchlab-course bundle --out handout E01t E04",
          .arguments = {{.name = "ID",
                         .target = &options->names,
                         .help = "The exercises; all if left out",
                         .type_name = " "},
                        {.name = "--out",
                         .target = &options->out,
                         .help = "The folder to write, empty or new",
                         .required = true,
                         .type_name = "DIR"}},
          .run = [options] { return guarded([&] { return bundle(*options); }); }};
}

}  // namespace watchlab::course
