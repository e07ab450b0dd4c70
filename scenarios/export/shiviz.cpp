#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>

#include "scenarios/export/export_formats.hpp"
#include "scenarios/report/lanes.hpp"
#include "sim/explain/wording.hpp"
#include "sim/explore/access.hpp"

namespace watchlab::scenarios {
namespace {

/// How many events of each host are before something.
using VectorClock = std::map<std::string, std::uint64_t>;

void join(VectorClock& into, const VectorClock& from) {
  for (const auto& [host, count] : from) {
    std::uint64_t& own = into[host];
    own = std::max(own, count);
  }
}

/// Messages and what is written stand at the servers; all else where the task is that noted it.
class ClockedLog {
 public:
  ClockedLog(const Scenario& scenario, const SeenRun& seen)
      : seen_(seen), unused_(boost::json::object()), names_(scenario, seen, unused_) {
    for (const sim::WitnessedStep& step : seen.witness.steps) {
      const std::string client = client_of(step.done.actor);
      for (const sim::Access& access : step.done.accesses) {
        if (!client.empty()) {
          users_[access.object].insert(client);
        }
      }
    }
  }

  std::string write() {
    const auto& notes = seen_.witness.result.notes;
    std::size_t next = 0;
    const auto take_until = [&](std::size_t step) {
      for (; next < notes.size() && notes[next].step <= step; ++next) {
        take(notes[next]);
      }
    };
    for (const sim::WitnessedStep& step : seen_.witness.steps) {
      take_until(step.step - 1);
      take(step);
    }
    take_until(SIZE_MAX);
    return std::move(text_);
  }

 private:
  static std::string host_of_task(std::string_view path) {
    std::string host = path == "main" ? "story" : readable_task(path);
    std::ranges::replace(host, ' ', '_');
    return host;
  }

  [[nodiscard]] std::string client_of(std::uint32_t actor) const {
    return names_.client_of(seen_.witness.actors[actor].path);
  }

  /// Whether something is there for the simulation alone: the lock of the server, what a story
  /// writes down, and all else that two clients touch, which know nothing of one another.
  [[nodiscard]] static bool is_of_simulation(const std::string& object) {
    return object == "mutex 'server'" || object == "mutex 'recorder'" ||
           object == "condition 'recorded'";
  }
  [[nodiscard]] bool is_of_simulation(std::uint32_t object) const {
    const auto users = users_.find(object);
    return users != users_.end() && users->second.size() > 1;
  }

  /// What a step does to an object comes behind what was done to it before, where their order
  /// matters.
  void take(const sim::WitnessedStep& step) {
    if (is_of_simulation(step.done.object)) {
      return;
    }
    const std::string& path = seen_.witness.actors[step.done.actor].path;
    VectorClock& own = tasks_[path];
    for (const sim::Access& access : step.done.accesses) {
      for (const auto& [kind, clock] : objects_[access.object]) {
        if (!is_of_simulation(access.object) &&
            sim::relation(kind, access.kind) != sim::Relation::None) {
          join(own, clock);
        }
      }
    }
    if (seen_.witness.result.notes.empty()) {  // a program that notes nothing: what its tasks did
      add(host_of_task(path), own, sim::describe(seen_.witness, step.done));
    }
    for (const sim::Access& access : step.done.accesses) {
      join(objects_[access.object][access.kind], own);
    }
    const std::string client = client_of(step.done.actor);
    for (const std::uint32_t woken : step.woken) {
      const std::string other = client_of(woken);
      if (client.empty() || other.empty() || client == other) {
        join(tasks_[seen_.witness.actors[woken].path], own);
      }
    }
  }

  void take(const sim::NoteRecord& note) {
    VectorClock& task = tasks_[note.task];
    std::string host = host_of_task(note.task);
    const std::string by = note.by.empty() ? "" : " " + note.by;
    std::string words = note.kind + by + " " + note.subject + ": " + note.text;
    if (note.kind == "send" || note.kind == "receive" || note.kind == "lost") {
      take_message(note);
    } else if (note.kind == "write" || note.kind == "fault") {
      // The task that asks for it waits for it.
      VectorClock& server = servers_["server"];
      join(server, task);
      add("server", server, words);
      join(task, server);
    } else {
      add(host, task, words);
    }
  }

  void take_message(const sim::NoteRecord& note) {
    const MessageText message = parse_message(note.text);
    const bool arrives = note.kind == "receive";
    const std::string& place = arrives ? message.to : message.from;
    const bool at_server = names_.client_on_wire(place).empty();
    const std::string host = at_server ? place : host_of_task(note.task);
    VectorClock& clock = at_server ? servers_[place] : tasks_[note.task];
    if (arrives) {
      join(clock, sent_[note.subject]);
    }
    add(host, clock,
        note.kind + " " + message.what + (arrives ? " from " : " to ") +
            (arrives ? message.from : message.to) + " (message " + note.subject + ")");
    if (note.kind == "send") {
      sent_[note.subject] = clock;
    }
  }

  void add(const std::string& host, VectorClock& clock, std::string words) {
    ++clock[host];
    std::ranges::replace(words, '\n', ' ');
    boost::json::object counts;
    for (const auto& [each, count] : clock) {
      counts[each] = count;
    }
    text_ += words + "\n" + host + " " + boost::json::serialize(counts) + "\n";
  }

  const SeenRun& seen_;
  EventLog unused_;
  LaneContext names_;
  std::string text_;
  std::map<std::string, VectorClock> tasks_;    // by path
  std::map<std::string, VectorClock> servers_;  // by name
  std::map<std::string, VectorClock> sent_;     // by the number of a message
  std::map<std::uint32_t, std::map<sim::AccessKind, VectorClock>> objects_;
  std::map<std::uint32_t, std::set<std::string>> users_;  // clients by object
};

}  // namespace

std::string to_shiviz(const Scenario& scenario, const SeenRun& seen) {
  return ClockedLog(scenario, seen).write();
}

}  // namespace watchlab::scenarios
