#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The bug museum: bugs that client-go had or has, each re-created in our own core by one patch,
/// and races between goroutines, each a Go test.
namespace watchlab::scenarios {

/// A historical bug, as its folder `scenarios/museum/SLUG` tells it:
///
///     README.md       title, summary, and what there is to learn
///     defect.patch    puts the bug into core; or fix.patch, which takes it out where core has it
///     scenario.yaml   the story in which it shows
///     schedule.txt    the order of the story in which it shows, as short as it was found
///
/// A piece in Go is a folder `scenarios/museum/go/SLUG` instead:
///
///     README.md, schedule.txt
///     race_test.go    TestBroken fails under the schedule, and TestMended under none; where the
///     bug
///                     is that of a library as it is, there is no TestMended
///
/// What machines have to know of it stands in the first lines of the patch or of the test, and
/// nowhere else:
///
///     Order: 30                              its place in the tour
///     Bug: B09                               its number in the list of known bugs
///     Needs: S                               what brings it about, see `needs_words`; S with O
///     when the
///                                            default order of our tasks is one that shows it
///     Fails: violation: deletions_arrive     how the run with the bug ends: kind, part of the text
///     Upstream: kubernetes issue 26966       where it was seen, and what fixed it
///     Leads-to: recreated_object_lost        the piece that the fix of this bug caused, if any
///     Live: yes                              of a piece in Go: the library still has the bug
struct Piece {
  std::string slug;
  std::string folder;
  std::string title;    ///< the heading of its README.md
  std::string summary;  ///< the first paragraph below it, on one line
  int order = 0;
  std::string bug;
  std::string needs;
  std::string fails;  ///< "KIND: PART"
  std::string upstream;
  std::string leads_to;  ///< a slug; "" for none
  bool in_go = false;    ///< a Go test, instead of a patch and a story
  bool live = false;     ///< core has the bug, as the version that it mirrors; the patch fixes it

  /// The patch, or the test.
  [[nodiscard]] std::string patch() const {
    return folder + (in_go ? "/race_test.go" : live ? "/fix.patch" : "/defect.patch");
  }
};

/// What came of reading a museum.
struct Museum {
  std::vector<Piece> pieces;          ///< in the order of the tour
  std::string found;                  ///< what `museum table` wrote of the search for S; may be ""
  std::vector<std::string> problems;  ///< what is wrong with it, a message each; see `read_museum`

  /// The piece of that slug, or null.
  [[nodiscard]] const Piece* find(const std::string& slug) const;
};

/// Reads all pieces below `root`, "scenarios/museum" in a checkout, and below its folder `go`. A
/// piece that lacks a file, a heading or a line of its patch, names an unknown need or an unknown
/// piece, or shares its order with another, is a problem; the others are read all the same.
[[nodiscard]] Museum read_museum(const std::string& root);

/// The pieces that these words are about, at most five, the best first: by titles, symptoms and
/// lessons. Words count in any form, and the more the fewer pieces have them.
[[nodiscard]] std::vector<const Piece*> search_pieces(const Museum& museum, std::string_view words);

/// The page docs/museum.md: a row for each piece, in the order of the tour.
/// `watchlab museum tour` prints it, and a test compares the page with it.
[[nodiscard]] std::string tour_of(const Museum& museum);

/// "a certain interleaving, time" for "S, T"; "" when a letter is unknown.
[[nodiscard]] std::string needs_words(const std::string& needs);

}  // namespace watchlab::scenarios
