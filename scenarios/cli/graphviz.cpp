#include "scenarios/cli/graphviz.hpp"

#include <gvc.h>

#include <memory>
#include <stdexcept>

namespace watchlab::scenarios {
namespace {

struct FreeContext {
  void operator()(GVC_t* context) const { gvFreeContext(context); }
};
struct CloseGraph {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};

}  // namespace

std::string render(const Graph& graph, const std::string& format) {
  const std::unique_ptr<GVC_t, FreeContext> context(gvContext());
  const std::unique_ptr<Agraph_t, CloseGraph> parsed(agmemread(graph.dot.c_str()));
  if (!context || !parsed || gvLayout(context.get(), parsed.get(), graph.layout.c_str()) != 0) {
    throw std::runtime_error("Graphviz cannot lay out the picture with '" + graph.layout + "'");
  }
  char* rendered = nullptr;
  unsigned int length = 0;
  const int failed = gvRenderData(context.get(), parsed.get(), format.c_str(), &rendered, &length);
  std::string bytes = failed == 0 ? std::string(rendered, length) : "";
  gvFreeRenderData(rendered);
  gvFreeLayout(context.get(), parsed.get());
  if (failed != 0) {
    throw std::runtime_error("Graphviz cannot render " + format + " here");
  }
  return bytes;
}

}  // namespace watchlab::scenarios
