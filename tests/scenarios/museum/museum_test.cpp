#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <string>

#include "scenarios/language/parse.hpp"
#include "scenarios/museum/piece.hpp"
#include "sim/kernel/schedule.hpp"

using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(museum_test)

namespace {

namespace fs = std::filesystem;

std::string read_whole(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A museum of pieces that can be spoilt; gone when the object is.
class Cabinet {
 public:
  Cabinet() : root_(fs::temp_directory_path() / fs::path("watchlab_cabinet")) {
    fs::remove_all(root_);
  }
  Cabinet(const Cabinet&) = delete;
  Cabinet& operator=(const Cabinet&) = delete;
  ~Cabinet() { fs::remove_all(root_); }

  void put(const std::string& slug, const std::string& header,
           const std::string& patch = "defect.patch") const {
    fs::create_directories(root_ / slug);
    write(slug + "/README.md", "# A title\n\nFirst line\nand second.\n\nMore.\n");
    write(slug + "/" + patch, header + "\n--- a/x\n+++ b/x\nOrder: 99\n");
    for (const char* file : {"scenario.yaml", "schedule.txt"}) {
      write(slug + "/" + file, "-\n");
    }
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(root_ / name) << text;
  }
  void remove(const std::string& name) const { fs::remove(root_ / name); }
  [[nodiscard]] Museum read() const { return read_museum(root_.string()); }

 private:
  fs::path root_;
};

std::string header(int order, const std::string& rest = "") {
  return "Order: " + std::to_string(order) +
         "\nBug: B00\nNeeds: S, T\nFails: violation: a part: of it\nUpstream: nowhere\n" + rest;
}

bool says(const Museum& museum, const std::string& part) {
  return std::any_of(
      museum.problems.begin(), museum.problems.end(),
      [&](const std::string& problem) { return problem.find(part) != std::string::npos; });
}

std::string all_of(const Museum& museum) {
  std::string text;
  for (const std::string& problem : museum.problems) {
    text += problem + "\n";
  }
  return text;
}

/// What the second line of a schedule says: how many deviations it has, and whether it is proven
/// that no run with fewer preemptions fails.
struct Known {
  std::string deviations;
  bool proven = false;
};

std::optional<Known> known_of(const Piece& piece) {
  static const std::regex note(
      "w1:.*\n# [0-9]+ deviations from fifo became ([0-9]+), with [0-9]+ preemptions?, in [0-9]+ "
      "runs; (no run with fewer preemptions fails this way|whether fewer preemptions would do was "
      "not proven)\n");
  const std::string text = read_whole(piece.folder + "/schedule.txt");
  std::smatch parts;
  if (!std::regex_match(text, parts, note)) {
    return std::nullopt;
  }
  return Known{.deviations = parts[1], .proven = parts[2].str().starts_with("no run")};
}

/// The shipped pieces that are stories, or those that are Go tests.
std::vector<Piece> shipped(bool in_go) {
  std::vector<Piece> pieces = read_museum("scenarios/museum").pieces;
  std::erase_if(pieces, [&](const Piece& piece) { return piece.in_go != in_go; });
  return pieces;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_shipped_museum_is_whole) {
  const Museum museum = read_museum("scenarios/museum");
  BOOST_TEST(museum.problems.empty(), all_of(museum));
  BOOST_TEST(museum.pieces.size() >= 6);
}

BOOST_AUTO_TEST_CASE(the_tour_is_generated_from_the_pieces) {
  BOOST_TEST(read_whole("docs/museum.md") == tour_of(read_museum("scenarios/museum")) + "\n",
             "docs/museum.md is stale; ./watchlab museum tour > docs/museum.md");
}

BOOST_AUTO_TEST_CASE(each_story_is_named_like_its_folder) {
  for (const Piece& piece : shipped(false)) {
    const Parsed parsed = load_scenario(piece.folder + "/scenario.yaml");
    BOOST_TEST_REQUIRE(parsed.scenario.has_value(), piece.slug);
    BOOST_TEST(parsed.scenario->name == piece.slug);
  }
}

BOOST_AUTO_TEST_CASE(no_page_is_wider_than_a_terminal) {
  constexpr std::ptrdiff_t columns_max = 120;
  for (const Piece& piece : read_museum("scenarios/museum").pieces) {
    std::istringstream lines(read_whole(piece.folder + "/README.md"));
    for (std::string line; std::getline(lines, line);) {
      const auto columns =
          std::count_if(line.begin(), line.end(), [](char byte) { return (byte & 0xC0) != 0x80; });
      BOOST_TEST((columns <= columns_max), piece.folder << ": " << line);
    }
  }
}

BOOST_AUTO_TEST_CASE(each_schedule_is_minimal_or_says_that_this_was_not_proven) {
  for (const Piece& piece : shipped(false)) {
    const std::optional<Known> known = known_of(piece);
    BOOST_TEST(known.has_value(), piece.folder << "/schedule.txt: says neither");
    const bool page_says =
        read_whole(piece.folder + "/README.md").find("not proven") != std::string::npos;
    BOOST_TEST((!known || known->proven != page_says),
               piece.folder << "/README.md: says 'not proven' if and only if its schedule does");
  }
}

BOOST_AUTO_TEST_CASE(a_schedule_has_as_many_deviations_as_it_says) {
  for (const Piece& piece : shipped(false)) {
    const std::string text = read_whole(piece.folder + "/schedule.txt");
    const auto schedule = watchlab::sim::Schedule::parse(text.substr(0, text.find('\n')));
    const std::optional<Known> known = known_of(piece);
    BOOST_TEST((known && known->deviations == std::to_string(schedule.deviations.size())),
               piece.slug);
  }
}

BOOST_AUTO_TEST_CASE(what_the_default_order_shows_is_marked_so) {
  for (const Piece& piece : shipped(false)) {
    if (piece.needs.find('S') != std::string::npos) {
      const std::optional<Known> known = known_of(piece);
      BOOST_TEST(
          (known && (known->deviations == "0") == (piece.needs.find('O') != std::string::npos)),
          piece.patch() << ": is O if and only if its schedule is the ordinary one");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_race_in_go_has_a_mended_test_unless_a_library_still_has_the_bug) {
  const std::vector<Piece> races = shipped(true);
  BOOST_TEST(races.size() >= 8U);
  BOOST_TEST(std::ranges::count_if(races, &Piece::live) == 5);
  for (const Piece& piece : races) {
    const std::string test = read_whole(piece.patch());
    BOOST_TEST(test.find("func TestBroken(") != std::string::npos, piece.patch());
    BOOST_TEST((test.find("func TestMended(") != std::string::npos) == !piece.live, piece.patch());
  }
}

BOOST_AUTO_TEST_CASE(the_schedule_of_a_race_in_go_has_as_many_deviations_as_it_says) {
  static const std::regex form(
      "v1/values=[0-9]+/lag=[0-9]+/points=[0-9]+/digest=[0-9a-f]+/trail=[0-9a-z.]+/(.+)\n"
      "# ([0-9]+) deviations? from the default order; go1\\.[0-9.]+\n");
  for (const Piece& piece : shipped(true)) {
    const std::string text = read_whole(piece.folder + "/schedule.txt");
    std::smatch parts;
    BOOST_TEST_REQUIRE(std::regex_match(text, parts, form), piece.folder);
    const std::string deviations = parts[1];
    BOOST_TEST(std::to_string(1 + std::ranges::count(deviations, ',')) == parts[2].str());
  }
}

BOOST_AUTO_TEST_CASE(the_search_is_part_of_the_tour) {
  const Cabinet cabinet;
  cabinet.put("one", header(1));
  BOOST_TEST(tour_of(cabinet.read()).find("## Found") == std::string::npos);
  cabinet.write("found.txt", "## Found\n\nAt once.\n");
  BOOST_TEST(tour_of(cabinet.read()).ends_with("\n\n## Found\n\nAt once."));
}

BOOST_AUTO_TEST_CASE(a_piece_is_read_from_its_page_and_its_patch) {
  const Cabinet cabinet;
  cabinet.put("one", header(7, "Leads-to: two\n"));
  cabinet.put("two", header(3), "fix.patch");
  const Museum museum = cabinet.read();
  BOOST_TEST(museum.problems.empty(), all_of(museum));
  BOOST_TEST_REQUIRE(museum.pieces.size() == 2);
  const Piece& piece = museum.pieces[1];
  BOOST_TEST(piece.slug == "one");
  BOOST_TEST(piece.order == 7);
  BOOST_TEST(piece.title == "A title");
  BOOST_TEST(piece.summary == "First line and second.");
  BOOST_TEST(piece.fails == "violation: a part: of it");
  BOOST_TEST(piece.leads_to == "two");
  BOOST_TEST(!piece.live);
  BOOST_TEST(museum.pieces[0].live);
}

BOOST_AUTO_TEST_CASE(a_piece_in_go_is_a_test_without_a_story) {
  const Cabinet cabinet;
  cabinet.put("one", header(7));
  cabinet.put("go/two", "", "race_test.go");
  cabinet.remove("go/two/scenario.yaml");
  cabinet.write("go/two/race_test.go",
                "// Order: 8\n// Bug: G1\n// Needs: S\n// Fails: leak: goroutines\n"
                "// Upstream: nowhere\n// Live: yes\n\npackage two\n\n// Bug: G2\n");
  const Museum museum = cabinet.read();
  BOOST_TEST(museum.problems.empty(), all_of(museum));
  BOOST_TEST_REQUIRE(museum.pieces.size() == 2);
  const Piece& race = museum.pieces[1];
  BOOST_TEST(race.in_go);
  BOOST_TEST(race.live);
  BOOST_TEST(race.bug == "G1");
  BOOST_TEST(race.fails == "leak: goroutines");
  BOOST_TEST(race.patch().ends_with("go/two/race_test.go"));
  BOOST_TEST(!museum.pieces[0].in_go);
  BOOST_TEST(tour_of(museum).find("| 2 | [A title](../scenarios/museum/go/two/README.md) | G1 |") !=
             std::string::npos);
  cabinet.remove("go/two/schedule.txt");
  cabinet.write("go/two/race_test.go", "package two\n// Bug: G1\n");
  BOOST_TEST(says(cabinet.read(), "go/two: has no schedule.txt"));
  BOOST_TEST(says(cabinet.read(), "go/two/race_test.go: says no 'Bug: …' before the package"));
}

BOOST_AUTO_TEST_CASE(what_a_piece_lacks_is_said) {
  const Cabinet cabinet;
  cabinet.put("one", "Order: 1\nBug: B00\nNeeds: X\nFails: everything\n");
  cabinet.remove("one/schedule.txt");
  const Museum museum = cabinet.read();
  BOOST_TEST(says(museum, "one: has no schedule.txt"), all_of(museum));
  BOOST_TEST(says(museum, "one/defect.patch: says no 'Upstream: …'"), all_of(museum));
  BOOST_TEST(says(museum, "one/defect.patch: 'X' is no list of S, O, F, T and P"), all_of(museum));
  BOOST_TEST(says(museum, "'Fails' is to be a kind of failure"), all_of(museum));
}

BOOST_AUTO_TEST_CASE(a_page_without_a_heading_is_said) {
  const Cabinet cabinet;
  cabinet.put("one", header(1));
  cabinet.write("one/README.md", "Once upon a time\n");
  BOOST_TEST(says(cabinet.read(), "one/README.md: begins with no heading"));
}

BOOST_AUTO_TEST_CASE(two_patches_are_one_too_many) {
  const Cabinet cabinet;
  cabinet.put("one", header(1));
  cabinet.write("one/fix.patch", header(1));
  BOOST_TEST(says(cabinet.read(), "one: has a defect.patch and a fix.patch"));
}

BOOST_AUTO_TEST_CASE(pieces_do_not_share_a_place_nor_lead_nowhere) {
  const Cabinet cabinet;
  cabinet.put("one", header(1, "Leads-to: nowhere\n"));
  cabinet.put("two", header(1));
  const Museum museum = cabinet.read();
  BOOST_TEST(says(museum, "one and two have the same order 1"), all_of(museum));
  BOOST_TEST(says(museum, "one leads to 'nowhere', which is no piece"), all_of(museum));
}

BOOST_AUTO_TEST_CASE(an_empty_museum_is_a_problem) {
  const Cabinet cabinet;
  BOOST_TEST(says(cabinet.read(), "has no folder with a piece"));
}

BOOST_AUTO_TEST_CASE(needs_are_shown_in_words) {
  BOOST_TEST(needs_words("S, T") == "a certain interleaving; time");
  BOOST_TEST(needs_words("F") == "a fault or a certain sequence of events");
  BOOST_TEST(needs_words("Q").empty());
  BOOST_TEST(needs_words("ST").empty());
}

BOOST_AUTO_TEST_CASE(a_piece_is_found_by_what_a_user_sees) {
  const Museum museum = read_museum("scenarios/museum");
  const std::vector<std::pair<std::string, std::string>> seen{
      {"deleted object comes back", "resurrected_by_resync"},
      {"DELETIONS that are lost", "recreated_object_lost"},
      {"informer never syncs", "never_synced_after_a_panic"},
      {"too many watches open", "a_stream_too_many"},
      {"handler called twice", "added_twice"},
      {"the cache goes back in time after a resync", "resync_goes_back"},
      {"informer run twice panic", "informer_run_twice"},
      {"goroutine leak", "informer_watcher_leaves"},
      {"wake-up that nobody hears", "wake_up_lost"},
      {"two leaders at once", "leader_of_an_old_term"}};
  for (const auto& [words, slug] : seen) {
    const auto found = search_pieces(museum, words);
    BOOST_TEST_REQUIRE(!found.empty(), words);
    BOOST_TEST(found.front()->slug == slug, words << " finds " << found.front()->slug);
    BOOST_TEST(found.size() <= 5U);
  }
  for (const std::string nothing : {"", "the and that", "zebra", "no of a"}) {
    BOOST_TEST(search_pieces(museum, nothing).empty(), nothing);
  }
}

BOOST_AUTO_TEST_SUITE_END()
