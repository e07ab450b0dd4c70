#include <fmt/format.h>

#include "scenarios/museum/piece.hpp"

namespace watchlab::scenarios {
namespace {

constexpr const char* kIntroduction =
    R"(# The bug museum

Bugs that client-go had, or still has, each brought back in our own core by one small patch, and
each happening every time. Each is tested: the broken variant of the library plays the stored
schedule a hundred times and has to fail with the right message; then the fixed library plays the
same schedule and 10,000 random ones, and has to hold. Every piece is a folder of
[scenarios/museum](../scenarios/museum): a page, a patch, a story and a schedule.

    ./watchlab museum list
    ./watchlab museum show SLUG
    ./watchlab run SLUG             # replays the bug once; so do replay, and trace as a table
    ./watchlab explain SLUG         # why it fails; report and serve-report show it
    ./watchlab draw SLUG --brief -o run.svg

A SLUG resolves as the name of a scenario does, and stands for the broken variant under the stored
schedule; the path of its `scenario.yaml` stands for the story in core as it is.

A bug that lives in the release that a machine mirrors is in our core, too. Of such a piece the
patch is a fix (`fix.patch`): the library as it is fails, and the variant holds. Which machine a
piece plays its story says; it is one of 0.33 to 0.37 where the bug came with them.

`./watchlab museum tour` prints this page. The numbers with a B are those of our list of
known bugs up to 0.32, those with an M of 0.33 to 0.37 ([reports](known_live.md#bugs-that-live) of those that live);
commits are client-go's, issues kubernetes' unless it says otherwise.

| | piece | bug | comes about by | its fix led to |
|---|---|---|---|---|
)";

std::string next_of(const Museum& museum, const Piece& piece) {
  const Piece* next = museum.find(piece.leads_to);
  return next == nullptr ? "" : next->title;
}

}  // namespace

std::string tour_of(const Museum& museum) {
  std::string text = kIntroduction;
  int number = 0;
  for (const Piece& piece : museum.pieces) {
    text += fmt::format("| {} | [{}](../scenarios/museum/{}/README.md) | {} | {} | {} |\n",
                        ++number, piece.title, piece.slug, piece.bug, needs_words(piece.needs),
                        next_of(museum, piece));
  }
  return museum.found.empty() ? text
                              : text + "\n" + museum.found.substr(0, museum.found.size() - 1);
}

}  // namespace watchlab::scenarios
