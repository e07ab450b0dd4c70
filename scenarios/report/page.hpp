#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>

#include "scenarios/report/page_data.hpp"

namespace watchlab::scenarios {

/// A source of the page as it is checked in, by its name: "page.html"; "" for none.
[[nodiscard]] std::string_view page_source(std::string_view name);

/// Data as it can stand inside of a script element: JSON without any '<', '>' or '&'.
[[nodiscard]] std::string json_for_page(const boost::json::value& data);

/// The whole page: one file that needs no other, and no network.
[[nodiscard]] std::string page_with(const boost::json::object& data);

/// The page of a run, at most `bytes_max` large: where it would be larger, it holds fewer steps,
/// down to a hundred, and `window` says so.
[[nodiscard]] std::string page_of(const PageData& data, PageWindow& window,
                                  std::size_t bytes_max = 2'000'000);

/// What a page shows beside the run: why it fails, and the steps that decide it. Plays the run some
/// hundred times in other ways.
[[nodiscard]] PageFacts facts_of(const Scenario& scenario, const SeenRun& seen, Scope scope);

}  // namespace watchlab::scenarios
