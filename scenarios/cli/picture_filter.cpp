#include "scenarios/cli/picture_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>
#include <string_view>

#include "scenarios/language/document.hpp"
#include "scenarios/language/values.hpp"
#include "scenarios/report/lanes.hpp"
#include "sim/explain/wording.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::scenarios {
namespace {

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
  Wanted(const Scenario& scenario, const PictureFilter& filter) : filter_(filter) {
    for (const sim::StoryClientOptions& client : scenario.clients) {
      std::string on_wire = client.name;
      std::ranges::replace(on_wire, ' ', '_');
      const bool is_wanted =
          filter.clients.empty() || std::ranges::count(filter.clients, client.name) > 0;
      wanted_[client.name] = is_wanted;
      wanted_[on_wire] = is_wanted;
      wanted_[sim::escape_name(client.name)] = is_wanted;
    }
  }

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
    return in_time && is_of_client(note) && is_of_key(note) && is_of_object(note);
  }

 private:
  [[nodiscard]] bool is_wanted(const std::string& client) const {
    const auto known = wanted_.find(client);
    return known == wanted_.end() || known->second;
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
    const std::size_t first = note.task.find('/');
    const std::string rest = first == std::string::npos ? "" : note.task.substr(first + 1);
    return is_wanted(note.subject) && is_wanted(rest.substr(0, rest.find('/')));
  }

  [[nodiscard]] bool is_of_key(const sim::NoteRecord& note) const {
    const std::optional<std::string> key = key_of(note);
    return !key || filter_.keys.empty() ||
           std::ranges::any_of(filter_.keys,
                               [&](const std::string& each) { return is_key(*key, each); });
  }

  [[nodiscard]] bool is_of_object(const sim::NoteRecord& note) const {
    return filter_.object.empty() || note.kind == "fault" || names(note, filter_.object);
  }

  const PictureFilter& filter_;
  std::map<std::string, bool> wanted_;  // by each form of a client's name
};

}  // namespace

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
  for (const std::string& name : clients) {
    std::vector<std::string> known;
    for (const sim::StoryClientOptions& client : scenario.clients) {
      known.push_back(client.name);
    }
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
