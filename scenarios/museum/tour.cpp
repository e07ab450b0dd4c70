#include <fmt/format.h>

#include "scenarios/museum/piece.hpp"

namespace watchlab::scenarios {
namespace {

constexpr const char* kIntroduction =
    R"(# The bug museum

For everybody: bugs that client-go had or still has. A small patch brings each one back into
watchlab's core, where it happens every time.

    ./watchlab museum list
    ./watchlab museum show SLUG
    ./watchlab run SLUG             # replays the bug once
    ./watchlab explain SLUG         # why it fails; report and serve-report show it
    ./watchlab draw SLUG --brief -o run.svg

A piece is a folder in [scenarios/museum](../scenarios/museum): a page, a patch, a story and a
schedule. Its SLUG works like the name of a scenario and stands for the broken variant under the
stored schedule; the path of its `scenario.yaml` stands for the story on core as it is.

A bug that still lives in client-go lives in core too. The patch of such a piece is a fix
(`fix.patch`): core as it is fails, and the variant holds. If the bug came with 0.33 to 0.37, the
story names that machine.

Every piece is tested: the broken variant must fail with the right message each time in 100 replays
of its schedule, and the fixed library must hold under the same schedule and under 10,000 random
ones.

Numbers with a B are bugs up to 0.32, those with an M of 0.33 to 0.37
([reports](known_live.md#bugs-that-live) of those that live). Commits are client-go's and issues
are kubernetes' unless a page says otherwise. `./watchlab museum tour` prints this page.

| | piece | bug | needs | its fix led to |
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
