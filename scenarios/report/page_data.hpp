#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/report/page_events.hpp"
#include "scenarios/report/seen_run.hpp"
#include "sim/explain/explain.hpp"

namespace watchlab::scenarios {

class QueueLane;

/// A step that decides how the run ends, in words.
struct TurningPoint {
  std::size_t step = 0;
  std::string text;
};

/// The steps that make the difference, as an explanation found them; empty where no single pair
/// does.
[[nodiscard]] std::vector<TurningPoint> turns_of(const sim::Explanation& found,
                                                 const SeenRun& seen);

/// What a page shows beside the run itself.
struct PageFacts {
  std::string program = "./watchlab";  ///< as one types it where the page was made
  std::string variant;      ///< the patch or the piece whose libraries play; "" for core as it is
  std::string patch;        ///< the text of that patch; "" for none
  std::string why;          ///< what makes the difference, in words; "" for nothing single
  std::string turns_title;  ///< what these have in common, as a sentence
  std::vector<TurningPoint> turns;
};

/// The steps that a page holds.
struct PageWindow {
  std::optional<std::size_t> first;  ///< the first one; if left out, so many up to the story's end
  std::size_t steps_max = 5'000;
};

/// A run as the page's data: what happened, in order, with what each event and each step changes.
/// The state after each of them is the base with all changes up to there.
class PageData {
 public:
  PageData(const Scenario& scenario, const SeenRun& seen, PageFacts facts);

  /// All of the run, and the part of it that a page holds.
  [[nodiscard]] boost::json::object whole() const;
  [[nodiscard]] boost::json::object window(const PageWindow& wanted) const;
  /// How often a store of the record was in another state than the lanes had found.
  [[nodiscard]] std::size_t corrected() const { return corrected_; }
  [[nodiscard]] const std::vector<PageEvent>& events() const { return events_; }
  /// The keys that events have by their numbers.
  [[nodiscard]] const boost::json::array& keys() const { return head_.at("keys").as_array(); }

 private:
  void play_lanes();
  void settle_stores(const sim::NoteRecord& end, QueueLane& queue) const;
  void note_failure(EventLog& log);
  void list_clauses();
  void list_clients();
  void list_tasks();
  [[nodiscard]] std::vector<std::string> broken_messages() const;
  [[nodiscard]] boost::json::object all_steps() const;
  [[nodiscard]] boost::json::array all_events() const;
  [[nodiscard]] boost::json::object all_task_patches() const;

  const Scenario& scenario_;
  const SeenRun& seen_;
  PageFacts facts_;
  boost::json::object initial_;
  std::vector<PageEvent> events_;
  std::vector<std::pair<std::size_t, Patch>> task_patches_;  ///< by step
  boost::json::object head_;                                 ///< what every window has in common
  TextTable words_;
  std::map<std::string, std::int64_t> task_numbers_;  // by path
  std::size_t corrected_ = 0;
};

/// The part of a run's data that a page holds: its base is the state before it.
[[nodiscard]] boost::json::object window_of(const boost::json::object& whole,
                                            const PageWindow& wanted);

/// "informer/reflector/watch informer" of "main/informer/reflector/watch%20informer".
[[nodiscard]] std::string readable_task(std::string_view path);

/// A source of the page as it is checked in, by its name: "page.html"; "" for none.
[[nodiscard]] std::string_view page_source(std::string_view name);

/// Whether a value is the data of a run, as `PageData::whole` makes it.
[[nodiscard]] bool is_page_data(const boost::json::value& value);

/// Data as it can stand inside of a script element: JSON without any '<', '>' or '&'.
[[nodiscard]] std::string json_for_page(const boost::json::value& data);

/// The whole page: one file that needs no other, and no network.
[[nodiscard]] std::string page_with(const boost::json::object& data);

/// The page of a run, at most `bytes_max` large: where it would be larger, it holds fewer steps,
/// down to a hundred, and `window` says so.
[[nodiscard]] std::string page_of(const boost::json::object& whole, PageWindow& window,
                                  std::size_t bytes_max = 2'000'000);

/// The page of two runs side by side, of the same bounds. Where they are longer than `window`, it
/// holds the steps around the first difference.
[[nodiscard]] std::string page_of_two(const boost::json::object& first,
                                      const boost::json::object& second, PageWindow& window,
                                      std::size_t bytes_max = 2'000'000);

/// What a page shows beside the run: why it fails, and the steps that decide it. Plays the run some
/// hundred times in other ways.
[[nodiscard]] PageFacts facts_of(const Scenario& scenario, const SeenRun& seen, Scope scope);

}  // namespace watchlab::scenarios
