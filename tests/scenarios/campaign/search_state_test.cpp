// Where a campaign stands, on a disk: it comes back whole, or is refused with a sentence.
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "core/runtime/random_engine.hpp"
#include "scenarios/campaign/campaign.hpp"
#include "tests/support/texts.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;
using watchlab::tests::says;

BOOST_AUTO_TEST_SUITE(search_state_test)

namespace {

const Settings settings{{"strategy", "pct"}, {"seed", "5"}, {"scenario", "00ff"}};

/// A file that is gone with it.
class File {
 public:
  explicit File(const std::string& text) { write(text); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { std::remove(path_.c_str()); }

  void write(const std::string& text) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << text;
  }
  /// Why it is refused; "" when it is not.
  [[nodiscard]] std::string refusal(const Settings& wanted = settings) const {
    try {
      (void)read_search_state(path_, wanted);
      return "";
    } catch (const std::invalid_argument& refused) {
      return refused.what();
    }
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_ = (std::filesystem::temp_directory_path() / "watchlab-state").string() +
                      std::to_string(getpid());
};

SearchState some_state() {
  SearchState state{.from = 3, .seconds = 1.5};
  JobState job{.next_run = 7};
  job.so_far.executions = 40;
  job.so_far.blocked = 2;
  job.so_far.coverage.add(17);
  job.so_far.failures.push_back(
      {.first = {.kind = "deadlock", .sentence = "a waits\nb waits \xff", .schedule = "w1:3"},
       .first_run = 6,
       .count = 4});
  state.jobs = {job, {.next_run = 9}};
  return state;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_state_comes_back_from_its_file) {
  const File file(search_state_text(some_state(), settings));
  const SearchState read = read_search_state(file.path(), settings);
  BOOST_TEST(read.from == 3U);
  BOOST_TEST(read.jobs.size() == 2U);
  const JobState& job = read.jobs.front();
  BOOST_TEST(job.next_run == 7U);
  BOOST_TEST(read.jobs.back().next_run == 9U);
  BOOST_TEST(job.so_far.executions == 40U);
  BOOST_TEST(job.so_far.failures.front().first.sentence == "a waits\nb waits \xff");
  BOOST_TEST(job.so_far.failures.front().count == 4U);
  BOOST_TEST(search_state_text(read, settings) == search_state_text(some_state(), settings));
}

BOOST_AUTO_TEST_CASE(the_state_of_other_options_is_refused_with_both_values) {
  const File file(search_state_text(some_state(), settings));
  const std::string other =
      file.refusal({{"strategy", "pct"}, {"seed", "6"}, {"scenario", "00ff"}});
  BOOST_TEST(says(other, "it belongs to other options: seed was 5 and is 6"), other);
  const std::string fewer = file.refusal({{"strategy", "pct"}, {"seed", "5"}});
  BOOST_TEST(says(fewer, "scenario was 00ff and is unset"), fewer);
}

BOOST_AUTO_TEST_CASE(one_changed_bit_is_noticed_wherever_it_is) {
  const std::string text = search_state_text(some_state(), settings);
  const File file(text);
  runtime::RandomEngine random(1);
  for (int i = 0; i < 200; ++i) {
    std::string damaged = text;
    const std::size_t at = random() % damaged.size();
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    file.write(damaged);
    const std::string refused = file.refusal();
    BOOST_TEST(says(refused, "damaged"), at << ": " << refused);
    BOOST_TEST(refused.starts_with(file.path()));
  }
}

BOOST_AUTO_TEST_CASE(a_state_that_was_cut_off_is_refused) {
  const std::string text = search_state_text(some_state(), settings);
  const File file(text);
  for (std::size_t size = 1; size < text.size(); ++size) {
    file.write(text.substr(0, size));
    BOOST_TEST(says(file.refusal(), "damaged"), size);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_state_is_refused) {
  const File file("something else\n");
  BOOST_TEST(!file.refusal().empty());
  file.write("");
  BOOST_TEST(!file.refusal().empty());
  file.write("watchlab-search 1 0000000000000005\n7 dfs1\n");
  BOOST_TEST(says(file.refusal(), "older version"), file.refusal());
  std::remove(file.path().c_str());
  BOOST_TEST(says(file.refusal(), "there is no such file"));
}

BOOST_AUTO_TEST_CASE(a_line_is_unsealed_as_it_was_sealed) {
  const std::string line = sealed("{\"a\":1}");
  BOOST_TEST(unsealed(line) == "{\"a\":1}");
  BOOST_CHECK_THROW((void)unsealed("{\"a\":1}"), std::invalid_argument);
  BOOST_CHECK_THROW((void)unsealed(line.substr(1)), std::invalid_argument);
  BOOST_CHECK_THROW((void)unsealed(""), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
