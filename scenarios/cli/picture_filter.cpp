#include "scenarios/cli/picture_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>

#include "scenarios/language/document.hpp"
#include "scenarios/language/values.hpp"
#include "scenarios/report/lanes.hpp"
#include "sim/explain/wording.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::scenarios {
namespace {

/// More than that no reader can look at, and Graphviz takes minutes for it.
constexpr std::size_t kRowsMax = 1'500;
/// The library that renders PNG refuses more than 32,767 pixels; a row has 40.
constexpr std::size_t kRowsOfPngMax = 800;
/// More columns than that are no picture either.
constexpr std::size_t kLanesMax = 60;

bool is_end(const sim::NoteRecord& note) { return note.kind == "story" && note.subject == "end"; }

/// The key of the object that a note is about; nothing where it is about none.
std::optional<std::string> key_of(const sim::NoteRecord& note) {
  const std::string& kind = note.kind;
  if (kind == "write" || kind == "delta" || kind == "pop" || kind == "dedup") {
    return note.subject;
  }
  if (kind == "send" || kind == "receive" || kind == "lost") {
    const MessageText message = parse_message(note.text);
    return message.is_event() ? std::optional(message.key) : std::nullopt;
  }
  if (kind == "reconcile" || kind == "reconciled") {
    return note.text;
  }
  if (kind == "handler" || kind == "returns") {  // "add: demo rv …"
    const std::size_t name = note.text.find(": ");
    const std::string rest = name == std::string::npos ? "" : note.text.substr(name + 2);
    return rest.substr(0, rest.find(' '));
  }
  return std::nullopt;
}

/// Whether a key is the one that is asked for; either may leave its namespace out.
bool is_key(std::string_view key, std::string_view asked) {
  return key == asked || key.substr(key.rfind('/') + 1) == asked ||
         asked.substr(asked.rfind('/') + 1) == key;
}

/// Whether a note has that name anywhere.
bool names(const sim::NoteRecord& note, const std::string& object) {
  return note.subject.find(object) != std::string::npos ||
         note.text.find(object) != std::string::npos;
}

/// The step that an argument means.
std::size_t step_at(const SeenRun& seen, const std::string& option, const std::string& argument) {
  std::size_t step = 0;
  const auto read = std::from_chars(argument.data(), argument.data() + argument.size(), step);
  if (read.ec == std::errc() && read.ptr == argument.data() + argument.size()) {
    return step;
  }
  runtime::Duration since{0};
  if (!parse_duration(argument, since)) {
    throw std::invalid_argument(fmt::format(
        "{} takes the number of a step, or a time since the start such as 20s; it got '{}'", option,
        argument));
  }
  const auto& steps = seen.witness.steps;
  const auto found = std::ranges::find_if(steps, [&](const sim::WitnessedStep& each) {
    return each.at >= seen.witness.result.started + since;
  });
  return found == steps.end() ? steps.size() + 1 : found->step;
}

/// Whether a note is of a client that is wanted, or of none.
class Wanted {
 public:
  Wanted(const Scenario& scenario, const PictureFilter& filter)
      : filter_(filter), clients_(names_of_clients(scenario)) {}

  [[nodiscard]] bool operator()(const sim::NoteRecord& note) const {
    if (note.kind == "story" || note.kind == "failure") {
      return true;
    }
    const auto& kinds = filter_.kinds;
    if (!kinds.empty() && std::ranges::find(kinds, note.kind) == kinds.end()) {
      return false;
    }
    const bool in_time =
        (!filter_.from || note.step >= *filter_.from) && (!filter_.to || note.step <= *filter_.to);
    if (note.kind == "turn") {
      return in_time;
    }
    return in_time && is_of_client(note) && is_of_key(note) && is_of_object(note);
  }

 private:
  /// By its name or that of one of its tasks; what is of no client is wanted.
  [[nodiscard]] bool is_wanted(const std::string& name) const {
    const std::string client = sim::client_meant(name, clients_);
    return client.empty() || filter_.clients.empty() ||
           std::ranges::count(filter_.clients, client) > 0;
  }

  [[nodiscard]] bool is_of_client(const sim::NoteRecord& note) const {
    if (note.kind == "send" || note.kind == "receive" || note.kind == "lost") {
      const MessageText message = parse_message(note.text);
      return is_wanted(message.from) && is_wanted(message.to);
    }
    if (note.kind == "fault") {
      return is_wanted(note.text.substr(0, note.text.find(' ')));
    }
    if (note.kind == "write") {
      return true;
    }
    return is_wanted(note.subject) && is_wanted(note.task);
  }

  [[nodiscard]] bool is_of_key(const sim::NoteRecord& note) const {
    const std::optional<std::string> key = key_of(note);
    return !key || key == "*" || filter_.keys.empty() ||  // "*" is a change about all objects
           std::ranges::any_of(filter_.keys,
                               [&](const std::string& each) { return is_key(*key, each); });
  }

  [[nodiscard]] bool is_of_object(const sim::NoteRecord& note) const {
    return filter_.object.empty() || note.kind == "fault" || names(note, filter_.object);
  }

  const PictureFilter& filter_;
  std::vector<std::string> clients_;  // all of the story
};

}  // namespace

void refuse_too_large(std::size_t rows, std::size_t lanes, const std::string& filters,
                      const std::string& output) {
  const bool is_png = output.ends_with(".png");
  const std::size_t rows_max = is_png ? kRowsOfPngMax : kRowsMax;
  if (rows > rows_max) {
    throw std::invalid_argument(
        fmt::format("the picture would have {} rows, and {} can be drawn{}; {}", rows, rows_max,
                    is_png ? " as .png" : "", filters));
  }
  if (lanes > kLanesMax) {
    throw std::invalid_argument(fmt::format(
        "the picture would have {} columns, and {} can be drawn; {}", lanes, kLanesMax, filters));
  }
}

std::vector<std::string> names_in(const std::string& names) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(',', at), names.size());
    if (end > at) {
      parts.push_back(names.substr(at, end - at));
    }
    at = end + 1;
  }
  return parts;
}

std::vector<std::string> names_of_clients(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const sim::StoryClientOptions& client : scenario.clients) {
    names.push_back(client.name);
  }
  return names;
}

void set_steps(PictureFilter& filter, const SeenRun& seen, const std::string& from,
               const std::string& to) {
  if (!from.empty()) {
    filter.from = step_at(seen, "--from", from);
  }
  if (!to.empty()) {
    filter.to = step_at(seen, "--to", to);
  }
  const std::size_t steps = seen.witness.steps.size();
  if (filter.from && *filter.from > steps) {
    throw std::invalid_argument(
        fmt::format("--from {}: the run has ended by then, after {} steps", from, steps));
  }
  runtime::Duration since{0};
  runtime::Duration until{0};
  const bool are_times = parse_duration(from, since) && parse_duration(to, until);
  const bool are_reversed =
      are_times ? since > until : filter.from && filter.to && *filter.from > *filter.to;
  if (are_reversed) {
    throw std::invalid_argument(
        fmt::format("--from {} is behind --to {}; expected it before", from, to));
  }
}

void refuse_unknown_clients(const Scenario& scenario, const std::vector<std::string>& clients) {
  const std::vector<std::string> known = names_of_clients(scenario);
  for (const std::string& name : clients) {
    if (std::ranges::count(known, name) == 0) {
      throw std::invalid_argument(
          known.empty() ? fmt::format("--clients {}: this story has no clients", name)
                        : fmt::format("--clients {}: there is no such client; there is {}", name,
                                      sim::listed(known)));
    }
  }
}

void refuse_unknown_objects(const std::vector<sim::NoteRecord>& notes,
                            const PictureFilter& filter) {
  std::set<std::string> found;
  for (const sim::NoteRecord& note : notes) {
    found.insert(key_of(note).value_or(""));
  }
  found.erase("");
  const std::vector<std::string> known(found.begin(), found.end());
  for (const std::string& key : filter.keys) {
    if (std::ranges::none_of(known, [&](const auto& each) { return is_key(each, key); })) {
      const std::string nearest = nearest_name(key, known);
      throw std::invalid_argument(
          fmt::format("--keys {}: this run has no such object{}", key,
                      nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
    }
  }
  const auto is_named = [&](const auto& note) { return names(note, filter.object); };
  if (std::ranges::none_of(notes, is_named)) {
    throw std::invalid_argument(
        fmt::format("--object {}: nothing in this run has that name", filter.object));
  }
}

std::vector<sim::NoteRecord> filtered(std::vector<sim::NoteRecord> notes, const Scenario& scenario,
                                      const PictureFilter& filter) {
  const Wanted wanted(scenario, filter);
  std::erase_if(notes, [&](const sim::NoteRecord& note) { return !wanted(note); });
  if (filter.last) {
    const auto end = std::ranges::find_if(notes, is_end);
    const auto left_out = (end - notes.begin()) - static_cast<std::ptrdiff_t>(*filter.last);
    if (left_out > 0) {
      notes.erase(notes.begin(), notes.begin() + left_out);
    }
  }
  return notes;
}

}  // namespace watchlab::scenarios
