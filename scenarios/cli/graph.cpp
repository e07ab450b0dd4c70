#include <fmt/format.h>
#include <gvc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "scenarios/cli/picture_filter.hpp"

namespace watchlab::scenarios {
namespace {

struct FreeContext {
  void operator()(GVC_t* context) const { gvFreeContext(context); }
};
struct CloseGraph {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};

// Graphviz 13 has taken the last parameter away from gvPluginList and counts bytes in size_t: its
// own declarations say which it is.

/// Calls gvPluginList.
template <typename... Last>
char** list_plugins(char** (*list)(GVC_t*, const char*, int*, Last...), GVC_t& context,
                    const char* kind, int& count) {
  return list(&context, kind, &count, Last{}...);
}

/// Calls gvRenderData; the bytes of the picture, or nothing where Graphviz cannot render that
/// format.
template <typename Length>
std::optional<std::string> rendered_by(int (*render)(GVC_t*, graph_t*, const char*, char**,
                                                     Length*),
                                       GVC_t& context, graph_t& graph, const std::string& format) {
  char* rendered = nullptr;
  Length length = 0;
  std::optional<std::string> bytes;
  if (render(&context, &graph, format.c_str(), &rendered, &length) == 0) {
    bytes.emplace(rendered, length);
  }
  gvFreeRenderData(rendered);
  return bytes;
}

/// Throws `std::invalid_argument` where Graphviz has found no plugin for that layout or format.
void refuse_without_plugin(GVC_t& context, const char* kind, const std::string& wanted) {
  int count = 0;
  char** const names = list_plugins(gvPluginList, context, kind, count);
  const bool is_there =
      names != nullptr && std::find(names, names + count, wanted) != names + count;
  std::for_each(names, names + count, std::free);
  std::free(static_cast<void*>(names));
  if (!is_there) {
    throw std::invalid_argument(fmt::format(
        "Graphviz has no plugin here for the {} {}; the plugins of the package libgvc6 have one, "
        "where GVBINDIR names their folder",
        kind == std::string_view("layout") ? "layout" : "format", wanted));
  }
}

}  // namespace

void need_graphviz() {}

std::string render(const Graph& graph, const std::string& format) {
  const std::unique_ptr<GVC_t, FreeContext> context(gvContext());
  if (context) {
    refuse_without_plugin(*context, "layout", graph.layout);
    refuse_without_plugin(*context, "device", format);
  }
  const std::unique_ptr<Agraph_t, CloseGraph> parsed(agmemread(graph.dot.c_str()));
  if (!context || !parsed || gvLayout(context.get(), parsed.get(), graph.layout.c_str()) != 0) {
    throw std::runtime_error("Graphviz cannot lay out the picture with '" + graph.layout + "'");
  }
  const std::optional<std::string> bytes = rendered_by(gvRenderData, *context, *parsed, format);
  gvFreeLayout(context.get(), parsed.get());
  if (!bytes) {
    throw std::runtime_error("Graphviz cannot render " + format + " here");
  }
  return *bytes;
}

}  // namespace watchlab::scenarios
