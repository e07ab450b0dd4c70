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

std::string svg_from_dot(const std::string& dot, const std::string& layout) {
  const std::unique_ptr<GVC_t, FreeContext> context(gvContext());
  const std::unique_ptr<Agraph_t, CloseGraph> graph(agmemread(dot.c_str()));
  if (!context || !graph || gvLayout(context.get(), graph.get(), layout.c_str()) != 0) {
    throw std::runtime_error("Graphviz cannot lay out the picture with '" + layout + "'");
  }
  char* rendered = nullptr;
  unsigned int length = 0;
  const int failed = gvRenderData(context.get(), graph.get(), "svg", &rendered, &length);
  const std::string svg = failed == 0 ? std::string(rendered, length) : "";
  gvFreeRenderData(rendered);
  gvFreeLayout(context.get(), graph.get());
  if (failed != 0) {
    throw std::runtime_error("Graphviz cannot render SVG");
  }
  return svg;
}

}  // namespace watchlab::scenarios
