#include <algorithm>
#include <boost/json.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <protozero/pbf_reader.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "scenarios/export/export_formats.hpp"
#include "scenarios/language/catalogue.hpp"
#include "tests/scenarios/report/played.hpp"

using namespace watchlab;
using namespace watchlab::tests;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(track_events_test)

namespace {

const std::vector<std::string> kStories{"missed_delete", "slow_handler", "nodes_and_widgets",
                                        "resync_of_each_handler", "pod_runs_on_two_nodes"};

/// A packet of a trace, by the numbers of Perfetto's schema.
struct Packet {
  std::uint64_t at = 0;
  bool is_event = false;
  std::uint64_t track = 0;  ///< of an event; the one that is described otherwise
  std::uint64_t parent = 0;
  std::string name;
  std::string what;  ///< of a track: "process", "thread", "counter" or "lane"
  std::int32_t type = 0;
  std::int64_t value = 0;
  std::vector<std::uint64_t> flows;
};

void read_event(protozero::pbf_reader event, Packet& packet) {
  packet.is_event = true;
  while (event.next()) {
    switch (event.tag()) {
      case 9:
        packet.type = event.get_enum();
        break;
      case 11:
        packet.track = event.get_uint64();
        break;
      case 23:
        packet.name = event.get_string();
        break;
      case 30:
        packet.value = event.get_int64();
        break;
      case 47:
        for (const std::uint64_t flow : event.get_packed_fixed64()) {
          packet.flows.push_back(flow);
        }
        break;
      default:
        event.skip();
    }
  }
}

void read_track(protozero::pbf_reader track, Packet& packet) {
  packet.what = "lane";
  const auto named = [&](std::string what, protozero::pbf_reader inner, std::uint32_t name) {
    packet.what = std::move(what);
    while (inner.next()) {
      if (inner.tag() == name) {
        packet.name = inner.get_string();
      } else {
        inner.skip();
      }
    }
  };
  while (track.next()) {
    switch (track.tag()) {
      case 1:
        packet.track = track.get_uint64();
        break;
      case 2:
        packet.name = track.get_string();
        break;
      case 3:
        named("process", track.get_message(), 6);
        break;
      case 4:
        named("thread", track.get_message(), 5);
        break;
      case 5:
        packet.parent = track.get_uint64();
        break;
      case 8:
        named("counter", track.get_message(), 0);
        break;
      default:
        track.skip();
    }
  }
}

std::vector<Packet> packets_in(const std::string& bytes) {
  std::vector<Packet> packets;
  protozero::pbf_reader trace(bytes);
  while (trace.next(1)) {
    protozero::pbf_reader inner = trace.get_message();
    Packet& packet = packets.emplace_back();
    while (inner.next()) {
      switch (inner.tag()) {
        case 8:
          packet.at = inner.get_uint64();
          break;
        case 11:
          read_event(inner.get_message(), packet);
          break;
        case 60:
          read_track(inner.get_message(), packet);
          break;
        default:
          inner.skip();
      }
    }
  }
  return packets;
}

std::string written(const PlayedStory& story, std::string_view format) {
  return find_export_format(format)->write(story.scenario, story.seen);
}

/// The states that the record says came to a client, of those that the record says were written.
std::set<std::tuple<std::string, std::string, std::string>> states_taken(
    const sim::Record& record) {
  std::set<std::string> revisions;
  for (const sim::WriteRecord& write : record.writes) {
    revisions.insert(write.revision);
  }
  std::set<std::tuple<std::string, std::string, std::string>> taken;
  const auto take = [&](const std::string& client, const std::string& key,
                        const api::ObjectPtr& object) {
    if (object && revisions.contains(object->metadata.resource_version)) {
      taken.emplace(client, key, object->metadata.resource_version);
    }
  };
  for (const sim::DeltaRecord& delta : record.deltas) {
    take(delta.client, delta.key, delta.object);
  }
  for (const sim::CallRecord& call : record.calls) {
    take(call.client, call.key, call.object);
  }
  for (std::size_t i = 0; i < record.requests.size(); ++i) {
    for (const api::ObjectPtr& object : record.answers[i].list.items) {
      take(record.requests[i].client, api::key_of(object->metadata), object);
    }
    for (const sim::FrameRecord& frame : record.answers[i].frames) {
      if (frame.event.object && frame.event.type != watch::EventType::Bookmark) {
        take(record.requests[i].client, api::key_of(frame.event.object->metadata),
             frame.event.object);
      }
    }
  }
  return taken;
}

}  // namespace

BOOST_DATA_TEST_CASE(perfetto_has_a_track_for_each_component_and_task, kStories, name) {
  const PlayedStory story = play_for_page(scenario_named(name));
  std::map<std::string, std::set<std::string>> tracks;
  std::map<std::uint64_t, std::string> components;
  for (const Packet& packet : packets_in(written(story, "perfetto"))) {
    if (packet.is_event) {
      continue;
    }
    const bool is_own = packet.what == "process";
    BOOST_TEST((is_own || components.contains(packet.parent)), packet.name);
    components.emplace(packet.track, packet.name);
    tracks[packet.what].insert(is_own ? packet.name
                                      : components[packet.parent] + ": " + packet.name);
  }
  std::set<std::string> processes{"server", "story"};
  std::set<std::string> counters{"server: in flight", "server: watch window"};
  for (const sim::StoryClientOptions& client : story.scenario.clients) {
    processes.insert(client.name);
    counters.insert(client.name + ": behind by");
    counters.insert(client.name + ": queue length");
  }
  std::set<std::uint32_t> actors;
  for (const sim::WitnessedStep& step : story.seen.witness.steps) {
    if (story.seen.witness.actors[step.done.actor].is_task) {
      actors.insert(step.done.actor);
    }
  }
  BOOST_TEST(tracks["process"] == processes, boost::test_tools::per_element());
  BOOST_TEST(tracks["thread"].size() == actors.size());
  for (const std::string& counter : tracks["counter"]) {
    BOOST_TEST(counters.contains(counter), counter);
  }
  BOOST_TEST(tracks["counter"].contains("server: watch window"));
  BOOST_TEST(!tracks["lane"].empty());
}

BOOST_DATA_TEST_CASE(perfetto_has_a_flow_for_each_state_that_came_to_a_client, kStories, name) {
  const PlayedStory story = play_for_page(scenario_named(name));
  std::map<std::uint64_t, std::vector<const Packet*>> flows;
  const std::vector<Packet> packets = packets_in(written(story, "perfetto"));
  for (const Packet& packet : packets) {
    for (const std::uint64_t flow : packet.flows) {
      flows[flow].push_back(&packet);
    }
  }
  BOOST_TEST(flows.size() == states_taken(*story.seen.record).size());
  for (const auto& [number, along] : flows) {
    BOOST_TEST(along.size() >= 2, number);
    BOOST_TEST(along.front()->name.starts_with("The server writes"), along.front()->name);
  }
}

BOOST_DATA_TEST_CASE(what_begins_on_a_track_of_perfetto_ends_before_the_next, kStories, name) {
  const PlayedStory story = play_for_page(scenario_named(name));
  std::map<std::uint64_t, int> open;
  std::uint64_t last = 0;
  std::size_t steps = 0;
  for (const Packet& packet : packets_in(written(story, "perfetto"))) {
    if (!packet.is_event) {
      continue;
    }
    BOOST_TEST(packet.at >= last, packet.name);
    last = packet.at;
    steps += packet.type == 1 ? 1 : 0;
    open[packet.track] += packet.type == 1 ? 1 : packet.type == 2 ? -1 : 0;
    BOOST_TEST((open[packet.track] == 0 || open[packet.track] == 1), packet.name);
  }
  BOOST_TEST(steps >= story.seen.witness.steps.size());
}

BOOST_AUTO_TEST_CASE(counters_follow_the_queue_the_cache_and_the_window) {
  const PlayedStory story = play_for_page(scenario_named("missed_delete"));
  const Timeline timeline = timeline_of(story.scenario, story.seen, *story.data);
  std::map<std::string, std::vector<std::int64_t>> values;
  for (const TimelinePoint& point : timeline.points) {
    values[timeline.tracks[point.track].name].push_back(point.value);
  }
  // The object comes with the list; its deletion is known at the relist.
  BOOST_TEST(values["behind by"] == (std::vector<std::int64_t>{1, 0, 1, 0}),
             boost::test_tools::per_element());
  BOOST_TEST(values["queue length"] == (std::vector<std::int64_t>{1, 0, 1, 0}),
             boost::test_tools::per_element());
  // Two changes; nothing is left of them after the eviction.
  BOOST_TEST(values["watch window"] == (std::vector<std::int64_t>{1, 2, 0}),
             boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(chrome_has_slices_that_do_not_overlap_and_flows_that_begin, kStories, name) {
  const PlayedStory story = play_for_page(scenario_named(name));
  const auto trace = boost::json::parse(written(story, "chrome")).as_object();
  std::map<std::int64_t, double> free_from;
  std::set<std::int64_t> begun;
  std::size_t names = 0;
  for (const auto& each : trace.at("traceEvents").as_array()) {
    const auto& event = each.as_object();
    const std::string_view phase = event.at("ph").as_string();
    const auto thread = event.at("tid").to_number<std::int64_t>();
    const auto at = event.at("ts").to_number<double>();
    if (phase == "X") {
      BOOST_TEST(at >= free_from[thread] - 1e-6, event.at("name").as_string());
      free_from[thread] = at + event.at("dur").to_number<double>();
    } else if (phase == "s") {
      begun.insert(event.at("id").to_number<std::int64_t>());
    } else if (phase == "t") {
      BOOST_TEST(begun.contains(event.at("id").to_number<std::int64_t>()));
    }
    names += phase == "M" ? 1 : 0;
  }
  const Timeline timeline = timeline_of(story.scenario, story.seen, *story.data);
  BOOST_TEST(begun.size() == timeline.flows);
  BOOST_TEST(names == std::ranges::count_if(timeline.tracks, [](const TimelineTrack& track) {
               return track.kind != TimelineTrack::Kind::Counter;
             }));
}

BOOST_AUTO_TEST_CASE(times_are_those_of_the_timeline_in_the_unit_of_each_format) {
  const PlayedStory story = play_for_page(scenario_named("missed_delete"));
  const Timeline timeline = timeline_of(story.scenario, story.seen, *story.data);
  std::multiset<std::int64_t> begins;
  for (const TimelineSlice& slice : timeline.slices) {
    begins.insert(slice.begin);
  }
  std::multiset<std::int64_t> perfetto;
  for (const Packet& packet : packets_in(written(story, "perfetto"))) {
    if (packet.is_event && (packet.type == 1 || packet.type == 3)) {
      perfetto.insert(static_cast<std::int64_t>(packet.at));  // nanoseconds
    }
  }
  BOOST_TEST((perfetto == begins));
  std::multiset<std::int64_t> chrome;
  const auto trace = boost::json::parse(written(story, "chrome")).as_object();
  for (const auto& each : trace.at("traceEvents").as_array()) {
    if (each.at("ph").as_string() == "X") {
      chrome.insert(std::llround(each.at("ts").to_number<double>() * 1'000));  // of microseconds
    }
  }
  BOOST_TEST((chrome == begins));
  BOOST_TEST(*begins.rbegin() > 1'000'000'000, "the story takes more than a second");
}

/// A cache that a list fills anew, too, which no story above has.
BOOST_AUTO_TEST_CASE(every_shipped_story_is_exported_in_each_format) {
  for (const CatalogueEntry& entry : load_catalogue({"scenarios"})) {
    BOOST_TEST_CONTEXT(entry.path) {
      BOOST_TEST_REQUIRE(entry.parsed.scenario.has_value());
      const PlayedStory story = play_for_page(*entry.parsed.scenario);
      for (const ExportFormat& format : export_formats()) {
        BOOST_TEST(!format.write(*entry.parsed.scenario, story.seen).empty(), format.name);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
