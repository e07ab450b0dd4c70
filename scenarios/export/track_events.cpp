#include <algorithm>
#include <boost/json.hpp>
#include <protozero/pbf_writer.hpp>
#include <set>
#include <utility>

#include "scenarios/export/export_formats.hpp"
#include "scenarios/language/plain_text.hpp"

namespace watchlab::scenarios {
namespace {

using Kind = TimelineTrack::Kind;

/// Ids of processes and threads, which neither begin at 0 nor may be alike.
std::int64_t process_of(const TimelineTrack& track) {
  return static_cast<std::int64_t>(track.component) + 1;
}
std::int64_t thread_of(std::size_t track) { return static_cast<std::int64_t>(track) + 100'001; }

/// Numbers of the fields that are written; those of Perfetto's published schema.
namespace field {
constexpr protozero::pbf_tag_type kPacket = 1;
namespace of_packet {
constexpr protozero::pbf_tag_type kTimestamp = 8;
constexpr protozero::pbf_tag_type kSequence = 10;
constexpr protozero::pbf_tag_type kEvent = 11;
constexpr protozero::pbf_tag_type kFlags = 13;
constexpr protozero::pbf_tag_type kTrack = 60;
}  // namespace of_packet
namespace of_track {
constexpr protozero::pbf_tag_type kUuid = 1;
constexpr protozero::pbf_tag_type kName = 2;
constexpr protozero::pbf_tag_type kProcess = 3;
constexpr protozero::pbf_tag_type kThread = 4;
constexpr protozero::pbf_tag_type kParent = 5;
constexpr protozero::pbf_tag_type kCounter = 8;
constexpr protozero::pbf_tag_type kOrdering = 11;
constexpr protozero::pbf_tag_type kRank = 12;
}  // namespace of_track
namespace of_process {
constexpr protozero::pbf_tag_type kPid = 1;
constexpr protozero::pbf_tag_type kName = 6;
}  // namespace of_process
namespace of_thread {
constexpr protozero::pbf_tag_type kPid = 1;
constexpr protozero::pbf_tag_type kTid = 2;
constexpr protozero::pbf_tag_type kName = 5;
}  // namespace of_thread
namespace of_counter {
constexpr protozero::pbf_tag_type kUnit = 3;
}
namespace of_event {
constexpr protozero::pbf_tag_type kAnnotation = 4;
constexpr protozero::pbf_tag_type kType = 9;
constexpr protozero::pbf_tag_type kTrack = 11;
constexpr protozero::pbf_tag_type kCategory = 22;
constexpr protozero::pbf_tag_type kName = 23;
constexpr protozero::pbf_tag_type kCounter = 30;
constexpr protozero::pbf_tag_type kFlows = 47;
}  // namespace of_event
namespace of_annotation {
constexpr protozero::pbf_tag_type kInteger = 4;
constexpr protozero::pbf_tag_type kName = 10;
}  // namespace of_annotation
}  // namespace field

enum class EventType : std::uint8_t { Begin = 1, End = 2, Instant = 3, Counter = 4 };
constexpr std::int32_t kExplicitOrder = 3;
constexpr std::int32_t kCount = 2;         // a counter's unit
constexpr std::uint32_t kFirstPacket = 1;  // the sequence's state begins here

/// Writes packets of one sequence.
class PerfettoWriter {
 public:
  std::string write(const Timeline& timeline) {
    for (std::size_t i = 0; i < timeline.tracks.size(); ++i) {
      describe(timeline.tracks, i);
    }
    // By moments; at one moment, what ends comes before what begins.
    struct Item {
      std::int64_t at;
      EventType type;
      std::size_t index;
    };
    std::vector<Item> items;
    for (std::size_t i = 0; i < timeline.slices.size(); ++i) {
      const TimelineSlice& slice = timeline.slices[i];
      items.push_back({slice.begin, slice.end ? EventType::Begin : EventType::Instant, i});
      if (slice.end) {
        items.push_back({*slice.end, EventType::End, i});
      }
    }
    for (std::size_t i = 0; i < timeline.points.size(); ++i) {
      items.push_back({timeline.points[i].at, EventType::Counter, i});
    }
    std::ranges::stable_sort(items, [](const Item& a, const Item& b) {
      return std::pair(a.at, a.type != EventType::End) < std::pair(b.at, b.type != EventType::End);
    });
    for (const Item& item : items) {
      if (item.type == EventType::Counter) {
        write(timeline.points[item.index]);
      } else {
        write(timeline.slices[item.index], item.type);
      }
    }
    return std::move(bytes_);
  }

 private:
  template <typename Fill>
  void packet(const Fill& fill) {
    std::string text;
    protozero::pbf_writer packet(text);
    packet.add_uint32(field::of_packet::kSequence, 1);
    if (bytes_.empty()) {
      packet.add_uint32(field::of_packet::kFlags, kFirstPacket);
    }
    fill(packet);
    protozero::pbf_writer(bytes_).add_message(field::kPacket, text);
  }

  void describe(const std::vector<TimelineTrack>& tracks, std::size_t number) {
    const TimelineTrack& track = tracks[number];
    packet([&](protozero::pbf_writer& packet) {
      protozero::pbf_writer made(packet, field::of_packet::kTrack);
      made.add_uint64(field::of_track::kUuid, number + 1);
      if (track.kind == Kind::Component) {
        made.add_int32(field::of_track::kOrdering, kExplicitOrder);
        protozero::pbf_writer process(made, field::of_track::kProcess);
        process.add_int32(field::of_process::kPid, static_cast<std::int32_t>(process_of(track)));
        process.add_string(field::of_process::kName, visible_line(track.name));
        return;
      }
      made.add_uint64(field::of_track::kParent, track.component + 1);
      made.add_int32(field::of_track::kRank, static_cast<std::int32_t>(number));
      if (track.kind == Kind::Task) {
        protozero::pbf_writer thread(made, field::of_track::kThread);
        thread.add_int32(field::of_thread::kPid, static_cast<std::int32_t>(process_of(track)));
        thread.add_int32(field::of_thread::kTid, static_cast<std::int32_t>(thread_of(number)));
        thread.add_string(field::of_thread::kName, visible_line(track.name));
        return;
      }
      made.add_string(field::of_track::kName, visible_line(track.name));
      if (track.kind == Kind::Counter) {
        protozero::pbf_writer counter(made, field::of_track::kCounter);
        counter.add_enum(field::of_counter::kUnit, kCount);
      }
    });
  }

  template <typename Fill>
  void event(std::int64_t at, EventType type, std::size_t track, const Fill& fill) {
    packet([&](protozero::pbf_writer& packet) {
      packet.add_uint64(field::of_packet::kTimestamp, static_cast<std::uint64_t>(at));
      protozero::pbf_writer made(packet, field::of_packet::kEvent);
      made.add_enum(field::of_event::kType, static_cast<std::int32_t>(type));
      made.add_uint64(field::of_event::kTrack, track + 1);
      fill(made);
    });
  }

  void write(const TimelineSlice& slice, EventType type) {
    event(type == EventType::End ? *slice.end : slice.begin, type, slice.track,
          [&](protozero::pbf_writer& made) {
            if (type == EventType::End) {
              return;
            }
            made.add_string(field::of_event::kCategory, slice.category);
            made.add_string(field::of_event::kName, visible_line(slice.name));
            made.add_packed_fixed<std::uint64_t>(field::of_event::kFlows, slice.flows.begin(),
                                                 slice.flows.end());
            annotate(made, "step", static_cast<std::int64_t>(slice.step));
            annotate(made, "virtual time, ns", slice.at);
          });
  }
  void write(const TimelinePoint& point) {
    event(point.at, EventType::Counter, point.track, [&](protozero::pbf_writer& made) {
      made.add_int64(field::of_event::kCounter, point.value);
    });
  }
  static void annotate(protozero::pbf_writer& event, const std::string& name, std::int64_t value) {
    protozero::pbf_writer annotation(event, field::of_event::kAnnotation);
    annotation.add_string(field::of_annotation::kName, name);
    annotation.add_int64(field::of_annotation::kInteger, value);
  }

  std::string bytes_;
};

/// Writes the JSON array of events, in microseconds.
class ChromeWriter {
 public:
  explicit ChromeWriter(const Timeline& timeline) : timeline_(timeline) {}

  std::string write() {
    for (std::size_t i = 0; i < timeline_.tracks.size(); ++i) {
      describe(i);
    }
    for (const TimelineSlice& slice : timeline_.slices) {
      write(slice);
    }
    for (const TimelinePoint& point : timeline_.points) {
      boost::json::object made = event("C", point.track, point.at);
      made["name"] = timeline_.tracks[point.track].name;
      made["args"] = {{"value", point.value}};
      events_.push_back(std::move(made));
    }
    return boost::json::serialize(boost::json::object{{"traceEvents", std::move(events_)},
                                                      {"otherData", {{"story", timeline_.name}}}});
  }

 private:
  /// In microseconds.
  static double in_microseconds(std::int64_t nanoseconds) {
    return static_cast<double>(nanoseconds) / 1'000;
  }

  boost::json::object event(std::string_view phase, std::size_t track, std::int64_t at) const {
    return {{"ph", phase},
            {"pid", process_of(timeline_.tracks[track])},
            {"tid", thread_of(track)},
            {"ts", in_microseconds(at)}};
  }

  void describe(std::size_t number) {
    const TimelineTrack& track = timeline_.tracks[number];
    if (track.kind == Kind::Counter) {
      return;  // known by the name of its values
    }
    boost::json::object made = event("M", number, 0);
    made["name"] = track.kind == Kind::Component ? "process_name" : "thread_name";
    made["args"] = {{"name", track.name}};
    events_.push_back(std::move(made));
  }

  /// Flows join only what takes time.
  void write(const TimelineSlice& slice) {
    constexpr std::int64_t least = 5;
    boost::json::object made = event("X", slice.track, slice.begin);
    made["dur"] = in_microseconds(slice.end ? *slice.end - slice.begin : least);
    made["name"] = slice.name;
    made["cat"] = slice.category;
    made["args"] = {{"step", slice.step}, {"virtual time, ns", slice.at}};
    events_.push_back(std::move(made));
    for (const std::uint64_t flow : slice.flows) {
      const bool is_first = begun_.insert(flow).second;
      boost::json::object joined = event(is_first ? "s" : "t", slice.track, slice.begin);
      joined["name"] = "state of an object";
      joined["cat"] = "flow";
      joined["id"] = flow;
      events_.push_back(std::move(joined));
    }
  }

  const Timeline& timeline_;
  boost::json::array events_;
  std::set<std::uint64_t> begun_;  // flows
};

}  // namespace

std::string to_perfetto(const Timeline& timeline) { return PerfettoWriter().write(timeline); }

std::string to_chrome(const Timeline& timeline) { return ChromeWriter(timeline).write(); }

}  // namespace watchlab::scenarios
