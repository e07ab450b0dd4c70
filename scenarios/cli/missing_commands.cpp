#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/cli/mcp_session.hpp"
#include "scenarios/cli/picture_filter.hpp"
#include "scenarios/cli/serving.hpp"
#include "scenarios/language/unsupported.hpp"

// What a module of WebAssembly cannot have, in the place of the sources that meson.build leaves
// out. A call that needs it ends as one with a wrong argument does.
namespace watchlab {
namespace {

[[noreturn]] void refuse(std::string_view what) {
  throw scenarios::Unsupported(
      fmt::format("{}, which this watchlab, a module of WebAssembly, does not have", what));
}

}  // namespace

namespace scenarios {

int serve(const ServeArguments& /*arguments*/, Console& /*console*/) {
  refuse("serve takes sockets");
}

int serve_report(const ServeReportArguments& /*arguments*/, Console& /*console*/) {
  refuse("serve-report takes sockets");
}

int story_from_record(const StoryFromArguments& /*arguments*/, Console& /*console*/) {
  refuse("story-from takes the library of serve");
}

int fault(const FaultArguments& /*arguments*/, Console& /*console*/) {
  refuse("fault takes sockets");
}

int serve_tools(const std::vector<Command>& /*commands*/) { refuse("mcp takes processes"); }

void end_with_server_of_tools() {}

void need_graphviz() {}

/// A graph that nothing has laid out yet, for a Graphviz elsewhere.
std::string render(const Graph& graph, const std::string& format) {
  if (format != "dot") {
    refuse(fmt::format("to lay out a picture as {} takes Graphviz", format));
  }
  return graph.dot;
}

}  // namespace scenarios
}  // namespace watchlab
