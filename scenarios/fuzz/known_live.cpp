#include "scenarios/fuzz/known_live.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

#include "scenarios/fuzz/fuzz_run.hpp"
#include "scenarios/language/runner.hpp"
#include "sim/invariants/reading.hpp"
#include "sim/kernel/schedule.hpp"

namespace watchlab::scenarios {

std::vector<KeptSeed> kept_seeds(const std::string& text) {
  std::vector<KeptSeed> kept;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || line[begin] == '#') {
      continue;
    }
    KeptSeed seed;
    const char* const end = line.data() + line.size();
    const auto read = std::from_chars(line.data() + begin, end, seed.seed);
    const std::string rest(read.ptr, end);
    const std::size_t comment = rest.find_first_not_of(" \t");
    const bool has_comment = comment != std::string::npos;
    if (read.ec != std::errc() || (has_comment && rest[comment] != '#')) {
      throw std::invalid_argument(
          fmt::format("line {}: expected a seed, then # and what it found", number));
    }
    if (has_comment) {
      const std::size_t words = rest.find_first_not_of(" \t", comment + 1);
      seed.found = words == std::string::npos ? "" : rest.substr(words);
    }
    kept.push_back(std::move(seed));
  }
  return kept;
}

namespace {

using sim::Record;

/// How many objects each list had that the client was given whole.
std::vector<std::size_t> sizes_of_lists(const Record& record, const std::string& client) {
  std::vector<std::size_t> sizes;
  std::size_t pages = 0;
  for (std::size_t i = 0; i < record.requests.size() && i < record.answers.size(); ++i) {
    const sim::RequestRecord& request = record.requests[i];
    if (request.client != client || request.verb != sim::Verb::List ||
        request.answer != sim::AnswerKind::Ok) {
      continue;
    }
    const api::ObjectList& page = record.answers[i].list;
    pages = page.items.size() + (request.options.continue_token.empty() ? 0 : pages);
    if (page.continue_token.empty()) {
      sizes.push_back(pages);
    }
  }
  return sizes;
}

/// A queue of newest states counts the objects of its first list and, with each pop, down; the
/// second list takes what is queued away and leaves the count.
bool second_list_came_before_the_pops(const Record& record, const std::string& client) {
  const sim::ClientRecord* const who = sim::invariants::client_named(record, client);
  const std::vector<std::size_t> lists = sizes_of_lists(record, client);
  const auto pops = std::count_if(record.pops.begin(), record.pops.end(),
                                  [&](const sim::PopRecord& pop) { return pop.client == client; });
  return who != nullptr && !who->keeps_store && lists.size() > 1 &&
         static_cast<std::size_t>(pops) < lists.front();
}

struct Entry {
  KnownLive known;
  bool (*shows)(const Record&, const std::string& client);
};

std::vector<Entry> entries() {
  return {
      {{.behaviour = "a FIFO that is given a second list before the first is popped never syncs",
        .clause = "C12 first_list_comes_first",
        .fix = "second_list_counts_anew"},
       second_list_came_before_the_pops}};
}

std::string fix_of(const std::string& line, const Record& record) {
  const BrokenClause broken = broken_clause_in(line);
  const std::string client = broken.words.substr(0, broken.words.find(' '));
  for (const Entry& entry : entries()) {
    if (entry.known.clause == broken.clause && entry.shows(record, client)) {
      return std::string(entry.known.fix);
    }
  }
  return "";
}

}  // namespace

std::vector<KnownLive> known_live_catalogue() {
  std::vector<KnownLive> all;
  for (const Entry& entry : entries()) {
    all.push_back(entry.known);
  }
  return all;
}

std::string known_fix_of(const Scenario& scenario, const sim::Failure& failure) {
  if (failure.kind != "violation" || failure.schedule.empty()) {
    return "";
  }
  const sim::Schedule schedule = sim::Schedule::parse(failure.schedule);
  const Record record = replay_scenario(scenario, schedule, false).record;
  std::string first;
  std::istringstream lines(failure.sentence);
  for (std::string line; std::getline(lines, line);) {
    const std::string fix = fix_of(line, record);
    if (fix.empty()) {
      return "";
    }
    first = first.empty() ? fix : first;
  }
  return first;
}

}  // namespace watchlab::scenarios
