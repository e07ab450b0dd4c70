#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "exercises/toolkit/remote_peer.hpp"

/// Looks for a world in which the body of a test fails. Where the tests are a student's, this
/// happens in the process that has the library under test, which plays the worlds and calls the
/// body: the process of the tests holds nothing of the library, and sees of it what it answers.
namespace watchlab::course {

/// Which worlds are played.
struct Search {
  std::uint64_t seed = 1;
  std::uint64_t schedules = 100;  ///< random ones, after the default one
  bool narrates = true;           ///< whether what fails is made short and narrated
  std::string schedule;           ///< the only one to play; "" to look for one
  int preemptions_max = -1;       ///< all with at most so many instead of random ones; -1: random
};

/// A world in which it failed.
struct Finding {
  std::string ending;    ///< how the grader counts it: assert, hang or exception
  std::string text;      ///< the message, and the steps if it is narrated; or its number, "#7"
  std::string schedule;  ///< what replays it
};
using Findings = std::vector<Finding>;

/// The body, and whether its expectations are narrated in this run.
using NarratedBody = std::function<void(runtime::Runtime& runtime, bool is_narrated)>;

/// Plays the body until a world fails, here. Of a schedule that is given, which belongs to one
/// library, nothing is found where it cannot be followed.
[[nodiscard]] Findings search_worlds(const Search& search, const NarratedBody& body);
/// The same in the process that has the library.
[[nodiscard]] Findings search_elsewhere(const Search& search, const NarratedBody& body);

/// What tests get of findings in the process that has the library. The grader gets them, and the
/// tests only that there are some and their numbers: steps and places are those of the library.
/// Where there is no grader, or this is not that process, they are what they were.
[[nodiscard]] Findings for_the_tests(Findings found);

/// The text without what the kernel only guesses: a correct library may wait for what never comes.
[[nodiscard]] std::string without_guesses(std::string text);
/// Whether a source is one that students do not have: of the library under test or of the course.
[[nodiscard]] bool is_foreign(std::string_view file);
/// The text without places in such sources, which have no folders in it: "(fifo.cpp:12)", and what
/// it says of a thing by where it was made, "of fifo.cpp:12".
[[nodiscard]] std::string without_places(
    std::string text, const std::function<bool(const std::string& source)>& is_left_out);
/// The text for people, without places in foreign sources, which have their folders in it.
[[nodiscard]] std::string without_foreign_places(std::string_view text);

/// Fails the running test of Boost.Test, for each of them.
void report_findings(const Findings& found);

/// What is drawn for the library at hand in this grade; 0 where nothing is drawn, because no grader
/// runs a suite. Only the process that has the library knows it.
[[nodiscard]] std::uint64_t library_seed();

/// The main function of that process: serves the library under test, whose functions `library`
/// runs, and worlds to a process of tests, until that ends.
[[noreturn]] void serve_tests(const Peer::Dispatch& library);
template <typename Functions>
void serve_tests_of() {
  serve_tests(dispatch_of<Functions>(Peer::of_library()));
}

}  // namespace watchlab::course
