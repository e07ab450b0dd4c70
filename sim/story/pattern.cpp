#include "sim/story/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <iterator>
#include <map>

#include "sim/apiserver/managed_fields.hpp"
#include "sim/kernel/plain_text.hpp"
#include "sim/story/options.hpp"

namespace watchlab::sim {
namespace {

using namespace std::chrono_literals;

constexpr runtime::Duration kFirstBackoff = 800ms;
constexpr runtime::Duration kLongestBackoff = 30s;

/// A symbol's value; the text itself when it is none, or when nothing has that name yet.
std::string resolved(const std::string& text, const Symbols& symbols) {
  const auto found = text.starts_with('$') ? symbols.find(text.substr(1)) : symbols.end();
  return found == symbols.end() ? text : found->second;
}

bool fits(const std::optional<std::string>& wanted, const std::string& actual,
          const Symbols& symbols) {
  return !wanted || resolved(*wanted, symbols) == actual;
}

template <typename T>
bool fits(const std::optional<T>& wanted, const std::optional<T>& actual) {
  return !wanted || wanted == actual;
}

template <typename T>
bool fits(const std::optional<T>& wanted, const T& actual) {
  return !wanted || *wanted == actual;
}

/// Whether a text fits a pattern, in which `*` matches anything.
bool fits_text(std::string_view wanted, std::string_view text) {
  // Between two stars the first place is the best one; what follows the last star is at the end.
  const std::size_t first = wanted.find('*');
  if (first == std::string_view::npos) {
    return text == wanted;
  }
  if (!text.starts_with(wanted.substr(0, first))) {
    return false;
  }
  text.remove_prefix(first);
  wanted.remove_prefix(first + 1);
  for (std::size_t star = wanted.find('*'); star != std::string_view::npos;
       star = wanted.find('*')) {
    const std::size_t place = text.find(wanted.substr(0, star));
    if (place == std::string_view::npos) {
      return false;
    }
    text.remove_prefix(place + star);
    wanted.remove_prefix(star + 1);
  }
  return text.ends_with(wanted);
}

bool fits_value(const boost::json::value& wanted, const boost::json::value& value) {
  if (const auto* const members = wanted.if_object()) {
    return value.is_object() && std::ranges::all_of(*members, [&](const auto& each) {
             const boost::json::value* const found = value.get_object().if_contains(each.key());
             return each.value().is_null() ? found == nullptr || found->is_null()
                                           : found != nullptr && fits_value(each.value(), *found);
           });
  }
  if (const auto* const elements = wanted.if_array()) {
    return value.is_array() &&
           std::ranges::equal(*elements, value.get_array(), [](const auto& one, const auto& other) {
             return fits_value(one, other);
           });
  }
  return wanted.is_string() && value.is_string()
             ? fits_text(wanted.get_string(), value.get_string())
             : wanted == value;
}

bool matches_state(const StatePattern& pattern, const api::Object& object, const Symbols& symbols) {
  return fits(pattern.rv, object.metadata.resource_version, symbols) &&
         fits(pattern.uid, object.metadata.uid, symbols) &&
         fits(pattern.labels, object.metadata.labels) &&
         (!pattern.data || *pattern.data == data_of(object)) &&
         (!pattern.body || fits_body(*pattern.body, object.body));
}

bool is_unconditional(const StatePattern& pattern) { return pattern == StatePattern(); }

/// A tombstone may come without an object; then only a pattern that asks nothing of it fits.
bool matches_state(const StatePattern& pattern, const api::ObjectPtr& object,
                   const Symbols& symbols) {
  return object ? matches_state(pattern, *object, symbols) : is_unconditional(pattern);
}

std::string key_of(const ObjectPattern& pattern) {
  return pattern.namespace_.empty() ? pattern.name : pattern.namespace_ + "/" + pattern.name;
}

/// "default/demo" as "demo": stories rarely leave the default namespace.
std::string short_key(const std::string& key) {
  constexpr std::string_view prefix = "default/";
  return key.starts_with(prefix) ? key.substr(prefix.size()) : key;
}

/// The parts of "default/demo".
std::string name_in(const std::string& key) { return key.substr(key.find('/') + 1); }
std::string namespace_in(const std::string& key) {
  const std::size_t slash = key.find('/');
  return slash == std::string::npos ? "" : key.substr(0, slash);
}

/// A value that has lines stays on one: it could say what watchlab has not.
std::string on_one_line(std::string_view value) {
  std::string text;
  for (const char letter : value) {
    text += letter == '\n'   ? std::string("\\n")
            : letter == '\r' ? std::string("\\r")
                             : std::string(1, letter);
  }
  return text;
}

std::string pair_words(const api::Labels& pairs) {
  std::string text;
  for (const auto& [key, value] : pairs) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", key, on_one_line(value));
  }
  return fmt::format("{{{}}}", text);
}

std::string symbol_words(const std::string& text, const Symbols& symbols) {
  const std::string value = resolved(text, symbols);
  return value == text ? fmt::format("\"{}\"", text) : fmt::format("\"{}\" ({})", value, text);
}

std::string state_words(const StatePattern& pattern, const Symbols& symbols) {
  std::string text;
  if (pattern.rv) {
    text += fmt::format(" rv {}", symbol_words(*pattern.rv, symbols));
  }
  if (pattern.uid) {
    text += fmt::format(" uid {}", symbol_words(*pattern.uid, symbols));
  }
  if (pattern.labels) {
    text += fmt::format(" labels {}", pair_words(*pattern.labels));
  }
  if (pattern.data) {
    text += fmt::format(" data {}", pair_words(*pattern.data));
  }
  if (pattern.body) {
    text += " body " + *pattern.body;
  }
  return text;
}

std::string flag_words(const std::optional<bool>& flag, std::string_view name) {
  return flag ? fmt::format(" {}{}", *flag ? "" : "not ", name) : "";
}

/// "ConfigMap/web,Pod/a": to whom an object belongs; "" for nobody.
std::string owner_words(const api::ObjectMeta& metadata) {
  if (metadata.other_members.find("ownerReferences") == std::string::npos) {
    return "";
  }
  namespace json = boost::json;
  const json::object members = object_in(metadata.other_members);
  const json::value* const owners = members.if_contains("ownerReferences");
  const auto text_in = [](const json::value& owner, const char* key) {
    const json::value* const found =
        owner.is_object() ? owner.as_object().if_contains(key) : nullptr;
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : "?";
  };
  std::string names;
  if (owners != nullptr && owners->is_array()) {
    for (const json::value& owner : owners->as_array()) {
      names += fmt::format("{}{}/{}", names.empty() ? "" : ",", text_in(owner, "kind"),
                           text_in(owner, "name"));
    }
  }
  return names;
}

/// A part of an object's metadata in words, as "{a=b}"; "" where it has none.
struct MetadataPart {
  std::string_view name;
  std::string words;
};

/// What of an object's metadata decides what becomes of it.
std::array<MetadataPart, 5> metadata_parts(const api::ObjectMeta& metadata) {
  std::string finalizers;
  for (const std::string_view each : metadata.finalizers) {
    finalizers += fmt::format("{}{}", finalizers.empty() ? "" : ",", each);
  }
  const auto in_brackets = [](const std::string& names) {
    return names.empty() ? "" : fmt::format("[{}]", names);
  };
  return {{{"labels", metadata.labels.empty() ? "" : pair_words(metadata.labels)},
           {"annotations", metadata.annotations.empty() ? "" : pair_words(metadata.annotations)},
           {"finalizers", in_brackets(finalizers)},
           {"owners", in_brackets(owner_words(metadata))},
           {"deletionTimestamp", metadata.deletion_timestamp}}};
}

std::string metadata_words(const api::ObjectMeta& metadata) {
  std::string text;
  for (const MetadataPart& part : metadata_parts(metadata)) {
    text += part.words.empty() ? "" : fmt::format(" {} {}", part.name, part.words);
  }
  return text;
}

std::string data_words(const api::Object& object) {
  const api::Labels data = data_of(object);
  return data.empty() ? "" : fmt::format(" data {}", pair_words(data));
}

std::string content_words(const api::Object& object) {
  return metadata_words(object.metadata) + data_words(object);
}

/// What notes say of an object: its metadata is not among it, so that digests stay what they are.
std::string noted_words(const api::ObjectPtr& object) {
  return object
             ? fmt::format(" rv \"{}\"{}", object->metadata.resource_version, data_words(*object))
             : " without an object";
}

std::string object_words(const api::ObjectPtr& object) {
  if (!object) {
    return " without an object";
  }
  return fmt::format(" rv \"{}\"{}", object->metadata.resource_version, content_words(*object));
}

/// What a delta and a call have in common: "Added: demo rv "7" initial".
std::string delivery_words(std::string_view type, const auto& pattern, const Symbols& symbols) {
  return fmt::format("{}: {}{}{}{}", type, short_key(key_of(pattern.object)),
                     state_words(pattern.object.state, symbols),
                     flag_words(pattern.tombstone, "tombstone"),
                     flag_words(pattern.initial, "initial"));
}

std::string delivery_words(std::string_view type, const auto& record, const std::string& object) {
  return fmt::format("{}: {}{}{}{}", type, short_key(record.key), object,
                     record.tombstone ? " tombstone" : "", record.initial ? " initial" : "");
}

std::string delay_words(const DelayClass& delay) {
  switch (delay.kind) {
    case DelayClass::Kind::Immediate:
      return "at once";
    case DelayClass::Kind::Backoff:
      return fmt::format("after backoff step {}", delay.step);
    case DelayClass::Kind::Fixed:
      break;
  }
  return fmt::format("after {}", describe(delay.exactly));
}

}  // namespace

bool is_about_a_collection(Verb verb) {
  return verb == Verb::List || verb == Verb::Watch || verb == Verb::DeleteCollection;
}

bool belongs(runtime::Duration delay, const DelayClass& delay_class) {
  switch (delay_class.kind) {
    case DelayClass::Kind::Immediate:
      return delay <= delay_class.tolerance;
    case DelayClass::Kind::Fixed:
      return std::chrono::abs(delay - delay_class.exactly) <= delay_class.tolerance;
    case DelayClass::Kind::Backoff:
      break;
  }
  runtime::Duration base = kFirstBackoff;
  for (int step = 1; step < delay_class.step && base < kLongestBackoff; ++step) {
    base = std::min(2 * base, kLongestBackoff);
  }
  return delay >= base && delay < 2 * base + delay_class.tolerance;
}

bool matches(const RequestPattern& pattern, const RequestRecord& record, const Symbols& symbols) {
  return pattern.verb == record.verb &&
         fits(pattern.rv, record.options.resource_version, symbols) &&
         fits(pattern.answer, record.answer) && fits(pattern.end, record.end) &&
         fits(pattern.limit, record.options.limit) &&
         fits(pattern.label_selector, record.options.label_selector) &&
         fits(pattern.field_selector, record.options.field_selector) &&
         fits(pattern.name, name_in(record.key)) &&
         fits(pattern.namespace_, namespace_in(record.key)) &&
         (!pattern.delay || (record.delay && belongs(*record.delay, *pattern.delay)));
}

bool matches(const DeltaPattern& pattern, const DeltaRecord& record, const Symbols& symbols) {
  return pattern.type == record.type && key_of(pattern.object) == record.key &&
         fits(pattern.tombstone, record.tombstone) && fits(pattern.initial, record.initial) &&
         matches_state(pattern.object.state, record.object, symbols);
}

bool fits_body(const std::string& wanted, const std::string& body) {
  return fits_value(boost::json::parse(wanted), object_in(body));
}

bool matches(const NotePattern& pattern, const SaidRecord& record, const Symbols& /*symbols*/) {
  return fits_text(pattern.text, record.text);
}

bool matches(const CallPattern& pattern, const CallRecord& record, const Symbols& symbols) {
  return pattern.type == record.type && key_of(pattern.object) == record.key &&
         fits(pattern.tombstone, record.tombstone) && fits(pattern.initial, record.initial) &&
         matches_state(pattern.object.state, record.object, symbols) &&
         (!pattern.to || matches_state(*pattern.to, record.object, symbols)) &&
         (!pattern.from || matches_state(*pattern.from, record.before, symbols));
}

bool matches(const ServedPattern& pattern, const ServedRecord& record, const Symbols& symbols) {
  return pattern.type == record.type && matches(pattern.object, *record.object, symbols);
}

bool matches(const ObjectPattern& pattern, const api::Object& object, const Symbols& symbols) {
  return key_of(pattern) == api::key_of(object.metadata) &&
         matches_state(pattern.state, object, symbols);
}

std::string describe(const RequestPattern& pattern, const Symbols& symbols) {
  std::string text(to_string(pattern.verb));
  if (pattern.name) {
    text += fmt::format(" {}",
                        short_key(api::key_from(pattern.namespace_.value_or(""), *pattern.name)));
  } else if (pattern.namespace_) {
    text += fmt::format(" in {}", *pattern.namespace_);
  }
  if (pattern.rv) {
    text += fmt::format(" rv {}", symbol_words(*pattern.rv, symbols));
  }
  if (pattern.delay) {
    text += fmt::format(" {}", delay_words(*pattern.delay));
  }
  if (pattern.answer) {
    text += fmt::format(" answered {}", to_string(*pattern.answer));
  }
  if (pattern.end) {
    text += fmt::format(" ending {}", to_string(*pattern.end));
  }
  return text;
}

std::string describe(const DeltaPattern& pattern, const Symbols& symbols) {
  return delivery_words(to_string(pattern.type), pattern, symbols);
}

std::string describe(const NotePattern& pattern, const Symbols& /*symbols*/) {
  return pattern.text;
}

std::string describe(const CallPattern& pattern, const Symbols& symbols) {
  std::string text = delivery_words(to_string(pattern.type), pattern, symbols);
  if (pattern.from) {
    text += fmt::format(" from{}", state_words(*pattern.from, symbols));
  }
  if (pattern.to) {
    text += fmt::format(" to{}", state_words(*pattern.to, symbols));
  }
  return text;
}

std::string describe(const ServedPattern& pattern, const Symbols& symbols) {
  return fmt::format("{}: {}", to_string(pattern.type), describe(pattern.object, symbols));
}

std::string describe(const ObjectPattern& pattern, const Symbols& symbols) {
  return short_key(key_of(pattern)) + state_words(pattern.state, symbols);
}

std::string describe(const RequestRecord& record) {
  std::string text =
      is_about_a_collection(record.verb)
          ? fmt::format("{} rv \"{}\"", to_string(record.verb), record.options.resource_version)
          : fmt::format("{} {}", to_string(record.verb), short_key(record.key));
  if (record.delay) {
    text += *record.delay == runtime::Duration::zero()
                ? " at once"
                : fmt::format(" after {}", describe(*record.delay));
  }
  text += fmt::format(" answered {}", to_string(record.answer));
  text += record.end ? fmt::format(" ending {}", to_string(*record.end)) : "";
  return visible_line(text);
}

std::string describe(const DeltaRecord& record) {
  return visible_line(delivery_words(to_string(record.type), record, object_words(record.object)));
}

std::string describe(const SaidRecord& record) { return visible_line(record.text); }

std::string describe(const CallRecord& record) {
  const std::string text =
      delivery_words(to_string(record.type), record, object_words(record.object));
  return visible_line(record.type == CallType::Update ? text + " from" + object_words(record.before)
                                                      : text);
}

std::string note_of(const CallRecord& record) {
  const std::string text =
      delivery_words(to_string(record.type), record, noted_words(record.object));
  return record.type == CallType::Update ? text + " from" + noted_words(record.before) : text;
}

std::string metadata_of(const CallRecord& record) {
  if (record.type == CallType::Delete || !record.object) {
    return "";
  }
  if (record.type == CallType::Add || !record.before) {
    return metadata_words(record.object->metadata);
  }
  const auto or_none = [](const std::string& words) { return words.empty() ? "none" : words; };
  const auto before = metadata_parts(record.before->metadata);
  const auto after = metadata_parts(record.object->metadata);
  std::string text;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (before[i].words != after[i].words) {
      text += fmt::format(" {} {} → {}", after[i].name, or_none(before[i].words),
                          or_none(after[i].words));
    }
  }
  return text;
}

std::string describe(const ServedRecord& record) {
  return fmt::format("{}: {}", to_string(record.type), describe(*record.object));
}

std::string describe(const api::Object& object) {
  return visible_line(fmt::format("{} rv \"{}\"{}", short_key(api::key_of(object.metadata)),
                                  object.metadata.resource_version, content_words(object)));
}

std::string describe(runtime::Duration duration) {
  const auto nanoseconds = duration.count();
  if (nanoseconds % 1'000'000 != 0) {
    return fmt::format("{:.6f}s", static_cast<double>(nanoseconds) / 1e9);
  }
  const auto milliseconds = nanoseconds / 1'000'000;
  return milliseconds % 1000 == 0 ? fmt::format("{}s", milliseconds / 1000)
                                  : fmt::format("{}ms", milliseconds);
}

namespace {

std::optional<ServedType> type_of(const watch::Event& event) {
  switch (event.type) {
    case watch::EventType::Added:
      return ServedType::Added;
    case watch::EventType::Modified:
      return ServedType::Modified;
    case watch::EventType::Deleted:
      return ServedType::Deleted;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::vector<ServedRecord> served_to(const Record& record, const std::string& client) {
  std::vector<ServedRecord> served;
  for (std::size_t i = 0; i < record.requests.size() && i < record.answers.size(); ++i) {
    if (!client.empty() && record.requests[i].client != client) {
      continue;
    }
    for (const api::ObjectPtr& object : record.answers[i].list.items) {
      served.push_back(
          {ServedType::Listed, object, record.answers[i].at.value_or(record.requests[i].at), i});
    }
    for (const FrameRecord& frame : record.answers[i].frames) {
      const std::optional<ServedType> type = type_of(frame.event);
      if (type && frame.event.object != nullptr) {
        served.push_back({*type, frame.event.object, frame.at, i});
      }
    }
  }
  return served;
}

std::vector<RequestRecord> sent_by(const Record& record, const std::string& client) {
  std::vector<RequestRecord> sent;
  std::ranges::merge(record.requests, record.asked, std::back_inserter(sent), {},
                     &RequestRecord::at, &RequestRecord::at);
  std::erase_if(
      sent, [&](const RequestRecord& each) { return !client.empty() && each.client != client; });
  std::map<std::string, runtime::TimePoint> last;  // end of the request before, by client
  for (RequestRecord& each : sent) {
    const auto before = last.find(each.client);
    if (!is_about_a_collection(each.verb) && !each.delay && before != last.end()) {
      each.delay = each.at - before->second;
    }
    last[each.client] = each.ended.value_or(each.at);
  }
  return sent;
}

std::vector<api::ObjectPtr> held_at_the_end(const Record& record, const std::string& kind) {
  std::map<std::pair<std::string, std::string>, api::ObjectPtr> newest;
  for (const WriteRecord& write : record.writes) {
    newest[{write.resource, write.key}] = write.object;
  }
  std::vector<api::ObjectPtr> held;
  for (const auto& [place, object] : newest) {
    if (object != nullptr && object->kind == kind) {
      held.push_back(object);
    }
  }
  return held;
}

}  // namespace watchlab::sim
