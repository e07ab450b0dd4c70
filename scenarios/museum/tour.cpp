#include <fmt/format.h>

#include "scenarios/museum/piece.hpp"

namespace watchlab::scenarios {
namespace {

constexpr const char* kIntroduction =
    R"(# The bug museum

For everybody: real bugs of client-go, fixed or still open, and [races in Go](#races-in-go). A small
patch brings each of the bugs back into watchlab's core, where it fails every time.

    ./watchlab museum list
    ./watchlab museum show SLUG
    ./watchlab run SLUG             # replays the bug once
    ./watchlab explain SLUG         # why it fails; report and serve-report show it
    ./watchlab draw SLUG --brief -o run.svg

Each piece is a folder in [scenarios/museum](../scenarios/museum) with a page, a patch, a story and
a schedule. Use its SLUG wherever a command takes the name of a scenario: it runs the broken variant
under the stored schedule. The path of its `scenario.yaml` runs the same story on unchanged core.

If client-go still has the bug, core has it too. The patch of such a piece is a fix (`fix.patch`):
unchanged core fails, and the patched variant passes. If the bug came with 0.33 to 0.37, the story
names that release in `machine:`.

Every such piece is tested. The broken variant must fail with the expected message in each of 100 replays
of its schedule. The fixed library must pass the same schedule and 10,000 random ones.

The number of a bug starts with B if it is in 0.32 or earlier, and with M if it came with 0.33 to
0.37; [known_live.md](known_live.md#bugs-that-live) reports those that are still open. Commits are
client-go's and issues are kubernetes' unless a page says otherwise. `./watchlab museum tour` prints
this page.

| | piece | bug | needs | its fix led to |
|---|---|---|---|---|
)";

constexpr const char* kRaces = R"(
## Races in Go

Each of these pieces is a Go test in [scenarios/museum/go](../scenarios/museum/go) that fails by a
race between goroutines, in a small program or in unmodified client-go. [Explore](go-races.md) found
them, and replays the order in which they fail. They need Go 1.26.

    ./watchlab museum run SLUG

In each of 20 replays, the broken test must fail as its page says, with the digest of the recorded
run. Explore must find it again without the schedule. The fixed test must pass in 2,000 other orders.

| | piece | bug | needs |
|---|---|---|---|
)";

std::string next_of(const Museum& museum, const Piece& piece) {
  const Piece* next = museum.find(piece.leads_to);
  return next == nullptr ? "" : next->title;
}

}  // namespace

std::string tour_of(const Museum& museum) {
  std::string text = kIntroduction;
  std::string races;
  int number = 0;
  for (const Piece& piece : museum.pieces) {
    if (piece.in_go) {
      races += fmt::format("| {} | [{}](../scenarios/museum/go/{}/README.md) | {} | {} |\n",
                           ++number, piece.title, piece.slug, piece.bug, needs_words(piece.needs));
      continue;
    }
    text += fmt::format("| {} | [{}](../scenarios/museum/{}/README.md) | {} | {} | {} |\n",
                        ++number, piece.title, piece.slug, piece.bug, needs_words(piece.needs),
                        next_of(museum, piece));
  }
  text += races.empty() ? "" : kRaces + races;
  return museum.found.empty() ? text
                              : text + "\n" + museum.found.substr(0, museum.found.size() - 1);
}

}  // namespace watchlab::scenarios
