#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/report/seen_run.hpp"

/// Which part of a run a picture is of.
namespace watchlab::scenarios {

/// What of a run is to be drawn.
struct PictureFilter {
  std::vector<std::string> clients;  ///< none stands for all
  std::vector<std::string> keys;     ///< "default/demo" or "demo"; none stands for all
  std::vector<std::string> kinds;    ///< of notes, that the picture has a place for; none: all
  std::string object;                ///< what names this anywhere; "" for all
  std::optional<std::size_t> from;   ///< a step
  std::optional<std::size_t> to;
  std::optional<std::size_t> last;  ///< so many notes
};

/// Sets the steps of a filter from what --from and --to say, each "" where it is left out: the
/// number of a step, or a moment since the start such as 20s, which means the first step that is
/// not before it. Throws `std::invalid_argument` for anything else, and where nothing of the run is
/// between them.
void set_steps(PictureFilter& filter, const SeenRun& seen, const std::string& from,
               const std::string& to);

/// Throws `std::invalid_argument`, with what makes it smaller, when a picture would be too large
/// for that file.
void refuse_too_large(std::size_t rows, std::size_t lanes, const std::string& filters,
                      const std::string& output);

/// "a" and "b" of "a,b".
[[nodiscard]] std::vector<std::string> names_in(const std::string& names);

[[nodiscard]] std::vector<std::string> names_of_clients(const Scenario& scenario);

/// Names of clients that were asked for and are none. Throws `std::invalid_argument` with the
/// nearest one.
void refuse_unknown_clients(const Scenario& scenario, const std::vector<std::string>& clients);

/// The same for keys, and for an object, of which no note of the run is.
void refuse_unknown_objects(const std::vector<sim::NoteRecord>& notes, const PictureFilter& filter);

/// Those that the filter asks for; faults and the failure are always among them.
[[nodiscard]] std::vector<sim::NoteRecord> filtered(std::vector<sim::NoteRecord> notes,
                                                    const Scenario& scenario,
                                                    const PictureFilter& filter);

/// A graph in the DOT language, and the engine that lays it out.
struct Graph {
  std::string dot;
  std::string layout;
};

/// To be called before anything is read, where `render` will be: `watchlab` is not linked with
/// Graphviz, and becomes `watchlab-serve` here.
void need_graphviz();
/// Renders the graph in this process, as "svg", "png", "pdf" or "dot" (the bytes of such a file).
/// Throws `std::invalid_argument` where Graphviz has no plugin for the layout or the format, and
/// `std::runtime_error` when it refuses the graph.
[[nodiscard]] std::string render(const Graph& graph, const std::string& format);

}  // namespace watchlab::scenarios
