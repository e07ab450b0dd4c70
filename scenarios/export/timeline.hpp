#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/report/page_data.hpp"
#include "scenarios/report/seen_run.hpp"

/// Runs for the tools of others. What their formats are made from: a timeline of tracks.
namespace watchlab::scenarios {

/// A row of a timeline.
struct TimelineTrack {
  enum class Kind : std::uint8_t {
    Component,  ///< the server, a client, or the story itself; the other kinds belong to one
    Task,       ///< what a task does and what it waits for
    Lane,       ///< what happened in a part of the component: "queue", "cache"
    Counter,
  };

  Kind kind = Kind::Component;
  std::string name;
  std::size_t component = 0;  ///< the track that it belongs to; itself for a component
};

/// Something on a track. Slices of one track never overlap.
struct TimelineSlice {
  std::size_t track = 0;
  std::int64_t begin = 0;           ///< nanoseconds, see `Timeline`
  std::optional<std::int64_t> end;  ///< nothing for what takes no time
  std::string name;
  std::string category;  ///< "step", "wait", or the lane of the page
  std::size_t step = 0;  ///< that it follows, or is
  std::int64_t at = 0;   ///< virtual time
  std::vector<std::uint64_t> flows{};
};

struct TimelinePoint {
  std::size_t track = 0;
  std::int64_t at = 0;
  std::int64_t value = 0;
};

/// A run as tracks. A moment on it is the virtual time, but that many steps happen at one instant:
/// each step is given a microsecond of its own, which moves what follows where there is no room. A
/// flow joins what happened with one state of one object on its way to one client.
struct Timeline {
  static constexpr std::int64_t kStepTakes = 1'000;

  std::string name;
  std::vector<TimelineTrack> tracks;  ///< a component before what belongs to it
  std::vector<TimelineSlice> slices;  ///< by the moment at which they begin
  std::vector<TimelinePoint> points;  ///< of counters, where they change
  std::size_t flows = 0;              ///< numbered from 1
};

[[nodiscard]] Timeline timeline_of(const Scenario& scenario, const SeenRun& seen,
                                   const PageData& data);

}  // namespace watchlab::scenarios
