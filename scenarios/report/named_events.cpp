#include "scenarios/report/named_events.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace watchlab::scenarios {
namespace {

using sim::EntryKind;
using sim::NamedEntry;
using sim::NoteRecord;

/// Whether a text has these words, and not only as the beginning of longer ones.
bool has_words(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  return at != std::string_view::npos &&
         (at + words.size() == text.size() || text[at + words.size()] == ' ');
}

bool is_note(const NoteRecord* note, std::string_view kind) {
  return note != nullptr && note->kind == kind;
}

/// Whether an event is about the entry; the note is what it was made of, or null.
bool is_about(const PageEvent& event, const NoteRecord* note, const NamedEntry& entry) {
  if (event.client != entry.client) {
    return false;
  }
  switch (entry.kind) {
    case EntryKind::Request:
      return is_note(note, "send") && has_words(note->text, " " + entry.trace);
    case EntryKind::Listed:
      return is_note(note, "request") && has_words(note->text, entry.trace);
    case EntryKind::Sent:
      return is_note(note, "receive") && note->text.ends_with(" " + entry.trace);
    case EntryKind::Delta:
      return is_note(note, "pop") &&
             (note->text.empty() || note->text.find(entry.trace) != std::string::npos);
    case EntryKind::Call:
      return is_note(note, "handler") && note->text == entry.trace && note->by == entry.by;
    case EntryKind::Note:
      return is_note(note, "print") && note->text == entry.trace;
    case EntryKind::Written:
      return is_note(note, "write") && note->text.ends_with(entry.trace);
    case EntryKind::Stored:
      return event.lane == "cache";
    case EntryKind::End:
      break;
  }
  return event.lane == "handlers" && note == nullptr && event.text.ends_with(entry.words);
}

/// Whether the event must name the object; that of a list names many or none.
bool names_its_object(EntryKind kind) {
  return kind == EntryKind::Delta || kind == EntryKind::Written || kind == EntryKind::Stored;
}

/// The events of a run, with the notes that they were made of.
class Events {
 public:
  Events(const PageData& data, const SeenRun& seen)
      : events_(data.events()), keys_(data.keys()), result_(seen.witness.result) {}

  /// Of those that fit the one that is nearest to that time.
  template <typename Fits>
  [[nodiscard]] std::optional<std::size_t> nearest(runtime::TimePoint to, const Fits& fits) const {
    const std::int64_t at = std::chrono::nanoseconds(to - result_.started).count();
    const auto distance = [&](std::size_t i) { return std::abs(events_[i].at - at); };
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (fits(events_[i], note_of(events_[i])) && (!best || distance(i) <= distance(*best))) {
        best = i;
      }
    }
    return best;
  }
  [[nodiscard]] bool has_key(const PageEvent& event, std::string_view key) const {
    return std::ranges::any_of(event.keys,
                               [&](std::size_t each) { return keys_.at(each).as_string() == key; });
  }

 private:
  [[nodiscard]] const NoteRecord* note_of(const PageEvent& event) const {
    return event.note ? &result_.notes[*event.note] : nullptr;
  }

  const std::vector<PageEvent>& events_;
  const boost::json::array& keys_;
  const sim::RunResult& result_;
};

}  // namespace

std::vector<std::size_t> events_of(const NamedEntry& entry, const PageData& data,
                                   const SeenRun& seen) {
  const Events events(data, seen);
  std::vector<std::size_t> found;
  const auto itself = events.nearest(entry.at, [&](const PageEvent& event, const NoteRecord* note) {
    return is_about(event, note, entry) &&
           (!names_its_object(entry.kind) || events.has_key(event, entry.key));
  });
  if (itself) {
    found.push_back(*itself);
  }
  if (entry.kind == EntryKind::Request) {
    const std::int64_t sent =
        std::chrono::nanoseconds(entry.at - seen.witness.result.started).count();
    const auto answer =
        events.nearest(entry.at, [&](const PageEvent& event, const NoteRecord* note) {
          return event.at >= sent && event.client == entry.client && is_note(note, "request") &&
                 has_words(note->text, entry.trace);
        });
    if (answer) {
      found.push_back(*answer);
    }
  }
  return found;
}

}  // namespace watchlab::scenarios
