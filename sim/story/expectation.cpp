#include "sim/story/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <type_traits>

#include "sim/kernel/plain_text.hpp"
#include "sim/network/exchange.hpp"
#include "sim/story/options.hpp"

namespace watchlab::sim {
namespace {

/// One side of a comparison; its words are worked out only for a message, in which each is one
/// line.
struct Side {
  std::size_t count = 0;
  std::function<std::string(std::size_t)> words;

  [[nodiscard]] std::size_t size() const { return count; }
  std::string operator[](std::size_t i) const { return visible_line(words(i)); }
};

/// Both sides of a comparison, in words and as a yes-or-no question; patterns with `times` are
/// written out.
struct Comparison {
  std::function<std::string()> subject;  ///< "the requests of informer"
  Side wanted;
  Side seen;
  std::function<bool(std::size_t wanted, std::size_t seen)> fits;
};

/// What is wrong.
struct Broken {
  std::string message;
  /// The seen entry that is wrong where it stands; nothing where one is missing.
  std::optional<std::size_t> entry{};
};

Broken with_what_was_seen(const Comparison& comparison, const std::string& sentence,
                          std::optional<std::size_t> entry = std::nullopt) {
  std::string seen;
  for (std::size_t i = 0; i < comparison.seen.size(); ++i) {
    seen += fmt::format("\n    {}. {}", i + 1, comparison.seen[i]);
  }
  return {fmt::format("{}; seen:{}", sentence, seen.empty() ? " nothing" : seen), entry};
}

std::optional<Broken> broken_exactly(const Comparison& comparison) {
  const auto& [subject, wanted, seen, fits] = comparison;
  for (std::size_t i = 0; i < wanted.size() || i < seen.size(); ++i) {
    if (i >= seen.size()) {
      return with_what_was_seen(
          comparison, fmt::format("{}: number {} should be '{}', but there are only {}", subject(),
                                  i + 1, wanted[i], seen.size()));
    }
    if (i >= wanted.size()) {
      return with_what_was_seen(comparison,
                                fmt::format("{}: after the {} expected ones came '{}'", subject(),
                                            wanted.size(), seen[i]),
                                i);
    }
    if (!fits(i, i)) {
      return with_what_was_seen(comparison,
                                fmt::format("{}: number {} should be '{}', but is '{}'", subject(),
                                            i + 1, wanted[i], seen[i]),
                                i);
    }
  }
  return std::nullopt;
}

std::optional<Broken> broken_in_order(const Comparison& comparison) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < comparison.wanted.size(); ++i) {
    while (next < comparison.seen.size() && !comparison.fits(i, next)) {
      ++next;
    }
    if (next == comparison.seen.size()) {
      const std::string after = i == 0 ? "" : fmt::format(" after '{}'", comparison.wanted[i - 1]);
      return with_what_was_seen(
          comparison, fmt::format("{}: '{}' should come{}, but does not", comparison.subject(),
                                  comparison.wanted[i], after));
    }
    ++next;
  }
  return std::nullopt;
}

/// Gives every wanted entry a seen one of its own where that is possible (augmenting paths).
class Pairing {
 public:
  explicit Pairing(const Comparison& comparison)
      : comparison_(comparison), wanted_of_(comparison.seen.size()) {}

  /// False when no assignment covers this one and those before.
  bool cover(std::size_t wanted) {
    std::vector<bool> visited(wanted_of_.size(), false);
    return assign(wanted, visited);
  }
  [[nodiscard]] std::optional<std::size_t> first_unpaired() const {
    for (std::size_t i = 0; i < wanted_of_.size(); ++i) {
      if (!wanted_of_[i]) {
        return i;
      }
    }
    return std::nullopt;
  }

 private:
  bool assign(std::size_t wanted, std::vector<bool>& visited) {
    for (std::size_t i = 0; i < wanted_of_.size(); ++i) {
      if (visited[i] || !comparison_.fits(wanted, i)) {
        continue;
      }
      visited[i] = true;
      if (!wanted_of_[i] || assign(*wanted_of_[i], visited)) {
        wanted_of_[i] = wanted;
        return true;
      }
    }
    return false;
  }

  const Comparison& comparison_;
  std::vector<std::optional<std::size_t>> wanted_of_;
};

std::optional<Broken> broken_any_order(const Comparison& comparison, bool others_allowed) {
  Pairing pairing(comparison);
  for (std::size_t i = 0; i < comparison.wanted.size(); ++i) {
    if (!pairing.cover(i)) {
      return with_what_was_seen(comparison, fmt::format("{}: '{}' is missing", comparison.subject(),
                                                        comparison.wanted[i]));
    }
  }
  const auto extra = pairing.first_unpaired();
  if (!others_allowed && extra) {
    return with_what_was_seen(
        comparison,
        fmt::format("{}: '{}' was not expected", comparison.subject(), comparison.seen[*extra]),
        extra);
  }
  return std::nullopt;
}

std::optional<Broken> broken_never(const Comparison& comparison) {
  for (std::size_t i = 0; i < comparison.wanted.size(); ++i) {
    for (std::size_t j = 0; j < comparison.seen.size(); ++j) {
      if (comparison.fits(i, j)) {
        return with_what_was_seen(
            comparison,
            fmt::format("{}: '{}' should never come, but number {} is '{}'", comparison.subject(),
                        comparison.wanted[i], j + 1, comparison.seen[j]),
            j);
      }
    }
  }
  return std::nullopt;
}

/// The same of entries of which each may come, but not so many times in a row.
std::optional<Broken> broken_in_a_row(const Comparison& comparison,
                                      const std::vector<std::size_t>& times) {
  for (std::size_t i = 0; i < comparison.wanted.size(); i += times[i]) {
    std::size_t in_a_row = 0;
    for (std::size_t j = 0; j < comparison.seen.size(); ++j) {
      in_a_row = comparison.fits(i, j) ? in_a_row + 1 : 0;
      if (in_a_row == times[i]) {
        return Broken{
            fmt::format("{}: '{}' should never come {} times in a row, but does up to number {}",
                        comparison.subject(), comparison.wanted[i], in_a_row, j + 1),
            j};
      }
    }
  }
  return std::nullopt;
}

/// Of entries of which each may come so many times altogether.
std::optional<Broken> broken_at_most(const Comparison& comparison,
                                     const std::vector<std::size_t>& times) {
  for (std::size_t i = 0; i < comparison.wanted.size(); i += times[i]) {
    std::size_t count = 0;
    for (std::size_t j = 0; j < comparison.seen.size(); ++j) {
      count += comparison.fits(i, j) ? 1 : 0;
      if (count > times[i]) {
        return with_what_was_seen(
            comparison,
            fmt::format("{}: '{}' should come at most {} time{}, but number {} is one more",
                        comparison.subject(), comparison.wanted[i], times[i],
                        times[i] == 1 ? "" : "s", j + 1),
            j);
      }
    }
  }
  return std::nullopt;
}

std::optional<Broken> broken(Mode mode, const Comparison& comparison) {
  switch (mode) {
    case Mode::Exactly:
      return broken_exactly(comparison);
    case Mode::InOrder:
      return broken_in_order(comparison);
    case Mode::InAnyOrder:
      return broken_any_order(comparison, false);
    case Mode::AtLeast:
      return broken_any_order(comparison, true);
    case Mode::AtMost:
    case Mode::Never:
      break;
  }
  return broken_never(comparison);
}

template <typename Pattern>
std::vector<const Pattern*> written_out(const std::vector<Pattern>& entries) {
  std::vector<const Pattern*> all;
  for (const Pattern& entry : entries) {
    all.insert(all.end(), static_cast<std::size_t>(entry.times), &entry);
  }
  return all;
}

template <typename Entry>
std::vector<const Entry*> pointers_to(const std::vector<Entry>& entries) {
  std::vector<const Entry*> all;
  for (const Entry& entry : entries) {
    all.push_back(&entry);
  }
  return all;
}

std::string subject(std::string_view layer, const std::string& of) {
  return of.empty() ? fmt::format("{}", layer) : fmt::format("{} of {}", layer, of);
}

/// What is wrong with an expectation, and the entry of the record that is, if one is.
struct Complaint {
  std::string message;
  std::optional<NamedEntry> named{};
};

watch::EventType event_type_of(ServedType type) {
  return type == ServedType::Deleted    ? watch::EventType::Deleted
         : type == ServedType::Modified ? watch::EventType::Modified
                                        : watch::EventType::Added;
}

/// A request as a trace writes it; of one without a name only the verb.
std::string trace_of(const RequestRecord& record) {
  if (!is_about_a_collection(record.verb) && record.key.empty()) {
    return std::string(to_string(record.verb));
  }
  Request request{.verb = record.verb};
  const std::size_t slash = record.key.find('/');
  request.namespace_ = slash == std::string::npos ? "" : record.key.substr(0, slash);
  request.name = slash == std::string::npos ? record.key : record.key.substr(slash + 1);
  request.options = record.options;
  return request_text(request);
}

/// Evaluates one expectation; a visitor over its layers.
class Evaluator {
 public:
  Evaluator(const Expectation& expectation, const Record& record, const Symbols& symbols)
      : of_(expectation.of), to_(expectation.to), record_(record), symbols_(symbols) {}

  std::optional<Complaint> operator()(const Expected<RequestPattern>& expected) const {
    const std::vector<RequestRecord> sent = sent_by(record_, of_);
    return compare(expected.mode, "requests", written_out(expected.entries), pointers_to(sent));
  }
  std::optional<Complaint> operator()(const Expected<DeltaPattern>& expected) const {
    return compare(expected.mode, "deltas", written_out(expected.entries),
                   of_client(record_.deltas));
  }
  std::optional<Complaint> operator()(const Expected<NotePattern>& expected) const {
    return compare(expected.mode, "notes", written_out(expected.entries), of_client(record_.notes));
  }
  std::optional<Complaint> operator()(const Expected<CallPattern>& expected) const {
    std::vector<const CallRecord*> calls;
    for (const CallRecord& call : record_.calls) {
      if ((of_.empty() || call.client == of_) && (to_.empty() || call.handler == to_)) {
        calls.push_back(&call);
      }
    }
    return compare(expected.mode, "handler calls", written_out(expected.entries), calls);
  }
  std::optional<Complaint> operator()(const Expected<ServedPattern>& expected) const {
    const std::vector<ServedRecord> served = served_to(record_, of_);
    return compare(expected.mode, "served", written_out(expected.entries), pointers_to(served));
  }
  std::optional<Complaint> operator()(const ExpectedObjects& expected) const {
    std::vector<const api::Object*> held;
    const std::vector<api::ObjectPtr> objects = held_at_the_end(record_, expected.kind);
    for (const api::ObjectPtr& object : objects) {
      held.push_back(object.get());
    }
    const Mode mode = expected.mode == Mode::Exactly ? Mode::InAnyOrder : expected.mode;
    std::optional<Complaint> complaint =
        compare(mode, expected.kind + "s of the server", pointers_to(expected.entries), held);
    if (complaint && complaint->named) {
      name_write(*complaint->named);
    }
    return complaint;
  }
  std::optional<Complaint> operator()(const ExpectedStore& expected) const {
    std::vector<const api::Object*> stored;
    for (const auto& [client, objects] : record_.stores) {
      for (const api::ObjectPtr& object : objects) {
        if (of_.empty() || client == of_) {
          stored.push_back(object.get());
        }
      }
    }
    const Mode mode = expected.mode == Mode::Exactly ? Mode::InAnyOrder : expected.mode;
    return compare(mode, "store", pointers_to(expected.entries), stored);
  }
  std::optional<Complaint> operator()(const ExpectedEnd& expected) const {
    EndCause cause = EndCause::Running;
    std::optional<NamedEntry> named;
    for (const EndRecord& end : record_.ends) {
      if (of_.empty() || end.client == of_) {
        cause = end.cause;
        named = NamedEntry{.kind = EntryKind::End,
                           .at = end.at,
                           .client = end.client,
                           .words = std::string(to_string(cause))};
      }
    }
    if (cause == expected.cause) {
      return std::nullopt;
    }
    return Complaint{fmt::format("{} should be '{}', but is '{}'", subject("end", of_),
                                 to_string(expected.cause), to_string(cause)),
                     std::move(named)};
  }

 private:
  template <typename Pattern, typename Entry>
  std::optional<Complaint> compare(Mode mode, std::string_view layer,
                                   const std::vector<const Pattern*>& patterns,
                                   const std::vector<const Entry*>& entries) const {
    const Comparison comparison{
        .subject = [&] { return subject(layer, to_.empty() ? of_ : to_); },
        .wanted = {patterns.size(),
                   [&](std::size_t i) { return describe(*patterns[i], symbols_); }},
        .seen = {entries.size(),
                 [&](std::size_t i) {
                   return describe(*entries[i]) + body_words(patterns, *entries[i]);
                 }},
        .fits =
            [&](std::size_t wanted, std::size_t seen) {
              return matches(*patterns[wanted], *entries[seen], symbols_);
            },
    };
    const std::optional<Broken> wrong = broken_as(mode, comparison, patterns);
    if (!wrong) {
      return std::nullopt;
    }
    if (!wrong->entry) {
      return Complaint{wrong->message};
    }
    NamedEntry named = named_by(*entries[*wrong->entry]);
    named.words = visible_line(describe(*entries[*wrong->entry]));
    return Complaint{wrong->message, std::move(named)};
  }

  /// The body of a seen object, where one is expected.
  template <typename Pattern, typename Entry>
  static std::string body_words(const std::vector<const Pattern*>& patterns, const Entry& entry) {
    const api::Object* object = nullptr;
    bool is_asked = false;
    if constexpr (std::is_same_v<Entry, api::Object>) {
      object = &entry;
      is_asked = std::ranges::any_of(
          patterns, [](const Pattern* each) { return each->state.body.has_value(); });
    } else if constexpr (requires { entry.object->body; }) {
      object = entry.object.get();
      is_asked = std::ranges::any_of(
          patterns, [](const Pattern* each) { return each->object.state.body.has_value(); });
    }
    const bool is_shown = is_asked && object != nullptr;
    return is_shown ? " body " + (object->body.empty() ? std::string("{}") : object->body) : "";
  }

  template <typename Pattern>
  static std::optional<Broken> broken_as(Mode mode, const Comparison& comparison,
                                         const std::vector<const Pattern*>& patterns) {
    if (mode == Mode::Never || mode == Mode::AtMost) {
      std::vector<std::size_t> times;  // that each pattern was written out
      for (const Pattern* pattern : patterns) {
        times.push_back(static_cast<std::size_t>(std::ranges::count(patterns, pattern)));
      }
      if (mode == Mode::AtMost) {
        return broken_at_most(comparison, times);
      }
      if (std::ranges::any_of(times, [](std::size_t n) { return n > 1; })) {
        return broken_in_a_row(comparison, times);
      }
    }
    return broken(mode, comparison);
  }

  [[nodiscard]] static NamedEntry named_by(const DeltaRecord& delta) {
    return {.kind = EntryKind::Delta,
            .at = delta.at,
            .client = delta.client,
            .key = delta.key,
            .trace = std::string(to_string(delta.type))};
  }
  [[nodiscard]] static NamedEntry named_by(const CallRecord& call) {
    return {.kind = EntryKind::Call,
            .at = call.at,
            .client = call.client,
            .key = call.key,
            .trace = visible_line(note_of(call)),
            .by = std::string(given_name(call.handler))};
  }
  [[nodiscard]] static NamedEntry named_by(const SaidRecord& note) {
    return {.kind = EntryKind::Note, .at = note.at, .client = note.client, .trace = note.text};
  }
  [[nodiscard]] static NamedEntry named_by(const RequestRecord& request) {
    return {.kind = EntryKind::Request,
            .at = request.at,
            .client = request.client,
            .key = request.key,
            .trace = trace_of(request),
            .sent = request.at};
  }
  [[nodiscard]] NamedEntry named_by(const ServedRecord& served) const {
    const RequestRecord& request = record_.requests[served.request];
    const bool is_listed = served.type == ServedType::Listed;
    return {.kind = is_listed ? EntryKind::Listed : EntryKind::Sent,
            .at = served.at,
            .client = request.client,
            .key = api::key_of(served.object->metadata),
            .trace = is_listed ? trace_of(request)
                               : event_text({event_type_of(served.type), served.object, nullptr}),
            .sent = request.at};
  }
  /// An object at the end, in the store that has it.
  [[nodiscard]] NamedEntry named_by(const api::Object& object) const {
    NamedEntry named{.kind = EntryKind::Stored,
                     .at = record_.closed,
                     .key = api::key_of(object.metadata),
                     .trace = " rv=" + object.metadata.resource_version};
    for (const auto& [client, objects] : record_.stores) {
      const bool has_it =
          (of_.empty() || client == of_) &&
          std::ranges::any_of(objects, [&](const auto& each) { return each.get() == &object; });
      named.client = has_it ? client : named.client;
    }
    return named;
  }
  /// The same on the server: the write that made it.
  void name_write(NamedEntry& object) const {
    object.kind = EntryKind::Written;
    object.client.clear();
    for (const WriteRecord& write : record_.writes) {
      const bool made_it = write.key == object.key && object.trace == " rv=" + write.revision;
      object.at = made_it ? write.at : object.at;
    }
  }

  template <typename Entry>
  std::vector<const Entry*> of_client(const std::vector<Entry>& entries) const {
    std::vector<const Entry*> chosen;
    for (const Entry& entry : entries) {
      if (of_.empty() || entry.client == of_) {
        chosen.push_back(&entry);
      }
    }
    return chosen;
  }

  const std::string& of_;
  const std::string& to_;
  const Record& record_;
  const Symbols& symbols_;
};

}  // namespace

std::optional<std::string> broken_by(const Expectation& expectation, const Record& record,
                                     const Symbols& symbols) {
  const auto complaint = std::visit(Evaluator(expectation, record, symbols), expectation.layer);
  return complaint ? std::optional(complaint->message) : std::nullopt;
}

std::optional<NamedEntry> breaking_entry(const Expectation& expectation, const Record& record,
                                         const Symbols& symbols) {
  const auto complaint = std::visit(Evaluator(expectation, record, symbols), expectation.layer);
  return complaint ? complaint->named : std::nullopt;
}

std::vector<ObjectPattern*> objects_in(Expectation& expectation) {
  std::vector<ObjectPattern*> objects;
  const auto collect = [&objects](auto& layer) {
    if constexpr (requires { layer.entries.front().object; }) {
      for (auto& entry : layer.entries) {
        objects.push_back(&entry.object);
      }
    } else if constexpr (std::is_same_v<decltype(layer), ExpectedStore&> ||
                         std::is_same_v<decltype(layer), ExpectedObjects&>) {
      for (ObjectPattern& entry : layer.entries) {
        objects.push_back(&entry);
      }
    }
  };
  std::visit(collect, expectation.layer);
  return objects;
}

void tolerate(Expectation& expectation, runtime::Duration tolerance) {
  if (auto* const requests = std::get_if<Expected<RequestPattern>>(&expectation.layer)) {
    for (RequestPattern& each : requests->entries) {
      if (each.delay) {
        each.delay->tolerance = tolerance;
      }
    }
  }
}

}  // namespace watchlab::sim
