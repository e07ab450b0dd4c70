#include <fmt/format.h>

#include <array>
#include <memory>
#include <string_view>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/transcript_file.hpp"

namespace watchlab::scenarios {
namespace {

struct TranscribeArguments {
  CommonOptions common;
  std::vector<std::string> paths;
  std::string stories;
  std::string fuzz;
  std::string illegal;
  std::string out;
};

/// A kind of generated stories, and which of them.
struct Stories {
  std::string_view option;
  std::string seeds;
  void (TranscriptFile::*add)(TranscriptFile::Seeds);
};

int transcribe_all(const TranscribeArguments& arguments) {
  Console console(arguments.common);
  const std::array<Stories, 3> kinds{
      Stories{"--stories", arguments.stories, &TranscriptFile::add_stories},
      Stories{"--fuzz", arguments.fuzz, &TranscriptFile::add_fuzz_stories},
      Stories{"--illegal", arguments.illegal, &TranscriptFile::add_illegal_stories}};
  bool nothing = arguments.paths.empty();
  for (const Stories& kind : kinds) {
    if (!kind.seeds.empty() && !seed_range(kind.seeds)) {
      console.complain(
          fmt::format("watchlab transcribe: {} takes seeds as in 1..300", kind.option));
      return exit_usage;
    }
    nothing = nothing && kind.seeds.empty();
  }
  if (nothing) {
    console.complain("watchlab transcribe: name scenario files, or --stories 1..300");
    return exit_usage;
  }
  TranscriptFile file(arguments.out, console);
  if (!arguments.paths.empty()) {
    file.add_scenarios(load_catalogue(arguments.paths));
  }
  for (const Stories& kind : kinds) {
    if (const auto range = seed_range(kind.seeds)) {
      (file.*kind.add)(*range);
    }
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
                                   {.name = "--fuzz",
                                    .target = &arguments->fuzz,
                                    .help = "Seeds A..B of the stories of watchlab fuzz"},
                                   {.name = "--illegal",
                                    .target = &arguments->illegal,
                                    .help = "Seeds A..B of stories with illegal faults"},
                                   {.name = "--out,-o",
                                    .target = &arguments->out,
                                    .help = "Where to; - for standard output",
                                    .required = true}},
                                  arguments->common),
          .run = [arguments] { return transcribe_all(*arguments); }};
}

}  // namespace watchlab::scenarios
