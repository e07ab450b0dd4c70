#include "sim/http/lockstep/partner_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <map>
#include <optional>
#include <utility>

#include "core/client/tls_channel.hpp"
#include "sim/apiserver/managed_fields.hpp"

namespace watchlab::sim {
namespace {

constexpr std::string_view kGreeting = "watchlab-lockstep ";
constexpr std::array<std::pair<PartnerEvent::Kind, std::string_view>, 7> kKinds{{
    {PartnerEvent::Kind::Dial, "dial"},
    {PartnerEvent::Kind::Open, "open"},
    {PartnerEvent::Kind::Data, "data"},
    {PartnerEvent::Kind::Eof, "eof"},
    {PartnerEvent::Kind::Reset, "reset"},
    {PartnerEvent::Kind::Close, "close"},
    {PartnerEvent::Kind::Note, "note"},
}};

std::int64_t nanoseconds(runtime::TimePoint moment) {
  return moment.time_since_epoch() / std::chrono::nanoseconds(1);
}

/// The beginning of what was said instead, for a message.
std::string shown(std::string_view text) {
  constexpr std::size_t shown_max = 60;
  std::string out;
  for (const char c : text.substr(0, shown_max)) {
    out += c >= ' ' && c <= '~' ? c : '?';
  }
  return text.size() > shown_max ? out + " …" : out;
}

api::Error no_frame(std::string_view json) {
  return partner_failure(fmt::format("sent what is no frame: {}", shown(json)));
}

const boost::json::value* member(const boost::json::object& object, std::string_view name) {
  return object.if_contains(name);
}

std::optional<PartnerEvent> event_from(const boost::json::value& value) {
  const boost::json::object* object = value.if_object();
  const boost::json::value* kind = object != nullptr ? member(*object, "kind") : nullptr;
  if (kind == nullptr || !kind->is_string()) {
    return std::nullopt;
  }
  const auto known = std::ranges::find(kKinds, std::string_view(kind->get_string()),
                                       &std::pair<PartnerEvent::Kind, std::string_view>::second);
  if (known == kKinds.end()) {
    return std::nullopt;
  }
  PartnerEvent event{.kind = known->first};
  if (const boost::json::value* number = member(*object, "conn"); number && number->is_int64()) {
    event.connection = number->get_int64();
  }
  if (const boost::json::value* text = member(*object, "text"); text && text->is_string()) {
    event.text = std::string_view(text->get_string());
  }
  if (const boost::json::value* data = member(*object, "data"); data && data->is_string()) {
    std::optional<std::string> bytes = client::from_base64(std::string_view(data->get_string()));
    if (!bytes) {
      return std::nullopt;
    }
    event.text = *std::move(bytes);
  }
  return event;
}

std::string text_of(const boost::json::value& object, std::string_view name) {
  const boost::json::value* text = object.is_object() ? member(object.get_object(), name) : nullptr;
  return text != nullptr && text->is_string() ? std::string(text->get_string()) : "";
}

}  // namespace

api::Error partner_failure(std::string message) {
  return {.kind = api::ErrorKind::Other, .message = std::move(message), .status = {}};
}

std::string hello_line(const PartnerHello& hello) {
  boost::json::object about{{"client", hello.client},
                            {"scenario", hello.scenario},
                            {"seed", hello.seed},
                            {"life", hello.life},
                            {"epoch", nanoseconds(hello.epoch)}};
  if (hello.chosen) {
    about["chosen"] = true;
  }
  return fmt::format("{}{} {}", kGreeting, kPartnerProtocol, boost::json::serialize(about));
}

api::Result<void> read_hello(std::string_view line) {
  if (!line.starts_with(kGreeting)) {
    return partner_failure(
        fmt::format("began with what is no hello: {}; does it call watchlab.Test?", shown(line)));
  }
  const std::string_view version = line.substr(kGreeting.size());
  if (version.substr(0, version.find(' ')) != std::to_string(kPartnerProtocol)) {
    return partner_failure(fmt::format(
        "speaks version {} of the protocol, and this program version {}: take the Go module and "
        "the program watchlab of the same release",
        shown(version.substr(0, version.find(' '))), kPartnerProtocol));
  }
  return {};
}

std::string frame_text(const FrameToPartner& frame) {
  boost::json::object json{{"until", nanoseconds(frame.until)}};
  boost::json::array events;
  for (const PartnerEvent& event : frame.events) {
    boost::json::object each{
        {"conn", event.connection},
        {"kind", std::ranges::find(kKinds, event.kind,
                                   &std::pair<PartnerEvent::Kind, std::string_view>::first)
                     ->second}};
    if (!event.text.empty()) {
      each["data"] = client::to_base64(event.text);
    }
    events.push_back(std::move(each));
  }
  if (!events.empty()) {
    json["events"] = std::move(events);
  }
  if (frame.stop) {
    json["stop"] = true;
  }
  if (frame.alone) {
    json["alone"] = true;
  }
  if (!frame.turns.empty()) {
    json["turns"] = client::to_base64(frame.turns);
  }
  const std::string text = boost::json::serialize(json);
  std::string prefix;
  for (int shift = 24; shift >= 0; shift -= 8) {
    prefix += static_cast<char>((text.size() >> static_cast<unsigned>(shift)) & 0xFFU);
  }
  return prefix + text;
}

api::Result<std::size_t> frame_size(std::string_view prefix) {
  std::size_t size = 0;
  for (const char c : prefix.substr(0, kPartnerPrefixSize)) {
    size = (size << 8U) | static_cast<unsigned char>(c);
  }
  if (size > kPartnerFrameMax) {
    return no_frame(prefix);
  }
  return size;
}

api::Result<FrameFromPartner> frame_from(std::string_view text) {
  boost::system::error_code failure;
  const boost::json::value json =
      boost::json::parse(text, failure, {}, {.max_depth = 2 * kJsonDepthMax});
  const boost::json::object* object = failure ? nullptr : json.if_object();
  const boost::json::value* now = object != nullptr ? member(*object, "now") : nullptr;
  if (now == nullptr || !now->is_int64()) {
    return no_frame(text);
  }
  FrameFromPartner frame{.now = runtime::TimePoint(std::chrono::nanoseconds(now->get_int64()))};
  if (const boost::json::value* events = member(*object, "events")) {
    if (!events->is_array()) {
      return no_frame(text);
    }
    for (const boost::json::value& each : events->get_array()) {
      std::optional<PartnerEvent> event = event_from(each);
      if (!event) {
        return no_frame(boost::json::serialize(each));
      }
      frame.events.push_back(*std::move(event));
    }
  }
  if (const boost::json::value* done = member(*object, "done")) {
    frame.done = done->is_bool() && done->get_bool();
  }
  if (const boost::json::value* why = member(*object, "failed"); why && why->is_string()) {
    frame.failed = std::string_view(why->get_string());
  }
  if (const boost::json::value* taken = member(*object, "taken"); taken && taken->is_int64()) {
    frame.taken = static_cast<std::size_t>(std::max<std::int64_t>(taken->get_int64(), 0));
  }
  if (const boost::json::value* swaps = member(*object, "swaps"); swaps && swaps->is_array()) {
    for (const boost::json::value& each : swaps->get_array()) {
      frame.swaps.push_back({.place = text_of(each, "place"), .text = text_of(each, "text")});
    }
  }
  return frame;
}

void put_in_canonical_order(std::vector<PartnerEvent>& events) {
  // By connection in the order of appearance; each note stands for itself.
  std::vector<std::vector<PartnerEvent>> groups;
  std::map<std::int64_t, std::size_t> group_of;
  for (PartnerEvent& event : events) {
    const bool is_note = event.kind == PartnerEvent::Kind::Note;
    const auto [place, is_new] = is_note ? std::pair(group_of.end(), true)
                                         : group_of.try_emplace(event.connection, groups.size());
    if (is_new) {
      groups.emplace_back();
    }
    (is_new ? groups.back() : groups[place->second]).push_back(std::move(event));
  }
  std::ranges::stable_sort(groups, [](const auto& a, const auto& b) {
    return std::ranges::lexicographical_compare(
        a, b, [](const PartnerEvent& one, const PartnerEvent& other) {
          return std::pair(one.kind, std::string_view(one.text)) <
                 std::pair(other.kind, std::string_view(other.text));
        });
  });
  events.clear();
  for (std::vector<PartnerEvent>& group : groups) {
    std::ranges::move(group, std::back_inserter(events));
  }
}

}  // namespace watchlab::sim
