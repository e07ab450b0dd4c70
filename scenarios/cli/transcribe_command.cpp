#include <fmt/format.h>

#include <memory>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/transcript_file.hpp"

namespace watchlab::scenarios {
namespace {

struct TranscribeArguments {
  CommonOptions common;
  std::vector<std::string> paths;
  std::string stories;
  std::string out;
};

int transcribe_all(const TranscribeArguments& arguments) {
  Console console(arguments.common);
  const auto range = seed_range(arguments.stories);
  if (!arguments.stories.empty() && !range) {
    console.complain("watchlab transcribe: --stories takes seeds as in 1..300");
    return exit_usage;
  }
  if (arguments.paths.empty() && !range) {
    console.complain("watchlab transcribe: name scenario files, or --stories 1..300");
    return exit_usage;
  }
  TranscriptFile file(arguments.out, console);
  if (!arguments.paths.empty()) {
    file.add_scenarios(load_catalogue(arguments.paths));
  }
  if (range) {
    file.add_stories(*range);
  }
  return file.finish();
}

}  // namespace

Command transcribe_command() {
  auto arguments = std::make_shared<TranscribeArguments>();
  return {.name = "transcribe",
          .summary = "Writes down runs for another client to live through; a JSON line each.",
          .footer =
              "The lane ./watchlab conformance plays what is written here to the real client-go.\n"
              "Examples:\n  watchlab transcribe scenarios -o transcripts.jsonl\n"
              "  watchlab transcribe --stories 1..300 -o stories.jsonl",
          .arguments =
              with_common_options({{.name = "PATH",
                                    .target = &arguments->paths,
                                    .help = "Scenario files, or folders of them"},
                                   {.name = "--stories",
                                    .target = &arguments->stories,
                                    .help = "Seeds A..B of generated stories with legal faults"},
                                   {.name = "--out,-o",
                                    .target = &arguments->out,
                                    .help = "Where to; - for standard output",
                                    .required = true}},
                                  arguments->common),
          .run = [arguments] { return transcribe_all(*arguments); }};
}

}  // namespace watchlab::scenarios
