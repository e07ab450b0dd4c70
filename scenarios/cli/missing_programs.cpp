#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>

#include "scenarios/language/unsupported.hpp"
#include "sim/story/client.hpp"
#include "sim/story/program_start.hpp"
#include "sim/story/story.hpp"

// What stories take of the machine, in the place of the sources that meson.build leaves out.
namespace watchlab::sim {

std::shared_ptr<Client> make_go_client(std::shared_ptr<StoryStage> /*stage*/,
                                       StoryClientOptions options) {
  throw StoryError(
      fmt::format("the client '{}' is a program, which a module of WebAssembly cannot "
                  "start",
                  options.name));
}

ProgramStarted start_program(ProgramStart start) {
  throw scenarios::Unsupported(
      fmt::format("to run '{}' takes processes, which this watchlab, a module of WebAssembly, does "
                  "not have",
                  start.words.front()));
}

std::string place_in_stacks(std::string_view /*printed*/) { return ""; }

}  // namespace watchlab::sim
