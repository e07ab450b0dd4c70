#include "sim/linearizability/fifo_model.hpp"

#include <algorithm>

#include "sim/linearizability/state_text.hpp"

namespace watchlab::sim::linearizability {
namespace {

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

  [[nodiscard]] std::string to_text() const {
    std::string text = text_of(objects);
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
        return {{key + "=" + object.mapped(), to_text()}};
      }
    }
    return closed ? std::vector{Outcome{"closed", to_text()}} : std::vector<Outcome>{};
  }
};

std::string keys_text(const Entries& objects) {
  std::vector<std::string> keys;
  for (const auto& [key, version] : objects) {
    keys.push_back(key);
  }
  return joined_words(keys);
}

}  // namespace

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
    outcomes.push_back({"ok", after.to_text()});
  }
  return outcomes;
}

}  // namespace watchlab::sim::linearizability
