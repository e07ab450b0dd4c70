#include "sim/linearizability/cache_models.hpp"

#include <algorithm>

namespace watchlab::sim::linearizability {
namespace {

std::string keys_text(const Entries& objects) {
  std::vector<std::string> keys;
  for (const auto& [key, version] : objects) {
    keys.push_back(key);
  }
  return joined_words(keys);
}

constexpr std::string_view kPlaces = " in the order ";
constexpr std::string_view kClosedEnding = ", closed";

/// "a=1; b=2 in the order b; a, closed".
struct Fifo {
  Entries objects;
  std::vector<std::string> places;
  bool closed = false;

  static Fifo parse(std::string_view text) {
    Fifo fifo;
    fifo.closed = text.ends_with(kClosedEnding);
    text.remove_suffix(fifo.closed ? kClosedEnding.size() : 0);
    const std::size_t middle = text.find(kPlaces);
    if (middle != std::string_view::npos) {
      fifo.objects = entries_of(text.substr(0, middle));
      fifo.places = words_of(text.substr(middle + kPlaces.size()));
    }
    return fifo;
  }

  [[nodiscard]] std::string to_string() const {
    std::string text = linearizability::to_string(objects);
    if (!places.empty()) {
      text.append(kPlaces).append(joined_words(places));
    }
    return text.append(closed ? kClosedEnding : "");
  }

  void put(const Request& asked) {
    if (!objects.contains(asked.key)) {
      places.push_back(asked.key);
    }
    objects[asked.key] = asked.argument;
  }

  std::vector<Outcome> pop() {
    while (!places.empty()) {
      const std::string key = places.front();
      places.erase(places.begin());
      if (const auto object = objects.extract(key)) {
        return {{key + "=" + object.mapped(), to_string()}};
      }
    }
    if (!closed) {
      return {};
    }
    return {{"closed", to_string()}};
  }
};

constexpr std::string_view kThen = " + ";
constexpr std::string_view kDeleted = "Deleted ";
constexpr std::string_view kTombstone = "Deleted gone(";
constexpr std::string_view kClosed = "closed";

/// The deltas of one key: "a=Added 1 + Updated 2".
struct Place {
  std::string key;
  std::string deltas;

  [[nodiscard]] std::string newest() const {
    const std::size_t last = deltas.rfind(kThen);
    return last == std::string::npos ? deltas : deltas.substr(last + kThen.size());
  }
  /// The version in the newest delta, whatever it says about it.
  [[nodiscard]] std::string version() const {
    const std::string delta = newest();
    const std::size_t start = delta.find_last_of(" (") + 1;
    return delta.substr(start, delta.find(')') - start);
  }
};

/// "a=Added 1 + Updated 2; b=Deleted 3; closed".
struct Queue {
  std::vector<Place> places;
  bool closed = false;

  static Queue parse(std::string_view text) {
    Queue queue;
    for (const std::string& word : words_of(text)) {
      const std::size_t sign = word.find('=');
      if (sign == std::string::npos) {
        queue.closed = true;
      } else {
        queue.places.push_back({word.substr(0, sign), word.substr(sign + 1)});
      }
    }
    return queue;
  }

  [[nodiscard]] std::string to_string() const {
    std::vector<std::string> words;
    for (const Place& place : places) {
      words.push_back(place.key + "=" + place.deltas);
    }
    if (closed) {
      words.emplace_back(kClosed);
    }
    return joined_words(words);
  }

  [[nodiscard]] auto find(const std::string& key) {
    return std::ranges::find(places, key, &Place::key);
  }

  void append(const std::string& key, const std::string& delta) {
    const auto place = find(key);
    if (place == places.end()) {
      places.push_back({key, delta});
      return;
    }
    const std::string newest = place->newest();
    if (!newest.starts_with(kDeleted) || !delta.starts_with(kDeleted)) {
      place->deltas.append(kThen).append(delta);
    } else if (newest.starts_with(kTombstone)) {
      place->deltas.replace(place->deltas.size() - newest.size(), newest.size(), delta);
    }
  }

  void replace(const Entries& listed) {
    for (const auto& [key, version] : listed) {
      append(key, "Sync " + version);
    }
    const std::vector<Place> before = places;
    for (const Place& place : before) {
      if (!listed.contains(place.key)) {
        append(place.key, "Deleted gone(" + place.version() + ")");
      }
    }
  }
};

std::string keys_text(const Queue& queue) {
  std::vector<std::string> keys;
  for (const Place& place : queue.places) {
    keys.push_back(place.key);
  }
  return joined_words(keys);
}

std::vector<Outcome> pop(Queue queue) {
  if (queue.places.empty()) {
    if (!queue.closed) {
      return {};
    }
    return {{"closed", queue.to_string()}};
  }
  const Place first = queue.places.front();
  queue.places.erase(queue.places.begin());
  return {{first.key + ": " + first.deltas, queue.to_string()}};
}

}  // namespace

std::vector<Outcome> StoreModel::outcomes(const std::string& state, const Request& asked) const {
  Entries objects = entries_of(state);
  if (asked.method == "get") {
    const auto found = objects.find(asked.key);
    return {{found == objects.end() ? "none" : found->second, state}};
  }
  if (asked.method == "list") {
    return {{state, state}};
  }
  if (asked.method == "list_keys") {
    return {{keys_text(objects), state}};
  }
  if (asked.method == "add" || asked.method == "update") {
    objects[asked.key] = asked.argument;
  } else if (asked.method == "remove") {
    objects.erase(asked.key);
  } else if (asked.method == "replace") {
    objects = entries_of(asked.argument);
  } else {
    refuse_method(*this, asked);
  }
  return {{"ok", to_string(objects)}};
}

std::vector<Outcome> FifoModel::outcomes(const std::string& state, const Request& asked) const {
  Fifo fifo = Fifo::parse(state);
  if (asked.method == "pop") {
    return fifo.pop();
  }
  if (asked.method == "get") {
    const auto found = fifo.objects.find(asked.key);
    return {{found == fifo.objects.end() ? "none" : found->second, state}};
  }
  if (asked.method == "list_keys") {
    return {{keys_text(fifo.objects), state}};
  }
  std::vector<Outcome> outcomes;
  const bool may_be_gone = fifo.objects.empty() && !fifo.places.empty();
  for (int pass = 0; pass < (may_be_gone ? 2 : 1); ++pass) {
    Fifo after = fifo;
    if (pass == 1) {
      after.places.clear();
    }
    if (asked.method == "add" || asked.method == "update") {
      after.put(asked);
    } else if (asked.method == "remove") {
      after.objects.erase(asked.key);
    } else if (asked.method == "close") {
      after.closed = true;
    } else {
      refuse_method(*this, asked);
    }
    outcomes.push_back({"ok", after.to_string()});
  }
  return outcomes;
}

std::vector<Outcome> DeltaFifoModel::outcomes(const std::string& state,
                                              const Request& asked) const {
  Queue queue = Queue::parse(state);
  const auto place = queue.find(asked.key);
  const bool is_queued = place != queue.places.end();
  if (asked.method == "pop") {
    return pop(std::move(queue));
  }
  if (asked.method == "get") {
    return {{is_queued ? place->deltas : "none", state}};
  }
  if (asked.method == "list_keys") {
    return {{keys_text(queue), state}};
  }
  if (asked.method == "add" || asked.method == "update") {
    queue.append(asked.key, (asked.method == "add" ? "Added " : "Updated ") + asked.argument);
  } else if (asked.method == "remove") {
    if (is_queued) {
      queue.append(asked.key, "Deleted " + asked.argument);
    }
  } else if (asked.method == "replace") {
    queue.replace(entries_of(asked.argument));
  } else if (asked.method == "close") {
    queue.closed = true;
  } else {
    refuse_method(*this, asked);
  }
  return {{"ok", queue.to_string()}};
}

}  // namespace watchlab::sim::linearizability
